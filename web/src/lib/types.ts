/** The API's messages by the names that the page has for them. What they hold is in schema.ts, made from the server's own types. */
import type { DarnaCard, Event as Recorded, GameInfo, LogEntry, NewTable as AnyTable, Snapshot } from "./schema.ts";

export type {
  Acted, Address, Again, Code, CodeTaken, Condition, DarnaDeck, DarnaResult, DarnaView, DarwinDeck, DarwinResult, DarwinView, Fact,
  GameInfo, Hint, Joined, Me, NarabiDeck, NarabiView, News, Now, Opened, OptionInfo, Refusal, SeatInfo, SeatTaken, Sleeve, Snapshot,
  Step, TableLine,
} from "./schema.ts";

export type GameName = GameInfo["game"];
export type Deck = Snapshot["deck"];
export type Options = Snapshot["options"];
export type TableState = Snapshot["state"];
/** Whose eyes: a seat, or someone who only watches. */
export type Viewer = Snapshot["viewer"];
export type Instruction = DarnaCard["first"];
/** One numbered entry of a table, as this viewer got it. An entry in which this viewer was told nothing is empty. */
export type Entry = LogEntry;

// --- what a schema can't say ---------------------------------------------------------------------------

/** A seat's number, 0 to players - 1, clockwise. */
export type Seat = number;
/** An event as in a record, or as a seat sends it: then the server knows who it is by. */
export type Event = Partial<Recorded>;
export type SeatWish = "me" | "friend" | `bot:${string}`;
export type NewTable = AnyTable & { readonly game: GameName; readonly seats: readonly SeatWish[] };
