/** The three games, each loaded only when it is opened. */
import type { GameName } from "../lib/types.ts";
import type { GameModule, World } from "./board.ts";

export const WORLDS: Record<GameName, World> = { darna: "darna", narabi: "narabi", "darwins-dice": "darwin" };
export const GAMES: Record<World, GameName> = { darna: "darna", narabi: "narabi", darwin: "darwins-dice" };

const LOADERS: Record<World, () => Promise<unknown>> = {
  darna: () => import("./darna/index.ts"),
  narabi: () => import("./narabi/index.ts"),
  darwin: () => import("./darwin/index.ts"),
};

/** A game's rules, board, sheet and end. What its views and choices are is the game's own business. */
export async function loadGame(world: World): Promise<GameModule> {
  return ((await LOADERS[world]()) as { default: GameModule }).default;
}
