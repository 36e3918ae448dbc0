/** The server's API, typed (types.ts). Everything that may go wrong is an ApiError, with what the server said of it. */
import type {
  Acted, Address, Again, Code, CodeTaken, Event, GameInfo, Hint, Joined, Me, NewTable, Opened, Refusal, Seat, Snapshot, Step, TableLine, Viewer,
} from "./types.ts";
import type { Record_ } from "../games/board.ts";

/** The server refused, or could not be reached (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
  ) {
    super(refusal.say || refusal.error);
  }

  /** nobody answered: the same request may be sent again */
  get unreached(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

const PATIENCE = 15_000;

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  const asked: RequestInit = { method, credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
  if (body !== undefined) {
    asked.headers = { "Content-Type": "application/json" };
    asked.body = JSON.stringify(body);
  }
  try {
    answer = await fetch(path, asked);
  } catch {
    throw new ApiError(0, { error: "unreached", rule: null, values: {}, say: "" });
  }
  const said = await answer.json().catch(() => null) as unknown;
  if (answer.ok) return said as T;
  throw new ApiError(answer.status, refusalIn(said, answer.status));
}

/** What a refusal says; something else that answers with an error (a proxy) says nothing we could use. */
function refusalIn(said: unknown, status: number): Refusal {
  const known = typeof said === "object" && said !== null && "error" in said ? (said as Partial<Refusal>) : {};
  return { ...known, error: known.error ?? `http_${status}`, rule: known.rule ?? null, values: known.values ?? {}, say: known.say ?? "" };
}

const at = (id: string, rest = ""): string => `/api/tables/${encodeURIComponent(id)}${rest}`;

export const api = {
  games: () => call<GameInfo[]>("GET", "/api/games"),
  me: () => call<Me>("GET", "/api/me"),
  rename: (name: string) => call<Me>("PUT", "/api/me", { name }),
  address: () => call<Address>("GET", "/api/address"),

  create: (table: NewTable) => call<Opened>("POST", "/api/tables", table),
  tables: () => call<TableLine[]>("GET", "/api/tables"),
  table: (id: string) => call<Snapshot>("GET", at(id)),
  join: (id: string, name: string, seat: Seat | null) => call<Joined>("POST", at(id, "/join"), { name, seat }),
  putBot: (id: string, seat: Seat, bot: string) => call<unknown>("POST", at(id, `/seats/${seat}`), { bot }),
  unseat: (id: string, seat: Seat) => call<unknown>("DELETE", at(id, `/seats/${seat}`)),

  act: (id: string, request: string, asked: number, event: Event) =>
    call<Acted>("POST", at(id, "/act"), { id: request, at: asked, event }),
  hint: (id: string, bot: string) => call<Hint>("GET", at(id, `/hint?bot=${encodeURIComponent(bot)}`)),
  talk: (id: string, request: string, text: string) => call<unknown>("POST", at(id, "/talk"), { id: request, text }),
  code: (id: string) => call<Code>("POST", at(id, "/code")),
  useCode: (code: string) => call<CodeTaken>("POST", "/api/code", { code }),
  again: (id: string) => call<Again>("POST", at(id, "/again")),

  record: (id: string) => call<Record_>("GET", at(id, "/record")),
  step: (id: string, k: number, viewer: Viewer) => call<Step>("GET", at(id, `/steps/${k}?as=${viewer}`)),
};

export type Api = typeof api;

/** Where the stream of a table is, from an entry on. */
export const streamPath = (id: string, after: number): string => at(id, `/stream?after=${after}`);
/** The table's link as a picture to point a phone at. */
export const qrPath = (id: string): string => at(id, "/qr.svg");
export const recordPath = (id: string): string => at(id, "/record");
/** The link that others open. */
export const tablePath = (id: string): string => `/t/${encodeURIComponent(id)}`;

/** An id for one request, so that sending it again makes one move. Works over plain http, where randomUUID is missing. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The id of a table in a link that somebody pasted, or null. A bare id will do. */
export function tableIn(text: string): string | null {
  const found = /(?:^|\/t\/)([A-Za-z0-9_-]{8,64})(?:[/?#].*)?$/.exec(text.trim());
  return found?.[1] ?? null;
}
