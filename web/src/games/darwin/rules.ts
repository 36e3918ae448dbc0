// A stand-in until the board is built: every legal event is a button.
import type { Event, DarwinView } from "../../lib/types.ts";
import type { Rules } from "../board.ts";

export interface Choice {
  readonly event: Event | null;
}

export const rules: Rules<DarwinView, Choice> = {
  world: "darwin",
  nothing: { event: null },
  subtitle: (seen) => `${seen.players} players`,
  ask: (seen, choice) => ({
    mine: seen.legal.length > 0,
    who: seen.legal.length ? "Your turn" : "Not your turn",
    buttons: (choice.event ? [choice.event] : seen.legal.slice(0, 40)).map((event) => ({ id: JSON.stringify(event), text: JSON.stringify(event), look: "plain" as const, event })),
  }),
  back: () => ({ event: null }),
  takes: (_fact, _seen, still) => (still ? 0 : 300),
  after: (view) => view,
  pointing: (event) => ({ event }),
};
