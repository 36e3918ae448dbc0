/** A finished game, step by step and through anybody's eyes. */
import type { Moment, Record_, Rules, Seen } from "../games/board.ts";
import { ApiError, api, type Api } from "./api.ts";
import { Pace } from "./pace.ts";
import { isStill } from "./prefs.svelte.ts";
import type { Fact, Refusal, Snapshot, Step, Viewer } from "./types.ts";

export type Eyes = Viewer | "all";

const PLAYING = 900;

export class Replay {
  record = $state.raw<Record_ | null>(null);
  /** how many events have happened */
  k = $state(0);
  of = $state(0);
  eyes = $state<Eyes>("all");
  playing = $state(false);
  step = $state.raw<Step | null>(null);
  moment = $state.raw<Moment | null>(null);
  /** what each seat saw just before the end */
  last = $state.raw<readonly unknown[] | null>(null);
  /** the facts of the step shown, as far as anybody knew them */
  facts = $state.raw<readonly Fact[]>([]);

  #kept = new Map<string, Promise<Step>>();
  #wanted = "";
  #n = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pace: Pace<Fact, Step> | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly rules: Rules<unknown, unknown>,
    private readonly tell: (refusal: Refusal) => void,
    private readonly means: Pick<Api, "record" | "step"> = api,
  ) {}

  get atEnd(): boolean {
    return this.of > 0 && this.k === this.of;
  }

  readonly seen = $derived.by<Seen | null>(() => {
    const { step, snapshot } = this;
    if (!step || !this.record) return null;
    const opened = this.eyes === "all" ? { opened: this.record.events.slice(0, this.k) } : {};
    return {
      game: snapshot.game, players: snapshot.players, options: snapshot.options, deck: snapshot.deck, seats: snapshot.seats,
      viewer: this.eyes === "all" ? "spectator" : this.eyes, me: null, view: step.view, legal: [], to_act: step.view.to_act, over: this.atEnd, ...opened,
    };
  });

  async open(): Promise<void> {
    try {
      const record = await this.means.record(this.snapshot.table);
      this.of = record.events.length;
      this.record = record;
      await this.go(this.of);
      this.last = await Promise.all(
        Array.from({ length: record.players }, async (_, seat) => (await this.#get(Math.max(0, this.of - 1), seat)).view),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.tell(error.refusal);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#pace?.stop();
  }

  /** Show what held after k events. One step on is seen to move; a longer way is not. */
  async go(k: number, eyes: Eyes = this.eyes): Promise<void> {
    const to = Math.max(0, Math.min(this.of, k));
    const moves = to === this.k + 1 && eyes === this.eyes && this.step !== null;
    this.k = to;
    this.eyes = eyes;
    const wanted = (this.#wanted = `${to} ${eyes}`);
    this.#pace?.stop();
    this.moment = null;
    try {
      const step = await this.#get(to, eyes === "all" ? "spectator" : eyes);
      const facts = eyes === "all" ? await this.#whole(step) : step.facts;
      if (wanted !== this.#wanted) return;
      this.facts = facts;
      if (moves && !isStill()) this.#move(step);
      else this.step = step;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.playing = false;
      this.tell(error.refusal);
    }
    this.#next();
  }

  play(on = !this.playing): void {
    this.playing = on;
    if (on && this.atEnd) void this.go(0);
    else this.#next();
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (!this.playing) return;
    if (this.atEnd) {
      this.playing = false;
      return;
    }
    this.#timer = setTimeout(() => void this.go(this.k + 1), PLAYING);
  }

  #move(step: Step): void {
    const before = this.step!;
    this.#pace = new Pace<Fact, Step>({
      takes: (fact) => (this.seen ? Math.min(1_600, this.rules.takes(fact, this.seen, isStill())) : 0),
      show: (fact) => {
        const { step: now, seen } = this;
        if (!now || !seen) return;
        this.step = { ...now, view: this.rules.after(now.view, fact, seen) as Step["view"] };
        this.moment = { fact, n: ++this.#n, before: now.view, ms: this.rules.takes(fact, seen, isStill()) };
      },
      hold: () => null,
      resume: () => undefined,
      skip: () => undefined,
      end: (end) => {
        this.moment = null;
        this.step = end;
      },
      watched: () => document.visibilityState !== "hidden",
    });
    this.step = before;
    this.#pace.add({ facts: step.facts, end: step });
  }

  /** What one who knew most was told of a step: whoever did it, or whom the card was dealt to. */
  async #whole(step: Step): Promise<readonly Fact[]> {
    const { event } = step;
    const who = typeof event?.by === "number" ? event.by : typeof event?.["to"] === "number" ? event["to"] : null;
    return who === null ? step.facts : (await this.#get(step.k, who)).facts;
  }

  #get(k: number, viewer: Viewer): Promise<Step> {
    const key = `${k} ${viewer}`;
    const kept = this.#kept.get(key) ?? this.means.step(this.snapshot.table, k, viewer);
    this.#kept.set(key, kept);
    kept.catch(() => this.#kept.delete(key));
    return kept;
  }
}
