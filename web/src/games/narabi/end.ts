/** What a finished game's record opens. */
import type { Event, NarabiView, Seat } from "../../lib/types.ts";

/** The condition of each stone that was dealt. */
export function sleevesOf({ events }: { readonly events: readonly Event[] }): ReadonlyMap<string, string> {
  const sleeves = events.map((event) => event["sleeve"] as { stone: string; condition: string } | undefined);
  return new Map(sleeves.filter((one) => one !== undefined).map(({ stone, condition }) => [stone, condition]));
}

/** The seats that knew a stone's condition for certain just before the end. */
export function knewOf(stone: string, eyes: readonly NarabiView[]): Seat[] {
  return eyes.flatMap((view, seat) => (view.ring.some((sleeve) => sleeve.stone === stone && sleeve.condition !== null) ? [seat] : []));
}
