/**
 * What is seen of each fact (motion.md): one event, one movement, of fixed length and path.
 *
 * A place's element never leaves its place: it is drawn as coming from elsewhere. Nothing here is told a secret: of a
 * fact only what everybody knows decides where things go, and `hide` is one film whatever was done.
 */
import type { Fact, Seat } from "../../lib/types.ts";
import { rotation } from "./rules.ts";

const MOVE = "cubic-bezier(.45,.05,.2,1)";
const OUT = "cubic-bezier(.2,.7,.2,1)";
const DROP = "cubic-bezier(.3,1.35,.5,1)";

/** What was where before the fact changed the page. */
export interface Before {
  /** own cards, by number */
  readonly cards: ReadonlyMap<number, DOMRect>;
}

export const lookAround = (root: HTMLElement): Before => ({
  cards: new Map([...root.querySelectorAll<HTMLElement>("[data-card]")].map((card) => [Number(card.dataset["card"]), card.getBoundingClientRect()])),
});

const middle = (rect: DOMRect): [number, number] => [rect.x + rect.width / 2, rect.y + rect.height / 2];

/** Plays a fact's film; returns how to end it at once. */
export function play(root: HTMLElement, fact: Fact, players: number, viewer: Seat | null, before: Before, still: boolean): () => void {
  const running: Animation[] = [];
  const find = (query: string): HTMLElement | null => root.querySelector(query);
  const stone = (place: number) => find(`[data-place="${place}"]`);
  const tag = (place: number) => find(`[data-tag="${place}"]`);
  const run = (element: HTMLElement | null, frames: Keyframe[], duration: number, more: KeyframeAnimationOptions = {}): void => {
    if (element && typeof element.animate === "function") running.push(element.animate(frames, { duration, easing: MOVE, fill: "backwards", ...more }));
  };
  const fade = (element: HTMLElement | null): void => run(element, [{ opacity: 0.25 }, { opacity: 1 }], 160, { easing: "linear" });
  /** What is known of a place is said again once things have landed. */
  const hush = (places: readonly number[], ms: number): void => {
    for (const place of places) run(tag(place), [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }], ms, { easing: "linear" });
  };
  // measured before anything moves: what moves is elsewhere
  const lying = new Map([...root.querySelectorAll<HTMLElement>("[data-place]")].map((one) => [Number(one.dataset["place"]), one.getBoundingClientRect()]));
  /** A place's Stone arrives from another place, on an arc, lifted in the middle. */
  const come = (to: number, from: number, bend: number, ms: number): void => {
    const [ra, rb] = [lying.get(to), lying.get(from)];
    if (!ra || !rb) return;
    const [[ax, ay], [bx, by]] = [middle(ra), middle(rb)];
    const [dx, dy] = [bx - ax, by - ay];
    const far = Math.hypot(dx, dy) || 1;
    const size = rb.width / (ra.width || 1);
    run(stone(to), [
      { transform: `translate(${dx}px,${dy}px) scale(${size})`, zIndex: 3 },
      { transform: `translate(${dx / 2 - (dy / far) * bend}px,${dy / 2 + (dx / far) * bend}px) scale(${(1 + size) / 2 + 0.08})`, zIndex: 3 },
      { transform: "none", zIndex: 3 },
    ], ms);
  };
  /** Something slides in from where something else is or was. */
  const slide = (element: HTMLElement | null, from: DOMRect | undefined, ms: number, more: KeyframeAnimationOptions = {}): void => {
    if (!element || !from) return;
    const to = element.getBoundingClientRect();
    const [[ax, ay], [bx, by]] = [middle(to), middle(from)];
    run(element, [{ transform: `translate(${bx - ax}px,${by - ay}px) scale(${from.width / (to.width || 1)})`, zIndex: 5 }, { transform: "none", zIndex: 5 }], ms, { easing: OUT, ...more });
  };
  /** A back goes from one thing to another and is gone. */
  const back = (from: HTMLElement | null, to: HTMLElement | null, ms: number, end: Keyframe = {}, delay = 0): void => {
    const ghost = find(".ghost");
    if (!ghost || !from || !to) return;
    const [home, [fx, fy], [tx, ty]] = [root.getBoundingClientRect(), middle(from.getBoundingClientRect()), middle(to.getBoundingClientRect())];
    const at = (x: number, y: number) => `translate(${x - home.x}px,${y - home.y}px) translate(-50%,-50%)`;
    run(ghost, [{ transform: at(fx, fy), opacity: 1 }, { transform: at(tx, ty), opacity: 1, ...end }], ms, { easing: OUT, delay, fill: "none" });
  };

  const places = (fact["places"] as number[] | undefined) ?? [];
  const place = fact["place"] as number;
  const seat = fact["seat"] as Seat;
  const mine = seat === viewer;
  const chip = find(`[data-chip="${seat}"]`);
  const deck = find(".deck");

  const films: Record<string, () => void> = {
    stones_dealt: () => {
      for (let k = 0; k < 5; k += 1) {
        if (still) fade(stone(k));
        else slide(stone(k), deck?.getBoundingClientRect(), 320, { delay: 60 * k });
      }
    },
    card_dealt: () => {
      if (still) fade(mine ? find("[data-card]") : chip);
      else back(deck, mine ? (find("[data-card]") ?? chip) : chip, 220);
    },
    drew: () => {
      const card = mine && "card" in fact ? find(`[data-card="${Number(fact["card"])}"]`) : null;
      if (still) return fade(card ?? chip);
      if (!card) return back(deck, chip, 320, { opacity: 0.2 });
      back(deck, card, 320);
      run(card, [{ opacity: 0 }, { opacity: 0, offset: 0.42 }, { opacity: 1, offset: 0.43, transform: "perspective(700px) rotateY(90deg)" }, { opacity: 1, transform: "none" }], 740, { easing: OUT });
    },
    played: () => {
      const pile = find(".played .pcard");
      if (still) fade(pile);
      else slide(pile, mine ? before.cards.get(Number(fact["card"])) : chip?.getBoundingClientRect(), 420);
    },
    peeked: () => lift(),
    showed: () => lift(),
    swapped: () => {
      if (still) return places.forEach((one) => fade(stone(one)));
      const [a = -1, b = -1] = places;
      come(a, b, 46, 420);
      come(b, a, 46, 420);
      hush(places, 520);
    },
    rotated: () => {
      const move = rotation(players, fact["direction"]);
      const all = Array.from({ length: players }, (_, k) => k);
      if (still) return all.forEach((one) => fade(stone(one)));
      // outwards, along the orbit
      for (const one of all) come(move(one), one, fact["direction"] === "clockwise" ? -34 : 34, 700);
      hush(all, 800);
    },
    hid: () => {
      const pair = places.map(stone);
      const cloth = find(".cloth");
      if (!cloth || pair.some((one) => !one)) return;
      const rects = pair.map((one) => middle(one!.getBoundingClientRect()));
      const home = root.getBoundingClientRect();
      const [mx, my] = [0, 1].map((axis) => (rects[0]![axis]! + rects[1]![axis]!) / 2) as [number, number];
      // the cloth stays on the table
      const half = cloth.offsetWidth / 2;
      const x = Math.min(Math.max(mx, home.x + half + 6), home.right - half - 6);
      const at = `translate(${x - home.x}px,${my - home.y}px) translate(-50%,-50%)`;
      if (still) {
        pair.forEach((one) => run(one, [{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], 480, { easing: "linear" }));
        run(cloth, [{ transform: at, opacity: 0 }, { transform: at, opacity: 1 }, { transform: at, opacity: 0 }], 480, { easing: "linear" });
        return;
      }
      const whole = 420 + 700 + 420;
      const [going, stirred] = [420 / whole, 1_120 / whole];
      pair.forEach((one, k) => {
        const [cx, cy] = rects[k]!;
        const under = `translate(${x - cx + (k ? 34 : -34)}px,${my - cy}px) scale(.8)`;
        run(one, [{ transform: "none", easing: MOVE }, { transform: under, offset: going, easing: "linear" }, { transform: under, offset: stirred, easing: MOVE }, { transform: "none" }], whole, { easing: "linear" });
      });
      const stirs = [0, -1.6, 1.6, -1.2, 1.2, 0].map((turn, k) => ({ transform: `${at} rotate(${turn}deg) translateX(${turn * 4}px)`, opacity: 1, offset: going + ((stirred - going) * k) / 5 }));
      run(cloth, [{ transform: `${at} translateY(-16px)`, opacity: 0 }, { transform: at, opacity: 1, offset: 0.16 }, ...stirs, { transform: at, opacity: 1, offset: 0.86 }, { transform: at, opacity: 0 }], whole, { easing: "linear" });
      hush(places, whole);
    },
    shouted: () => {
      const burst = find(".burst");
      if (still) fade(burst);
      else run(burst, [{ transform: "scale(.3) rotate(-8deg)", opacity: 0 }, { transform: "none", opacity: 1 }], 160, { easing: DROP });
    },
    cards_revealed: () => {
      root.querySelectorAll<HTMLElement>(".guess").forEach((one, k) => {
        if (still) fade(one);
        else run(one, [{ opacity: 0, transform: "perspective(500px) rotateY(90deg)" }, { opacity: 1, transform: "none" }], 420, { easing: OUT, delay: 60 * k });
      });
    },
  };
  /** Somebody looks, and not this viewer: the same on every Stone. With a face, the Stone turns by itself. */
  function lift(): void {
    if ("face" in fact || still) return;
    const up = "translateY(-14px) rotate(-4deg)";
    run(stone(place), [{ transform: "none" }, { transform: up, offset: 0.3 }, { transform: up, offset: 0.7 }, { transform: "none" }], 900);
  }
  films[fact.what]?.();
  return () => running.forEach((one) => one.cancel());
}

/** One short shake of what was chosen. */
export function shake(root: HTMLElement): void {
  root.querySelectorAll<HTMLElement>(".is-picked").forEach((one) => {
    one.animate?.([0, -6, 6, -4, 0].map((x) => ({ transform: `translateX(${x}px)` })), { duration: 160 });
  });
}

/** The places that a fact was about: outlined where nothing travels. */
export function placesOf(fact: Fact, players: number): readonly number[] {
  if (fact.what === "swapped" || fact.what === "hid") return fact["places"] as number[];
  if (fact.what === "rotated") return Array.from({ length: players }, (_, k) => k);
  return (fact.what === "peeked" || fact.what === "showed") && !("face" in fact) ? [fact["place"] as number] : [];
}
