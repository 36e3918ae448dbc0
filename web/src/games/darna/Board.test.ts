import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { darna } from "../../dev/fixtures/darna.ts";
import type { Fact } from "../../lib/types.ts";
import type { Moment } from "../board.ts";
import Board from "./Board.svelte";
import { rules, type Choice } from "./rules.ts";

afterEach(cleanup);
const state = (id: string) => darna.states.find((one) => one.id === id)!.seen;
const base = { choose: () => undefined, moment: null as Moment | null, sending: false, refused: 0, aid: true, still: true, hint: null };
function show(id: string, more: Record<string, unknown> = {}, choice: Choice = rules.nothing) {
  return render(Board, { ...base, seen: state(id), choice, ...more } as never);
}
const faces = (container: Element) => [...container.querySelectorAll("use")].map((use) => use.getAttribute("href") ?? "").filter((href) => /#stone-(white|plain)$/.test(href));

describe("the table", () => {
  it("shows a place for each Stone, own first, whatever the number of players", () => {
    for (const [id, centre] of [["two", 3], ["three", 2], ["turn", 1], ["five", 0]] as const) {
      const { container } = show(id);
      expect(container.querySelectorAll("[data-place]")).toHaveLength(5);
      expect(container.querySelectorAll(".centre [data-place]")).toHaveLength(centre);
      cleanup();
    }
  });

  it("offers what is legal and nothing else", () => {
    show("peek");
    const stones = screen.getAllByRole("button", { name: /^Stone/ });
    expect(stones).toHaveLength(4);
    cleanup();
    show("theirs");
    expect(screen.queryAllByRole("button")).toHaveLength(0);
    cleanup();
    show("peek", { sending: true });
    expect(screen.queryAllByRole("button")).toHaveLength(0);
  });

  it("chooses and never acts", async () => {
    const choose = vi.fn();
    show("peek", { choose });
    await fireEvent.click(screen.getByRole("button", { name: /Stone in the centre/ }));
    expect(choose).toHaveBeenCalledExactlyOnceWith({ ...rules.nothing, places: [4] });
  });

  it("walks by arrow keys among what can be chosen", async () => {
    show("choose");
    const cards = screen.getAllByRole("button", { name: /Card/ });
    cards[0]!.focus();
    await fireEvent.keyDown(cards[0]!, { key: "ArrowRight" });
    expect(document.activeElement).toBe(cards[1]);
  });
});

describe("what must not be in the page", () => {
  it("has no face of a Stone that lies face down, whatever is known", () => {
    for (const id of ["turn", "peek-chosen", "hide-two", "knows", "guess", "two", "watching"]) {
      expect(faces(show(id).container), id).toEqual([]);
      cleanup();
    }
  }, 20_000);

  it("has a face while it is looked at, and takes it out afterwards", async () => {
    const look: Choice = { ...rules.nothing, look: { place: 4, face: "puting_bato" } };
    const { container, rerender } = show("peek", {}, look);
    expect(faces(container)).toHaveLength(1);
    expect(container.textContent).toContain("only you see this");
    await rerender({ choice: rules.nothing } as never);
    await new Promise((done) => setTimeout(done, 20));
    expect(faces(container)).toEqual([]);
  });

  it("says what I know only with the memory aid", () => {
    const { container } = show("knows");
    expect(container.textContent).toContain("Puting Bato");
    cleanup();
    const without = show("knows", { aid: false }).container;
    expect(without.innerHTML).not.toMatch(/Puting Bato|You know|unknown/);
  });

  it("shows no hand to those who watch", () => {
    const { container } = show("watching");
    expect(container.querySelectorAll(".hand, [data-card]")).toHaveLength(0);
    expect(container.textContent).not.toContain("You");
  });

  it("is the same page whether a hiding swapped or not", () => {
    const page = (swapped?: boolean) => {
      const fact = { what: "hid", event: 9, rule: "DA-13", seat: 1, places: [0, 4], ...(swapped === undefined ? {} : { swapped }) } as Fact;
      const { container } = show("theirs", { moment: { fact, n: 3, before: state("theirs").view, ms: 1_560 } });
      const html = container.innerHTML;
      cleanup();
      return html;
    };
    expect(page(true)).toBe(page(false));
    expect(page()).toBe(page(true));
  });

  it("has new elements for all Stones after a hiding", async () => {
    const { container, rerender } = show("theirs");
    const before = [...container.querySelectorAll("[data-place]")];
    const fact = { what: "hid", event: 9, rule: "DA-13", seat: 1, places: [0, 4] } as Fact;
    await rerender({ moment: { fact, n: 3, before: state("theirs").view, ms: 1_560 } } as never);
    const after = [...container.querySelectorAll("[data-place]")];
    expect(after).toHaveLength(5);
    expect(after.some((one) => before.includes(one))).toBe(false);
  });
});

describe("the guesses", () => {
  it("lists the kept cards, lowest first, and leaves Stones turned up", () => {
    const { container } = show("guess-late");
    expect([...container.querySelectorAll(".guess-card b")].map((one) => one.textContent?.replace(/\D/g, ""))).toEqual(["7", "11", "15", "16"]);
    expect(container.querySelectorAll(".guess.is-out")).toHaveLength(2);
    expect(faces(container)).toHaveLength(2);
    expect(screen.getByRole("img", { name: /Stone at Tala’s place, face up: plain/ })).toBeTruthy();
  });
});
