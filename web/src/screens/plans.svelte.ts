/** How the next table of each game is to be set. Kept while the page is open, so that a look elsewhere loses nothing. */
import type { World } from "../games/board.ts";
import { WORLDS } from "../games/index.ts";
import type { GameInfo, Options } from "../lib/types.ts";

export interface Plan {
  /** the first is this person's own */
  seats: ("me" | "friend" | "bot")[];
  bot: string;
  options: Record<string, number | boolean>;
  deck: string;
  watch: boolean;
}

const USUAL: Record<World, number> = { darna: 4, narabi: 4, darwin: 3 };

export const plans = $state<{ world: World; of: Partial<Record<World, Plan>> }>({ world: "darna", of: {} });

export function fresh(game: GameInfo): Plan {
  const [least, most] = game.players;
  const players = Math.min(most, Math.max(least, USUAL[WORLDS[game.game]]));
  return {
    seats: Array.from({ length: players }, (_, seat) => (seat === 0 ? "me" : "bot")),
    bot: game.bots.find((bot) => bot.name === "simple")?.name ?? game.bots[0]?.name ?? "simple",
    options: {}, deck: game.decks[0]?.name ?? "standard", watch: true,
  };
}

/** The options that differ from the start, fit for this number of players. */
export function rulesOf(game: GameInfo, plan: Plan): Options {
  const chosen: Record<string, number | boolean> = {};
  for (const option of game.options) {
    const value = plan.options[option.name];
    if (value === undefined || value === option.start) continue;
    chosen[option.name] = option.most === null ? Math.min(Number(value), plan.seats.length - 1) : value;
  }
  return chosen;
}
