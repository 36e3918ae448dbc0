/**
 * What a table of Darwin's Dice says and takes, without a page.
 *
 * One card is chosen. When a trick has been turned over it stays to be read, with the one line that says why it went so,
 * until "Next trick" is pressed: that waits on this page alone and holds up nobody.
 */
import type { DarwinDeck, DarwinResult, DarwinView, Event, Fact, Seat } from "../../lib/types.ts";
import { Teller, list, ui } from "../../lib/words.ts";
import type { Ask, Rules, Seen } from "../board.ts";

export type Table = Seen<DarwinView>;
export type Animal = "bear" | "lion" | "fox" | "snake" | "owl" | "scorpion";

/** A trick that lies open to be read. */
export interface Reading {
  /** what was thrown for it */
  readonly thrown: DarwinView["throw"];
  readonly turned: Fact;
  readonly lost: Fact | null;
  /** trick_won or no_winner; null while that is still to come */
  readonly end: Fact | null;
  /** points that lay in the trick and in the middle */
  readonly points: number;
}

export interface Choice {
  readonly card: string | null;
  readonly reading: Reading | null;
}

const NOTHING: Choice = { card: null, reading: null };

export const ANIMALS: readonly Animal[] = ["bear", "lion", "fox", "snake", "owl", "scorpion"];
export const animalOf = (kind: string): Animal => kind.slice(0, kind.indexOf(" ")) as Animal;
/** As printed on the card. */
export const figureOf = (kind: string): string => kind.slice(kind.indexOf(" ") + 1).replace(".5", "½");
export const numberOf = (kind: string): number => Number(kind.slice(kind.indexOf(" ") + 1));
export const deckOf = (seen: Table): DarwinDeck => seen.deck as DarwinDeck;
export const pointsOf = (seen: Table, kind: string): number => deckOf(seen).kinds[kind]?.points ?? 0;
const sumOf = (seen: Table, kinds: readonly string[]): number => kinds.reduce((sum, kind) => sum + pointsOf(seen, kind), 0);

export const tellerOf = (seen: Table): Teller => new Teller("darwins-dice", seen.viewer, seen.seats.map((seat) => seat.name), seen.deck);
export const nameOf = (seen: Table, seat: Seat): string => (seat === seen.viewer ? ui("seat.you") : tellerOf(seen).nameOf(seat));

/** Sorted as the hand is held: by number, equal ones by animal, or the other way round. */
export function sorted(kinds: readonly string[], by: "number" | "animal"): string[] {
  const place = (kind: string): readonly [number, number] => {
    const [animal, number] = [ANIMALS.indexOf(animalOf(kind)), numberOf(kind)];
    return by === "number" ? [number, animal] : [animal, number];
  };
  return [...kinds].sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
}

/** The event that a chosen card is, if it may be. */
export const eventOf = (seen: Table, card: string | null): Event | undefined =>
  seen.legal.find((event) => event.act === "choose" && event["card"] === card);

// --- The prompt -------------------------------------------------------------------------------------

function choosing(seen: Table, { card }: Choice): Ask<Choice> {
  const teller = tellerOf(seen);
  const thrown = seen.view.throw;
  const base = { mine: true, who: ui("darwins-dice.choose") };
  const event = eventOf(seen, card);
  if (!card || !event) {
    const says = thrown ? ui(thrown.sign === "+" ? "darwins-dice.ask_fight" : "darwins-dice.ask_flight") : ui("darwins-dice.choose_none");
    return { ...base, says, small: ui("darwins-dice.choose_none"), rule: thrown?.sign === "-" ? "DD-14" : "DD-13", buttons: [] };
  }
  const key =
    card === thrown?.trump ? "darwins-dice.choose_trump"
    : animalOf(card) === "scorpion" ? "darwins-dice.choose_scorpion"
    : animalOf(card) === "snake" ? "darwins-dice.choose_snake"
    : "darwins-dice.choose_says";
  const play = { id: "main", text: teller.ui("darwins-dice.play", { card }), look: "main", event, confirm: true } as const;
  return { ...base, says: teller.ui(key, { card }), buttons: [play] };
}

function reading(seen: Table, { turned, end, points }: Reading): Ask<Choice> {
  const cards = turned["cards"] as string[];
  if (!end) return { mine: false, who: ui("darwins-dice.turned"), buttons: [] };
  const last = seen.view.trick >= seen.view.tricks;
  const next = { id: "next", text: ui(last ? "darwins-dice.go_on" : "darwins-dice.next_trick"), look: "main", release: true, choice: NOTHING } as const;
  const hold = seen.me === null ? 2_400 : Infinity;
  const buttons = seen.me === null ? [] : [next];
  if (end.what === "no_winner") {
    const says = tellerOf(seen).ui("darwins-dice.no_winner_says", { card: end["kind"] });
    return { mine: false, who: ui("darwins-dice.no_winner"), says, rule: "DD-16", buttons, hold };
  }
  const seat = end["seat"] as Seat;
  const values = { cards: (end["cards"] as string[] | undefined) ?? cards, points, name: nameOf(seen, seat) };
  const me = seat === seen.viewer;
  const says = ui(last ? "darwins-dice.takes_last" : me ? "darwins-dice.you_take_says" : "darwins-dice.takes_says", values);
  return { mine: false, who: ui(me ? "darwins-dice.you_take" : "darwins-dice.takes", values), says, buttons, hold };
}

function waiting(seen: Table): Ask<Choice> {
  const { view } = seen;
  const watching = seen.me === null ? { small: ui("table.watching_short") } : {};
  if (view.phase !== "choose") return { mine: false, who: ui(view.phase === "deal" ? "wait.dealing" : "darwins-dice.throwing"), ...watching, buttons: [] };
  const names = list(view.to_act.map((seat) => nameOf(seen, seat)));
  const base = { mine: false, waiting: true, buttons: [], ...watching };
  if (view.chosen === null) return { ...base, who: ui("darwins-dice.wait", { names }) };
  return { ...base, who: ui("darwins-dice.wait", { names }), says: tellerOf(seen).ui("darwins-dice.chosen_says", { card: view.chosen }) };
}

export function resultTitle(seen: Table, { winners }: DarwinResult): string {
  const names = list(winners.map((seat) => nameOf(seen, seat)));
  const me = winners.some((seat) => seat === seen.viewer);
  if (winners.length > 1) return me ? ui("end.you_share") : ui("end.share", { names });
  return me ? ui("end.you_win") : ui("end.wins", { name: names });
}

// --- What a fact changes ----------------------------------------------------------------------------

const put = <T>(row: readonly T[], at: number, value: T): T[] => row.map((one, k) => (k === at ? value : one));

function without(kinds: readonly string[], kind: string): string[] {
  const at = kinds.indexOf(kind);
  return kinds.filter((_, k) => k !== at);
}

function less(unseen: DarwinView["unseen"], kinds: readonly string[]): DarwinView["unseen"] {
  const left = { ...unseen };
  for (const kind of kinds) {
    const n = (left[kind] ?? 0) - 1;
    if (n > 0) left[kind] = n;
    else delete left[kind];
  }
  return left;
}

function thrownOf(fact: Fact): NonNullable<DarwinView["throw"]> {
  const trump = fact["trump"] as string;
  return { colour: animalOf(trump) as "bear" | "lion" | "fox", sign: fact["sign"] as "+" | "-", number: numberOf(trump), trump };
}

function after(view: DarwinView, fact: Fact, seen: Table): DarwinView {
  const seat = fact["seat"] as Seat;
  const mine = seat === seen.viewer;
  switch (fact.what) {
    case "round_begins":
      return { ...view, phase: "deal", round: fact["round"] as number, darwin: fact["darwin"] as Seat, trick: 1, throw: null, last: null };
    case "dealt": {
      const card = fact["card"] as string | undefined;
      const got = mine && card !== undefined ? { hand: sorted([...view.hand, card], "animal"), unseen: less(view.unseen, [card]) } : {};
      return { ...view, ...got, hands: put(view.hands, seat, (view.hands[seat] ?? 0) + 1) };
    }
    case "thrown":
      return { ...view, phase: "choose", throw: thrownOf(fact), trick: fact["trick"] as number, to_act: view.hands.flatMap((n, k) => (n ? [k] : [])) };
    case "chose": {
      const card = fact["card"] as string | undefined;
      const own = mine && card !== undefined ? { chosen: card, hand: without(view.hand, card) } : {};
      const to_act = view.to_act.filter((one) => one !== seat);
      return { ...view, ...own, to_act, hands: put(view.hands, seat, (view.hands[seat] ?? 1) - 1), has_chosen: put(view.has_chosen, seat, true) };
    }
    case "turned": {
      const cards = fact["cards"] as string[];
      const news = cards.filter((_, k) => k !== seen.viewer);
      return { ...view, phase: "throw", to_act: [], chosen: null, has_chosen: view.has_chosen.map(() => false), last: { cards, winner: null }, unseen: less(view.unseen, news) };
    }
    case "piles_lost": {
      const lost = new Set(fact["seats"] as Seat[]);
      return { ...view, piles: view.piles.map((pile, k) => (lost.has(k) ? [] : pile)), pile_points: view.pile_points.map((n, k) => (lost.has(k) ? 0 : n)) };
    }
    case "no_winner":
      return { ...view, middle: fact["middle"] as string[] };
    case "trick_won": {
      const cards = fact["cards"] as string[];
      const [pile, points] = [view.piles[seat] ?? [], view.pile_points[seat] ?? 0];
      const last = view.last && { ...view.last, winner: seat };
      return { ...view, last, middle: [], darwin: seat, piles: put(view.piles, seat, [...pile, ...cards]), pile_points: put(view.pile_points, seat, points + sumOf(seen, cards)) };
    }
    case "middle_removed":
      return { ...view, middle: [] };
    case "round_over":
      return { ...view, score: fact["score"] as number[], piles: view.piles.map(() => []), pile_points: view.pile_points.map(() => 0), throw: null };
    case "game_over":
      return { ...view, phase: "over", to_act: [], throw: null, result: { points: fact["points"] as number[], winners: fact["winners"] as Seat[], how: "points" } };
    default:
      return view;
  }
}

/** The trick lies open as soon as it is turned, and what comes of it is added. */
function react(fact: Fact, seen: Table, choice: Choice): Choice | undefined {
  if (fact.what === "turned") {
    const points = sumOf(seen, fact["cards"] as string[]);
    return { card: null, reading: { thrown: seen.view.throw, turned: fact, lost: null, end: null, points } };
  }
  const now = choice.reading;
  if (fact.what === "piles_lost" && now) return { ...choice, reading: { ...now, lost: fact } };
  if (fact.what === "no_winner" && now) return { ...choice, reading: { ...now, end: fact } };
  if (fact.what === "trick_won" && now) return { ...choice, reading: { ...now, end: fact, points: sumOf(seen, fact["cards"] as string[]) } };
  if (fact.what === "thrown" || fact.what === "round_begins") return NOTHING;
  return undefined;
}

/** How long each is seen to happen, ms; turned cards lie for half a second before it is said what comes of them. */
const TAKES: Record<string, number> = { dealt: 60, thrown: 820, chose: 320, turned: 940, piles_lost: 1_100, trick_won: 480, no_winner: 340, round_over: 400 };
const STILL: Record<string, number> = { thrown: 400, turned: 700, piles_lost: 600, trick_won: 300, no_winner: 300, round_over: 300 };

const QUIET = new Set(["dealt", "round_begins"]);

export const rules: Rules<DarwinView, Choice> = {
  world: "darwin",
  nothing: NOTHING,
  subtitle: ({ view }) => ui("darwins-dice.subtitle", { round: view.round, rounds: view.rounds, trick: view.trick, tricks: view.tricks }),
  ask: (seen, choice) => {
    if (choice.reading) return reading(seen, choice.reading);
    if (seen.over && seen.view.result) return { mine: false, who: resultTitle(seen, seen.view.result), buttons: [] };
    // while the dice still roll there is nothing to be pressed, and it is this seat's turn all the same
    const mine = seen.me !== null && seen.view.phase === "choose" && seen.view.to_act.includes(seen.me);
    return seen.legal.length || mine ? choosing(seen, choice) : waiting(seen);
  },
  back: (_seen, choice) => (choice.card ? { ...choice, card: null } : NOTHING),
  takes: (fact, _seen, still) => (still ? STILL : TAKES)[fact.what] ?? 0,
  after,
  react,
  pointing: (event) => ({ card: (event["card"] as string | undefined) ?? null, reading: null }),
  heading: (fact) => (fact.what === "round_begins" ? ui("darwins-dice.round_n", { n: fact["round"] }) : null),
  quiet: (fact) => QUIET.has(fact.what),
};
