import { expect, test } from "vitest";
import en from "../../../src/kubli/words/en.json";
import vectors from "../../../tests/words/vectors.json";
import type { Condition, Deck, Fact, GameName, Refusal, Viewer } from "./types.ts";
import { conditionMore, list, name, reason, refusal, refusalText, sentence, Teller, text, title, ui, type UiKey } from "./words.ts";

interface Table {
  readonly game: string;
  readonly viewer: number | string | null;
  readonly seats: readonly (string | null)[];
  readonly deck?: unknown;
  readonly ring?: unknown;
}

function teller(table: Table): Teller {
  const ring = Object.entries((table.ring ?? {}) as Record<string, { seat: number; stone: string }>);
  const found = new Teller(table.game as GameName, table.viewer as Viewer | null, table.seats, (table.deck ?? null) as Deck | null);
  return found.lay(ring.map(([place, one]) => ({ place: Number(place), ...one })));
}

test("facts are told as the other reader tells them", () => {
  for (const table of vectors.tables as unknown as (Table & { lines: { fact: Fact; says: string; mark?: string; why?: string }[] })[]) {
    const speaker = teller(table);
    for (const { fact, says, mark, why } of table.lines) {
      expect(speaker.mark(fact) ?? undefined).toBe(mark);
      expect(text(speaker.why(fact)) || undefined).toBe(why);
      expect(text(speaker.say(fact))).toBe(says);
    }
  }
});

test("bots' reasons, refusals, errors, the page's words and conditions are the same too", () => {
  for (const one of vectors.reasons as unknown as (Table & { why: Record<string, unknown>; says: string })[]) {
    expect(text(teller(one).reason(one.why))).toBe(one.says);
  }
  for (const one of vectors.refusals) expect(refusal(one.rule, one.code, one.values)).toBe(one.says);
  for (const { code, values, says } of vectors.errors) expect(refusalText({ error: code, rule: null, values, say: "" })).toBe(says);
  for (const one of vectors.ui as unknown as { key: UiKey; values: Record<string, unknown>; table?: [string, number, string[]]; ring?: unknown; says: string }[]) {
    const at = one.table && teller({ game: one.table[0], viewer: one.table[1], seats: one.table[2], ring: one.ring });
    expect(at ? at.ui(one.key, one.values) : ui(one.key, one.values)).toBe(one.says);
  }
  for (const { item, says } of vectors.conditions) expect(conditionMore(item as Condition)).toBe(says);
});

test("spans say what they name", () => {
  const fact: Fact = { what: "peeked", event: 3, rule: "DA-10", seat: 1, place: 2 };
  expect(new Teller("darna", 0, ["Ligaya", "Tala", "Jonas"]).say(fact)).toEqual([
    { seat: 1, t: "Tala" },
    { t: " peeked at " },
    { place: 2, seat: 2, t: "Jonas’s Stone" },
    { t: "." },
  ]);
  expect(sentence("darna", fact, "spectator", ["Ligaya", null, "Jonas"])).toBe("Seat 1 peeked at Jonas’s Stone.");
});

test("every word of the page is there and whole", () => {
  for (const [group, keys] of Object.entries(en.ui)) {
    for (const [key, entry] of Object.entries(keys as Record<string, unknown>)) {
      const said = ui(`${group}.${key}` as UiKey);
      if (typeof entry === "string") expect(said.replaceAll("…", "")).not.toMatch(/[{}|]/);
    }
  }
});

test("what the server refuses is said in this language, or as it said it", () => {
  const refused = (error: string, rule: string | null, values: Record<string, unknown> = {}): Refusal => ({ error, rule, values, say: "As said." });
  expect(refusalText(refused("DA-10", "DA-10"))).toBe("Not that one. You peek at a Stone that is not your own.");
  expect(refusalText(refused("refused", "DA-10"))).toBe("Not that one. You peek at a Stone that is not your own.");
  expect(refusalText(refused("too_many_requests", null, { limit: 20, seconds: 3 }))).toBe("Too many requests: at most 20. Try again in 3 seconds.");
  expect(refusalText(refused("unknown_field", "FORMAT", { field: "x", where: "event" }))).toBe("Unknown field “x”. There is none of that name in this event.");
  expect(refusalText(refused("brand_new", null))).toBe("As said.");
});

test("what comes from elsewhere breaks nothing", () => {
  const odd: unknown[] = [null, true, -3, 7, 1e300, "x", "", [], [1, [2]], { 0: [1], b: 2 }, "a\u202e\n", "y".repeat(99)];
  for (const game of ["darna", "narabi", "darwins-dice", "constructor"] as GameName[]) {
    for (const what of ["peeked", "hid", "exchanged", "answered", "sleeve_dealt", "turned", "piles_lost", "cards_revealed", "rotated", "toString"]) {
      for (const value of odd) {
        const speaker = new Teller(game, value as Viewer, ["Tala", null]);
        const fields = ["seat", "place", "places", "for", "owner", "own", "other", "with", "gave", "took", "cards", "best", "by", "lost", "order", "direction", "stone", "condition", "gave_condition"];
        expect(text(speaker.say({ what, event: 0, rule: "", ...Object.fromEntries(fields.map((field) => [field, value])) }))).not.toMatch(/[\n\u202e]/);
      }
    }
  }
});

test("small words", () => {
  expect(title("DA-10")).toBe("Peek");
  expect(title("XX-1")).toBe("XX-1");
  expect(name("darna", "peek_more")).toBe("at one Stone, not your own");
  expect(name("bots", "clever")).toBe("clever");
  expect(list([])).toBe("");
  expect(list(["Tala"])).toBe("Tala");
  expect(list(["Tala", "Jonas", "Ube"])).toBe("Tala, Jonas and Ube");
  expect(reason("darna", { code: "shout_sure", place: 0 }, 0, ["Ligaya", "Tala"])).toBe("Shout: your Stone is the Puting Bato for certain.");
});
