/** Darna without a page: what is asked, what can be chosen, and what a fact changes. Legality is the server's. */
import type { IconId } from "../../lib/art.ts";
import type { DarnaDeck, DarnaResult, DarnaView, Event, Fact, Instruction, Seat } from "../../lib/types.ts";
import { Teller, name, ui } from "../../lib/words.ts";
import type { Ask, AskButton, Rules, Seen } from "../board.ts";

export type Face = "puting_bato" | "plain";
export type Direction = "clockwise" | "counterclockwise";
export type Table = Seen<DarnaView>;

/** What a fact put before this seat for a while. */
export interface Look {
  readonly place: number;
  /** null: my own Stone, which all others see */
  readonly face: Face | null;
  /** whose Stone is shown; undefined: I peeked myself */
  readonly by?: Seat;
}

export interface Choice {
  /** the Deck, or a shout that is pointed out */
  readonly act: "draw" | "shout" | null;
  readonly card: number | null;
  readonly places: readonly number[];
  readonly direction: Direction | null;
  /** of a hiding that is pointed out */
  readonly swapped: boolean | null;
  readonly look: Look | null;
}

export const PLACES = 5;
const NOTHING: Choice = { act: null, card: null, places: [], direction: null, swapped: null, look: null };

const ICONS: Record<Instruction, IconId> = {
  peek: "i-peek", peek_two: "i-peek-two", swap: "i-swap", hide: "i-hide", show: "i-show",
  rotate_clockwise: "i-rotate-cw", rotate_counterclockwise: "i-rotate-ccw", rotate_either: "i-rotate-either",
};
export const iconOf = (instruction: Instruction): IconId => ICONS[instruction];

export const cardOf = (seen: Table, number: number): DarnaDeck["cards"][number] | undefined =>
  (seen.deck as DarnaDeck).cards.find((card) => card.number === number);

export const tellerOf = (seen: Table): Teller => new Teller("darna", seen.viewer, seen.seats.map((seat) => seat.name), seen.deck);

// --- What can be chosen --------------------------------------------------------------------------------

const pairOf = (event: Event): readonly number[] | null => (Array.isArray(event["places"]) ? (event["places"] as number[]) : null);

/** The places that may be chosen now; those chosen already are among them, so that they can be taken back. */
export function placesToPick(seen: Table, choice: Choice): readonly number[] {
  const one = seen.legal.flatMap((event) => (typeof event["place"] === "number" ? [event["place"]] : []));
  if (one.length) return one;
  const kept = choice.places.slice(-1);
  const pairs = seen.legal.map(pairOf).filter((pair) => pair !== null && kept.every((place) => pair.includes(place)));
  return [...new Set(pairs.flatMap((pair) => pair ?? []))].sort((a, b) => a - b);
}

export const cardsToPick = (seen: Table): readonly number[] =>
  seen.legal.flatMap((event) => (event.act === "play" ? [event["card"] as number] : []));

export const canDraw = (seen: Table): boolean => seen.legal.some((event) => event.act === "draw");

/** A Stone was pressed: one more, one less, or another instead of the older one. */
export function withPlace(seen: Table, choice: Choice, place: number): Choice {
  const many = seen.legal.some((event) => pairOf(event) !== null);
  if (choice.places.includes(place)) return { ...choice, places: choice.places.filter((one) => one !== place), swapped: null };
  return { ...choice, places: many ? [...choice.places.slice(-1), place] : [place], swapped: null };
}

/** The legal event that is chosen so far, if it is whole. */
function chosen(seen: Table, choice: Choice, swapped?: boolean): Event | undefined {
  return seen.legal.find((event) => {
    const pair = pairOf(event);
    if (pair) return choice.places.length === 2 && choice.places.every((place) => pair.includes(place)) && event["swapped"] === swapped;
    if (event.act === "play") return event["card"] === choice.card;
    return typeof event["place"] === "number" && event["place"] === choice.places[0];
  });
}

// --- The prompt -------------------------------------------------------------------------------------------

type Steps = NonNullable<Ask<Choice>["steps"]>;

/** An instruction within a sentence: "peek". */
const small = (instruction: Instruction): string => name("darna", instruction).toLocaleLowerCase();

function stepsOf(seen: Table): { steps: Steps } | Record<string, never> {
  const { doing } = seen.view;
  const card = doing && cardOf(seen, doing.card);
  if (!doing || !card) return {};
  const state = (half: number) => (half < doing.half ? "done" : half === doing.half ? "now" : "next");
  return {
    steps: [
      { icon: iconOf(card.first), text: ui("darna.step_first", { instruction: small(card.first) }), state: state(0) },
      { icon: iconOf(card.second), text: ui("darna.step_then", { instruction: small(card.second) }), state: state(1) },
    ],
  };
}

const nameOf = (seen: Table, seat: Seat): string => tellerOf(seen).nameOf(seat);

/** A main button that waits for its event, with what to do first as its reason. */
function main(text: string, event: Event | undefined, off: string): AskButton<Choice> {
  return event ? { id: "main", text, look: "main", event, confirm: true } : { id: "main", text, look: "main", off };
}

function ask(seen: Table, choice: Choice): Ask<Choice> {
  const { view } = seen;
  if (view.result) return { mine: false, who: resultTitle(seen, view.result), buttons: [] };
  if (choice.look) return looking(seen, choice.look);
  const mine = seen.me !== null && view.to_act.includes(seen.me);
  if (!mine) return waiting(seen);
  const due = seen.legal[0]?.act;
  const steps = stepsOf(seen);
  const none = { mine: true, ...steps };
  if (due === "draw" || due === "shout") return turning(seen, choice);
  if (due === "play") return playing(seen, choice);
  if (due === "peek") return { ...none, ...peeking(seen, choice) };
  if (due === "swap") return { ...none, ...swapping(seen, choice) };
  if (due === "hide") return { ...none, ...hiding(seen, choice) };
  if (due === "rotate") return { ...none, ...rotating(seen, choice) };
  if (due === "guess") return { ...none, ...guessing(seen, choice) };
  return { ...none, who: ui("darna.your_turn"), buttons: [] };
}

type Part = Omit<Ask<Choice>, "mine">;

function turning(seen: Table, choice: Choice): Ask<Choice> {
  const draw = seen.legal.find((event) => event.act === "draw");
  const shout = seen.legal.find((event) => event.act === "shout");
  const buttons: AskButton<Choice>[] = [];
  if (draw) buttons.push({ id: "draw", text: ui("darna.draw"), look: "main", event: draw, ...(choice.act === "draw" ? { confirm: true } : {}) });
  if (shout) buttons.push({ id: "shout", text: ui("darna.shout"), note: ui("darna.shout_short"), more: ui("darna.shout_rest"), look: "shout", twice: true, event: shout });
  return { mine: true, who: ui("darna.your_turn"), says: ui("darna.turn_says"), small: ui("darna.turn_small"), buttons };
}

function playing(seen: Table, choice: Choice): Ask<Choice> {
  const event = chosen(seen, choice);
  const card = choice.card === null ? undefined : cardOf(seen, choice.card);
  const teller = tellerOf(seen);
  const who = ui("darna.choose_card");
  if (!event || !card) return { mine: true, who, buttons: [main(ui("darna.play_button"), undefined, ui("darna.choose_card_first"))] };
  const keep = seen.view.hand.find((one) => one !== card.number);
  return {
    mine: true, who, says: teller.ui("darna.choose_card_says", { card: card.number, first: card.first, second: card.second }),
    ...(keep === undefined ? {} : { small: teller.ui("darna.you_keep", { keep }) }),
    buttons: [main(teller.ui("darna.play", { card: card.number }), event, "")],
  };
}

function peeking(seen: Table, choice: Choice): Part {
  const { doing } = seen.view;
  const event = chosen(seen, choice);
  const second = !!doing?.peeked.length;
  const key = second ? "darna.peek_two_second" : doing?.instruction === "peek_two" ? "darna.peek_two" : "darna.peek";
  const says = second ? ui("darna.peek_second_says") : doing?.instruction === "peek_two" ? ui("darna.peek_two_says") : ui("darna.peek_says");
  const place = choice.places[0];
  return {
    who: ui(key), ...(event && place !== undefined ? { says: tellerOf(seen).ui("darna.peek_at", { place }) } : {}),
    buttons: [main(ui("darna.peek_button"), event, says)],
  };
}

function swapping(seen: Table, choice: Choice): Part {
  const event = chosen(seen, choice);
  const { length } = choice.places;
  const who = ui(event ? "darna.swap_sure" : length ? "darna.swap_second" : "darna.swap");
  return {
    who, ...(event ? { says: tellerOf(seen).ui("darna.swap_sure_says", { places: choice.places }) } : {}),
    buttons: [main(ui("darna.swap_button"), event, ui("darna.swap_says"))],
  };
}

function hiding(seen: Table, choice: Choice): Part {
  const two = [true, false].map((swapped): AskButton<Choice> => {
    const event = chosen(seen, choice, swapped);
    const base = {
      id: swapped ? "swap" : "leave", text: ui(swapped ? "darna.hide_swap" : "darna.hide_leave"),
      icon: (swapped ? "u-exchange" : "u-minus") as IconId, look: (choice.swapped === swapped ? "main" : "plain") as "main" | "plain",
    };
    return event ? { ...base, event } : { ...base, off: ui("darna.hide_says") };
  });
  if (two.some((button) => button.off)) return { who: ui(choice.places.length ? "darna.hide_second" : "darna.hide"), buttons: two };
  return { who: ui("darna.hide_sure"), says: tellerOf(seen).ui("darna.hide_sure_says", { places: choice.places }), buttons: two };
}

function rotating(seen: Table, choice: Choice): Part {
  const way = (direction: Direction): AskButton<Choice>[] => {
    const event = seen.legal.find((one) => one["direction"] === direction);
    const look = choice.direction === direction ? "main" : "plain";
    const icon: IconId = direction === "clockwise" ? "i-rotate-cw" : "i-rotate-ccw";
    return event ? [{ id: direction, text: ui(`darna.${direction}`), icon, look, event }] : [];
  };
  return { who: ui("darna.rotate"), says: ui("darna.rotate_says"), buttons: [...way("clockwise"), ...way("counterclockwise")] };
}

function guessing(seen: Table, choice: Choice): Part {
  const event = chosen(seen, choice);
  const place = choice.places[0];
  return {
    who: ui("darna.guess"), ...(event && place !== undefined ? { says: tellerOf(seen).ui("darna.guess_sure_says", { place }) } : {}),
    buttons: [main(ui("darna.guess_do"), event, ui("darna.guess_says"))],
  };
}

const SHOWN = 2_000;
const SHOWING = 700;

function looking(seen: Table, look: Look): Ask<Choice> {
  const teller = tellerOf(seen);
  if (look.face === null) return { mine: false, who: ui("darna.showing"), says: ui("darna.showing_says"), buttons: [], hold: SHOWING };
  const back: AskButton<Choice> = { id: "back", text: ui("darna.turn_back"), look: "main", release: true, choice: NOTHING };
  if (look.by !== undefined) {
    const says = teller.ui("darna.shown_says", { place: look.place, face: look.face, seat: look.by });
    return { mine: false, who: ui("darna.shown"), says, buttons: [{ ...back, look: "plain" }], hold: SHOWN };
  }
  const who = ui(look.face === "plain" ? "darna.saw_plain" : "darna.saw_puting_bato");
  return { mine: true, ...stepsOf(seen), who, says: teller.ui("darna.saw_says", { place: look.place }), buttons: [back], hold: Infinity };
}

/** What another seat is doing, in words. */
function waiting(seen: Table): Ask<Choice> {
  const { view } = seen;
  const seat = view.to_act[0] ?? view.on_turn;
  if (seat === null || seat === undefined) return { mine: false, who: ui("wait.dealing"), buttons: [] };
  const values = { name: nameOf(seen, seat) };
  const instruction = view.doing?.instruction;
  const says =
    view.phase === "guess" ? undefined
    : view.phase === "turn" ? ui("darna.wait_turn", values)
    : view.phase === "play" ? ui("darna.wait_play", values)
    : instruction === "peek" ? ui("darna.wait_peek", values)
    : instruction === "peek_two" ? ui("darna.wait_peek_two", values)
    : instruction === "swap" ? ui("darna.wait_swap", values)
    : instruction === "hide" ? ui("darna.wait_hide", values)
    : instruction === "rotate_either" ? ui("darna.wait_rotate", values)
    : undefined;
  const isOut = seen.me !== null && view.out.includes(seen.me);
  const more = seen.me === null ? ui("table.watching_short") : isOut ? ui("darna.you_are_out_short") : undefined;
  return {
    mine: false, who: view.phase === "guess" ? ui("darna.guess_of", values) : ui("table.turn_of", values),
    ...(says === undefined ? {} : { says }), ...(more === undefined ? {} : { small: more }), waiting: true, buttons: [],
  };
}

export function resultTitle(seen: Table, result: DarnaResult): string {
  if (result.winner === null) return ui("end.nobody");
  return result.winner === seen.viewer ? ui("end.you_win") : ui("end.wins", { name: nameOf(seen, result.winner) });
}

// --- What a fact changes ------------------------------------------------------------------------------------

/** Where the Stone of a place comes to lie. */
type Move = (place: number) => number;

export const rotation = (players: number, direction: unknown): Move => {
  const by = direction === "clockwise" ? 1 : players - 1;
  return (place) => (place < players ? (place + by) % players : place);
};
export const swapOf = (places: readonly number[]): Move => {
  const [a = -1, b = -1] = places;
  return (place) => (place === a ? b : place === b ? a : place);
};

const sorted = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** The places where it may lie once this one was seen. */
function sighted(may: readonly number[], place: number, face: unknown): readonly number[] {
  if (face === "puting_bato") return [place];
  return face === "plain" ? may.filter((one) => one !== place) : may;
}

function mayAfter(view: DarnaView, fact: Fact, seen: Table): readonly number[] {
  const place = fact["place"] as number;
  if ("face" in fact) return sighted(view.may, place, fact["face"]);
  if (fact.what === "rotated") return sorted(view.may.map(rotation(seen.players, fact["direction"])));
  if (fact.what === "swapped") return sorted(view.may.map(swapOf(fact["places"] as number[])));
  if (fact.what === "hid") {
    const moved = view.may.map(swapOf(fact["places"] as number[]));
    return fact["swapped"] === true ? sorted(moved) : fact["swapped"] === false ? view.may : sorted([...view.may, ...moved]);
  }
  return view.may;
}

const plus = (hands: readonly number[], seat: number, n: number): number[] => hands.map((one, k) => (k === seat ? one + n : one));

function after(before: DarnaView, fact: Fact, seen: Table): DarnaView {
  const view = { ...before, may: mayAfter(before, fact, seen) };
  const seat = fact["seat"] as Seat;
  const card = fact["card"];
  const mine = seat === seen.viewer && typeof card === "number";
  switch (fact.what) {
    case "card_dealt":
      return { ...view, hands: plus(view.hands, seat, 1), deck: view.deck - 1, hand: mine ? sorted([...view.hand, card]) : view.hand };
    case "turn":
      return { ...view, phase: "turn", turn: fact["number"] as number, on_turn: seat, to_act: [seat], doing: null };
    case "drew":
      return { ...view, phase: "play", hands: plus(view.hands, seat, 1), deck: fact["left"] as number, hand: mine ? sorted([...view.hand, card]) : view.hand };
    case "played": {
      const played = card as number;
      const first = cardOf(seen, played)?.first;
      return {
        ...view, phase: "instruction", hands: plus(view.hands, seat, -1), hand: view.hand.filter((one) => one !== played || seat !== seen.viewer),
        played: sorted([...view.played, played]), last_played: played, doing: first ? { card: played, instruction: first, half: 0, peeked: [] } : null,
      };
    }
    case "cards_revealed": {
      const order = fact["order"] as Seat[];
      const first = order[0];
      return { ...view, phase: "guess", revealed: fact["cards"] as Record<string, number>, guessers: order, on_turn: first ?? null, to_act: first === undefined ? [] : [first], doing: null };
    }
    case "guessed":
      return { ...view, face_up: sorted([...view.face_up, fact["place"] as number]) };
    case "out": {
      const guessers = view.guessers.filter((one) => one !== seat);
      return { ...view, out: sorted([...view.out, seat]), guessers, on_turn: guessers[0] ?? null, to_act: guessers.slice(0, 1) };
    }
    case "game_over":
      return { ...view, phase: "over", on_turn: null, to_act: [], doing: null, guessers: [], result: { winner: (fact["winner"] as Seat | null) ?? null, how: fact["how"] as DarnaResult["how"] } };
    default:
      return view;
  }
}

/** Of a finished game, everything: where the Puting Bato lies after these events, and what each seat holds. */
export function truth(events: readonly Event[], players: number): { bato: number | null; hands: number[][] } {
  let bato: number | null = null;
  let drawing = 0;
  const hands: number[][] = Array.from({ length: players }, () => []);
  for (const event of events) {
    const by = typeof event.by === "number" ? event.by : -1;
    if (typeof event["deal_stone"] === "number") bato = event["deal_stone"];
    if (typeof event["deal_card"] === "number") hands[event["to"] as number]?.push(event["deal_card"]);
    if (event.act === "draw") drawing = by;
    if (typeof event["draw"] === "number") hands[drawing]?.push(event["draw"]);
    if (event.act === "play") hands[by] = (hands[by] ?? []).filter((card) => card !== event["card"]);
    const pair = pairOf(event);
    if (bato !== null && pair && event["swapped"] !== false) bato = swapOf(pair)(bato);
    if (bato !== null && event.act === "rotate") bato = rotation(players, event["direction"])(bato);
  }
  return { bato, hands: hands.map((hand) => sorted(hand)) };
}

/** The same with what cards do by themselves: forced rotations are no events. */
export function opened(events: readonly Event[], seen: Table): { bato: number | null; hands: number[][] } {
  return truth(whole(events, seen), seen.players);
}

/** The events with forced rotations written out where the cards make them. */
export function whole(events: readonly Event[], seen: Table): Event[] {
  const out: Event[] = [];
  let left: Instruction[] = [];
  let peeks = 0;
  const forced = (by: Event["by"]): void => {
    for (let next = left[0]; next === "show" || next === "rotate_clockwise" || next === "rotate_counterclockwise"; next = left[0]) {
      if (next !== "show") out.push({ ...(by === undefined ? {} : { by }), act: "rotate", direction: next === "rotate_clockwise" ? "clockwise" : "counterclockwise" });
      left = left.slice(1);
    }
  };
  for (const event of events) {
    out.push(event);
    if (event.act === "play") {
      const card = cardOf(seen, event["card"] as number);
      left = card ? [card.first, card.second] : [];
      peeks = 0;
      forced(event.by);
    } else if (event.act === "peek" && left[0] === "peek_two" && peeks === 0) peeks = 1;
    else if (event.act === "peek" || event.act === "swap" || event.act === "hide" || event.act === "rotate") {
      left = left.slice(1);
      peeks = 0;
      forced(event.by);
    }
  }
  return out;
}

/** The faces that everybody sees: turned up by guesses. */
export function faceUp(view: DarnaView, place: number): Face | null {
  if (!view.face_up.includes(place)) return null;
  return view.may.length === 1 && view.may[0] === place ? "puting_bato" : "plain";
}

/** What this viewer knows of a place for certain. */
export function known(view: DarnaView, place: number): Face | null {
  if (view.phase === "deal" && view.may.length === 0) return null;
  if (!view.may.includes(place)) return "plain";
  return view.may.length === 1 ? "puting_bato" : null;
}

// --- How long it takes ----------------------------------------------------------------------------------------

const MS: Record<string, [moving: number, still: number]> = {
  stones_dealt: [620, 200], card_dealt: [220, 60], turn: [160, 0], played: [560, 400], peeked: [900, 1_000], showed: [900, 1_000],
  swapped: [560, 1_000], hid: [1_560, 1_000], rotated: [800, 1_000], shouted: [1_600, 1_600], cards_revealed: [900, 900],
  guessed: [1_300, 1_200], out: [0, 0], turn_limit: [700, 700], game_over: [700, 500],
};

function takes(fact: Fact, seen: Table, still: boolean): number {
  const mine = fact["seat"] === seen.viewer;
  const sees = "face" in fact && (fact.what === "peeked" || fact.what === "showed");
  if (sees) return still ? 160 : 420;
  if (fact.what === "drew") return still ? 200 : mine && "card" in fact ? 760 : 420;
  return MS[fact.what]?.[still ? 1 : 0] ?? 0;
}

export const rules: Rules<DarnaView, Choice> = {
  world: "darna",
  nothing: NOTHING,
  subtitle: ({ view, players, over }) => {
    if (over && view.result) return ui("end.finished_turns", { n: view.turn });
    return view.turn ? ui("darna.subtitle", { turn: view.turn, players }) : ui("table.players", { players });
  },
  ask,
  back: (_seen, choice) => {
    if (choice.look) return NOTHING;
    const places = choice.places.slice(0, -1);
    return places.length ? { ...NOTHING, places } : NOTHING;
  },
  takes,
  after,
  react: (fact, seen) => {
    const face = fact["face"] as Face | undefined;
    const place = fact["place"] as number;
    const mine = seen.me !== null && fact["seat"] === seen.me;
    if (fact.what === "peeked" && mine && face) return { ...NOTHING, look: { place, face } };
    if (fact.what === "showed" && face && !mine) return { ...NOTHING, look: { place, face, by: fact["seat"] as Seat } };
    if (fact.what === "showed" && mine) return { ...NOTHING, look: { place, face: null } };
    return undefined;
  },
  pointing: (event) => {
    const pair = pairOf(event);
    return {
      ...NOTHING, act: event.act === "draw" || event.act === "shout" ? event.act : null,
      card: event.act === "play" ? (event["card"] as number) : null,
      places: pair ?? (typeof event["place"] === "number" ? [event["place"]] : []),
      direction: (event["direction"] as Direction | undefined) ?? null,
      swapped: (event["swapped"] as boolean | undefined) ?? null,
    };
  },
  heading: (fact) => {
    if (fact.what === "turn") return ui("log.turn", { n: fact["number"] });
    if (fact.what === "cards_revealed") return ui("log.guesses");
    return fact.what === "stones_dealt" ? ui("log.deal") : null;
  },
  quiet: (fact) => fact.what === "turn" || (fact.what === "card_dealt" && !("card" in fact)),
};
