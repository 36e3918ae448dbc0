/**
 * One table as this browser sees it: what was told so far, what holds now, what is chosen and on its way.
 *
 * The stream alone moves the table; the answer to an action only says that it was stored. So another tab, another
 * player and this page see the same things in the same order.
 */
import type { AskButton, GameModule, Moment, Rules, Seen } from "../games/board.ts";
import { loadGame, WORLDS } from "../games/index.ts";
import { ApiError, api, requestId, streamPath, type Api } from "./api.ts";
import { Pace } from "./pace.ts";
import { isStill, prefs } from "./prefs.svelte.ts";
import { Stream, type StreamState, type StreamWatcher } from "./stream.ts";
import type { Entry, Event, Fact, Hint, News, Now, Refusal, Seat, SeatInfo, SeatTaken, Snapshot, TableState, Viewer } from "./types.ts";

/** A line of the log. */
export interface Line {
  readonly key: string;
  readonly entry: number;
  readonly fact?: Fact;
  readonly talk?: { readonly seat: Seat; readonly text: string };
  /** somebody took a seat or left one */
  readonly came?: SeatTaken;
  readonly left?: { readonly seat: Seat; readonly name: string };
}

/** laying: not here yet · gone, forbidden, broken: never will be · ready */
export type Stand = "laying" | "gone" | "forbidden" | "broken" | "ready";

interface Shown {
  readonly view: unknown;
  readonly legal: readonly Event[];
  readonly to_act: readonly Seat[];
  readonly asked: number | null;
  readonly over: boolean;
}

/** What holds once a message has been shown. */
interface End {
  readonly entry: number;
  readonly now: Now | null;
  readonly state: TableState;
}

interface Pending {
  readonly id: string;
  readonly asked: number;
  readonly event: Event;
  /** the entry that it became, once the server said so */
  entry: number | null;
}

export interface Means {
  readonly api: Pick<Api, "table" | "act" | "hint" | "talk" | "tables">;
  readonly load: (game: Snapshot["game"]) => Promise<GameModule>;
  readonly stream: (path: (after: number) => string, watcher: StreamWatcher, after: number) => Pick<Stream, "open" | "close" | "again" | "cursor" | "seen">;
  /** a refusal is told to the person */
  readonly tell: (refusal: Refusal) => void;
}

const MEANS: Means = {
  api,
  load: (game) => loadGame(WORLDS[game]),
  stream: (path, watcher, after) => new Stream(path, watcher, after),
  tell: () => undefined,
};

/** How long an answered action may take to come back by the stream before the table is asked for whole, ms. */
const LATE = 4_000;
const RETRY = 3_000;
const POLL = 60_000;

export class TableStore {
  stand = $state<Stand>("laying");
  /** everything about the table that stays as it is, and the seats */
  snapshot = $state.raw<Snapshot | null>(null);
  seats = $state.raw<readonly SeatInfo[]>([]);
  state = $state<TableState>("waiting");
  /** the table on which the same people play again */
  again = $state<string | null>(null);
  module = $state.raw<GameModule | null>(null);

  lines = $state.raw<readonly Line[]>([]);
  moment = $state.raw<Moment | null>(null);
  choice = $state.raw<unknown>(null);
  refused = $state(0);
  hint = $state.raw<Hint | null>(null);

  link = $state<StreamState>("opening");
  retry = $state<number | null>(null);
  /** since when what is seen may be old, ms since the epoch */
  since = $state<number | null>(null);

  #shown = $state.raw<Shown | null>(null);
  #pending = $state.raw<Pending | null>(null);
  /** whose turn it is while the stream rests */
  #away = $state<boolean | null>(null);

  readonly sending = $derived(this.#pending !== null);
  readonly offline = $derived(this.link === "off");
  readonly me = $derived<Seat | null>(
    this.snapshot && this.snapshot.viewer !== "spectator" && this.state !== "over" ? this.snapshot.viewer : null,
  );
  readonly seen = $derived.by<Seen | null>(() => this.#seenWith(this.#shown));
  readonly ask = $derived(this.seen && this.module ? this.rules.ask(this.seen, this.choice) : null);
  /** it is for this person to do something */
  readonly mine = $derived(this.#away ?? (this.me !== null && !!this.#shown && !this.#shown.over && this.#shown.to_act.includes(this.me)));

  #stream: ReturnType<Means["stream"]> | null = null;
  #pace: Pace<Line, End>;
  #n = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #closed = false;
  readonly #means: Means;

  constructor(
    readonly id: string,
    means: Partial<Means> = {},
  ) {
    this.#means = { ...MEANS, ...means };
    this.#pace = this.#newPace();
  }

  get rules(): Rules<unknown, unknown> {
    return this.module!.rules;
  }

  /** Facts are being shown, or wait to be. */
  get busy(): boolean {
    return this.#pace.busy;
  }

  // --- coming and going ----------------------------------------------------------------------------

  async open(): Promise<void> {
    await this.refresh();
  }

  close(): void {
    this.#closed = true;
    this.#pace.stop();
    this.#stream?.close();
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
  }

  /** Try now: somebody pressed the button. */
  tryNow(): void {
    if (this.stand === "ready") this.#stream?.again();
    else void this.refresh();
  }

  /** Ask for the whole table and show it as it is: at the start, after taking a seat, when something did not come. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    let snapshot: Snapshot;
    let module: GameModule;
    try {
      snapshot = await this.#means.api.table(this.id);
      module = await this.#means.load(snapshot.game);
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (this.#closed) return;
    this.#pace.stop();
    this.#pace = this.#newPace();
    // a line belongs to whoever opened it: with a seat taken or lost it is opened anew
    if (this.#stream && this.snapshot && this.snapshot.viewer !== snapshot.viewer) {
      this.#stream.close();
      this.#stream = null;
    }
    this.module = module;
    this.snapshot = snapshot;
    this.seats = snapshot.seats;
    this.state = snapshot.state;
    this.again = snapshot.again;
    this.lines = linesOf(snapshot.log, []);
    // what a fact had put before this seat is gone with its showing
    if (this.moment) this.#forget();
    this.moment = null;
    const asked = this.#shown?.asked ?? null;
    this.#shown = snapshot.now && shownOf(snapshot.now);
    if (this.choice === null || (this.#shown?.asked ?? null) !== asked) this.#forget();
    this.#pending = null;
    this.stand = "ready";
    if (this.#stream) this.#stream.seen(snapshot.entry);
    else this.#connect(snapshot.entry);
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) this.stand = "gone";
    else if (error instanceof ApiError && (error.status === 401 || error.status === 403)) this.stand = "forbidden";
    else if (error instanceof ApiError && (error.unreached || error.status === 429)) {
      if (this.stand !== "ready") this.#linked("off", Date.now() + RETRY);
      this.#timer = setTimeout(() => void this.refresh(), RETRY);
    } else if (this.stand !== "ready") this.stand = "broken";
  }

  #connect(after: number): void {
    const watcher: StreamWatcher = {
      news: (news) => this.#news(news),
      seats: (seats) => void (this.seats = seats),
      state: (state, retry) => this.#linked(state, retry),
    };
    this.#stream = this.#means.stream((from) => streamPath(this.id, from), watcher, after);
    this.#stream.open();
  }

  #linked(state: StreamState, retry: number | null): void {
    const was = this.link;
    this.link = state;
    this.retry = retry;
    if (state === "off") this.since ??= Date.now();
    if (state === "on") this.since = null;
    // what was on its way when the line broke is sent again: its id makes it one move
    if (state === "on" && was !== "on" && this.#pending && this.#pending.entry === null) void this.#deliver(this.#pending);
    clearInterval(this.#poll);
    if (state === "resting") this.#poll = setInterval(() => void this.#look(), POLL);
    else this.#away = null;
  }

  /** While the page is hidden for long: only whether it is my turn, for the tab's title. */
  async #look(): Promise<void> {
    try {
      const line = (await this.#means.api.tables()).find((one) => one.table === this.id);
      if (line && this.link === "resting") this.#away = line.your_turn;
    } catch {
      // the next look will do
    }
  }

  // --- what happens --------------------------------------------------------------------------------

  #news(news: News): void {
    const lines = linesOf(news.entries, this.seats);
    this.seats = news.seats;
    this.again = news.entries.find((entry) => entry.again)?.again ?? this.again;
    // somebody freed my seat, or another page of this browser took one: what I may know is another matter now
    if (news.viewer !== this.snapshot?.viewer) {
      void this.refresh();
      return;
    }
    if (news.state !== "over") this.state = news.state;
    this.#pace.add({ facts: lines, end: { entry: news.entry, now: news.now, state: news.state } });
  }

  #newPace(): Pace<Line, End> {
    return new Pace<Line, End>({
      takes: (line) => (line.fact && this.seen ? Math.min(1_600, this.rules.takes(line.fact, this.seen, isStill())) : 0),
      show: (line) => this.#show(line),
      hold: () => (this.seen && this.moment ? (this.rules.ask(this.seen, this.choice).hold ?? null) : null),
      resume: () => this.#forget(),
      skip: (line) => this.#write(line),
      end: (end) => this.#end(end),
      watched: () => document.visibilityState !== "hidden",
    });
  }

  #show(line: Line): void {
    this.#write(line);
    const { fact } = line;
    const shown = this.#shown;
    const seen = this.seen;
    if (!fact || !shown || !seen) return;
    const { rules } = this;
    // my own move is being shown: what was chosen for it has been used
    if (this.#pending && fact["seat"] === this.me) this.#forget();
    const ms = Math.min(1_600, rules.takes(fact, seen, isStill()));
    const view = rules.after(shown.view, fact, seen);
    this.#shown = { ...shown, view, legal: this.#keeps(fact) ? shown.legal : [] };
    this.moment = { fact, n: ++this.#n, before: shown.view, ms };
    const choice = rules.react?.(fact, this.seen!, this.choice);
    if (choice !== undefined) this.choice = choice;
  }

  /** Whether my decision stays the same while this is shown: another's sealed choice does not take mine away. */
  #keeps(fact: Fact): boolean {
    return fact.what === "chose" && fact["seat"] !== this.me;
  }

  #write(line: Line): void {
    this.lines = [...this.lines, line];
  }

  #end(end: End): void {
    this.moment = null;
    this.state = end.state;
    const asked = this.#shown?.asked ?? null;
    this.#shown = end.now && shownOf(end.now);
    if ((this.#shown?.asked ?? null) !== asked) this.#forget();
    else if (this.#pending?.entry != null && end.entry >= this.#pending.entry) this.#pending = null;
  }

  #seenWith(shown: Shown | null): Seen | null {
    const { snapshot } = this;
    if (!snapshot || !shown) return null;
    return {
      game: snapshot.game, players: snapshot.players, options: snapshot.options, deck: snapshot.deck, seats: this.seats,
      viewer: snapshot.viewer, me: shown.over ? null : this.me, view: shown.view, legal: shown.legal, to_act: shown.to_act, over: shown.over,
    };
  }

  // --- what a person does --------------------------------------------------------------------------

  choose(choice: unknown): void {
    if (!this.#may()) return;
    this.choice = choice;
    const done = prefs.confirm ? undefined : this.ask?.buttons.find((button) => button.confirm && button.event && !button.off);
    if (done?.event) void this.send(done.event);
  }

  press(button: AskButton): void {
    if (button.off) return;
    if (button.release) {
      this.choice = button.choice ?? this.rules.nothing;
      this.#pace.release();
    } else if (button.event) void this.send(button.event);
    else if (button.choice !== undefined && this.#may()) this.choice = button.choice;
  }

  /** Take back a step of what is chosen. Says whether there was one. */
  back(): boolean {
    if (!this.seen || this.sending || this.#pace.holding || this.choice === this.rules.nothing) return false;
    this.choice = this.rules.back(this.seen, this.choice);
    return true;
  }

  hurry(): void {
    this.#pace.hurry();
  }

  async send(event: Event): Promise<void> {
    const asked = this.#shown?.asked ?? null;
    if (!this.#may() || asked === null) return;
    const pending: Pending = { id: requestId(), asked, event, entry: null };
    this.#pending = pending;
    await this.#deliver(pending);
  }

  async #deliver(pending: Pending): Promise<void> {
    try {
      const { entry } = await this.#means.api.act(this.id, pending.id, pending.asked, pending.event);
      if (this.#pending !== pending) return;
      pending.entry = entry;
      if ((this.#stream?.cursor ?? 0) >= entry && !this.busy) this.#pending = null;
      else this.#timer = setTimeout(() => void (this.#pending === pending && (this.#stream?.cursor ?? 0) < entry && this.refresh()), LATE);
    } catch (error) {
      if (this.#pending !== pending || this.#closed) return;
      if (error instanceof ApiError && error.unreached) {
        this.#timer = setTimeout(() => void (this.#pending === pending && this.link !== "off" && this.#deliver(pending)), RETRY);
        return;
      }
      this.#pending = null;
      if (!(error instanceof ApiError)) throw error;
      this.#means.tell(error.refusal);
      if (error.refusal.error === "stale") await this.refresh();
      else this.refused += 1;
    }
  }

  /** "What would simple do?": shows a move on the table, and why; sends nothing. */
  async askHint(bot = "simple"): Promise<void> {
    const asked = this.#shown?.asked ?? null;
    if (!this.#may() || asked === null) return;
    try {
      const hint = await this.#means.api.hint(this.id, bot);
      if (this.#shown?.asked !== asked || !this.seen) return;
      this.hint = hint;
      this.choice = this.rules.pointing(hint.event, this.seen);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#means.tell(error.refusal);
    }
  }

  async say(text: string): Promise<boolean> {
    try {
      await this.#means.api.talk(this.id, requestId(), text);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#means.tell(error.refusal);
      return false;
    }
  }

  #may(): boolean {
    return this.me !== null && !this.sending && !this.offline && !!this.#shown && !this.#shown.over && !this.#pace.holding && this.#shown.legal.length > 0;
  }

  #forget(): void {
    this.choice = this.module ? this.rules.nothing : null;
    this.#pending = null;
    this.hint = null;
  }
}

function shownOf(now: Now): Shown {
  return { view: now.view, legal: now.legal, to_act: now.to_act, asked: now.asked, over: now.over };
}

/** The lines that some entries make; `seats` as they were before. */
export function linesOf(entries: readonly Entry[], seats: readonly SeatTaken[]): Line[] {
  let before: readonly SeatTaken[] = seats;
  return entries.flatMap((entry) => {
    const lines: Line[] = (entry.facts ?? []).map((fact, k) => ({ key: `${entry.entry}.${k}`, entry: entry.entry, fact }));
    if (entry.talk) lines.push({ key: `${entry.entry}.t`, entry: entry.entry, talk: entry.talk });
    if (entry.seats) {
      lines.push(...moved(before, entry.seats, entry.entry));
      before = entry.seats;
    }
    return lines;
  });
}

function moved(before: readonly SeatTaken[], after: readonly SeatTaken[], entry: number): Line[] {
  return after.flatMap((now): Line[] => {
    const was = before.find((one) => one.seat === now.seat);
    const key = `${entry}.s${now.seat}`;
    if (was?.name === now.name && was?.kind === now.kind) return [];
    if (now.kind !== "open") return [{ key, entry, came: now }];
    return was?.name ? [{ key, entry, left: { seat: now.seat, name: was.name } }] : [];
  });
}

/** The seat whose eyes these are, as a number: a spectator looks from seat 0's side. */
export const below = (viewer: Viewer): Seat => (viewer === "spectator" ? 0 : viewer);
