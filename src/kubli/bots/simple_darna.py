"""Rules of thumb for Darna: keep account of where the Puting Bato may be, look, bring it home, shout.

The account is a chance for each place, worked out from what this seat was told: moves carry it along, another's hiding
blurs it by half, looks sharpen it. A card is judged by how good its two instructions can make the account.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.seen import Seen

__all__ = ["choose"]

PLACES = range(5)
SHOUT = 0.6  # shout when the Stone at the own place is the Puting Bato with at least this chance
KNOWING = 0.35  # what it is worth to know where it is, against having it at home
HIDDEN = 0.1  # what it is worth that the others don't know
Chances = tuple[float, ...]


def choose(
    seen: Seen, told: list[dict[str, Any]], legal: list[Event], _rng: Luck, _budget: float
) -> tuple[Event, dict[str, Any]]:
    """Shout when sure enough, else draw, and carry out what leaves the best account."""
    me, mine, all_ = seen.seat, account(seen, told, seen.seat), account(seen, told, None)
    acts = {event["act"] for event in legal}
    if "guess" in acts:
        best = max(legal, key=lambda event: (mine[event["place"]], -event["place"]))
        sure = mine[best["place"]] > 0.999
        return best, {"code": "guess_sure" if sure else "guess_likely", "place": best["place"], "may": may(mine)}
    if "shout" in acts:
        return turn(legal, mine, me)
    mind = Mind(seen, mine, all_)
    worth = [(mind.after(event), -i) for i, event in enumerate(legal)]
    best = legal[-max(worth)[1]]
    return best, mind.reason(best, legal)


def turn(legal: list[Event], mine: Chances, me: int) -> tuple[Event, dict[str, Any]]:
    """Draw or shout."""
    by_act = {event["act"]: event for event in legal}
    if mine[me] >= SHOUT or "draw" not in by_act:
        sure = mine[me] > 0.999
        return by_act["shout"], {"code": "shout_sure" if sure else "shout_likely", "place": me, "may": may(mine)}
    if mine[me] == 0:
        return by_act["draw"], {"code": "draw_not_mine", "place": me}
    return by_act["draw"], {"code": "draw_to_learn", "may": may(mine)}


def may(chances: Chances) -> int:
    """At how many places it may lie."""
    return sum(one > 0 for one in chances)


# --- The account ------------------------------------------------------------------------------------------------------


def account(seen: Seen, told: list[dict[str, Any]], seat: int | None) -> Chances:
    """The chance of each place, for this seat; for None, for one who was told only what everybody was told."""
    chances: Chances = (0.2,) * 5
    for fact in told:
        what = fact["what"]
        if what == "swapped":
            chances = swapped(chances, *fact["places"])
        elif what == "rotated":
            chances = rotated(chances, seen.players, fact["direction"])
        elif what == "hid":
            chances = hid(chances, *fact["places"], fact.get("swapped") if seat is not None else None)
        elif "face" in fact and (seat is not None or what in ("shouted", "guessed")):
            chances = looked(chances, fact["place"], fact["face"] == "puting_bato")
    return chances


def swapped(chances: Chances, p: int, q: int) -> Chances:
    """After the Stones of two places traded them."""
    moved = list(chances)
    moved[p], moved[q] = chances[q], chances[p]
    return tuple(moved)


def rotated(chances: Chances, players: int, direction: str) -> Chances:
    """After the players' Stones moved on by one seat."""
    on = 1 if direction == "clockwise" else -1
    return tuple(chances[(place - on) % players] if place < players else chances[place] for place in PLACES)


def hid(chances: Chances, p: int, q: int, truth: bool | None) -> Chances:
    """After a hiding: as it was for the one who hid, one half of each for all others."""
    if truth is not None:
        return swapped(chances, p, q) if truth else chances
    other = swapped(chances, p, q)
    return tuple((one + two) / 2 for one, two in zip(chances, other, strict=True))


def looked(chances: Chances, place: int, found: bool) -> Chances:
    """After a look at one Stone."""
    left = [one if (at == place) == found else 0.0 for at, one in enumerate(chances)]
    total = sum(left)
    return tuple(one / total for one in left) if total else tuple(float(at == place) for at in PLACES)


# --- What an instruction can make of it -------------------------------------------------------------------------------


class Mind:
    """One seat weighing what it may do: its own account, and the one that everybody has."""

    def __init__(self, seen: Seen, mine: Chances, all_: Chances) -> None:
        self.seen, self.me, self.mine, self.all = seen, seen.seat, mine, all_
        self.cards = {card["number"]: card for card in seen.deck["cards"]}

    def value(self, mine: Chances, all_: Chances) -> float:
        """How good an account is: the Stone at home, the knowledge, and what the others lack."""
        return mine[self.me] + KNOWING * max(mine) - HIDDEN * max(all_)

    def after(self, event: Event) -> float:
        """The worth of doing this now and the rest of the card as well as possible."""
        act, doing = event["act"], self.seen.view["doing"]
        if act == "play":
            card = self.cards[event["card"]]
            return self.best([card["first"], card["second"]], self.mine, self.all) + 0.02 * self.keep(event["card"])
        rest = [self.cards[doing["card"]]["second"]] if doing["half"] == 0 else []
        if doing["instruction"] == "peek_two" and not doing["peeked"]:
            rest = ["peek", *rest]
        return self.done(event, rest, self.mine, self.all)

    def keep(self, played: int) -> float:
        """The worth of the card that stays in hand: one that can move a Stone to a chosen place is good to have."""
        kept = [number for number in self.seen.view["hand"] if number != played]
        words = [self.cards[number][half] for number in kept for half in ("first", "second")]
        return sum(word in ("swap", "hide") for word in words)

    def best(self, words: list[str], mine: Chances, all_: Chances) -> float:
        """The worth after these instructions, each carried out as well as possible."""
        if not words:
            return self.value(mine, all_)
        if words[0] == "peek_two":
            return self.best(["peek", "peek", *words[1:]], mine, all_)
        if words[0] in ("show", "rotate_clockwise", "rotate_counterclockwise"):
            return self.done({"act": words[0]}, words[1:], mine, all_)
        return max(self.done(event, words[1:], mine, all_) for event in self.ways(words[0]))

    def ways(self, word: str) -> Iterator[Event]:
        """The events that carry an instruction out."""
        if word == "peek":
            yield from ({"act": "peek", "place": place} for place in PLACES if place != self.me)
        elif word == "rotate_either":
            yield from ({"act": "rotate", "direction": way} for way in ("clockwise", "counterclockwise"))
        else:
            for pair in combinations(PLACES, 2):
                for truth in (True, False) if word == "hide" else (True,):
                    yield {"act": word, "places": list(pair), "swapped": truth}

    def done(self, event: Event, rest: list[str], mine: Chances, all_: Chances) -> float:
        """The worth of this and the rest."""
        act = event["act"]
        if act == "peek":
            found = mine[event["place"]]
            hit = self.best(rest, looked(mine, event["place"], True), all_) if found > 0 else 0.0
            miss = self.best(rest, looked(mine, event["place"], False), all_) if found < 1 else 0.0
            return found * hit + (1 - found) * miss
        if act == "swap":
            return self.best(rest, swapped(mine, *event["places"]), swapped(all_, *event["places"]))
        if act == "hide":
            return self.best(rest, hid(mine, *event["places"], event["swapped"]), hid(all_, *event["places"], None))
        if act == "show":
            return self.best(rest, mine, all_) - 0.1 * mine[self.me]
        way = event["direction"] if act == "rotate" else act.removeprefix("rotate_")
        return self.best(rest, rotated(mine, self.seen.players, way), rotated(all_, self.seen.players, way))

    def reason(self, event: Event, legal: list[Event]) -> dict[str, Any]:
        """Why, in a word of the catalogue."""
        act, likely = event["act"], max(PLACES, key=lambda place: (self.mine[place], -place))
        if len(legal) == 1:
            return {"code": "only_move"}
        if act == "play":
            words = [self.cards[event["card"]][half] for half in ("first", "second")]
            kept = [number for number in self.seen.view["hand"] if number != event["card"]]
            learns = max(self.mine) < 0.999 and any(word.startswith("peek") for word in words)
            return {"code": "play_to_learn" if learns else "play_to_get", "card": event["card"], "keep": kept[0]}
        if act == "peek":
            known = self.mine[event["place"]] in (0.0, 1.0)
            return {"code": "peek_anywhere" if known else "peek_where_unsure", "place": event["place"]}
        if act == "rotate":
            home = rotated(self.mine, self.seen.players, event["direction"])[self.me]
            code = "rotate_stone_to_me" if home > self.mine[self.me] else "rotate_any"
            return {"code": code, "direction": event["direction"]}
        home = self.me in event["places"] and likely in event["places"] and likely != self.me
        if act == "swap":
            return {"code": "swap_stone_to_me" if home else "swap_harmless", "places": event["places"]}
        if event["swapped"]:
            return {"code": "hide_and_swap" if home else "hide_to_confuse", "places": event["places"]}
        return {"code": "hide_and_leave", "places": event["places"]}
