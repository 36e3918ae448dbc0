/**
 * The API's messages as the page uses them (src/kubli/server/messages.py; /openapi.json tells the same).
 *
 * What a game's view holds is described here too, because boards read it: every field is what this one viewer may know.
 */

export type GameName = "darna" | "narabi" | "darwins-dice";

/** A seat's number, 0 to players - 1, clockwise. */
export type Seat = number;
/** Whose eyes: a seat, or someone who only watches. */
export type Viewer = Seat | "spectator";

/** An event of a record, in the form in which the rules write it: {"by": 0, "act": "peek", "place": 4}. */
export type Event = { readonly by?: Seat | "chance"; readonly act?: string } & Readonly<Record<string, unknown>>;

/** What the rules say happened, as this viewer was told it: fields that the viewer may not know are not there. */
export type Fact = { readonly what: string; readonly event: number; readonly rule: string } & Readonly<Record<string, unknown>>;

export interface OptionInfo {
  readonly name: string;
  readonly rule: string;
  readonly kind: "bool" | "int";
  readonly least: number;
  /** null: the last seat */
  readonly most: number | null;
  readonly start: number | boolean;
}

export interface DeckInfo {
  readonly name: string;
  readonly title: string;
  readonly reconstructed: number;
  readonly items: number;
  /** why it can't be played, if it can't */
  readonly fault?: string | null;
}

export interface GameInfo {
  readonly game: GameName;
  readonly title: string;
  readonly players: readonly [number, number];
  readonly minutes: number;
  readonly options: readonly OptionInfo[];
  readonly decks: readonly DeckInfo[];
  readonly bots: readonly { readonly name: string }[];
}

export type Options = Readonly<Record<string, number | boolean>>;
export type SeatWish = "me" | "friend" | `bot:${string}`;

export interface NewTable {
  readonly game: GameName;
  readonly players: number;
  readonly options: Options;
  readonly deck: string | object;
  readonly seats: readonly SeatWish[];
  readonly name: string;
  readonly watch: boolean;
}

export interface SeatInfo {
  readonly seat: Seat;
  /** of an open seat: whom it is kept for */
  readonly name: string | null;
  readonly kind: "person" | "bot" | "open";
  readonly bot: string | null;
  /** whether a browser of that seat is connected */
  readonly here: boolean;
}

export type TableState = "waiting" | "playing" | "over";

export interface TableLine {
  readonly table: string;
  readonly game: GameName;
  readonly seat: Seat | null;
  readonly names: readonly (string | null)[];
  readonly state: TableState;
  readonly your_turn: boolean;
  readonly waiting_for: readonly Seat[];
  readonly updated: string;
}

/** One numbered entry of a table, as this viewer got it. An entry in which this viewer was told nothing is empty. */
export interface Entry {
  readonly entry: number;
  readonly facts?: readonly Fact[];
  readonly talk?: { readonly seat: Seat; readonly text: string };
  /** who sits where from here on */
  readonly seats?: readonly Omit<SeatInfo, "here">[];
  /** the table where the same people play next */
  readonly again?: string;
}

/** What holds now, for this viewer. */
export interface Now<V = unknown> {
  readonly view: V;
  readonly to_act: readonly Seat[];
  /** what this viewer's own seat may do; [] for everyone else */
  readonly legal: readonly Event[];
  /** the entry that asked this seat, sent back as `at` */
  readonly asked: number | null;
  readonly over: boolean;
}

export interface Snapshot<V = unknown> {
  readonly table: string;
  readonly game: GameName;
  readonly title: string;
  readonly players: number;
  readonly options: Options;
  readonly deck: Deck;
  readonly deck_name: string;
  readonly commitment: string;
  readonly watch: boolean;
  readonly host: boolean;
  readonly viewer: Viewer;
  /** an open seat that is kept for this browser (play again with the same people) */
  readonly offered: Seat | null;
  readonly seats: readonly SeatInfo[];
  readonly state: TableState;
  readonly entry: number;
  readonly now: Now<V> | null;
  readonly log: readonly Entry[];
  readonly talk_allowed: boolean;
  readonly again: string | null;
}

/** One message of the stream. */
export interface News<V = unknown> {
  readonly entry: number;
  readonly entries: readonly Entry[];
  readonly now: Now<V> | null;
  readonly seats: readonly SeatInfo[];
  readonly state: TableState;
  readonly viewer: Viewer;
}

export interface Hint {
  readonly event: Event;
  readonly why: { readonly code: string } & Readonly<Record<string, unknown>>;
}

export interface Step<V = unknown> {
  readonly k: number;
  readonly of: number;
  readonly event: Event | null;
  readonly facts: readonly Fact[];
  readonly view: V;
}

export interface Address {
  readonly addresses: readonly string[];
  readonly local_only: boolean;
  readonly command: string;
}

/** What the server says when it refuses. */
export interface Refusal {
  readonly error: string;
  readonly rule: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  readonly say: string;
  /** with "stale": what is current */
  readonly now?: Now;
  readonly limit?: number;
}

// --- decks: whole, as a record has them -----------------------------------------------------------

export type Instruction =
  | "peek" | "peek_two" | "swap" | "hide" | "rotate_clockwise" | "rotate_counterclockwise" | "rotate_either" | "show";

export interface DarnaDeck {
  readonly cards: readonly { readonly number: number; readonly first: Instruction; readonly second: Instruction; readonly name?: string; readonly source?: string }[];
}

export interface Condition {
  readonly id: string;
  readonly colour?: "white" | "black" | "same" | "other";
  readonly parity?: "even" | "odd";
  readonly at_least?: number;
  readonly at_most?: number;
  readonly compared?: "higher" | "lower";
  readonly distance_at_least?: number;
  readonly distance_at_most?: number;
  readonly whose?: readonly number[];
  readonly name?: string;
  readonly source?: string;
}

export interface NarabiDeck {
  readonly stones: readonly { readonly id: string; readonly number?: number | null; readonly colour: "white" | "black"; readonly name?: string; readonly source?: string }[];
  readonly conditions: readonly Condition[];
  readonly sizes: Readonly<Record<string, { readonly row: number; readonly out?: Readonly<Record<string, number>> }>>;
  readonly exchanges: number;
}

export interface DarwinDeck {
  readonly kinds: Readonly<Record<string, { readonly copies: number; readonly points: number; readonly name?: string; readonly source?: string }>>;
  readonly sizes: Readonly<Record<string, { readonly cards: number; readonly rounds: number }>>;
}

export type Deck = DarnaDeck | NarabiDeck | DarwinDeck;

// --- views: what one viewer may know now -----------------------------------------------------------

export interface DarnaView {
  readonly phase: "deal" | "turn" | "play" | "instruction" | "guess" | "over";
  /** 1-based; 0 before the first */
  readonly turn: number;
  readonly max_turns: number;
  readonly on_turn: Seat | null;
  readonly to_act: readonly Seat[];
  /** own cards, ascending; [] for a spectator */
  readonly hand: readonly number[];
  /** how many cards, by seat */
  readonly hands: readonly number[];
  /** cards left */
  readonly deck: number;
  readonly played: readonly number[];
  readonly last_played: number | null;
  readonly doing: null | { readonly card: number; readonly instruction: Instruction; readonly half: 0 | 1; readonly peeked: readonly number[] };
  /** places where the Puting Bato may still lie, for this viewer, by perfect memory */
  readonly may: readonly number[];
  /** places turned up by guesses */
  readonly face_up: readonly number[];
  readonly guessers: readonly Seat[];
  readonly out: readonly Seat[];
  readonly revealed: Readonly<Record<string, number>> | null;
  readonly result: null | DarnaResult;
}
export interface DarnaResult { readonly winner: Seat | null; readonly how: "shout" | "guess" | "all_wrong" | "turn_limit"; readonly utilities?: readonly number[] }

export interface Sleeve {
  readonly place: number;
  readonly seat: Seat;
  /** null before it is dealt */
  readonly stone: string | null;
  readonly number: number | null;
  readonly colour: "white" | "black" | null;
  /** known for certain to this viewer */
  readonly condition: string | null;
  /** this viewer has read it */
  readonly seen: boolean;
  readonly possible: readonly string[];
  /** where this sleeve may not go on its holder's next turn (NA-19) */
  readonly barred: number | null;
}
export interface NarabiView {
  readonly phase: "deal" | "exchange" | "over";
  readonly exchanges: number;
  readonly limit: number;
  readonly on_turn: Seat | null;
  readonly to_act: readonly Seat[];
  readonly questions_left: number;
  /** stones before each seat */
  readonly row: number;
  readonly ring: readonly Sleeve[];
  readonly result: null | NarabiResult;
}
export interface NarabiResult { readonly won: boolean; readonly exchanges: number; readonly how: "order" | "limit" | "no_exchange"; readonly direction: "clockwise" | "counterclockwise" | null; readonly utilities?: readonly number[] }

export interface DarwinView {
  readonly phase: "deal" | "throw" | "choose" | "over";
  readonly round: number;
  readonly rounds: number;
  readonly trick: number;
  readonly tricks: number;
  readonly darwin: Seat;
  readonly throw: null | { readonly colour: "bear" | "lion" | "fox"; readonly sign: "+" | "-"; readonly number: number; readonly trump: string };
  /** kinds, in kind order */
  readonly hand: readonly string[];
  readonly hands: readonly number[];
  readonly chosen: string | null;
  readonly has_chosen: readonly boolean[];
  readonly to_act: readonly Seat[];
  readonly middle: readonly string[];
  readonly piles: readonly (readonly string[])[];
  readonly pile_points: readonly number[];
  readonly score: readonly number[];
  /** copies that this viewer has not seen, by kind */
  readonly unseen: Readonly<Record<string, number>>;
  /** the latest trick turned over, kept until the next */
  readonly last: null | { readonly cards: readonly string[]; readonly winner: Seat | null };
  readonly result: null | DarwinResult;
}
export interface DarwinResult { readonly points: readonly number[]; readonly winners: readonly Seat[]; readonly how: "points"; readonly utilities?: readonly number[] }
