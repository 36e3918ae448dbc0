/**
 * Where the page's house ends and a game's board begins.
 *
 * The house (lib/, screens/) knows the server, the log, the prompt slip, drawers and toasts, and no game. A game knows
 * its table and its words, and no server. They meet in a few files a game, loaded only when that game is opened:
 *
 *     games/<darna|narabi|darwin>/rules.ts       export const rules: Rules<View, Choice>   pure functions, no DOM
 *     games/<…>/Board.svelte                     props: BoardProps    the table itself, inside <main class="table …">
 *     games/<…>/Side.svelte      (optional)      props: BoardProps    what stands over the log in the sheet (scores)
 *     games/<…>/End.svelte                       props: EndProps      the table when the game is over
 *     games/<…>/EndSide.svelte   (optional)      props: EndProps      the sheet beside it: who knew what, scores
 *
 * and in its stylesheet, games/<…>/board.css, imported by Board.svelte. `games/<…>/index.ts` gathers them as its default
 * export, a GameModule.
 *
 * ## How a decision is made
 * The server gives the events that this seat may do now (`seen.legal`). Nothing else is ever offered, and no game works
 * out legality again: whether a thing can be chosen is asked of `legal` alone. What a person has chosen so far is a
 * `Choice`, a small plain object of the game's own that the house keeps, passes to the board and to `rules.ask`, and
 * throws away (back to `rules.nothing`) when the decision is answered or replaced. A refusal keeps it.
 *
 *     a stone is clicked → board calls choose(next choice) → house asks rules.ask(seen, choice) → the prompt's words and
 *     buttons; the main button holds an event → pressed, the house sends it (or, with confirming switched off, sends it
 *     as soon as a choice gives a button with `confirm: true`).
 *
 * Choosing never acts. A board calls `choose` only; `play` is for the house and for tests.
 *
 * ## How events are seen
 * The stream brings facts and, after them, the view. The house shows them one fact at a time, in the record's order:
 *
 *     for each fact:  its log line appears · `moment` is that fact (with a new `n`) · `view` becomes rules.after(...)
 *                     · the house waits rules.takes(fact, seen) ms (0: nothing to be seen) and while `ask.hold` is there
 *     then:           `view`, `legal` and so on are what the server said; `moment` is null
 *
 * So a board animates when `moment.n` changes, from the view before (`moment.before`) to `seen.view`, and has landed by
 * `takes`. A burst (reconnecting, replay at speed, a page that was hidden) is shown as its end state with `moment` null:
 * a board must be right with no moment at all. Nothing is known from movement alone. `seen.legal` is empty while facts
 * are being shown; a press anywhere on the table finishes them at once.
 *
 * With `still` (reduced motion, or the person's setting) `takes` is asked with still = true and the board shows fades,
 * outlines and corner ticks only (motion.md, last column).
 *
 * ## What must not be in the page (motion.md)
 * Elements, keys and ids belong to places and seats, never to hidden things. A face is put into the page when this seat
 * may see it and removed afterwards, not covered. Labels say what the seat knows and no more; without `aid`, not even
 * that. `hide` is one film whatever was done, on the actor's screen too.
 */
import type { Component } from "svelte";
import type { IconId } from "../lib/art.ts";
import type { Deck, Event, Fact, GameName, Options, Seat, SeatInfo, Viewer } from "../lib/types.ts";

/** The value of data-game and the folder of a game. */
export type World = "darna" | "narabi" | "darwin";

/** All that can be seen of a table at one moment, by one viewer. */
export interface Seen<V = unknown> {
  readonly game: GameName;
  readonly players: number;
  readonly options: Options;
  /** the whole deck: all constants of the rules that a board needs are in here or in `options` */
  readonly deck: Deck;
  readonly seats: readonly SeatInfo[];
  /** whose eyes; a board puts this seat below (seat 0 for a spectator) */
  readonly viewer: Viewer;
  /** the seat that this page may act for, or null: watching, over, or stepping through a finished game */
  readonly me: Seat | null;
  readonly view: V;
  /** every event that `me` may do now, in the server’s order, each with `by`; [] when there is nothing to do */
  readonly legal: readonly Event[];
  readonly to_act: readonly Seat[];
  readonly over: boolean;
  /**
   * In a finished game seen by all: the whole record's events so far, chance's included. A board may then open what was
   * hidden (where the Stones lay, hands, conditions) by following them. Never there while a game goes on.
   */
  readonly opened?: readonly Event[];
}

/** The fact being shown now. */
export interface Moment<V = unknown> {
  readonly fact: Fact;
  /** grows with every fact shown: what a board's $effect should look at */
  readonly n: number;
  /** the view as it was before this fact */
  readonly before: V;
  /** how long the house will wait, ms */
  readonly ms: number;
}

export interface BoardProps<V = unknown, C = unknown> {
  seen: Seen<V>;
  choice: C;
  choose: (choice: C) => void;
  moment: Moment<V> | null;
  /** a decision is on its way: what is chosen stays chosen, nothing else can be */
  sending: boolean;
  /** grows with each refusal: what was chosen gives one short shake */
  refused: number;
  /** show what I know ("Memory aid"): know tags, remembered conditions, cards not yet seen */
  aid: boolean;
  /** no travel, no turning, no shake */
  still: boolean;
  /** every fact told to this viewer so far, shown already: rounds that were counted and the like */
  told?: readonly Fact[];
  /** a move that "What would simple do?" points out: outline what it would take; null mostly */
  hint: Event | null;
}

/** What the prompt says, and what can be pressed. Words are ready to be read, from words/en.json ("ui"). */
export interface Ask<C = unknown> {
  /** something is asked of this seat: red edge, red title */
  readonly mine: boolean;
  /** the one sentence that leads: "Your turn", "Tala is choosing" */
  readonly who: string;
  /** what is asked */
  readonly says?: string;
  /** said more quietly after it */
  readonly small?: string;
  /** a rule after the sentence: "NA-9" */
  readonly rule?: string;
  /** the two halves of a Darna card */
  readonly steps?: readonly { readonly icon?: IconId; readonly text: string; readonly state: "done" | "now" | "next" }[];
  /** in order; the main one last unless the mockup says otherwise; on a phone they share the width */
  readonly buttons: readonly AskButton<C>[];
  /** three dots after `who`: somebody is thinking */
  readonly waiting?: boolean;
  /**
   * Stop here until a button with `release` is pressed (a peeked Stone to be turned back, a trick to be read), or until
   * so many ms have passed (Infinity: no limit).
   */
  readonly hold?: number;
}

export interface AskButton<C = unknown> {
  /** unique in this Ask: keyed each, so that focus stays when the words change */
  readonly id: string;
  readonly text: string;
  /** a quieter word after it: "(2)" */
  readonly note?: string;
  /** said to readers only, after the words: " and show your Stone to all" */
  readonly more?: string;
  readonly look: "main" | "plain" | "quiet" | "shout";
  readonly icon?: IconId;
  /** send this event … */
  readonly event?: Event;
  /** … or change the choice … */
  readonly choice?: C;
  /** … or let the facts go on (`hold`) */
  readonly release?: boolean;
  /** with confirming switched off, pressed by itself as soon as it is there */
  readonly confirm?: boolean;
  /** asks twice: turns to "Sure?" for 4 s (the shout) */
  readonly twice?: boolean;
  /** can't be pressed, and why; shown hatched with the reason */
  readonly off?: string;
}

/** What a game says about itself without a page: pure functions, tested without a DOM. */
export interface Rules<V, C> {
  readonly world: World;
  /** nothing chosen yet */
  readonly nothing: C;
  /** the short line beside the title: "turn 5, four players" */
  subtitle(seen: Seen<V>): string;
  /** the prompt for what is seen and chosen; also for the others' turns, for watchers and for the end */
  ask(seen: Seen<V>, choice: C): Ask<C>;
  /** take back one step of the choice (Escape); `nothing` when there is nothing left */
  back(seen: Seen<V>, choice: C): C;
  /** how long a fact takes to be seen, ms, at most 1,600; 0 for one with nothing to see */
  takes(fact: Fact, seen: Seen<V>, still: boolean): number;
  /** the view after one fact, as far as the fact shows it; the server's own view follows. Return `view` if unsure */
  after(view: V, fact: Fact, seen: Seen<V>): V;
  /** what a fact puts into this seat's hands on its own page (a peeked Stone, a trick to be read); undefined: nothing */
  react?(fact: Fact, seen: Seen<V>, choice: C): C | undefined;
  /** the choice that shows a hinted event on the table */
  pointing(event: Event, seen: Seen<V>): C;
  /** whether the log begins a new heading before this fact, and its words: "Turn 4", "Round 2" */
  heading?(fact: Fact): string | null;
  /** facts that get no line of their own in the log: the deal card by card, a turn that is its own heading */
  quiet?(fact: Fact): boolean;
}

/** When the game is over: the table shows the result, then whatever step is chosen. */
export interface EndProps<V = unknown> {
  /** a finished game: `view` is a spectator's, with its `result`; `viewer` is still whoever looks ("You win!") */
  seen: Seen<V>;
  /** the whole record, for what lay hidden */
  record: Record_;
  /** what each viewer's view was just before the end, by seat */
  eyes: readonly V[];
  /** every fact that this viewer was told */
  told?: readonly Fact[];
}

/** A finished game's record (record.md), as the server gives it. */
export interface Record_ {
  readonly kubli: number;
  readonly game: GameName;
  readonly players: number;
  readonly events: readonly Event[];
  readonly seats?: readonly string[];
  readonly options?: Options;
  readonly deck?: string | Deck;
  readonly result?: unknown;
}

/** A game as index.ts loads it. */
export interface GameModule<V = unknown, C = unknown> {
  readonly rules: Rules<V, C>;
  readonly Board: Component<BoardProps<V, C>>;
  readonly Side: Component<BoardProps<V, C>> | null;
  readonly End: Component<EndProps<V>>;
  /** what stands in the sheet beside the result ("Who knew what"); null: the log */
  readonly EndSide: Component<EndProps<V>> | null;
}
