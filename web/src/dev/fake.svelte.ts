/** A table without a server: a fixture's, with the store's own ways. */
import { TableStore } from "../lib/table.svelte.ts";
import { WORLDS, loadGame } from "../games/index.ts";
import type { GameModule } from "../games/board.ts";
import { Stream, type StreamWatcher } from "../lib/stream.ts";
import { toast } from "../lib/toasts.svelte.ts";
import { refusalText } from "../lib/words.ts";
import type { News, Now, Snapshot } from "../lib/types.ts";
import { ApiError } from "../lib/api.ts";
import type { Fixture } from "./fixtures/fixture.ts";

export function snapshotOf(fixture: Fixture): Snapshot {
  const { seen } = fixture;
  return {
    table: "fixture", game: seen.game, title: seen.game, players: seen.players, options: seen.options, deck: seen.deck, deck_name: "standard",
    commitment: "6b1f0c9a".repeat(8), watch: true, host: seen.viewer === 0, viewer: seen.viewer, offered: null, seats: seen.seats,
    state: seen.over ? "over" : "playing", entry: 100, log: fixture.log ?? [], talk_allowed: seen.game === "narabi" && seen.options["silent"] !== true, again: null,
    now: { view: seen.view as Now["view"], to_act: seen.to_act, legal: seen.legal.map((event) => ({ by: seen.me ?? 0, ...event })), asked: seen.legal.length ? 100 : null, over: seen.over },
  };
}

/** The store of a fixture. Moves are refused, so that toasts can be seen too; facts to play come after a while. */
export function fake(fixture: Fixture, wait = 600): TableStore {
  const snapshot = snapshotOf(fixture);
  let watcher: StreamWatcher | null = null;
  const play = (): void => {
    if (!fixture.plays) return;
    const entries = fixture.plays.map((fact, k) => ({ entry: 101 + k, facts: [fact] }));
    const news: News = { entry: 100 + entries.length, entries, now: { ...snapshot.now!, asked: snapshot.now!.asked }, seats: snapshot.seats, state: snapshot.state, viewer: snapshot.viewer };
    watcher?.news(news);
  };
  const table = new TableStore("fixture", {
    api: {
      table: async () => snapshot,
      act: fixture.sending
        ? () => new Promise(() => undefined)
        : async () => { throw new ApiError(422, { error: "refused", rule: "DA-10", values: {}, say: "" }); },
      hint: async () => ({ event: snapshot.now!.legal[0]!, why: { code: "by_lot" } }),
      talk: async () => null,
      tables: async () => [],
    },
    load: (game): Promise<GameModule> => loadGame(WORLDS[game]),
    stream: (_path, given) => {
      watcher = given;
      return {
        open: () => {
          given.state(fixture.offline ? "off" : "on", fixture.offline ? Date.now() + 60_000 : null);
          if (!fixture.offline) setTimeout(play, wait);
        },
        close: () => void (watcher = null), again: () => undefined, cursor: 100, seen: () => undefined,
      } as unknown as Stream;
    },
    tell: (refusal) => toast(refusalText(refusal), "warn", refusal.rule),
  });
  void table.open().then(() => {
    if (fixture.point && table.seen) table.choice = table.rules.pointing(fixture.point, table.seen);
    const done = fixture.sending && table.ask?.buttons.find((button) => button.event);
    if (done) table.press(done);
  });
  return table;
}
