/**
 * Words for people: the page's reader of words/en.json, the same as src/kubli/words (its docstring tells the format).
 *
 * tests/words/vectors.json holds both to the same text. Nothing here throws: a value that is not there reads as three
 * dots, a fact that is not known by its name.
 *
 * ## To add words for the page
 * Put a key into a group of "ui" in en.json ("group.key", both short) and call `ui("group.key", { values })`: the key is
 * typed, so a missing one fails svelte-check. One whole sentence a key, never pieces put together; holes as {name},
 * plurals as {n|one:# card|other:# cards}, variants as with facts. To have seats, places and cards named as in the log
 * ({place} → "Tala's Stone"), ask a Teller: `teller.ui("darna.stone", { place: 3 })`, or `teller.spans(...)` for marks.
 *
 * ## To add a language
 * Put words/<language>.json beside en.json and a line into LANGUAGES, a chunk of its own: a key that it lacks fails
 * svelte-check. It is read before the page is mounted (`speak`).
 */
import {
  bots, conditions, errors, facts, faults, forms, language, names, refusals, rules, told, ui as page,
} from "../../../src/kubli/words/en.json";
import type { Condition, Deck, Fact, GameName, Refusal, Seat, Viewer } from "./types.ts";

/** A piece of a sentence: its text, and what it names. */
export interface Span {
  readonly t: string;
  readonly seat?: Seat;
  /** a place: Darna's 0 to 4, or one of Narabi's ring */
  readonly place?: number;
  /** 9 or "fox 3" */
  readonly card?: number | string;
  readonly stone?: string;
  readonly condition?: string;
  readonly face?: string;
}

/** The sentence that these spans are. */
export const text = (spans: readonly Span[]): string => spans.map((span) => span.t).join("");

interface Variant {
  readonly when?: Readonly<Record<string, unknown>>;
  readonly say: string;
}
type Entry = string | readonly Variant[];
type Values = Readonly<Record<string, unknown>>;

/** The same keys as English has, whatever its sentences. */
type Same<T> = T extends string ? string : T extends readonly unknown[] ? Entry : { readonly [K in keyof T]: Same<T[K]> };
type UiEntries<T> = { readonly [G in keyof T]: { readonly [K in keyof T[G]]: Entry } };

const ENGLISH = { bots, conditions, errors, facts, faults, forms, language, names, refusals, rules, told };
export type Catalogue = Same<typeof ENGLISH> & { readonly ui: UiEntries<typeof page> };

type Ui = typeof page;
/** Every key of the page's words: "bar.rules". */
export type UiKey = { [G in keyof Ui & string]: `${G}.${keyof Ui[G] & string}` }[keyof Ui & string];

let words: Catalogue = { ...ENGLISH, ui: page };

/** The other languages, each a chunk that is loaded when it is spoken. */
export const LANGUAGES: Readonly<Record<string, () => Promise<Catalogue>>> = {};

/** Speak this language from now on, or English if there is none of that name ("tl" is "fil"). */
export async function speak(wanted: string): Promise<void> {
  const load = LANGUAGES[wanted] ?? LANGUAGES[wanted.split("-")[0]!];
  words = load ? await load() : { ...ENGLISH, ui: page };
}

const of = (section: unknown, ...path: readonly string[]): unknown =>
  path.reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), section);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isInt = (value: unknown): value is number => Number.isInteger(value);

// --- Variants ----------------------------------------------------------------------------------------

function chosen(entry: unknown, values: Values, me: Seat | null = null): string | null {
  if (typeof entry === "string") return entry;
  const variants = Array.isArray(entry) ? (entry as readonly Variant[]) : [];
  const fits = (one: Variant) => Object.entries(one.when ?? {}).every(([name, want]) => holds(values[name], want, me));
  return variants.find(fits)?.say ?? null;
}

function holds(value: unknown, want: unknown, me: Seat | null): boolean {
  if (Array.isArray(want)) return want.every((one) => holds(value, one, me));
  const there = value !== undefined && value !== null;
  const many = Array.isArray(value) ? (value as readonly unknown[]) : isObject(value) ? Object.keys(value) : null;
  if (want === "given") return there;
  if (want === "missing") return !there;
  if (want === "me") return me !== null && value === me;
  if (want === "has me") return me !== null && Array.isArray(value) && value.includes(me);
  if (want === "one") return many?.length === 1;
  if (want === "many") return many !== null && many.length > 1;
  return value === want;
}

// --- Holes -------------------------------------------------------------------------------------------

function render(sentence: string, values: Values, teller: Teller | null = null): Span[] {
  const out: Span[] = [];
  sentence.split(/\{([^{}]*)\}/).forEach((piece, i) => {
    for (const span of i % 2 ? fill(piece, values, teller) : [{ t: piece }]) {
      const last = out.at(-1);
      if (last && Object.keys(last).length === 1 && Object.keys(span).length === 1) out[out.length - 1] = { t: last.t + span.t };
      else if (span.t) out.push(span);
    }
  });
  return out;
}

function fill(hole: string, values: Values, teller: Teller | null): Span[] {
  const [head = "", ...cases] = hole.split("|");
  let [name, form] = cut(head, " ");
  if (name.endsWith("'s")) [name, form] = [name.slice(0, -2), "'s"];
  const key = name.slice(0, 1).toLowerCase() + name.slice(1);
  const value = values[key];
  if (value === undefined) return [{ t: words.forms.missing }];
  if (cases.length) return [{ t: plural(cases, value) }];
  const spans = teller ? teller.named(key, form, value, values) : [{ t: plain(value, form) }];
  const first = spans[0];
  // a player's name stays as it is
  if (name !== key && first && !(teller && first.seat !== undefined && first.seat !== teller.me)) {
    const [letter = "", ...rest] = first.t;
    spans[0] = { ...first, t: letter.toUpperCase() + rest.join("") };
  }
  return spans;
}

/** What stands before and after the first such sign. */
function cut(whole: string, sign: string): [string, string] {
  const at = whole.indexOf(sign);
  return at < 0 ? [whole, ""] : [whole.slice(0, at), whole.slice(at + sign.length)];
}

function plural(cases: readonly string[], value: unknown): string {
  const n = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : value;
  if (!isInt(n)) return words.forms.missing;
  const said = Object.fromEntries(cases.map((one) => cut(one, ":")));
  const category = new Intl.PluralRules(words.language).select(n);
  return (said[`=${n}`] ?? said[category] ?? said["other"] ?? "").replaceAll("#", number(n));
}

const LONGEST = 60; // letters of a word that somebody else wrote
const MOST = 40; // words of such a list

function plain(value: unknown, form = ""): string {
  if (typeof value === "string") {
    const where = form === "where" ? of(words.names.where, value) : undefined;
    return typeof where === "string" ? where : clean(value);
  }
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean" || value === null) return String(value);
  if (!Array.isArray(value)) return "{…}";
  const said = value.slice(0, MOST).map((one: unknown) => (Array.isArray(one) ? "[…]" : plain(one)));
  const last = said.pop();
  if (last === undefined) return words.forms.none;
  return said.length ? said.join(words.forms.comma) + words.forms[form === "or" ? "or" : "and"] + last : last;
}

function number(n: number): string {
  const size = Math.abs(n);
  const said = isInt(n) && size >= 1e15 ? `0x${size.toString(16).slice(0, 16)}${words.forms.missing}` : String(size);
  return (n < 0 ? words.forms.minus : "") + said;
}

function clean(word: string): string {
  const letters = [...word];
  const short = letters.length <= LONGEST ? letters : [...letters.slice(0, LONGEST), "…"];
  return short.map((one) => (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(one) ? "\ufffd" : one)).join("");
}

// --- Things and their names --------------------------------------------------------------------------

const SEATS = new Set(["seat", "winner", "darwin", "owner", "with", "came", "seats", "winners", "by", "order"]);
const PLACES = new Set(["place", "places", "for", "own", "other"]);
const CARDS = new Set(["card", "cards", "trump", "best", "kind", "keep"]);
const STONES = new Set(["stone", "gave", "took"]);
const CONDITIONS = new Set(["condition", "gave_condition", "took_condition"]);

type Form = keyof Catalogue["forms"];

/** One of Narabi's stones, where it lies. */
export interface Lying {
  readonly seat: Seat;
  readonly stone: string;
}

/**
 * Says what happened at one table to one viewer, fact by fact and in order. Narabi's stones are public: where each lies
 * is read from the facts, or set by `lay` from a view's ring.
 */
export class Teller {
  /** the viewer's seat; null for spectators and for everything at once */
  readonly me: Seat | null;
  readonly ring = new Map<number, Lying>();
  readonly game: GameName;
  readonly seats: readonly (string | null)[];
  readonly deck: Deck | null;

  /** `viewer` null: all that is true, as in the replay of a finished game. `seats`: the players' names. */
  constructor(game: GameName, viewer: Viewer | null, seats: readonly (string | null)[], deck: Deck | null = null) {
    this.game = game;
    this.seats = seats;
    this.deck = deck;
    this.me = isInt(viewer) && viewer >= 0 && viewer < seats.length ? viewer : null;
  }

  /** The stones as a view of Narabi has them. */
  lay(ring: readonly { readonly place: number; readonly seat: Seat; readonly stone: string | null }[]): this {
    this.ring.clear();
    for (const { place, seat, stone } of ring) if (stone !== null) this.ring.set(place, { seat, stone });
    return this;
  }

  /** The sentence of a fact. Facts come in order: an exchange moves the stones. */
  say(fact: Fact): Span[] {
    const why = this.why(fact);
    const values = { ...fact, ...this.more(fact), ...(why.length ? { why } : {}) };
    const sentence = chosen(of(words.facts, this.game, String(fact.what)), values, this.me);
    const spans = sentence === null ? [{ t: clean(String(fact.what)) }] : render(sentence, values, this);
    this.follow(fact);
    return spans;
  }

  /** The one line that says why a trick went so ("turned"), without the cards; empty for other facts. */
  why(fact: Fact): Span[] {
    return this.line(of(words.facts, this.game, `${String(fact.what)}_why`), { ...fact, ...this.more(fact) });
  }

  /** Why a bot would do it. */
  reason(why: Values): Span[] {
    return this.line(of(words.bots, String(why["code"])), why);
  }

  /** The page's words, with seats, places and cards named as in the log. */
  ui(key: UiKey, values: Values = {}): string {
    return text(this.spans(key, values));
  }

  /** The same as spans, for marks. */
  spans(key: UiKey, values: Values = {}): Span[] {
    return this.line(of(words.ui, ...cut(key, ".")), values);
  }

  /** Who was told a hidden field of this fact: "you" alone, "two" seats, "others" (all but the one who acts). */
  mark(fact: Fact): "you" | "two" | "others" | null {
    const fields = of(words.told, this.game, String(fact.what));
    if (this.me === null || !isObject(fields)) return null;
    const known = Object.keys(fields).find((field) => Object.hasOwn(fact, field));
    return known === undefined ? null : (fields[known] as "you" | "two" | "others");
  }

  private line(entry: unknown, values: Values): Span[] {
    const sentence = chosen(entry, values, this.me);
    return sentence === null ? [] : render(sentence, values, this);
  }

  private more(fact: Fact): Values {
    if (fact.what === "rotated" && this.me !== null && (fact["direction"] === "clockwise" || fact["direction"] === "counterclockwise")) {
      const n = this.seats.length;
      return { came: (this.me + (fact["direction"] === "clockwise" ? n - 1 : 1)) % n };
    }
    if (fact.what === "answered") return this.at(fact["place"]) && this.at(fact["for"]) ? { ring: true } : {};
    const { cards, best } = fact;
    if (fact.what === "turned" && Array.isArray(cards) && typeof best === "string") {
      const number = cut(best, " ")[1];
      const equal = cards.some((one) => typeof one === "string" && one !== best && cut(one, " ")[1] === number);
      return equal ? { equals: true } : {};
    }
    return {};
  }

  private follow(fact: Fact): void {
    if (this.game !== "narabi") return;
    const { place, own, other } = fact;
    if (fact.what === "sleeve_dealt" && isInt(place)) {
      this.ring.set(place, { seat: fact["seat"] as Seat, stone: fact["stone"] as string });
    }
    const [mine, theirs] = [this.at(own), this.at(other)];
    if (fact.what === "exchanged" && mine && theirs) {
      this.ring.set(own as number, { ...mine, stone: theirs.stone });
      this.ring.set(other as number, { ...theirs, stone: mine.stone });
    }
  }

  private at(place: unknown): Lying | null {
    const found = isInt(place) ? this.ring.get(place) : undefined;
    return found && isInt(found.seat) && typeof found.stone === "string" ? found : null;
  }

  /** What a hole names, by the field's name and the hole's form. */
  named(key: string, form: string, value: unknown, values: Values): Span[] {
    if (key === "why" && Array.isArray(value)) return [...(value as Span[])];
    if (form === "by seat" || form === "piles") return this.bySeat(key, form, value, values["order"]);
    const people = SEATS.has(key) || PLACES.has(key);
    if (Array.isArray(value) && (people || CARDS.has(key))) {
      const isMine = (one: unknown) => people && this.me !== null && one === this.me;
      const sorted = [...value.filter(isMine), ...value.filter((one) => !isMine(one))] as unknown[];
      // the second of two Stones is said shorter: your Stone and the centre one
      const later = (i: number) => (this.game === "darna" && key === "places" && i ? "short" : form);
      return this.join(sorted.map((one, i) => this.one(key, later(i), one, values)));
    }
    return this.one(key, form, value, values);
  }

  private one(key: string, form: string, value: unknown, values: Values): Span[] {
    if (isInt(value) && SEATS.has(key)) return [{ seat: value, t: form === "'s" ? this.whose(value) : this.who(value) }];
    if (isInt(value) && PLACES.has(key)) return this.game === "darna" ? this.stoneAt(value, form) : this.lying(value, form, values["seat"]);
    if ((isInt(value) || typeof value === "string") && CARDS.has(key)) return this.card(value, form);
    if (typeof value !== "string") return [{ t: plain(value, form) }];
    if (STONES.has(key)) return [{ stone: value, t: this.stone(value, form) }];
    if (CONDITIONS.has(key)) return [{ condition: value, t: this.condition(value, form) }];
    const t = this.name(form ? `${value}_${form}` : value, value);
    return [key === "face" ? { face: value, t } : { t }];
  }

  private name(key: string, value: string): string {
    const found = of(words.names, this.game, key);
    return typeof found === "string" ? found : clean(value);
  }

  private form(form: Form, values: Readonly<Record<string, string>> = {}): string {
    return words.forms[form].replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
  }

  private join(said: readonly Span[][]): Span[] {
    const out = said.flatMap((one, i) => (i ? [{ t: this.form(i === said.length - 1 ? "and" : "comma") }, ...one] : one));
    return out.length ? out : [{ t: this.form("none") }];
  }

  /** A seat's name, also the viewer's own. */
  nameOf(seat: Seat): string {
    const known = this.seats[seat];
    return known ? clean(known) : this.form("nameless", { n: number(seat) });
  }

  /** "you", or a seat's name. */
  who(seat: Seat): string {
    return seat === this.me ? this.form("you") : this.nameOf(seat);
  }

  /** "your", or a seat's name with its ending. */
  whose(seat: Seat): string {
    return seat === this.me ? this.form("your") : this.form("whose", { name: this.nameOf(seat) });
  }

  private bySeat(key: string, form: string, value: unknown, order: unknown): Span[] {
    const pairs = new Map<number, unknown>();
    if (Array.isArray(value)) value.forEach((one: unknown, seat) => pairs.set(seat, one));
    else if (isObject(value)) for (const [seat, one] of Object.entries(value)) if (/^[0-9]{1,2}$/.test(seat)) pairs.set(Number(seat), one);
    const ordered: unknown[] = Array.isArray(order) ? order : [...pairs.keys()].sort((a, b) => a - b);
    const kind = form === "piles" ? "pile" : key === "cards" ? "by_seat_card" : "by_seat";
    const seats = ordered.filter((one): one is number => isInt(one) && pairs.has(one));
    return this.join(seats.map((seat) => {
      const n = pairs.get(seat);
      return render(words.forms[kind], { seat, card: n, n: Array.isArray(n) ? n.length : n }, this);
    }));
  }

  private stoneAt(place: number, form: string): Span[] {
    const players = this.seats.length;
    const style = form === "short" || form === "at" || form === "name" ? form : "stone";
    if (place >= 0 && place < players) {
      return [{ place, seat: place, t: this.form(place === this.me ? `${style}_mine` : `${style}_seat`, { whose: this.whose(place) }) }];
    }
    if (players === 4) return [{ place, t: this.form(`${style}_centre`) }];
    const n = place - players + 1;
    const nth = of(words.forms, `nth_${n}`);
    return [{ place, t: this.form(`${style}_nth`, { nth: typeof nth === "string" ? nth : number(n), n: number(n) }) }];
  }

  private lying(place: number, form: string, asker: unknown): Span[] {
    const here = this.at(place);
    if (!here) return [{ place, t: this.form("ring", { n: number(place) }) }];
    const { seat, stone } = here;
    const bare = this.stone(stone, "bare");
    // "said": in a question, in the asker's mouth
    const asked = seat === asker ? this.form("my") : this.form("whose", { name: this.nameOf(seat) });
    const whose = form === "said" ? asked : this.whose(seat);
    return [{ place, seat, stone, t: form === "bare" ? bare : this.form("ring_stone", { whose, stone: bare }) }];
  }

  private card(card: number | string, form: string): Span[] {
    if (typeof card === "number") return [{ card, t: this.form("number", { n: number(card) }) }];
    const [animal, size] = cut(card, " ");
    if (form === "animal" || form === "number") {
      const part = form === "animal" ? animal : size;
      return [{ t: this.name(part, part) }];
    }
    return [{ card, t: [animal, size].filter(Boolean).map((part) => this.name(part, part)).join(" ") }];
  }

  /** A stone of Narabi: its number, or "a white blank" ("white blank" with "bare"). */
  stone(stone: string, form = ""): string {
    const item = this.deck && "stones" in this.deck ? this.deck.stones.find((one) => one.id === stone) : undefined;
    if (item?.name) return clean(item.name);
    if (typeof item?.number === "number") return number(item.number);
    const base = stone.replace(/_[0-9]+$/, "");
    const kind = item ? `blank_${item.colour}` : base;
    const known = kind.startsWith("blank") ? of(words.names.narabi, kind) : undefined;
    if (typeof known !== "string") return clean(stone).replaceAll("_", " ");
    return form === "bare" ? known : this.form("a_blank", { name: known });
  }

  /** A condition of Narabi: its name, and with the deck at hand what it asks for ("name" or "more": only that). */
  condition(condition: string, form = ""): string {
    const item = this.deck && "conditions" in this.deck ? this.deck.conditions.find((one) => one.id === condition) : undefined;
    const known = of(words.names.narabi, condition);
    const name = clean(item?.name || (typeof known === "string" ? known : condition.replaceAll("_", " ")));
    const more = item ? conditionMore(item) : name;
    if (form === "name" || form === "more") return form === "name" ? name : more;
    return more.includes(name) ? more : name + this.form("comma") + more;
  }
}

/** What a condition of a set asks for, by its fields: "an even number", "at most 2 away". */
export function conditionMore(item: Condition): string {
  const said: string[] = [];
  for (const field of ["colour", "parity", "at_least", "at_most", "compared", "distance_at_least", "distance_at_most"] as const) {
    const value = item[field];
    const phrase = of(words.conditions, typeof value === "string" ? `${field}_${value}` : field);
    if (typeof value === "string") said.push(typeof phrase === "string" ? phrase : clean(value));
    else if (typeof value === "number") said.push(String(phrase).replace("{n}", number(value)));
  }
  if (item.whose) said.push(words.conditions.whose.replace("{whose}", item.whose.map(onwards).join(words.forms.or)));
  return said.length ? said.join(words.forms.comma) : words.conditions.any;
}

function onwards(n: number): string {
  if (Math.abs(n) === 1) return n > 0 ? words.conditions.whose_next : words.conditions.whose_previous;
  return (n > 0 ? words.conditions.whose_on : words.conditions.whose_back).replace("{n}", number(Math.abs(n)));
}

// --- Without a table ---------------------------------------------------------------------------------

const line = (entry: unknown, values: Values): string => text(render(chosen(entry, values) ?? "", values));

/** The page's words. */
export function ui(key: UiKey, values: Values = {}): string {
  return line(of(words.ui, ...cut(key, ".")), values);
}

/** The sentence of one fact by itself. A log is better told by one Teller, in order. */
export function sentence(game: GameName, fact: Fact, viewer: Viewer | null, seats: readonly (string | null)[]): string {
  return text(new Teller(game, viewer, seats).say(fact));
}

/** Why a bot would do it, in a sentence. */
export function reason(game: GameName, why: Values, viewer: Viewer | null, seats: readonly (string | null)[]): string {
  return text(new Teller(game, viewer, seats).reason(why));
}

/** A rule's short title; the id itself if it has none. */
export function title(rule: string): string {
  const found = of(words.rules, rule);
  return typeof found === "string" ? found : rule;
}

/** Why something may not be: what, then why, without the rule's id. */
export function refusal(rule: string, code: string | null = null, values: Values = {}): string {
  const paths = [code, rule].flatMap((key) => (key ? [of(words.refusals, key), of(words.faults, key)] : []));
  const wanted = chosen(paths.find((one) => one !== undefined), values) ?? words.refusals.any;
  const place = values["key"] && !wanted.includes("{key}") ? line(words.faults.at, values) : "";
  return place + text(render(wanted, values));
}

/** What the API says of an error, in this language: a rule's refusal or an error's own sentence. */
export function refusalText(refused: Refusal): string {
  const own = of(words.errors, refused.error);
  if (own !== undefined && (!refused.rule || refused.error !== "refused")) return line(own, refused.values);
  const known = [refused.error, refused.rule ?? ""].some((key) => key && (of(words.refusals, key) ?? of(words.faults, key)) !== undefined);
  return known ? refusal(refused.rule ?? "", refused.error, refused.values) : refused.say;
}

/** A name of the catalogue: name("games", "darna_short"), name("darna", "peek_more"); the thing itself if it has none. */
export function name(group: keyof Catalogue["names"], thing: string): string {
  const found = of(words.names, group, thing);
  return typeof found === "string" ? found : thing;
}

/** "Tala, Jonas and Ube". */
export function list(items: readonly string[], word: "and" | "or" = "and"): string {
  const last = items.at(-1);
  if (last === undefined || items.length === 1) return last ?? "";
  return items.slice(0, -1).join(words.forms.comma) + words.forms[word] + last;
}

/** A number of things as a person writes it: −3, 4½ as "4½" stands in names. */
export const digits = number;
