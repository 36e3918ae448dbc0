import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Stream, type Line, type StreamState } from "./stream.ts";
import type { News } from "./types.ts";

class FakeLine implements Line {
  static all: FakeLine[] = [];
  onopen: ((event: globalThis.Event) => void) | null = null;
  onerror: ((event: globalThis.Event) => void) | null = null;
  closed = false;
  heard = new Map<string, (event: MessageEvent<string>) => void>();
  constructor(readonly path: string) {
    FakeLine.all.push(this);
  }
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.heard.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  open(): void {
    this.onopen?.(new Event("open"));
  }
  fail(): void {
    this.onerror?.(new Event("error"));
  }
  say(type: string, data: unknown = {}): void {
    this.heard.get(type)?.(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

const news = (entry: number): Partial<News> => ({ entry, entries: [] });
let states: StreamState[];
let got: number[];
let shown: "visible" | "hidden";
let stream: Stream;
const last = (): FakeLine => FakeLine.all.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  FakeLine.all = [];
  states = [];
  got = [];
  shown = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => shown);
  stream = new Stream(
    (after) => `/stream?after=${after}`,
    { news: (one) => got.push(one.entry), seats: () => undefined, state: (state) => states.push(state) },
    7,
    { pauses: [500, 1_000], silence: 40_000, hidden: 60_000 },
    (path) => new FakeLine(path),
  );
  stream.open();
});
afterEach(() => {
  stream.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});
function look(state: "visible" | "hidden"): void {
  shown = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("begins after the entry that is known, and goes on from the last one seen", () => {
  expect(last().path).toBe("/stream?after=7");
  last().open();
  last().say("entry", news(9));
  last().fail();
  vi.advanceTimersByTime(500);
  expect(last().path).toBe("/stream?after=9");
  expect(got).toEqual([9]);
});

test("an entry that is known already is not told again", () => {
  last().open();
  last().say("entry", news(9));
  last().say("entry", news(9));
  stream.seen(12);
  last().say("entry", news(11));
  expect(got).toEqual([9]);
});

test("waits longer after each failure, and less again once it was open", () => {
  last().fail();
  vi.advanceTimersByTime(499);
  expect(FakeLine.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeLine.all).toHaveLength(2);
  last().fail();
  vi.advanceTimersByTime(999);
  expect(FakeLine.all).toHaveLength(2);
  vi.advanceTimersByTime(1);
  last().open();
  last().fail();
  vi.advanceTimersByTime(500);
  expect(FakeLine.all).toHaveLength(4);
});

test("says off until it is open again, without a flicker of opening", () => {
  last().open();
  last().fail();
  vi.advanceTimersByTime(500);
  last().open();
  expect(states).toEqual(["opening", "on", "off", "on"]);
});

test("silence without pings is a lost line", () => {
  last().open();
  vi.advanceTimersByTime(39_000);
  last().say("ping");
  vi.advanceTimersByTime(39_000);
  expect(states.at(-1)).toBe("on");
  vi.advanceTimersByTime(1_000);
  expect(states.at(-1)).toBe("off");
  expect(FakeLine.all[0]!.closed).toBe(true);
});

test("hidden for long it rests, and opens when it is shown", () => {
  last().open();
  look("hidden");
  for (let k = 0; k < 3; k++) {
    vi.advanceTimersByTime(19_000);
    last().say("ping");
  }
  look("visible");
  vi.advanceTimersByTime(10_000);
  expect(states.at(-1)).toBe("on");
  look("hidden");
  vi.advanceTimersByTime(60_000);
  expect(states.at(-1)).toBe("resting");
  expect(last().closed).toBe(true);
  look("visible");
  expect(states.at(-1)).toBe("opening");
});

test("the button and the network's return try at once", () => {
  last().fail();
  stream.again();
  expect(FakeLine.all).toHaveLength(2);
  last().fail();
  window.dispatchEvent(new Event("online"));
  expect(FakeLine.all).toHaveLength(3);
});

test("closed, it stays closed", () => {
  last().fail();
  stream.close();
  vi.advanceTimersByTime(60_000);
  window.dispatchEvent(new Event("online"));
  expect(FakeLine.all).toHaveLength(1);
  expect(states.at(-1)).toBe("closed");
});
