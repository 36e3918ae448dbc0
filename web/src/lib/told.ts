/**
 * The log in words: each line said once, in order, to one viewer.
 *
 * Stones of Narabi move with what is told, so lines are said in the record's order and kept.
 */
import type { Rules } from "../games/board.ts";
import type { Line } from "./table.svelte.ts";
import type { Deck, GameName, SeatInfo, Viewer } from "./types.ts";
import { Teller, text, ui } from "./words.ts";

export interface Said {
  readonly key: string;
  /** a heading over it: "Turn 4" */
  readonly heading: string | null;
  /** whose mark it bears */
  readonly seat: number | null;
  readonly text: string;
  readonly rule: string | null;
  /** not everyone was told all of it: who was, in words */
  readonly only: string | null;
  readonly talk: boolean;
  readonly event: number;
}

type Facts = Pick<Rules<unknown, unknown>, "heading" | "quiet">;

export class Telling {
  #teller: Teller;
  #said: Said[] = [];
  #lines = 0;
  #first: string | undefined;

  constructor(
    readonly game: GameName,
    readonly viewer: Viewer | null,
    readonly seats: readonly SeatInfo[],
    readonly deck: Deck,
    private readonly rules: Facts,
  ) {
    this.#teller = this.#newTeller();
  }

  #newTeller(): Teller {
    return new Teller(this.game, this.viewer, this.seats.map((seat) => seat.name), this.deck);
  }

  /** All lines in words. A longer list of the same lines says only what is new. */
  say(lines: readonly Line[]): readonly Said[] {
    if (lines.length < this.#lines || lines[0]?.key !== this.#first) {
      this.#teller = this.#newTeller();
      this.#said = [];
      this.#lines = 0;
      this.#first = lines[0]?.key;
    }
    const fresh = lines.slice(this.#lines).map((line) => this.#one(line)).filter((said) => said !== null);
    this.#lines = lines.length;
    if (fresh.length) this.#said = [...this.#said, ...fresh];
    return this.#said;
  }

  #one(line: Line): Said | null {
    const base = { key: line.key, heading: null, rule: null, only: null, talk: false, event: -1, seat: null };
    if (line.talk) return { ...base, seat: line.talk.seat, text: line.talk.text, talk: true };
    if (line.came) return { ...base, seat: line.came.seat, text: ui(line.came.kind === "bot" ? "log.bot_came" : "log.joined", { name: line.came.name ?? "" }) };
    if (line.left) return { ...base, seat: line.left.seat, text: ui("log.left", { name: line.left.name }) };
    const { fact } = line;
    if (!fact) return null;
    const said = text(this.#teller.say(fact));
    const heading = this.rules.heading?.(fact) ?? null;
    // the turn's own fact is its heading; a deal card by card is no news
    if (this.rules.quiet?.(fact)) return heading === null ? null : { ...base, heading, text: "" };
    const seat = typeof fact["seat"] === "number" ? fact["seat"] : null;
    const mark = this.#teller.mark(fact);
    return { ...base, heading, seat, text: said, rule: fact.rule, only: mark && this.#only(mark, fact), event: fact.event };
  }

  #only(mark: string, fact: NonNullable<Line["fact"]>): string {
    const name = (seat: unknown): string => this.#teller.nameOf(Number(seat));
    if (mark === "you") return ui("log.you");
    if (mark === "others") return ui("log.others", { name: name(fact["seat"]) });
    return ui("log.two", { name: name(fact["seat"] === this.viewer ? fact["with"] : fact["seat"]) });
  }
}
