import type { GameModule } from "../board.ts";
import Board from "./Board.svelte";
import End from "./End.svelte";
import { rules } from "./rules.ts";

export default { rules, Board, Side: null, End, EndSide: null } as unknown as GameModule;
