import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace, type Stage } from "./pace.ts";

let seen: string[];
let holds: Record<string, number>;
let watched: boolean;
let last: string;
const times: Record<string, number> = { quick: 100, slow: 4_000, none: 0 };
const stage: Stage<string, string> = {
  takes: (fact) => times[fact.split(":")[0]!] ?? 300,
  show: (fact) => {
    last = fact;
    seen.push(fact);
  },
  hold: () => holds[last] ?? null,
  resume: () => seen.push("resume"),
  skip: (fact) => seen.push(`(${fact})`),
  end: (end) => seen.push(`=${end}`),
  watched: () => watched,
};
let pace: Pace<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  seen = [];
  holds = {};
  watched = true;
  pace = new Pace(stage);
});
afterEach(() => {
  pace.stop();
  vi.useRealTimers();
});

test("one fact after the other, then what holds", async () => {
  pace.add({ facts: ["quick:a", "none:b", "c"], end: "1" });
  expect(seen).toEqual(["quick:a"]);
  await vi.advanceTimersByTimeAsync(99);
  expect(seen).toEqual(["quick:a"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(["quick:a", "none:b", "c"]);
  await vi.advanceTimersByTimeAsync(300);
  expect(seen.at(-1)).toBe("=1");
  expect(pace.busy).toBe(false);
});

test("the next message waits for the last to land", async () => {
  pace.add({ facts: ["a"], end: "1" });
  pace.add({ facts: ["b"], end: "2" });
  await vi.advanceTimersByTimeAsync(300);
  expect(seen).toEqual(["a", "=1", "b"]);
});

test("a burst is shown as its end state", async () => {
  pace.add({ facts: ["a"], end: "1" });
  pace.add({ facts: ["slow:b"], end: "2" });
  pace.add({ facts: ["slow:c"], end: "3" });
  await vi.advanceTimersByTimeAsync(300);
  expect(seen).toEqual(["a", "=1", "(slow:b)", "=2", "(slow:c)", "=3"]);
});

test("one long message alone is no burst", async () => {
  pace.add({ facts: ["slow:a", "slow:b"], end: "1" });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(seen).toEqual(["slow:a", "slow:b"]);
});

test("nothing is played to a hidden page", async () => {
  watched = false;
  pace.add({ facts: ["a", "b"], end: "1" });
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["(a)", "(b)", "=1"]);
});

test("stops for a person to look until released", async () => {
  holds["a"] = Infinity;
  pace.add({ facts: ["a", "b"], end: "1" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen).toEqual(["a"]);
  expect(pace.holding).toBe(true);
  pace.hurry();
  await vi.advanceTimersByTimeAsync(10);
  expect(seen).toEqual(["a"]);
  pace.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["a", "resume", "b"]);
});

test("a stop with a time goes on by itself", async () => {
  holds["a"] = 2_000;
  pace.add({ facts: ["a"], end: "1" });
  await vi.advanceTimersByTimeAsync(2_300);
  expect(seen).toEqual(["a", "resume", "=1"]);
});

test("hurried, it lands at once but still stops to be looked at", async () => {
  holds["c"] = Infinity;
  pace.add({ facts: ["a", "b", "c", "d"], end: "1" });
  pace.hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["a", "b", "c"]);
  pace.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.at(-1)).toBe("d");
  await vi.advanceTimersByTimeAsync(300);
  expect(seen.at(-1)).toBe("=1");
});

test("stopped, it shows nothing more", async () => {
  pace.add({ facts: ["a", "b"], end: "1" });
  pace.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toEqual(["a"]);
});
