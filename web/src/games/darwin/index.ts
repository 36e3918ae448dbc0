import type { GameModule } from "../board.ts";
import Board from "./Board.svelte";
import End from "./End.svelte";
import EndSide from "./EndSide.svelte";
import { rules } from "./rules.ts";
import Side from "./Side.svelte";

export default { rules, Board, Side, End, EndSide } as unknown as GameModule;
