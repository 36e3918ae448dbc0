import { describe, expect, it } from "vitest";
import { darna } from "../../dev/fixtures/darna.ts";
import type { DarnaView, Event, Fact } from "../../lib/types.ts";
import type { Seen } from "../board.ts";
import { faceUp, known, opened, placesToPick, rules, whole, withPlace, type Choice, type Table } from "./rules.ts";

const state = (id: string): Table => darna.states.find((one) => one.id === id)!.seen;
const { nothing } = rules;
const pick = (table: Table, ...places: number[]): Choice => places.reduce((choice, place) => withPlace(table, choice, place), nothing);
const fact = (what: string, fields: Record<string, unknown>): Fact => ({ what, event: 1, rule: "DA-1", ...fields });
const mainOf = (table: Table, choice: Choice) => rules.ask(table, choice).buttons.find((button) => button.id === "main");

describe("what is asked", () => {
  it("offers the card and the shout, which asks twice", () => {
    const { mine, buttons } = rules.ask(state("turn"), nothing);
    expect(mine).toBe(true);
    expect(buttons.map((button) => [button.id, button.event?.act, button.twice ?? false, button.confirm ?? false])).toEqual([
      ["draw", "draw", false, false], ["shout", "shout", true, false],
    ]);
    expect(rules.ask(state("turn"), { ...nothing, act: "draw" }).buttons[0]?.confirm).toBe(true);
  });

  it("holds the button back until a card is chosen, and names it", () => {
    const table = state("choose");
    expect(mainOf(table, nothing)).toMatchObject({ off: expect.any(String) });
    const ask = rules.ask(table, { ...nothing, card: 9 });
    expect(ask.says).toContain("No. 9");
    expect(ask.small).toContain("No. 7");
    expect(ask.buttons[0]).toMatchObject({ event: { act: "play", card: 9 }, confirm: true });
  });

  it("lets peek at what the server allows, and nothing else", () => {
    const table = state("peek");
    expect(placesToPick(table, nothing)).toEqual([1, 2, 3, 4]);
    expect(mainOf(table, pick(table, 4))?.event).toMatchObject({ act: "peek", place: 4 });
    expect(mainOf(table, pick(table, 0))?.event).toBeUndefined();
    expect(rules.ask(table, nothing).steps?.map((step) => step.state)).toEqual(["now", "next"]);
  });

  it("shows the first of two before the second is chosen", () => {
    const second = rules.ask(state("peek-two"), nothing);
    expect(second.who).toMatch(/second/i);
    expect(placesToPick(state("peek-two"), nothing)).toEqual([1, 2, 3]);
  });

  it("takes two Stones in any order, the third instead of the first, and a pressed one back", () => {
    const table = state("swap");
    expect(pick(table, 4, 1).places).toEqual([4, 1]);
    expect(mainOf(table, pick(table, 4, 1))?.event).toMatchObject({ places: [1, 4] });
    expect(pick(table, 4, 1, 2).places).toEqual([1, 2]);
    expect(pick(table, 4, 4).places).toEqual([]);
    expect(rules.back(table, pick(table, 4, 1)).places).toEqual([4]);
    expect(rules.back(table, rules.back(table, pick(table, 4, 1)))).toBe(nothing);
  });

  it("has two buttons for a hiding, alike but for their words", () => {
    const table = state("hide");
    const two = rules.ask(table, pick(table, 0, 4)).buttons;
    expect(two.map((button) => [button.event?.["swapped"], button.look])).toEqual([[true, "plain"], [false, "plain"]]);
    expect(rules.ask(table, pick(table, 0)).buttons.every((button) => button.off)).toBe(true);
  });

  it("asks for a direction and for a guess", () => {
    expect(rules.ask(state("either"), nothing).buttons.map((button) => button.event?.["direction"])).toEqual(["clockwise", "counterclockwise"]);
    const table = state("guess");
    expect(mainOf(table, pick(table, 0))?.event).toMatchObject({ act: "guess", place: 0 });
  });

  it("asks nothing of others, and has no buttons for them", () => {
    for (const id of ["theirs", "guess-late", "watching"]) {
      const { mine, buttons, waiting } = rules.ask(state(id), nothing);
      expect([mine, buttons.length, waiting]).toEqual([false, 0, true]);
    }
  });

  it("points at every legal event so that its button is there", () => {
    for (const { seen } of darna.states) {
      for (const event of seen.legal) {
        const { buttons } = rules.ask(seen, rules.pointing(event, seen));
        expect(buttons.some((button) => button.event === event), JSON.stringify(event)).toBe(true);
      }
    }
  });
});

describe("what is seen for a while", () => {
  const table = state("peek");
  it("stops at my own peek until it is turned back", () => {
    const choice = rules.react!(fact("peeked", { seat: 0, place: 4, face: "puting_bato" }), table, nothing)!;
    expect(choice.look).toEqual({ place: 4, face: "puting_bato" });
    const ask = rules.ask(table, choice);
    expect([ask.hold, ask.buttons[0]?.release]).toEqual([Infinity, true]);
    expect(ask.buttons[0]?.choice).toBe(nothing);
  });
  it("shows me another's Stone for two seconds, and mine to the others", () => {
    const shown = rules.react!(fact("showed", { seat: 2, place: 2, face: "plain" }), table, nothing)!;
    expect(rules.ask(table, shown).hold).toBe(2_000);
    const own = rules.react!(fact("showed", { seat: 0, place: 0 }), table, nothing)!;
    expect(own.look).toEqual({ place: 0, face: null });
  });
  it("does not react to what others see, nor for those who watch", () => {
    expect(rules.react!(fact("peeked", { seat: 1, place: 4 }), table, nothing)).toBeUndefined();
    const watching = state("watching");
    expect(rules.react!(fact("showed", { seat: 2, place: 2 }), watching, nothing)).toBeUndefined();
  });
  it("never takes longer than 1.6 s, whatever was done", () => {
    for (const { plays, seen } of darna.states) {
      for (const one of plays ?? []) for (const still of [true, false]) expect(rules.takes(one, seen, still)).toBeLessThanOrEqual(1_600);
    }
    const hidings = [{}, { swapped: true }, { swapped: false }].map((more) => rules.takes(fact("hid", { seat: 0, places: [0, 4], ...more }), table, false));
    expect(new Set(hidings).size).toBe(1);
  });
});

describe("what a fact changes", () => {
  const table = state("turn");
  const may = (view: Partial<DarnaView>, one: Fact, players = 4) => rules.after({ ...table.view, ...view }, one, { ...table, players }).may;

  it("moves what I know with the Stones", () => {
    expect(may({ may: [0, 4] }, fact("rotated", { seat: 1, direction: "clockwise" }))).toEqual([1, 4]);
    expect(may({ may: [0, 4] }, fact("rotated", { seat: 1, direction: "counterclockwise" }))).toEqual([3, 4]);
    expect(may({ may: [0, 3] }, fact("rotated", { seat: 1, direction: "clockwise" }), 2)).toEqual([1, 3]);
    expect(may({ may: [0] }, fact("swapped", { seat: 1, places: [0, 2] }))).toEqual([2]);
  });
  it("blurs it when another hides, and not when I do", () => {
    expect(may({ may: [0] }, fact("hid", { seat: 1, places: [0, 2] }))).toEqual([0, 2]);
    expect(may({ may: [0] }, fact("hid", { seat: 0, places: [0, 2], swapped: true }))).toEqual([2]);
    expect(may({ may: [0] }, fact("hid", { seat: 0, places: [0, 2], swapped: false }))).toEqual([0]);
  });
  it("narrows it by what was seen", () => {
    expect(may({ may: [0, 4] }, fact("peeked", { seat: 0, place: 4, face: "plain" }))).toEqual([0]);
    expect(may({ may: [0, 4] }, fact("showed", { seat: 1, place: 4, face: "puting_bato" }))).toEqual([4]);
    expect(may({ may: [0, 4] }, fact("peeked", { seat: 1, place: 4 }))).toEqual([0, 4]);
  });
  it("follows cards, guesses and the end", () => {
    let view = rules.after(table.view, fact("drew", { seat: 0, card: 3, left: 7 }), table);
    expect([view.hand, view.hands[0], view.deck, view.phase]).toEqual([[3, 7], 2, 7, "play"]);
    view = rules.after(view, fact("played", { seat: 0, card: 7 }), table);
    expect([view.hand, view.hands[0], view.last_played, view.doing?.instruction]).toEqual([[3], 1, 7, "hide"]);
    view = rules.after(view, fact("cards_revealed", { cards: { "0": 3, "1": 9, "2": 1, "3": 4 }, order: [2, 0, 3, 1] }), table);
    expect([view.phase, view.to_act]).toEqual(["guess", [2]]);
    view = rules.after(view, fact("guessed", { seat: 2, place: 1, face: "plain" }), table);
    view = rules.after(view, fact("out", { seat: 2 }), table);
    expect([view.face_up, view.out, view.to_act, faceUp(view, 1), faceUp(view, 0)]).toEqual([[1], [2], [0], "plain", null]);
    view = rules.after(view, fact("game_over", { winner: null, how: "all_wrong" }), table);
    expect([view.phase, view.result?.how]).toEqual(["over", "all_wrong"]);
  });
  it("says what is known and what is not", () => {
    const view = { ...table.view, may: [0, 4] };
    expect([0, 1, 4].map((place) => known(view, place))).toEqual([null, "plain", null]);
    expect(known({ ...view, may: [4] }, 4)).toBe("puting_bato");
  });
});

describe("a finished game, opened", () => {
  const table = state("turn");
  const play: Event[] = [
    { by: "chance", deal_stone: 3 }, { by: "chance", deal_card: 10, to: 0 }, { by: "chance", deal_card: 7, to: 1 },
    { by: "chance", deal_card: 3, to: 2 }, { by: "chance", deal_card: 16, to: 3 },
    { by: 0, act: "draw" }, { by: "chance", draw: 2 }, { by: 0, act: "play", card: 10 }, { by: 0, act: "peek", place: 1 },
    { by: 1, act: "draw" }, { by: "chance", draw: 8 }, { by: 1, act: "play", card: 7 }, { by: 1, act: "hide", places: [0, 4], swapped: true }, { by: 1, act: "peek", place: 0 },
    { by: 2, act: "draw" }, { by: "chance", draw: 15 }, { by: 2, act: "play", card: 3 }, { by: 2, act: "peek", place: 1 },
  ];
  it("follows what cards do by themselves", () => {
    // No. 10 rotates after its peek: 3 → 0; hidden and swapped: 0 → 4; No. 3 rotates as it is played, the centre stays
    expect(opened(play.slice(0, 8), table).bato).toBe(3);
    expect(opened(play.slice(0, 9), table).bato).toBe(0);
    expect(opened(play.slice(0, 13), table).bato).toBe(4);
    expect(opened(play, table)).toEqual({ bato: 4, hands: [[2], [8], [15], [16]] });
    expect(whole(play, table).filter((event) => event.act === "rotate")).toHaveLength(2);
  });
  it("waits for both peeks of two", () => {
    const two: Event[] = [{ by: "chance", deal_stone: 0 }, { by: 0, act: "play", card: 16 }, { by: 0, act: "peek", place: 1 }, { by: 0, act: "peek", place: 2 }, { by: 0, act: "rotate", direction: "clockwise" }];
    expect(opened(two, table).bato).toBe(1);
  });
});

describe("the log", () => {
  it("has a heading for each turn and for the guesses, and keeps quiet of others' cards as they are dealt", () => {
    expect(rules.heading!(fact("turn", { seat: 1, number: 4 }))).toBe("Turn 4");
    expect(rules.heading!(fact("cards_revealed", {}))).toBe("The guesses");
    expect(rules.quiet!(fact("card_dealt", { seat: 1 }))).toBe(true);
    expect(rules.quiet!(fact("card_dealt", { seat: 0, card: 7 }))).toBe(false);
  });
  it("names the turn, or how many there were", () => {
    expect(rules.subtitle(state("turn"))).toContain("turn 5");
    const over: Seen<DarnaView> = state("won");
    expect(rules.subtitle(over)).toContain("9 turns");
  });
});
