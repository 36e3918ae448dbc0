/**
 * The stream of one table: the server's events from an entry on, opened again and again until it is closed.
 *
 * EventSource by itself gives up for good on a 502, can't tell a silent line from a dead one, and keeps one of the six
 * connections that a browser has for a server. So: every error closes it and opens it again after a growing pause, from
 * the entry last seen; a named `ping` feeds a watchdog; a page hidden for long closes it and opens it when shown again.
 */
import type { News, SeatInfo } from "./types.ts";

/** on: live · opening: being opened, not known to be lost · off: lost, trying again · resting: closed while hidden · closed */
export type StreamState = "opening" | "on" | "off" | "resting" | "closed";

export interface StreamWatcher {
  news(news: News): void;
  /** somebody's page was opened or closed */
  seats(seats: readonly SeatInfo[]): void;
  /** `retry`: when the next try is due, ms since the epoch, while off */
  state(state: StreamState, retry: number | null): void;
}

export interface Line {
  onopen: ((event: globalThis.Event) => void) | null;
  onerror: ((event: globalThis.Event) => void) | null;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface StreamTimes {
  /** pauses before trying again, ms; the last one repeats */
  readonly pauses: readonly number[];
  /** silence after which a line is given up, ms: pings come every 15 s */
  readonly silence: number;
  /** hidden for so long, the line is closed, ms */
  readonly hidden: number;
}

const TIMES: StreamTimes = { pauses: [500, 1_000, 2_000, 3_000, 5_000], silence: 40_000, hidden: 5 * 60_000 };

export class Stream {
  #line: Line | null = null;
  #state: StreamState = "closed";
  #failed = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  readonly #shown = () => this.#visibility();
  readonly #online = () => this.again();

  constructor(
    private readonly path: (after: number) => string,
    private readonly watcher: StreamWatcher,
    private after: number,
    private readonly times: StreamTimes = TIMES,
    private readonly open_: (path: string) => Line = (path) => new EventSource(path),
  ) {}

  get cursor(): number {
    return this.after;
  }

  open(): void {
    document.addEventListener("visibilitychange", this.#shown);
    window.addEventListener("online", this.#online);
    this.#open();
    this.#visibility();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#shown);
    window.removeEventListener("online", this.#online);
    clearTimeout(this.#rest);
    this.#drop();
    this.#say("closed");
  }

  /** Try now: somebody pressed the button, or the network is back. */
  again(): void {
    if (this.#state !== "off") return;
    this.#failed = 0;
    this.#open();
  }

  /** Everything up to this entry is known, from elsewhere. */
  seen(entry: number): void {
    this.after = Math.max(this.after, entry);
  }

  #open(): void {
    this.#drop();
    if (this.#state !== "off") this.#say("opening");
    const line = this.open_(this.path(this.after));
    this.#line = line;
    line.onopen = () => {
      this.#failed = 0;
      this.#fed();
      this.#say("on");
    };
    line.onerror = () => this.#lost();
    line.addEventListener("ping", () => this.#fed());
    line.addEventListener("seats", (message) => {
      this.#fed();
      this.watcher.seats((JSON.parse(message.data) as { seats: SeatInfo[] }).seats);
    });
    line.addEventListener("entry", (message) => {
      this.#fed();
      const news = JSON.parse(message.data) as News;
      if (news.entry <= this.after) return;
      this.after = news.entry;
      this.watcher.news(news);
    });
    this.#fed();
  }

  #fed(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), this.times.silence);
  }

  #lost(): void {
    this.#drop();
    const pause = this.times.pauses[Math.min(this.#failed, this.times.pauses.length - 1)] ?? 1_000;
    // a server that comes back is not met by everybody in the same instant
    const wait = pause * (0.75 + Math.random() / 2);
    this.#failed += 1;
    this.#retry = setTimeout(() => this.#open(), wait);
    this.#say("off", Date.now() + wait);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#watchdog);
    this.#line?.close();
    this.#line = null;
  }

  #visibility(): void {
    clearTimeout(this.#rest);
    if (document.visibilityState === "hidden") {
      this.#rest = setTimeout(() => {
        this.#drop();
        this.#say("resting");
      }, this.times.hidden);
    } else if (this.#state === "resting" || this.#state === "off") {
      this.#failed = 0;
      this.#open();
    }
  }

  #say(state: StreamState, retry: number | null = null): void {
    this.#state = state;
    this.watcher.state(state, retry);
  }
}
