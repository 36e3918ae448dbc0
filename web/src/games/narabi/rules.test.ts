import { describe, expect, test } from "vitest";
import { narabi } from "../../dev/fixtures/narabi.ts";
import type { Fact } from "../../lib/types.ts";
import { knewOf, sleevesOf } from "./end.ts";
import { conditionShort, eventOf, glyphOf, NOTHING, open, press, rules, tellerOf, turned, type NarabiSeen } from "./rules.ts";

const state = (id: string): NarabiSeen => narabi.states.find((one) => one.id === id)!.seen;
const choose = (seen: NarabiSeen, ...places: number[]) => places.reduce((choice, place) => press(seen, choice, place), NOTHING);
const fact = (what: string, fields: object): Fact => ({ what, event: 0, rule: "", ...fields });
const turn = state("turn");

describe("choosing", () => {
  test("offers what the server offers, and nothing else", () => {
    expect([...open(turn, NOTHING)].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 7, 8, 10, 11]);
    expect([...open(turn, choose(turn, 1))]).toEqual([3, 4, 5, 7, 8, 10]);
    expect([...open(turn, choose(turn, 11))]).toEqual([2]);
    expect(open(state("theirs"), NOTHING).size).toBe(0);
  });

  test("either stone may come first", () => {
    expect(choose(turn, 7, 1)).toEqual(choose(turn, 1, 7));
    expect(eventOf(turn, choose(turn, 1, 7))).toMatchObject({ act: "exchange", own: 1, other: 7 });
  });

  test("a stone pressed again is not chosen any more, and nothing is nothing", () => {
    expect(choose(turn, 1, 1)).toBe(NOTHING);
    expect(choose(turn, 1, 7, 7)).toEqual({ ask: false, from: 1, to: null });
  });

  test("another own stone keeps the other one only if it may go there", () => {
    expect(choose(turn, 1, 3, 2)).toEqual({ ask: false, from: 2, to: 3 });
    expect(choose(turn, 1, 7, 2)).toEqual({ ask: false, from: 2, to: null });
  });

  test("a pair that may not be says why, and has nothing to press", () => {
    const ask = rules.ask(turn, choose(turn, 1, 9));
    expect(ask.rule).toBe("NA-8");
    expect(ask.buttons.at(-1)).toMatchObject({ off: "Not allowed: you need an even number." });
    expect(ask.buttons.every((button) => !button.event)).toBe(true);
    expect(rules.ask(state("no-return-not"), { ask: false, from: 2, to: 3 })).toMatchObject({ rule: "NA-19" });
  });

  test("asking turns the pair round, and back", () => {
    const asked = turned(turn, choose(turn, 1, 7));
    expect(asked).toEqual({ ask: true, from: 7, to: 1 });
    expect(turned(turn, asked)).toEqual({ ask: false, from: 1, to: 7 });
    expect(turned(turn, { ask: true, from: 4, to: 8 })).toBe(NOTHING);
  });

  test("a question is of another’s stone, and for a stone that is not theirs", () => {
    const ask = { ask: true, from: null, to: null };
    expect(press(turn, ask, 4)).toEqual({ ask: true, from: 4, to: null });
    expect(press(turn, press(turn, ask, 4), 5)).toEqual({ ask: true, from: 5, to: null });
    expect(press(turn, press(turn, ask, 4), 8)).toEqual({ ask: true, from: 4, to: 8 });
    expect(press(turn, ask, 0)).toEqual({ ask: true, from: null, to: 0 });
    expect(press(turn, { ask: true, from: 4, to: 8 }, 5)).toEqual({ ask: true, from: 5, to: 8 });
  });

  test("Escape takes back one step at a time", () => {
    let choice = turned(turn, choose(turn, 1, 7));
    const steps = [choice];
    while (choice !== NOTHING) steps.push((choice = rules.back(turn, choice)));
    expect(steps).toEqual([{ ask: true, from: 7, to: 1 }, { ask: true, from: 7, to: null }, { ask: true, from: null, to: null }, NOTHING]);
  });

  test("every event that may be can be chosen, stone by stone, and is what the button sends", () => {
    for (const event of turn.legal) {
      const choice = rules.pointing(event, turn);
      expect(eventOf(turn, choice)).toBe(event);
      expect(rules.ask(turn, choice).buttons.at(-1)!.event).toBe(event);
      const pressed = [choice.from!, choice.to!].reduce((now, place) => press(turn, now, place), { ask: choice.ask, from: null, to: null } as typeof choice);
      expect(pressed).toEqual(choice);
    }
  });
});

describe("the prompt", () => {
  test("says why it is allowed, with the rule that says so", () => {
    expect(rules.ask(turn, choose(turn, 1, 7))).toMatchObject({ says: "Your 2 for Jonas’s black blank. Allowed: you need an even number, and a blank counts as 0.", rule: "NA-9" });
    expect(rules.ask(turn, choose(turn, 1, 3))).toMatchObject({ says: "Your 2 for Tala’s 8. Allowed: you need an even number.", rule: "NA-8" });
  });

  test("has no questions where nobody talks, and says when none is left", () => {
    expect(rules.ask(state("silent"), NOTHING).buttons).toEqual([]);
    expect(rules.ask(state("no-questions"), NOTHING).buttons).toMatchObject([{ off: "No questions left this turn." }]);
  });

  test("asks nothing of those who wait or watch", () => {
    for (const id of ["theirs", "watching"]) expect(rules.ask(state(id), NOTHING)).toMatchObject({ mine: false, waiting: true, buttons: [] });
    expect(rules.ask(state("won"), NOTHING)).toMatchObject({ mine: false, rule: "NA-12", buttons: [] });
    expect(rules.ask(state("lost"), NOTHING)).toMatchObject({ who: "All lose", rule: "NA-14" });
    expect(rules.ask(state("stuck"), NOTHING)).toMatchObject({ rule: "NA-10" });
  });
});

describe("what a fact shows", () => {
  const told = { seat: 2, own: 7, other: 1, with: 0, number: 8, gave: "blank_black_1", took: "2" };

  test("an exchange moves the sleeves, and what is known of them", () => {
    const { ring, exchanges } = rules.after(turn.view, fact("exchanged", { ...told, gave_condition: "black", took_condition: "even" }), turn);
    expect(exchanges).toBe(8);
    expect(ring[1]).toMatchObject({ place: 1, seat: 0, stone: "blank_black_1", condition: "black", seen: true });
    expect(ring[7]).toMatchObject({ place: 7, seat: 2, stone: "2", condition: "even", seen: true });
  });

  test("others learn no condition from it", () => {
    const watching = state("watching");
    const { ring } = rules.after(watching.view, fact("exchanged", told), watching);
    expect(ring[1]).toMatchObject({ stone: "blank_black_1", condition: null, seen: false });
  });

  test("no return: both places bar the other, and the mover’s other bars lapse", () => {
    const seen = state("no-return");
    const { ring } = rules.after(seen.view, fact("exchanged", { ...told, seat: 0, own: 1, other: 7, with: 2 }), seen);
    expect(ring.map((sleeve) => sleeve.barred)).toEqual([null, 7, null, 2, null, null, null, 1, null, null, null, null]);
  });

  test("questions are counted, and a turn brings them back", () => {
    const asked = rules.after(turn.view, fact("answered", {}), turn);
    expect(asked.questions_left).toBe(1);
    expect(rules.after(asked, fact("turn", { seat: 3, number: 9 }), turn)).toMatchObject({ on_turn: 3, questions_left: 3 });
  });

  test("no fact takes longer than the house waits", () => {
    for (const what of ["sleeve_dealt", "turn", "answered", "exchanged", "no_exchange", "game_over"]) {
      for (const still of [true, false]) expect(rules.takes(fact(what, {}), turn, still)).toBeLessThanOrEqual(1_600);
    }
    expect(rules.takes(fact("talk", {}), turn, false)).toBe(0);
  });
});

describe("conditions", () => {
  test("are short under a stone", () => {
    const short = (id: string): string => conditionShort(turn, tellerOf(turn), id);
    expect(["even", "higher", "near", "same_colour", "next_player", "low"].map(short)).toEqual(["an even number", "than this one", "at most 2 away", "as this one", "to the left", ""]);
  });

  test("have a drawing only if it is true of them", () => {
    expect(glyphOf({ id: "x" })).toBe("c-any");
    expect(glyphOf({ id: "x", at_most: 4 })).toBe("c-low");
    expect(glyphOf({ id: "x", at_most: 6 })).toBe(null);
    expect(glyphOf({ id: "x", colour: "white", parity: "odd" })).toBe(null);
    expect(glyphOf({ id: "x", whose: [-1] })).toBe("c-previous-player");
  });
});

test("the end opens each sleeve, and who knew it", () => {
  const { end } = narabi.states.find((one) => one.id === "won")!;
  const open = sleevesOf(end!.record);
  expect(open.size).toBe(12);
  for (const stone of open.keys()) {
    const holder = end!.eyes.findIndex((_, seat) => end!.eyes[seat]!.ring.some((one) => one.stone === stone && one.seat === seat));
    expect(knewOf(stone, end!.eyes)).toContain(holder);
  }
});
