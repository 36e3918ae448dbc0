import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, GameModule, Rules } from "../games/board.ts";
import { ApiError } from "./api.ts";
import { prefs } from "./prefs.svelte.ts";
import type { StreamWatcher } from "./stream.ts";
import { linesOf, TableStore, type Means } from "./table.svelte.ts";
import type { Fact, News, Now, Refusal, SeatInfo, Snapshot } from "./types.ts";

interface View { n: number }
interface Choice { card?: string; looking?: boolean }

const rules: Rules<View, Choice> = {
  world: "darna",
  nothing: {},
  subtitle: () => "",
  ask: (seen, choice): Ask<Choice> => ({
    mine: seen.legal.length > 0,
    who: choice.looking ? "looking" : seen.legal.length ? "yours" : "theirs",
    buttons: choice.looking
      ? [{ id: "back", text: "Turn it back", look: "main", release: true }]
      : choice.card ? [{ id: "play", text: choice.card, look: "main", event: { act: "choose", card: choice.card }, confirm: true }] : [],
    ...(choice.looking ? { hold: Infinity } : {}),
  }),
  back: () => rules.nothing,
  takes: (fact) => (fact.what === "quick" ? 0 : 100),
  after: (view, fact) => (fact.what === "adds" ? { n: view.n + 1 } : view),
  react: (fact) => (fact.what === "peeked" && fact["face"] ? { looking: true } : undefined),
  pointing: (event) => ({ card: String(event["card"]) }),
};
const module = { rules, Board: null, Side: null, End: null, EndSide: null } as unknown as GameModule;

const SEATS: SeatInfo[] = [
  { seat: 0, name: "Ligaya", kind: "person", bot: null, here: true },
  { seat: 1, name: "Ube", kind: "bot", bot: "simple", here: true },
];
const fact = (what: string, more: Record<string, unknown> = {}): Fact => ({ what, event: 1, rule: "DA-1", ...more });
const now = (asked: number | null, n = 0): Now => ({ view: { n } as unknown as Now["view"], to_act: asked === null ? [1] : [0], legal: asked === null ? [] : [{ by: 0, act: "choose", card: "fox 3" }], asked, over: false });
const snapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  table: "t", game: "darna", title: "Darna", players: 2, options: {}, deck: { cards: [] }, deck_name: "standard", commitment: "00", watch: true, host: true,
  viewer: 0, offered: null, seats: SEATS, state: "playing", entry: 10, now: now(10), log: [{ entry: 5, facts: [fact("dealt")] }], talk_allowed: false, again: null, ...more,
});
const news = (entry: number, facts: Fact[], then: Now | null, more: Partial<News> = {}): News => ({ entry, entries: [{ entry, facts }], now: then, seats: SEATS, state: "playing", viewer: 0, ...more });

let watcher: StreamWatcher;
let told: Refusal[];
let act: ReturnType<typeof vi.fn<Means["api"]["act"]>>;
let whole: ReturnType<typeof vi.fn<Means["api"]["table"]>>;
let cursor: number;
let streams: number;
let table: TableStore;

beforeEach(async () => {
  vi.useFakeTimers();
  told = [];
  cursor = 10;
  streams = 0;
  act = vi.fn(async () => ({ entry: 11, now: now(null) }));
  whole = vi.fn(async () => snapshot());
  prefs.confirm = true;
  table = new TableStore("t", {
    api: { table: whole, act, hint: async () => ({ event: { by: 0, act: "choose", card: "fox 3" }, why: { code: "dump_low" } }), talk: async () => null, tables: async () => [] },
    load: async () => module,
    stream: (_path, given) => {
      watcher = given;
      streams += 1;
      return { open: () => given.state("on", null), close: () => undefined, again: () => undefined, get cursor() { return cursor; }, seen: () => undefined };
    },
    tell: (refusal) => told.push(refusal),
  });
  await table.open();
});
afterEach(() => {
  table.close();
  vi.useRealTimers();
});
function hear(one: News): void {
  cursor = one.entry;
  watcher.news(one);
}

test("a snapshot is shown whole", () => {
  expect(table.stand).toBe("ready");
  expect(table.seen?.view).toEqual({ n: 0 });
  expect(table.lines.map((line) => line.key)).toEqual(["5.0"]);
  expect(table.mine).toBe(true);
  expect(table.ask?.who).toBe("yours");
});

test("facts are shown one by one, with nothing to be chosen meanwhile, then what holds", async () => {
  hear(news(12, [fact("adds"), fact("adds")], now(12, 7)));
  expect(table.seen?.view).toEqual({ n: 1 });
  expect(table.moment?.before).toEqual({ n: 0 });
  expect(table.seen?.legal).toEqual([]);
  expect(table.lines).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(table.seen?.view).toEqual({ n: 2 });
  expect(table.lines).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(100);
  expect(table.moment).toBeNull();
  expect(table.seen?.view).toEqual({ n: 7 });
  expect(table.seen?.legal).toHaveLength(1);
});

test("another's sealed choice takes neither my choice nor my moves away", async () => {
  table.choose({ card: "fox 3" });
  hear(news(12, [fact("chose", { seat: 1 })], now(10)));
  expect(table.seen?.legal).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(table.choice).toEqual({ card: "fox 3" });
});

test("a new decision begins with nothing chosen", async () => {
  table.choose({ card: "fox 3" });
  hear(news(12, [fact("turn")], now(12)));
  await vi.advanceTimersByTimeAsync(100);
  expect(table.choice).toBe(rules.nothing);
});

test("choosing never acts; the button sends once, and the choice stays until it is answered", async () => {
  table.choose({ card: "fox 3" });
  expect(act).not.toHaveBeenCalled();
  table.press(table.ask!.buttons[0]!);
  table.press(table.ask!.buttons[0]!);
  await vi.advanceTimersByTimeAsync(0);
  expect(act).toHaveBeenCalledTimes(1);
  expect(act.mock.calls[0]!.slice(2)).toEqual([10, { act: "choose", card: "fox 3" }]);
  expect(table.sending).toBe(true);
  expect(table.choice).toEqual({ card: "fox 3" });
  hear(news(11, [fact("chose", { seat: 0, card: "fox 3" })], now(null)));
  expect(table.sending).toBe(false);
  expect(table.choice).toBe(rules.nothing);
});

test("with confirming switched off, a whole choice is sent", async () => {
  prefs.confirm = false;
  table.choose({ card: "fox 3" });
  expect(act).toHaveBeenCalledTimes(1);
});

test("a refusal is told and loses nothing that was chosen", async () => {
  act.mockRejectedValueOnce(new ApiError(422, { error: "refused", rule: "DA-10", values: {}, say: "Not that one." }));
  table.choose({ card: "fox 3" });
  table.press(table.ask!.buttons[0]!);
  await vi.advanceTimersByTimeAsync(0);
  expect(told.map((one) => one.rule)).toEqual(["DA-10"]);
  expect(table.refused).toBe(1);
  expect(table.choice).toEqual({ card: "fox 3" });
  expect(table.sending).toBe(false);
});

test("a stale move shows what is current", async () => {
  act.mockRejectedValueOnce(new ApiError(409, { error: "stale", rule: null, values: {}, say: "" }));
  whole.mockResolvedValueOnce(snapshot({ entry: 14, now: now(14, 3) }));
  table.choose({ card: "fox 3" });
  table.press(table.ask!.buttons[0]!);
  await vi.advanceTimersByTimeAsync(0);
  expect(table.seen?.view).toEqual({ n: 3 });
  expect(table.choice).toBe(rules.nothing);
});

test("a move that nobody answered is sent again with the same id once the line is back", async () => {
  act.mockRejectedValueOnce(new ApiError(0, { error: "unreached", rule: null, values: {}, say: "" }));
  table.choose({ card: "fox 3" });
  table.press(table.ask!.buttons[0]!);
  watcher.state("off", null);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(act).toHaveBeenCalledTimes(1);
  expect(table.sending).toBe(true);
  expect(table.offline).toBe(true);
  watcher.state("on", null);
  await vi.advanceTimersByTimeAsync(0);
  expect(act).toHaveBeenCalledTimes(2);
  expect(act.mock.calls[1]![1]).toBe(act.mock.calls[0]![1]);
});

test("an answer whose news do not come is looked for", async () => {
  table.choose({ card: "fox 3" });
  table.press(table.ask!.buttons[0]!);
  await vi.advanceTimersByTimeAsync(3_999);
  expect(whole).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(whole).toHaveBeenCalledTimes(2);
  expect(table.sending).toBe(false);
});

test("what I looked at stays until I turn it back", async () => {
  hear(news(12, [fact("peeked", { seat: 0, face: "plain" }), fact("turn")], now(null, 5)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(table.ask?.who).toBe("looking");
  expect(table.lines).toHaveLength(2);
  table.press(table.ask!.buttons[0]!);
  await vi.advanceTimersByTimeAsync(100);
  expect(table.choice).toBe(rules.nothing);
  expect(table.seen?.view).toEqual({ n: 5 });
});

test("the game is over only when its last event has been shown", async () => {
  hear(news(12, [fact("shouted")], { ...now(null, 1), over: true }, { state: "over" }));
  expect(table.state).toBe("playing");
  await vi.advanceTimersByTimeAsync(100);
  expect(table.state).toBe("over");
  expect(table.seen?.me).toBeNull();
});

test("a seat lost or taken asks for the table anew: another viewer knows other things", async () => {
  whole.mockResolvedValueOnce(snapshot({ viewer: "spectator", now: now(null) }));
  hear(news(12, [], null, { viewer: "spectator" }));
  await vi.advanceTimersByTimeAsync(0);
  expect(table.snapshot?.viewer).toBe("spectator");
  expect(streams).toBe(2);
  expect(table.me).toBeNull();
});

test.each([[404, "gone"], [403, "forbidden"], [500, "broken"]] as const)("%i is %s", async (status, stand) => {
  whole.mockRejectedValueOnce(new ApiError(status, { error: "x", rule: null, values: {}, say: "" }));
  const other = new TableStore("u", { api: { table: whole, act, hint: vi.fn(), talk: vi.fn(), tables: vi.fn() }, load: async () => module, stream: vi.fn() });
  await other.open();
  expect(other.stand).toBe(stand);
  other.close();
});

test("a server that does not answer is asked again", async () => {
  whole.mockRejectedValueOnce(new ApiError(0, { error: "unreached", rule: null, values: {}, say: "" }));
  const other = new TableStore("u", {
    api: { table: whole, act, hint: vi.fn(), talk: vi.fn(), tables: vi.fn() }, load: async () => module,
    stream: (_path, given) => ({ open: () => given.state("on", null), close: () => undefined, again: () => undefined, cursor: 0, seen: () => undefined }),
  });
  await other.open();
  expect(other.offline).toBe(true);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(other.stand).toBe("ready");
  other.close();
});

test("who came and who left are lines", () => {
  const open = { seat: 1, name: null, kind: "open" as const, bot: null };
  const lines = linesOf([{ entry: 1, seats: [SEATS[0]!, open] }, { entry: 2, seats: [SEATS[0]!, SEATS[1]!] }, { entry: 3, seats: [SEATS[0]!, open] }], []);
  expect(lines.map((line) => line.came?.name ?? line.left?.name)).toEqual(["Ligaya", "Ube", "Ube"]);
});

test("a hint is shown on the table and sends nothing", async () => {
  await table.askHint();
  expect(table.hint?.why.code).toBe("dump_low");
  expect(table.choice).toEqual({ card: "fox 3" });
  expect(act).not.toHaveBeenCalled();
});
