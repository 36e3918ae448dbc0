import { describe, expect, it } from "vitest";
import { darwin } from "../../dev/fixtures/darwin.ts";
import type { DarwinView, Fact } from "../../lib/types.ts";
import { figureOf, pointsOf, resultTitle, rules, sorted, type Choice, type Table } from "./rules.ts";

const fixture = (id: string) => darwin.states.find((one) => one.id === id)!;
const state = (id: string): Table => fixture(id).seen;
const { nothing } = rules;
const picked = (card: string): Choice => ({ card, reading: null });
const fact = (what: string, fields: Record<string, unknown>): Fact => ({ what, event: 1, rule: "DD-1", ...fields });

/** The table and the choice after some facts, as the house would show them. */
function shown(table: Table, facts: readonly Fact[], choice: Choice = nothing): { table: Table; choice: Choice } {
  let [at, chosen] = [table, choice];
  for (const one of facts) {
    at = { ...at, view: rules.after(at.view, one, at), legal: [] };
    chosen = rules.react!(one, at, chosen) ?? chosen;
  }
  return { table: at, choice: chosen };
}

describe("what is asked", () => {
  it("asks for a card, with the rule of the sign", () => {
    const ask = rules.ask(state("choose"), nothing);
    expect(ask).toMatchObject({ mine: true, rule: "DD-14", buttons: [] });
    expect(rules.ask(state("nine"), nothing).rule).toBe("DD-13");
  });

  it("plays what is chosen, and says what is special about it", () => {
    const table = state("choose");
    const says = (card: string) => rules.ask(table, picked(card)).says;
    expect(rules.ask(table, picked("bear 1")).buttons).toMatchObject([{ id: "main", event: { act: "choose", card: "bear 1" }, confirm: true }]);
    expect(says("fox 3")).toMatch(/trump/);
    expect(says("scorpion 4.5")).toMatch(/scorpion/i);
    expect(says("snake 3")).toMatch(/snake/);
    expect(new Set([says("fox 3"), says("scorpion 4.5"), says("snake 3"), says("bear 1")]).size).toBe(4);
  });

  it("has no button for a card that the server does not allow", () => {
    expect(rules.ask(state("choose"), picked("lion 8")).buttons).toEqual([]);
    expect(rules.ask({ ...state("choose"), legal: [] }, picked("bear 1")).buttons).toEqual([]);
  });

  it("is my turn while the dice still roll", () => {
    const rolling = { ...state("choose"), legal: [] };
    expect(rules.ask(rolling, nothing)).toMatchObject({ mine: true, buttons: [] });
  });

  it("takes a choice back", () => {
    expect(rules.back(state("choose"), picked("bear 1"))).toEqual(nothing);
  });

  it("waits for the others, by name, with the own card told", () => {
    const ask = rules.ask(state("waiting"), nothing);
    expect(ask).toMatchObject({ mine: false, waiting: true, buttons: [] });
    expect(ask.who).toContain("Ube");
    expect(ask.says).toMatch(/Fox 3/i);
    expect(rules.ask(state("watching"), nothing).buttons).toEqual([]);
  });

  it("points at what a hint says", () => {
    expect(rules.pointing({ act: "choose", card: "owl 9" }, state("choose"))).toEqual(picked("owl 9"));
  });
});

describe("a trick that is read", () => {
  it("is said when all has come of it, and then stays until it is let go on", () => {
    const [chose, turned, ...rest] = fixture("reveal").plays!;
    const first = shown(state("reveal"), [chose!, turned!]);
    expect(first.choice.reading).toMatchObject({ turned, lost: null, end: null });
    // no stop before the end: after a stop the house puts away what was chosen, the reading with it
    expect(rules.ask(first.table, first.choice)).toMatchObject({ buttons: [] });
    expect(rules.ask(first.table, first.choice).hold).toBeUndefined();
    const last = shown(first.table, rest, first.choice);
    expect(last.choice.reading).toMatchObject({ lost: rest[0], end: rest[1] });
    const ask = rules.ask(last.table, last.choice);
    expect(ask.hold).toBe(Infinity);
    expect(ask.buttons).toMatchObject([{ id: "next", release: true }]);
    expect(ask.who).toContain("Ube");
  });

  it("keeps the dice that were thrown for it", () => {
    const { choice } = shown(state("reveal"), fixture("reveal").plays!);
    expect(choice.reading?.thrown?.trump).toBe("lion 6");
  });

  it("does not hold a watcher", () => {
    const watching = { ...state("reveal"), viewer: "spectator" as const, me: null };
    const { table, choice } = shown(watching, fixture("reveal").plays!);
    const ask = rules.ask(table, choice);
    expect(ask.buttons).toEqual([]);
    expect(ask.hold).toBeLessThan(5_000);
  });

  it("says so when nobody takes it", () => {
    const { table, choice } = shown(state("tie"), fixture("tie").plays!);
    const ask = rules.ask(table, choice);
    expect(ask).toMatchObject({ rule: "DD-16", hold: Infinity });
    expect(table.view.middle).toEqual(["fox 3", "snake 2", "snake 2"]);
  });

  it("is put away by the next throw", () => {
    const thrown = fact("thrown", { darwin: 2, trump: "bear 3", sign: "+", round: 2, trick: 5 });
    const { table, choice } = shown(state("reveal"), [...fixture("reveal").plays!, thrown]);
    expect(choice).toEqual(nothing);
    expect(table.view).toMatchObject({ phase: "choose", trick: 5, throw: { colour: "bear", sign: "+", number: 3, trump: "bear 3" } });
  });

  it("counts the cards that waited in the middle", () => {
    const cards = ["bear 5", "fox 3", "snake 2", "owl 9"];
    const facts = [fact("turned", { cards: cards.slice(0, 3), best: "bear 5", by: [0] }), fact("trick_won", { seat: 0, cards, darwin: 0 })];
    const { table, choice } = shown(state("middle"), facts);
    const points = cards.reduce((sum, card) => sum + pointsOf(table, card), 0);
    expect(choice.reading?.points).toBe(points);
    expect(rules.ask(table, choice).says).toContain(`${points} point`);
    expect(table.view.pile_points[0]).toBe(points);
  });
});

describe("what a fact changes", () => {
  const view = (id: string, one: Fact): DarwinView => rules.after(state(id).view, one, state(id));

  it("takes my own card out of the hand, and shows of another's choice only that it is made", () => {
    const mine = view("choose", fact("chose", { seat: 0, card: "fox 3" }));
    expect(mine).toMatchObject({ chosen: "fox 3", to_act: [2], has_chosen: [true, true, false], hands: [7, 7, 8] });
    expect(mine.hand).not.toContain("fox 3");
    const theirs = view("choose", fact("chose", { seat: 2 }));
    expect(theirs).toMatchObject({ chosen: null, to_act: [0], has_chosen: [false, true, true], hand: state("choose").view.hand });
  });

  it("counts others' turned cards as seen, and not my own again", () => {
    const before = state("choose").view.unseen;
    const after = view("choose", fact("turned", { cards: ["bear 1", "lion 4", "owl 0"], best: "owl 0", by: [2] }));
    expect(after.unseen["bear 1"]).toBe(before["bear 1"]);
    expect(after.unseen["lion 4"] ?? 0).toBe((before["lion 4"] ?? 0) - 1);
  });

  it("empties a poisoned pile", () => {
    const after = view("reveal", fact("piles_lost", { seats: [1], lost: {} }));
    expect(after.piles[1]).toEqual([]);
    expect(after.pile_points).toEqual([6, 0, 15]);
  });

  it("makes the points of a round safe", () => {
    const after = view("reveal", fact("round_over", { round: 2, gained: [6, 13, 15], score: [27, 27, 32] }));
    expect(after).toMatchObject({ score: [27, 27, 32], pile_points: [0, 0, 0] });
  });

  it("ends the game", () => {
    const after = view("last-card", fact("game_over", { points: [61, 47, 58], winners: [0] }));
    expect(after.result).toEqual({ points: [61, 47, 58], winners: [0], how: "points" });
    const over = { ...state("won"), viewer: 0 as const };
    expect(resultTitle(over, after.result!)).toBe("You win!");
    expect(resultTitle({ ...over, viewer: 1 }, after.result!)).toBe("Ligaya wins");
    expect(resultTitle({ ...over, viewer: 1 }, { ...after.result!, winners: [0, 2] })).toMatch(/Ligaya and Ube/);
    expect(resultTitle(over, { ...after.result!, winners: [0, 2] })).toMatch(/^You share/);
  });
});

describe("a hand", () => {
  it("is held by number or by animal", () => {
    const hand = ["scorpion 4.5", "fox 5", "bear 5", "owl 0", "bear 1"];
    expect(sorted(hand, "number")).toEqual(["owl 0", "bear 1", "scorpion 4.5", "bear 5", "fox 5"]);
    expect(sorted(hand, "animal")).toEqual(["bear 1", "bear 5", "fox 5", "owl 0", "scorpion 4.5"]);
    expect(figureOf("scorpion 4.5")).toBe("4½");
  });
});
