/**
 * What a table of Narabi says and takes, without a page.
 *
 * Two stones are chosen, to exchange them or to ask whether somebody could. Whether a pair may be is asked of `legal`
 * alone; here stands only why a pair that is not there may not be.
 */
import type { Condition, Event, Fact, NarabiDeck, NarabiView, Sleeve } from "../../lib/types.ts";
import { Teller, name as named, ui } from "../../lib/words.ts";
import type { Ask, AskButton, Rules, Seen } from "../board.ts";

export interface Choice {
  /** to ask, not to exchange */
  readonly ask: boolean;
  /** one's own stone; in a question the stone that is asked about */
  readonly from: number | null;
  /** another player's stone; in a question the place that it would go to */
  readonly to: number | null;
}

export type NarabiSeen = Seen<NarabiView>;

export const NOTHING: Choice = { ask: false, from: null, to: null };

const chosen = (ask: boolean, from: number | null, to: number | null): Choice =>
  !ask && from === null && to === null ? NOTHING : { ask, from, to };

// --- Pairs ---------------------------------------------------------------------------------------

/** The two places of an event of one kind, or null. */
function pair(event: Event, ask: boolean): readonly [number, number] | null {
  if (event.act !== (ask ? "ask" : "exchange")) return null;
  return [event[ask ? "place" : "own"] as number, event[ask ? "for" : "other"] as number];
}

function pairs(seen: NarabiSeen, ask: boolean): (readonly [number, number])[] {
  return seen.legal.map((event) => pair(event, ask)).filter((one) => one !== null);
}

/** The event that a whole choice is, if it may be. */
export function eventOf(seen: NarabiSeen, choice: Choice): Event | null {
  const is = (event: Event): boolean => {
    const one = pair(event, choice.ask);
    return one !== null && one[0] === choice.from && one[1] === choice.to;
  };
  return seen.legal.find(is) ?? null;
}

/** The places that can be chosen next: what the board outlines. */
export function open(seen: NarabiSeen, { ask, from, to }: Choice): ReadonlySet<number> {
  const found = pairs(seen, ask);
  if (from !== null) return new Set(found.filter((one) => one[0] === from).map((one) => one[1]));
  if (to !== null) return new Set(found.filter((one) => one[1] === to).map((one) => one[0]));
  return new Set(ask ? found.map((one) => one[0]) : found.flat());
}

/** What is chosen after a stone is pressed. */
export function press(seen: NarabiSeen, choice: Choice, place: number): Choice {
  if (!seen.legal.length) return choice;
  return choice.ask ? pressToAsk(seen, choice, place) : pressToExchange(seen, choice, place);
}

function pressToExchange(seen: NarabiSeen, { from, to }: Choice, place: number): Choice {
  if (seatOf(seen, place) !== seen.me) return chosen(false, from, to === place ? null : place);
  if (from === place) return chosen(false, null, to);
  // another stone of mine: what it was for stays only if this one may go there too
  return chosen(false, place, eventOf(seen, { ask: false, from: place, to }) ? to : null);
}

function pressToAsk(seen: NarabiSeen, { from, to }: Choice, place: number): Choice {
  const seat = seatOf(seen, place);
  if (place === from) return chosen(true, null, to);
  if (place === to) return chosen(true, from, null);
  const first = from === null ? seat !== seen.me : seat === seatOf(seen, from);
  if (!first) return chosen(true, from, place);
  return chosen(true, place, to !== null && seatOf(seen, to) === seat ? null : to);
}

/** The same two stones, as a question or as an exchange. */
export function turned(seen: NarabiSeen, { ask, from, to }: Choice): Choice {
  if (!ask) return chosen(true, to, from);
  const mine = [from, to].find((place) => place !== null && seatOf(seen, place) === seen.me) ?? null;
  const theirs = [to, from].find((place) => place !== null && seatOf(seen, place) !== seen.me) ?? null;
  return mine === null ? NOTHING : chosen(false, mine, theirs);
}

const seatOf = (seen: NarabiSeen, place: number): number | undefined => seen.view.ring[place]?.seat;

// --- Words ---------------------------------------------------------------------------------------

export function tellerOf(seen: NarabiSeen): Teller {
  return new Teller("narabi", seen.viewer, seen.seats.map((seat) => seat.name), seen.deck).lay(seen.view.ring);
}

export const deckOf = (seen: NarabiSeen): NarabiDeck => seen.deck as NarabiDeck;

export function conditionOf(seen: NarabiSeen, id: string | null): Condition | undefined {
  return deckOf(seen).conditions.find((one) => one.id === id);
}

const BY_NUMBER = ["parity", "at_least", "at_most", "compared", "distance_at_least", "distance_at_most"] as const;

/** Whether a blank in this pair counts as a number, for what the condition asks (NA-9). */
function blankCounts(condition: Condition | undefined, own: Sleeve, other: Sleeve): boolean {
  if (!condition || !BY_NUMBER.some((field) => condition[field] !== undefined)) return false;
  const compares = condition.compared ?? condition.distance_at_least ?? condition.distance_at_most;
  return other.number === null || (own.number === null && compares !== undefined);
}

/** The lowest and highest number in the ring, for the goal in words. */
function goal(seen: NarabiSeen): string | undefined {
  const numbers = seen.view.ring.map((sleeve) => sleeve.number).filter((n) => n !== null);
  return numbers.length ? ui("narabi.goal_small", { least: Math.min(...numbers), most: Math.max(...numbers) }) : undefined;
}

// --- The prompt ----------------------------------------------------------------------------------

const most = (seen: NarabiSeen): number => (seen.options["silent"] === true ? 0 : Number(seen.options["questions"] ?? 0));

function askButton(seen: NarabiSeen, choice: Choice): AskButton<Choice>[] {
  if (!most(seen)) return [];
  const n = seen.view.questions_left;
  const button = { id: "turn", text: ui("narabi.ask_first"), note: `(${n})`, look: "plain", icon: "u-ask" } as const;
  return [pairs(seen, true).length ? { ...button, choice: turned(seen, choice) } : { ...button, off: ui("narabi.ask_none") }];
}

function askToExchange(seen: NarabiSeen, choice: Choice): Ask<Choice> {
  const { from, to } = choice;
  const teller = tellerOf(seen);
  const main = { id: "main", text: ui("narabi.exchange"), look: "main", icon: "u-exchange" } as const;
  const base = { mine: true, who: ui("narabi.your_turn"), buttons: askButton(seen, choice) };
  const own = from === null ? null : seen.view.ring[from]!;
  const other = to === null ? null : seen.view.ring[to]!;
  const more = own?.condition ? teller.condition(own.condition, "more") : "";
  if (own && other) {
    const event = eventOf(seen, choice);
    if (!event) {
      const barred = own.barred === to;
      const off = barred ? ui("narabi.barred") : ui("narabi.not_allowed", { more });
      return { ...base, says: teller.ui("narabi.pair", { own: from, other: to }), rule: barred ? "NA-19" : "NA-8", buttons: [...base.buttons, { ...main, off }] };
    }
    const blank = blankCounts(conditionOf(seen, own.condition), own, other);
    const says = teller.ui(blank ? "narabi.exchange_blank" : "narabi.exchange_says", { own: from, other: to, more });
    return { ...base, who: ui("narabi.exchange_sure"), says, rule: blank ? "NA-9" : "NA-8", buttons: [...base.buttons, { ...main, event, confirm: true }] };
  }
  const stuck = !open(seen, choice).size;
  if (own) {
    const says = stuck ? teller.ui("narabi.own_nowhere", { own: from, more }) : teller.ui("narabi.own_says", { own: from, more });
    return { ...base, says, ...(stuck ? { rule: "NA-8" } : {}) };
  }
  if (other) return { ...base, says: teller.ui(stuck ? "narabi.other_nowhere" : "narabi.other_says", { other: to }), ...(stuck ? { rule: "NA-8" } : {}) };
  const small = goal(seen);
  return { ...base, says: ui("narabi.turn_says"), ...(small ? { small } : {}), rule: "NA-7" };
}

function askToAsk(seen: NarabiSeen, choice: Choice): Ask<Choice> {
  const { from, to } = choice;
  const teller = tellerOf(seen);
  const instead: AskButton<Choice> = { id: "turn", text: ui("narabi.exchange_instead"), look: "plain", icon: "u-exchange", choice: turned(seen, choice) };
  const left = ui("narabi.ask_left", { left: seen.view.questions_left, most: most(seen) });
  if (from === null) return { mine: true, who: ui("narabi.ask_who"), says: ui("narabi.ask_choose"), small: left, rule: "NA-16", buttons: [instead] };
  const owner = teller.nameOf(seatOf(seen, from) ?? 0);
  const base = { mine: true, who: ui("narabi.ask_sure", { name: owner }), small: left, rule: "NA-16" };
  if (to === null) return { ...base, says: teller.ui("narabi.ask_for", { place: from }), buttons: [instead] };
  const event = eventOf(seen, choice);
  const main = { id: "main", text: ui("narabi.ask"), look: "main", icon: "u-ask" } as const;
  const buttons = [instead, event ? { ...main, event, confirm: true } : { ...main, off: ui("narabi.ask_not") }];
  return { ...base, says: teller.ui("narabi.ask_says", { place: from, for: to, seat: seen.me }), buttons };
}

function askOver(seen: NarabiSeen): Ask<Choice> {
  const { result } = seen.view;
  if (!result) return { mine: false, who: ui("log.end"), buttons: [] };
  return { mine: false, who: ui(result.won ? "narabi.won" : "narabi.lost"), says: endSays(seen), rule: endRule(seen), buttons: [] };
}

/** The end in one sentence. */
export function endSays(seen: NarabiSeen): string {
  const { result } = seen.view;
  if (!result) return "";
  if (result.how === "limit") return ui("narabi.lost_limit", { limit: result.exchanges });
  if (result.how === "no_exchange") return ui("narabi.lost_stuck");
  if (!result.exchanges) return ui("narabi.won_dealt");
  return ui("narabi.won_says", { direction: ui(`narabi.${result.direction ?? "clockwise"}`), n: result.exchanges });
}

export function endRule(seen: NarabiSeen): string {
  const how = seen.view.result?.how;
  return how === "order" ? "NA-12" : how === "limit" ? "NA-14" : "NA-10";
}

// --- What a fact does to the view ----------------------------------------------------------------

/** A sleeve as it lies somewhere else. */
const laid = (place: Sleeve, sleeve: Sleeve): Sleeve => ({ ...sleeve, place: place.place, seat: place.seat, barred: null });

function read(sleeve: Sleeve, condition: unknown): Sleeve {
  return typeof condition === "string" ? { ...sleeve, condition, seen: true, possible: [condition] } : sleeve;
}

function exchanged(view: NarabiView, fact: Fact, seen: NarabiSeen): NarabiView {
  const [own, other] = [fact["own"] as number, fact["other"] as number];
  const [gave, took] = [view.ring[own], view.ring[other]];
  if (!gave || !took) return view;
  const bars = seen.options["no_return"] === true;
  const ring = view.ring.map((sleeve): Sleeve => {
    if (sleeve.place === own) return { ...read(laid(gave, took), fact["took_condition"]), barred: bars ? other : null };
    if (sleeve.place === other) return { ...read(laid(took, gave), fact["gave_condition"]), barred: bars ? own : null };
    return bars && sleeve.seat === gave.seat ? { ...sleeve, barred: null } : sleeve;
  });
  return { ...view, ring, exchanges: (fact["number"] as number | undefined) ?? view.exchanges + 1 };
}

function dealt(view: NarabiView, fact: Fact, seen: NarabiSeen): NarabiView {
  const stone = deckOf(seen).stones.find((one) => one.id === fact["stone"]);
  if (!stone) return view;
  const lies = { stone: stone.id, number: stone.number ?? null, colour: stone.colour };
  return { ...view, ring: view.ring.map((sleeve) => (sleeve.place === fact["place"] ? read({ ...sleeve, ...lies }, fact["condition"]) : sleeve)) };
}

function after(view: NarabiView, fact: Fact, seen: NarabiSeen): NarabiView {
  if (fact.what === "exchanged") return exchanged(view, fact, seen);
  if (fact.what === "sleeve_dealt") return dealt(view, fact, seen);
  if (fact.what === "answered") return { ...view, questions_left: Math.max(0, view.questions_left - 1) };
  if (fact.what === "turn") {
    const seat = fact["seat"] as number;
    return { ...view, phase: "exchange", on_turn: seat, to_act: [seat], questions_left: most(seen) };
  }
  if (fact.what !== "game_over") return view;
  const { won, how, direction, exchanges } = fact as unknown as NonNullable<NarabiView["result"]>;
  return { ...view, phase: "over", on_turn: null, to_act: [], result: { won, how, direction: direction ?? null, exchanges } };
}

/** How long each fact is seen, ms: as it moves, and with reduced motion. */
const TAKES: Readonly<Record<string, readonly [number, number]>> = {
  sleeve_dealt: [60, 0], turn: [160, 0], answered: [1_200, 1_000], exchanged: [620, 400], no_exchange: [900, 900], game_over: [1_400, 900],
};

export const rules: Rules<NarabiView, Choice> = {
  world: "narabi",
  nothing: NOTHING,
  subtitle: (seen) =>
    seen.over && seen.view.result
      ? ui("end.finished_exchanges", { n: seen.view.result.exchanges })
      : ui("narabi.subtitle", { players: seen.players, stones: seen.view.ring.length }),
  ask(seen, choice) {
    const { on_turn, phase } = seen.view;
    if (seen.over || phase === "over") return askOver(seen);
    if (phase === "deal" || on_turn === null) return { mine: false, who: ui("log.deal"), says: ui("narabi.dealing"), buttons: [] };
    if (on_turn === seen.me) {
      if (!seen.legal.length) return { mine: true, who: ui("narabi.your_turn"), says: ui("narabi.turn_says"), buttons: [] };
      return choice.ask ? askToAsk(seen, choice) : askToExchange(seen, choice);
    }
    const name = tellerOf(seen).nameOf(on_turn);
    const says = ui("narabi.wait", { name });
    const small = goal(seen);
    if (seen.me === null) return { mine: false, who: ui("table.watching"), says, small: ui("table.watching_more"), waiting: true, buttons: [] };
    return { mine: false, who: ui("table.turn_of", { name }), says, ...(small ? { small } : {}), waiting: true, buttons: [] };
  },
  back(_seen, { ask, from, to }) {
    if (to !== null && from !== null) return chosen(ask, from, null);
    return from !== null || to !== null ? chosen(ask, null, null) : NOTHING;
  },
  takes: (fact, _seen, still) => TAKES[fact.what]?.[still ? 1 : 0] ?? 0,
  after,
  pointing(event) {
    const ask = event.act === "ask";
    const at = (field: string): number | null => (typeof event[field] === "number" ? event[field] : null);
    return chosen(ask, at(ask ? "place" : "own"), at(ask ? "for" : "other"));
  },
  heading: (fact) => (fact.what === "turn" ? ui("log.exchange", { n: fact["number"] }) : null),
  quiet: (fact) => fact.what === "turn" || fact.what === "sleeve_dealt",
};

// --- Words of the board --------------------------------------------------------------------------

/** "black 6", "white blank" */
export function stoneName(teller: Teller, sleeve: Sleeve): string {
  const stone = teller.stone(sleeve.stone ?? "", "bare");
  return sleeve.number === null ? stone : ui("narabi.colour_number", { colour: named("narabi", sleeve.colour ?? ""), number: stone });
}

/** What a condition asks for, short enough to stand under a stone; empty if its name says it all. */
export function conditionShort(seen: NarabiSeen, teller: Teller, id: string): string {
  const condition = conditionOf(seen, id);
  const fields = condition ? Object.keys(condition).filter((key) => !["id", "name", "source"].includes(key)) : [];
  if (condition && fields.length === 1) {
    if (condition.colour === "same") return ui("narabi.short_same");
    if (condition.colour === "other") return ui("narabi.short_other");
    if (condition.whose?.length === 1 && condition.whose[0] === 1) return ui("narabi.short_next");
    if (condition.whose?.length === 1 && condition.whose[0] === -1) return ui("narabi.short_previous");
  }
  const [name, more] = [teller.condition(id, "name"), teller.condition(id, "more")];
  return more.startsWith(name) ? more.slice(name.length).trim() : more;
}

/** A condition's drawing, if there is one that is true of it. */
export function glyphOf(condition: Condition | undefined): string | null {
  if (!condition) return null;
  const { colour, parity, compared, at_least, at_most, distance_at_least, distance_at_most, whose } = condition;
  const found = [
    colour && { white: "white", black: "black", same: "same-colour", other: "other-colour" }[colour],
    parity,
    compared,
    at_least !== undefined && (at_least === 5 ? "high" : "?"),
    at_most !== undefined && (at_most === 4 ? "low" : "?"),
    distance_at_least !== undefined && "far",
    distance_at_most !== undefined && "near",
    whose && (whose.length === 1 && Math.abs(whose[0]!) === 1 ? (whose[0] === 1 ? "next-player" : "previous-player") : "?"),
  ].filter((one) => typeof one === "string");
  if (!found.length) return "c-any";
  return found.length === 1 && found[0] !== "?" ? `c-${found[0]!}` : null;
}
