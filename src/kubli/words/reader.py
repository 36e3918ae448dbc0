"""How a sentence of the catalogue becomes words: its holes, its variants, and how each kind of thing is named.

web/src/lib/words.ts is the same in TypeScript; tests/words/vectors.json holds both to the same text. Nothing here
raises: what one viewer was told may come from a file that nobody checked, and then the words are poor but there.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

__all__ = [
    "MISSING",
    "Span",
    "Teller",
    "Viewer",
    "chosen",
    "condition_more",
    "fits",
    "plain",
    "plural",
    "render",
    "text",
]

Viewer = int | str | None
"""Whose eyes: a seat, "spectator", or None for everything at once."""

Catalogue = Mapping[str, Any]

MISSING = object()
"""What a field is that is not there."""

SEATS = frozenset({"seat", "winner", "darwin", "owner", "with", "came", "seats", "winners", "by", "order"})
PLACES = frozenset({"place", "places", "for", "own", "other"})
CARDS = frozenset({"card", "cards", "trump", "best", "kind", "keep"})
STONES = frozenset({"stone", "gave", "took"})
CONDITIONS = frozenset({"condition", "gave_condition", "took_condition"})
LONGEST = 60  # letters of a word that somebody else wrote
MOST = 40  # words of such a list


class Span(TypedDict, total=False):
    """A piece of a sentence: its text, and what it names (so that the page can make it a mark)."""

    t: str
    seat: int
    place: int
    card: int | str
    stone: str
    condition: str
    face: str


def text(spans: Iterable[Span]) -> str:
    """The sentence that these spans are."""
    return "".join(span["t"] for span in spans)


# --- Variants ---------------------------------------------------------------------------------------------------------


def chosen(entry: Any, values: Mapping[str, Any], me: int | None = None) -> str | None:
    """The sentence of an entry: itself, or its first variant that fits."""
    if isinstance(entry, str):
        return entry
    for one in entry or ():
        if fits(one.get("when", {}), values, me):
            return str(one["say"])
    return None


def fits(when: Mapping[str, Any], values: Mapping[str, Any], me: int | None) -> bool:
    """Whether every field is as a variant wants it (the conditions are listed in `kubli.words`)."""
    return all(_holds(values.get(name, MISSING), want, me) for name, want in when.items())


def _holds(value: Any, want: Any, me: int | None) -> bool:
    if isinstance(want, list):
        return all(_holds(value, one, me) for one in want)
    there = value is not MISSING and value is not None
    many = value if isinstance(value, list | dict) else None
    if want == "given":
        return there
    if want == "missing":
        return not there
    if want == "me":
        return me is not None and type(value) is int and value == me
    if want == "has me":
        return me is not None and many is not None and any(type(one) is int and one == me for one in many)
    if want == "one":
        return many is not None and len(many) == 1
    if want == "many":
        return many is not None and len(many) > 1
    return type(value) is type(want) and bool(value == want)


# --- Holes ------------------------------------------------------------------------------------------------------------


def render(words: Catalogue, sentence: str, values: Mapping[str, Any], teller: "Teller | None" = None) -> list[Span]:
    """The spans of a sentence with its holes filled; plain text is joined."""
    out: list[Span] = []
    for i, piece in enumerate(re.split(r"\{([^{}]*)\}", sentence)):
        for span in _fill(words, piece, values, teller) if i % 2 else [Span(t=piece)]:
            if out and len(out[-1]) == len(span) == 1:
                out[-1] = Span(t=out[-1]["t"] + span["t"])
            elif span["t"]:
                out.append(span)
    return out


def _fill(words: Catalogue, hole: str, values: Mapping[str, Any], teller: "Teller | None") -> list[Span]:
    head, *cases = hole.split("|")
    name, _, form = head.partition(" ")
    if name.endswith("'s"):
        name, form = name[:-2], "'s"
    key = name[:1].lower() + name[1:]
    value = values.get(key, MISSING)
    if value is MISSING:
        return [Span(t=words["forms"]["missing"])]
    if cases:
        return [Span(t=plural(words, cases, value))]
    spans = teller.named(key, form, value, values) if teller else [Span(t=plain(words, value, form))]
    if name != key and spans:
        first = spans[0]
        if not teller or "seat" not in first or first["seat"] == teller.me:  # a player's name stays as it is
            spans[0] = {**first, "t": first["t"][:1].upper() + first["t"][1:]}
    return spans


def plural(words: Catalogue, cases: Sequence[str], value: Any) -> str:
    """The case of a hole such as `{n|=0:none|one:# card|other:# cards}`; the number of a list is how long it is."""
    n = len(value) if isinstance(value, list | dict) else value
    if type(n) is not int:
        return str(words["forms"]["missing"])
    said = {name: case for name, _, case in (one.partition(":") for one in cases)}
    # English, as Intl.PluralRules has it; a language with other rules needs its own here.
    category = "one" if n == 1 else "other"
    wanted = said.get(f"={n}", said.get(category, said.get("other", "")))
    return wanted.replace("#", _number(words, n))


def plain(words: Catalogue, value: Any, form: str = "") -> str:
    """A value as text when nothing is known of its kind; what others wrote is cut and cleaned."""
    forms = words["forms"]
    if form == "where" and isinstance(value, str):
        return str(words["names"]["where"].get(value, _clean(value)))
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return _number(words, value)
    if not isinstance(value, list):
        return "{…}"
    said = ["[…]" if isinstance(one, list) else plain(words, one) for one in value[:MOST]]
    if len(said) < 2:
        return said[0] if said else str(forms["none"])
    last: str = forms["or" if form == "or" else "and"] + said[-1]
    return str(forms["comma"]).join(said[:-1]) + last


def _number(words: Catalogue, n: int | float) -> str:
    if isinstance(n, int) and abs(n) >= 10**15:
        return f"{words['forms']['minus'] if n < 0 else ''}{hex(abs(n))[:18]}{words['forms']['missing']}"
    said = repr(abs(n)).removesuffix(".0")
    return f"{words['forms']['minus'] if n < 0 else ''}{said}"


def _clean(word: str) -> str:
    cut = word if len(word) <= LONGEST else word[:LONGEST] + "…"
    return "".join("�" if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") else one for one in cut)


# --- Things and their names -------------------------------------------------------------------------------------------


class Teller:
    """Says what happened at one table to one viewer. Narabi's stones are public: their places are read from the facts.

    Attributes:
        words: the catalogue.
        game: the game's name in a record.
        me: the viewer's seat; None for spectators and for everything at once.
        seats: the players' names by seat.
        deck: the whole deck, if names and conditions of its own are to be said; the same for every viewer.
        ring: Narabi's stones by place, as `{"seat": 1, "stone": "5"}`.
    """

    def __init__(
        self,
        words: Catalogue,
        game: str,
        viewer: Viewer,
        seats: Sequence[str | None],
        deck: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin before the first fact."""
        self.words, self.game, self.seats, self.deck = words, game, seats, deck
        self.me = viewer if type(viewer) is int and 0 <= viewer < len(seats) else None
        self.ring: dict[int, Mapping[str, Any]] = {}

    def say(self, fact: Mapping[str, Any]) -> list[Span]:
        """The sentence of a fact, as spans. Facts come in order: an exchange moves the stones."""
        what = str(fact.get("what", ""))
        values = {**fact, **self._more(what, fact)}
        if why := self.why(fact):
            values["why"] = why
        sentence = chosen(self.words["facts"].get(self.game, {}).get(what), values, self.me)
        spans = [Span(t=_clean(what))] if sentence is None else render(self.words, sentence, values, self)
        self._follow(what, fact)
        return spans

    def why(self, fact: Mapping[str, Any]) -> list[Span]:
        """The one line that says why a trick went so ("turned"), without the cards; empty for other facts."""
        what = str(fact.get("what", ""))
        values = {**fact, **self._more(what, fact)}
        sentence = chosen(self.words["facts"].get(self.game, {}).get(f"{what}_why"), values, self.me)
        return [] if sentence is None else render(self.words, sentence, values, self)

    def line(self, entry: Any, values: Mapping[str, Any]) -> list[Span]:
        """Any other entry of the catalogue, with seats, places and cards named as in facts."""
        sentence = chosen(entry, values, self.me)
        return [] if sentence is None else render(self.words, sentence, values, self)

    def mark(self, fact: Mapping[str, Any]) -> str | None:
        """Who was told a hidden field of this fact: "you" alone, "two" seats, "others" (all but the one who acts)."""
        fields = self.words["told"].get(self.game, {}).get(str(fact.get("what", "")), {})
        return None if self.me is None else next((to for field, to in fields.items() if field in fact), None)

    def _more(self, what: str, fact: Mapping[str, Any]) -> dict[str, Any]:
        """What follows from a fact: whose Stone came to me, whether the ring is known, whether numbers are equal."""
        if what == "rotated" and self.me is not None and fact.get("direction") in ("clockwise", "counterclockwise"):
            return {"came": (self.me + (-1 if fact["direction"] == "clockwise" else 1)) % len(self.seats)}
        if what == "answered":
            known = all(self._at(fact.get(name)) for name in ("place", "for"))
            return {"ring": True} if known else {}
        if what == "turned" and isinstance(fact.get("cards"), list) and isinstance(fact.get("best"), str):
            number = fact["best"].partition(" ")[2]
            same = [one for one in fact["cards"] if isinstance(one, str) and one.partition(" ")[2] == number]
            return {"equals": True} if any(one != fact["best"] for one in same) else {}
        return {}

    def _follow(self, what: str, fact: Mapping[str, Any]) -> None:
        if self.game != "narabi":
            return
        if what == "sleeve_dealt" and type(fact.get("place")) is int:
            self.ring[fact["place"]] = {"seat": fact.get("seat"), "stone": fact.get("stone")}
        if what == "exchanged" and self._at(fact.get("own")) and self._at(fact.get("other")):
            own, other = self.ring[fact["own"]], self.ring[fact["other"]]
            self.ring[fact["own"]] = {**own, "stone": other["stone"]}
            self.ring[fact["other"]] = {**other, "stone": own["stone"]}

    def _at(self, place: Any) -> Mapping[str, Any] | None:
        found = self.ring.get(place) if type(place) is int else None
        return found if found and type(found.get("seat")) is int and isinstance(found.get("stone"), str) else None

    # --- by kind ------------------------------------------------------------------------------------------------------

    def named(self, key: str, form: str, value: Any, values: Mapping[str, Any]) -> list[Span]:
        """What a hole names, by the field's name and the hole's form."""
        if key == "why" and isinstance(value, list):
            return list(value)
        if form in ("by seat", "piles"):
            return self._by_seat(key, form, value, values.get("order"))
        if isinstance(value, list) and key in SEATS | PLACES | CARDS:
            mine = [one for one in value if type(one) is int and one == self.me and key in SEATS | PLACES]
            rest = [one for one in value if one not in mine]
            said = [self._one(key, self._later(key, form, i), one, values) for i, one in enumerate(mine + rest)]
            return self._join(said)
        return self._one(key, form, value, values)

    def _later(self, key: str, form: str, i: int) -> str:
        """The second of two Stones is said shorter: your Stone and the centre one."""
        return "short" if self.game == "darna" and key == "places" and i else form

    def _one(self, key: str, form: str, value: Any, values: Mapping[str, Any]) -> list[Span]:
        if type(value) is int and key in SEATS:
            return [Span(seat=value, t=self.whose(value) if form == "'s" else self.who(value))]
        if type(value) is int and key in PLACES:
            return self._stone_at(value, form) if self.game == "darna" else self._ring(value, form, values.get("seat"))
        if key in CARDS and type(value) in (int, str):
            return self._card(value, form)
        if key in STONES and isinstance(value, str):
            return [Span(stone=value, t=self.stone(value, form))]
        if key in CONDITIONS and isinstance(value, str):
            return [Span(condition=value, t=self.condition(value, form))]
        if isinstance(value, str):
            said = self._name(f"{value}_{form}" if form else value, value)
            return [Span(face=value, t=said)] if key == "face" else [Span(t=said)]
        return [Span(t=plain(self.words, value, form))]

    def _name(self, key: str, value: str) -> str:
        return str(self.words["names"].get(self.game, {}).get(key, _clean(value)))

    def _form(self, form: str, **values: str) -> str:
        sentence = str(self.words["forms"][form])
        return re.sub(r"\{(\w+)\}", lambda hole: values.get(hole[1], hole[0]), sentence)

    def _join(self, said: list[list[Span]]) -> list[Span]:
        out: list[Span] = []
        for i, one in enumerate(said):
            if i:
                out.append(Span(t=self._form("and" if i == len(said) - 1 else "comma")))
            out += one
        return out or [Span(t=self._form("none"))]

    def name_of(self, seat: int) -> str:
        """A seat's name, also the viewer's own."""
        named = self.seats[seat] if 0 <= seat < len(self.seats) else None
        return _clean(named) if named else self._form("nameless", n=_number(self.words, seat))

    def who(self, seat: int) -> str:
        """The viewer ("you"), or a seat's name."""
        return self._form("you") if seat == self.me else self.name_of(seat)

    def whose(self, seat: int) -> str:
        """The viewer's ("your"), or a seat's name with its ending."""
        return self._form("your") if seat == self.me else self._form("whose", name=self.name_of(seat))

    def _by_seat(self, key: str, form: str, value: Any, order: Any) -> list[Span]:
        pairs = dict(enumerate(value)) if isinstance(value, list) else {}
        if isinstance(value, dict):
            pairs = {int(seat): one for seat, one in value.items() if re.fullmatch("[0-9]{1,2}", str(seat))}
        ordered = order if isinstance(order, list) else sorted(pairs)
        seats = [one for one in ordered if type(one) is int and one in pairs]
        kind = "pile" if form == "piles" else "by_seat_card" if key == "cards" else "by_seat"
        said = []
        for seat in seats:
            n = pairs[seat]
            values = {"seat": seat, "card": n, "n": len(n) if isinstance(n, list) else n}
            said.append(render(self.words, self.words["forms"][kind], values, self))
        return self._join(said)

    def _stone_at(self, place: int, form: str) -> list[Span]:
        players, style = len(self.seats), form if form in ("short", "at", "name") else "stone"
        if 0 <= place < players:
            kind = f"{style}_mine" if place == self.me else f"{style}_seat"
            return [Span(place=place, seat=place, t=self._form(kind, whose=self.whose(place)))]
        if players == 4:
            return [Span(place=place, t=self._form(f"{style}_centre"))]
        n = place - players + 1
        nth = self.words["forms"].get(f"nth_{n}", _number(self.words, n))
        return [Span(place=place, t=self._form(f"{style}_nth", nth=nth, n=_number(self.words, n)))]

    def _ring(self, place: int, form: str, asker: Any) -> list[Span]:
        here = self._at(place)
        if not here:
            return [Span(place=place, t=self._form("ring", n=_number(self.words, place)))]
        seat, stone = here["seat"], here["stone"]
        said = self.stone(stone, "bare")
        if form == "said":  # in a question, in the asker's mouth
            whose = self._form("my") if seat == asker else self._form("whose", name=self.name_of(seat))
            said = self._form("ring_stone", whose=whose, stone=said)
        elif form != "bare":
            said = self._form("ring_stone", whose=self.whose(seat), stone=said)
        return [Span(place=place, seat=seat, stone=stone, t=said)]

    def _card(self, card: int | str, form: str) -> list[Span]:
        if isinstance(card, int):
            return [Span(card=card, t=self._form("number", n=_number(self.words, card)))]
        animal, _, number = card.partition(" ")
        if form in ("animal", "number"):
            part = animal if form == "animal" else number
            return [Span(t=self._name(part, part))]
        said = [self._name(part, part) for part in (animal, number) if part]
        return [Span(card=card, t=" ".join(said))]

    def _item(self, kind: str, name: str) -> Mapping[str, Any]:
        items = (self.deck or {}).get(kind, [])
        return next((one for one in items if one["id"] == name), {}) if isinstance(items, list) else {}

    def stone(self, stone: str, form: str = "") -> str:
        """A stone of Narabi: its number, or "a white blank" ("white blank" if bare)."""
        item, base = self._item("stones", stone), re.sub(r"_[0-9]+$", "", stone)
        if item.get("name"):
            return _clean(item["name"])
        if item.get("number") is not None:
            return _number(self.words, item["number"])
        kind = f"blank_{item['colour']}" if item else base
        named = self.words["names"]["narabi"].get(kind) if kind.startswith("blank") else None
        if not named:
            return _clean(base if stone == base else stone).replace("_", " ")
        return str(named) if form == "bare" else self._form("a_blank", name=named)

    def condition(self, condition: str, form: str = "") -> str:
        """A condition of Narabi: its name, and with the deck at hand what it asks for."""
        item = self._item("conditions", condition)
        known = self.words["names"]["narabi"].get(condition)
        name = _clean(item.get("name") or known or condition.replace("_", " "))
        more = condition_more(self.words, item) if item else name
        if form in ("name", "more"):
            return name if form == "name" else more
        return more if name in more else name + self._form("comma") + more


def condition_more(words: Catalogue, item: Mapping[str, Any]) -> str:
    """What a condition of a set asks for, by its fields: "an even number", "at most 2 away"."""
    said: list[str] = []
    phrases: Mapping[str, str] = words["conditions"]
    for field in ("colour", "parity", "at_least", "at_most", "compared", "distance_at_least", "distance_at_most"):
        value = item.get(field)
        if isinstance(value, str):
            said.append(phrases.get(f"{field}_{value}", _clean(value)))
        elif value is not None:
            said.append(phrases[field].replace("{n}", _number(words, value)))
    if item.get("whose") is not None:
        said.append(phrases["whose"].replace("{whose}", words["forms"]["or"].join(_whose(words, item["whose"]))))
    return str(words["forms"]["comma"]).join(said) if said else phrases["any"]


def _whose(words: Catalogue, seats: Sequence[int]) -> list[str]:
    phrases: Mapping[str, str] = words["conditions"]
    return [
        phrases["whose_next" if n > 0 else "whose_previous"]
        if abs(n) == 1
        else phrases["whose_on" if n > 0 else "whose_back"].replace("{n}", _number(words, abs(n)))
        for n in seats
    ]
