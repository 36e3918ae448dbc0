"""Words for people: one catalogue, words/en.json, and a small reader. web/src/lib/words.ts is the same for the page.

Only codes and values travel between the parts of the program; here they become sentences. What en.json holds:

| section | by | what |
|---|---|---|
| facts | game, fact | what happened, for each viewer; `<fact>_why` is a line of its own about the same fact |
| told | game, fact, field | who was told a hidden field: "you" alone, "two" seats, "others" (all but the actor) |
| refusals | rule id or code | what, then why; `any` for what has no sentence |
| faults | code | what may be wrong with a deck, where refusals have no sentence of that code |
| rules | rule id | the rule's short title |
| bots | code | why a bot would do it |
| errors, cli | code | the HTTP API's errors; what the command says |
| ui | group, key | the page's own words |
| names | game, thing | names of things; `_more` and `_do` beside them are longer |
| conditions, forms | | how a Narabi condition is said; how seats, places and lists are said |

An entry is a sentence or a list of variants, tried in order: {"when": {field: condition, ...}, "say": sentence}. The
conditions: "me" (the field is the viewer's seat), "has me" (a list with it), "given" and "missing" (null is missing),
"one" and "many" (how long a list is), any other value (equal to it), or a list of conditions (all of them).

A hole in a sentence is {field}; written {Field} it begins with a capital (a player's name stays as it is). In facts,
bots and wherever a Teller is at hand, the field's name says its kind:

| hole | says |
|---|---|
| {seat} {seat's} {winners} | you, Tala; your, Tala's; lists: you, Tala and Ube |
| {place} {places} | Darna: your Stone, the centre Stone; lists: your Stone and the centre one |
| {places short} {place at} {place name} | yours and the centre one; in the centre; Centre |
| {place} {place bare} {for said} | Narabi: Tala's 7; 7; my 7 (in the mouth of `seat`) |
| {card} {cards} {trump animal} {trump number} | No. 9, fox 3; lists |
| {cards by seat} {score by seat} {lost piles} | you fox 3 and Tala owl 0; your pile of 3 cards |
| {stone} {gave bare} {condition} | 5, a white blank; white blank; near, at most 2 away |
| {n|=0:none|one:# card|other:# cards} | by the number, or the length of a list |
| {where where} {known or} | the head of the record; a, b or c |
| anything else | a word of `names`, a number in digits, or the value itself, cut to 60 letters |

Facts may also be asked for `came` (rotated: whose Stone came to me), `ring` (answered: the stones are known), `equals`
(turned: another card has the best number) and `why`. A hole whose value is not there reads as three dots.

To add words: add a key to its section and write the sentence (typographic quotes and signs, digits, "you", no pronouns
for others, an exclamation mark in the shout and results alone). A fact's needs a vector in tests/words/vectors.json:
add the fact and run the tests with KUBLI_WRITE=1, then read what changed. A new language is a file beside en.json with
the same keys.
"""

import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kubli.words import reader
from kubli.words.reader import Span, Viewer, text

__all__ = [
    "Span",
    "Teller",
    "Viewer",
    "catalogue",
    "cli",
    "error",
    "reason",
    "refusal",
    "say",
    "sentence",
    "text",
    "title",
]


@functools.cache
def catalogue(language: str = "en") -> Mapping[str, Any]:
    """The whole catalogue of a language; nobody may change it.

    Raises:
        FileNotFoundError: there is none for this language.
    """
    found: dict[str, Any] = json.loads((Path(__file__).parent / f"{language}.json").read_text(encoding="utf-8"))
    return found


class Teller(reader.Teller):
    """Says what happened at one table to one viewer, fact by fact and in order."""

    def __init__(
        self, game: str, viewer: Viewer, seats: Sequence[str | None], deck: Mapping[str, Any] | None = None
    ) -> None:
        """Begin before the first fact.

        Args:
            game: its name in a record.
            viewer: a seat ("you"), "spectator", or None for all that is true.
            seats: the players' names by seat; one without a name is called by its number.
            deck: the whole deck, to say names and conditions of its own.
        """
        super().__init__(catalogue(), game, viewer, seats, deck)

    def reason(self, why: Mapping[str, Any]) -> list[Span]:
        """Why a bot would do it: `{"code": ..., values}`."""
        return self.line(catalogue()["bots"].get(str(why.get("code"))), why)


def say(game: str, fact: Mapping[str, Any], viewer: Viewer, seats: Sequence[str | None]) -> list[Span]:
    """The sentence of one fact by itself, as spans. A whole game is better told by one Teller."""
    return Teller(game, viewer, seats).say(fact)


def sentence(game: str, fact: Mapping[str, Any], viewer: Viewer, seats: Sequence[str | None]) -> str:
    """The sentence of one fact by itself."""
    return text(say(game, fact, viewer, seats))


def reason(game: str, why: Mapping[str, Any], viewer: Viewer, seats: Sequence[str | None]) -> str:
    """Why a bot would do it, in a sentence."""
    return text(Teller(game, viewer, seats).reason(why))


def refusal(rule: str, code: str | None = None, values: Mapping[str, Any] | None = None) -> str:
    """Why something may not be: what, then why. The rule's id is not in it.

    Args:
        rule: a rule id, or FORMAT.
        code: of a more exact sentence; the rule's own is taken if there is none of that code.
        values: what the sentence needs; with `key`, the place in a deck is said first.
    """
    words, given = catalogue(), values or {}
    entries = (words[section].get(name) for name in (code, rule) for section in ("refusals", "faults"))
    entry = next((one for one in entries if one), words["refusals"]["any"])
    wanted = reader.chosen(entry, given) or words["refusals"]["any"]
    said = _line(wanted, given)
    if given.get("key") and "{key}" not in wanted:
        said = _line(words["faults"]["at"], given) + said
    return said


def title(rule: str) -> str:
    """A rule's short title; the id itself if it has none."""
    return str(catalogue()["rules"].get(rule, rule))


def error(code: str, values: Mapping[str, Any] | None = None) -> str:
    """What the HTTP API says of an error."""
    return _line(catalogue()["errors"].get(code, catalogue()["errors"]["failed"]), values or {})


def cli(code: str, **values: Any) -> str:
    """What the command says.

    Raises:
        KeyError: there is no such sentence.
    """
    return _line(catalogue()["cli"][code], values)


def _line(entry: Any, values: Mapping[str, Any]) -> str:
    words = catalogue()
    return text(reader.render(words, reader.chosen(entry, values) or "", values))
