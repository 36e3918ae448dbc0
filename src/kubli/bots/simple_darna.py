"""Rules of thumb for Darna: keep account of where the Puting Bato may be, look, bring it home, shout.

The account is a chance for each place, worked out from what this seat was told: moves carry it along, another's hiding
blurs it by half, looks sharpen it. Beside it stands what each other player has looked at since it last was hidden. A
card is judged by how good its two instructions can make the account.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.seen import Seen

__all__ = ["choose"]

PLACES = range(5)
SHOUT = 0.3  # shout when the Stone at the own place is the Puting Bato with at least this chance …
PRESSED = 0.15  # … or this, when another is likelier than that to shout first
KNOWING = 0.35  # what it is worth to know where it is, against having it at home
HIDDEN = 0.05  # what it is worth that nobody can tell from what all saw
THREAT, AWARE = 0.3, 0.3  # what it costs when it lies before another player, and as much again if that one has looked
STEAL = 0.15  # what it costs when another has looked at it while it lies before oneself
LEAN = 2.0  # how much likelier it is where another looked and then took that Stone
KEEP, LOW = 0.02, 0.01  # what a card to swap or hide with is worth, and a low one when the guesses come
Chances = tuple[float, ...]


def choose(
    seen: Seen, told: list[dict[str, Any]], legal: list[Event], _rng: Luck, _budget: float
) -> tuple[Event, dict[str, Any]]:
    """Shout when sure enough, else draw, and carry out what leaves the best account."""
    now = account(seen, told)
    acts = {event["act"] for event in legal}
    if "guess" in acts:
        best = max(legal, key=lambda event: (now.mine[event["place"]], -event["place"]))
        sure = now.mine[best["place"]] > 0.999
        return best, {"code": "guess_sure" if sure else "guess_likely", "place": best["place"], "may": now.may}
    mind = Mind(seen)
    if "shout" in acts:
        return turn({event["act"]: event for event in legal}, now, mind)
    worth = [(mind.after(event, now), -i) for i, event in enumerate(legal)]
    best = legal[-max(worth)[1]]
    return best, mind.reason(best, legal, now)


def turn(by_act: dict[str, Event], now: "Account", mind: "Mind") -> tuple[Event, dict[str, Any]]:
    """Draw or shout."""
    home = now.mine[mind.me]
    pressed = home >= PRESSED and mind.danger(now) > home
    if home > 0.999:
        return by_act["shout"], {"code": "shout_sure", "place": mind.me}
    if home > 0.6:
        return by_act["shout"], {"code": "shout_probable", "place": mind.me}
    if home >= SHOUT:
        return by_act["shout"], {"code": "shout_likely", "place": mind.me, "may": int(1 / home + 0.5)}
    if pressed:
        return by_act["shout"], {"code": "shout_now", "place": mind.me}
    if home == 0:
        return by_act["draw"], {"code": "draw_not_mine", "place": mind.me}
    return by_act["draw"], {"code": "draw_to_learn", "may": now.may}


# --- The account ------------------------------------------------------------------------------------------------------


class Account(NamedTuple):
    """What one seat makes of it.

    Attributes:
        mine: the chance of each place, for this seat.
        all: the same for one who was told only what everybody was told.
        looked: by seat, the places whose Stone that seat has seen, as bits, wherever it was moved since.
    """

    mine: Chances
    all: Chances
    looked: tuple[int, ...]

    @property
    def may(self) -> int:
        """At how many places it may lie."""
        return sum(one > 0 for one in self.mine)

    def moved(self, to: Callable[[int], int]) -> "Account":
        """After the Stone of each place went to another."""
        mine, all_, looked = [0.0] * 5, [0.0] * 5, [0] * len(self.looked)
        for place in PLACES:
            at = to(place)
            mine[at], all_[at] = self.mine[place], self.all[place]
            for seat, places in enumerate(self.looked):
                looked[seat] |= (places >> place & 1) << at
        return Account(tuple(mine), tuple(all_), tuple(looked))

    def swapped(self, p: int, q: int) -> "Account":
        """After the Stones of two places traded them."""
        return self.moved(lambda place: q if place == p else p if place == q else place)

    def rotated(self, players: int, direction: str) -> "Account":
        """After the players' Stones moved on by one seat."""
        on = 1 if direction == "clockwise" else -1
        return self.moved(lambda place: (place + on) % players if place < players else place)

    def hid(self, by: int, p: int, q: int, truth: bool | None) -> "Account":
        """After a hiding: as it was for the one who hid, one half of each for all others."""
        other, both = self.swapped(p, q), 1 << p | 1 << q
        looked = [
            places & ~both if seat != by else places | (both if places & both else 0)
            for seat, places in enumerate(self.looked)
        ]
        mine = halves(self.mine, other.mine) if truth is None else other.mine if truth else self.mine
        return Account(mine, halves(self.all, other.all), tuple(looked))

    def saw(self, place: int, found: bool, everybody: bool = False) -> "Account":
        """After this seat, or all, saw the face of a Stone."""
        all_ = told_of(self.all, place, found) if everybody else self.all
        return Account(told_of(self.mine, place, found), all_, self.looked)

    def seen_by(self, seats: Iterator[int] | list[int], place: int) -> "Account":
        """After these seats looked at a place."""
        looked = list(self.looked)
        for seat in seats:
            looked[seat] |= 1 << place
        return self._replace(looked=tuple(looked))

    def leaning(self, by: int, places: list[int]) -> "Account":
        """Another takes a Stone that they have looked at: it is the likelier to be the one."""
        taken = [place for place in places if place != by and self.looked[by] >> place & 1]
        if by not in places or not taken or self.mine[taken[0]] in (0.0, 1.0):
            return self
        weighed = [one * (LEAN if place in taken else 1.0) for place, one in enumerate(self.mine)]
        return self._replace(mine=tuple(one / sum(weighed) for one in weighed))


def account(seen: Seen, told: list[dict[str, Any]]) -> Account:
    """What this seat makes of all that it was told."""
    now = Account((0.2,) * 5, (0.2,) * 5, (0,) * seen.players)
    for fact in told:
        what, by = fact["what"], fact.get("seat", -1)
        if what in ("swapped", "hid") and by != seen.seat:
            now = now.leaning(by, fact["places"])
        if what == "swapped":
            now = now.swapped(*fact["places"])
        elif what == "rotated":
            now = now.rotated(seen.players, fact["direction"])
        elif what == "hid":
            low, high = fact["places"]
            now = now.hid(by, low, high, fact.get("swapped"))
        elif what in ("shouted", "guessed"):
            now = now.saw(fact["place"], fact["face"] == "puting_bato", everybody=True)
            now = now.seen_by(list(range(seen.players)), fact["place"])
        elif what in ("peeked", "showed"):
            if "face" in fact:
                now = now.saw(fact["place"], fact["face"] == "puting_bato")
            others = [seat for seat in range(seen.players) if seat != by]
            now = now.seen_by([by] if what == "peeked" else others, fact["place"])
    return now


def halves(one: Chances, two: Chances) -> Chances:
    """As likely the one as the other."""
    return tuple((a + b) / 2 for a, b in zip(one, two, strict=True))


def told_of(chances: Chances, place: int, found: bool) -> Chances:
    """After the face of one Stone was seen."""
    left = [one if (at == place) == found else 0.0 for at, one in enumerate(chances)]
    total = sum(left)
    return tuple(one / total for one in left) if total else tuple(float(at == place) for at in PLACES)


# --- What an instruction can make of it -------------------------------------------------------------------------------


class Mind:
    """One seat weighing what it may do."""

    def __init__(self, seen: Seen) -> None:
        """What does not change while it thinks."""
        self.seen, self.me = seen, seen.seat
        self.others = [seat for seat in range(seen.players) if seat != seen.seat]
        self.cards = {card["number"]: card for card in seen.deck["cards"]}
        self.last = seen.view["deck"] == 0

    def danger(self, now: Account) -> float:
        """How likely another has it and knows."""
        return sum(now.mine[seat] * (now.looked[seat] >> seat & 1) for seat in self.others)

    def value(self, now: Account) -> float:
        """How good an account is: the Stone at home, the knowledge, and what the others lack."""
        if self.last:
            return max(now.mine)
        worth = now.mine[self.me] + KNOWING * max(now.mine) - HIDDEN * max(now.all)
        for seat in self.others:
            worth -= now.mine[seat] * (THREAT + AWARE * (now.looked[seat] >> seat & 1))
            worth -= now.mine[self.me] * STEAL * (now.looked[seat] >> self.me & 1)
        return worth

    def after(self, event: Event, now: Account) -> float:
        """The worth of doing this now and the rest of the card as well as possible."""
        act, doing = event["act"], self.seen.view["doing"]
        if act == "play":
            card = self.cards[event["card"]]
            return self.best([card["first"], card["second"]], now) + self.keep(event["card"])
        rest = [self.cards[doing["card"]]["second"]] if doing["half"] == 0 else []
        if doing["instruction"] == "peek_two" and not doing["peeked"]:
            rest = ["peek", *rest]
        return self.done(event, rest, now)

    def keep(self, played: int) -> float:
        """The worth of the card that stays in hand: one that can move a Stone to a chosen place is good to have."""
        kept = next((number for number in self.seen.view["hand"] if number != played), played)
        if self.last:
            return -LOW * kept / 16
        return KEEP * sum(self.cards[kept][half] in ("swap", "hide") for half in ("first", "second"))

    def best(self, words: list[str], now: Account) -> float:
        """The worth after these instructions, each carried out as well as possible."""
        if not words:
            return self.value(now)
        if words[0] == "peek_two":
            return self.best(["peek", "peek", *words[1:]], now)
        if words[0] in ("show", "rotate_clockwise", "rotate_counterclockwise"):
            return self.done({"act": words[0]}, words[1:], now)
        return max(self.done(event, words[1:], now) for event in self.ways(words[0]))

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

    def done(self, event: Event, rest: list[str], now: Account) -> float:
        """The worth of this and the rest."""
        act = event["act"]
        if act == "peek":
            place = event["place"]
            found, after = now.mine[place], now.seen_by([self.me], place)
            hit = self.best(rest, after.saw(place, True)) if found > 0 else 0.0
            miss = self.best(rest, after.saw(place, False)) if found < 1 else 0.0
            return found * hit + (1 - found) * miss
        if act == "swap":
            return self.best(rest, now.swapped(*event["places"]))
        if act == "hide":
            low, high = event["places"]
            return self.best(rest, now.hid(self.me, low, high, event["swapped"]))
        if act == "show":
            return self.best(rest, now.seen_by(self.others, self.me))
        way = event["direction"] if act == "rotate" else act.removeprefix("rotate_")
        return self.best(rest, now.rotated(self.seen.players, way))

    def reason(self, event: Event, legal: list[Event], now: Account) -> dict[str, Any]:
        """Why, in a word of the catalogue."""
        act, mine = event["act"], now.mine
        if len(legal) == 1:
            return {"code": "only_move"}
        if act == "play":
            return self.why_play(event["card"], mine)
        if act == "peek":
            known = mine[event["place"]] in (0.0, 1.0)
            return {"code": "peek_anywhere" if known else "peek_where_unsure", "place": event["place"]}
        if act == "rotate":
            after = now.rotated(self.seen.players, event["direction"]).mine
            code = "rotate_stone_to_me" if after[self.me] > mine[self.me] else "rotate_any"
            if code == "rotate_any" and self.at_others(after) < self.at_others(mine):
                code = "rotate_stone_away"
            return {"code": code, "direction": event["direction"]}
        after = now.swapped(*event["places"]).mine
        home, away = after[self.me] > mine[self.me], self.at_others(after) < self.at_others(mine)
        if act == "swap":
            return {
                "code": "swap_stone_to_me" if home else "move_stone_away" if away else "swap_harmless",
                "places": event["places"],
            }
        if event["swapped"]:
            return {"code": "hide_and_swap" if home else "hide_to_confuse", "places": event["places"]}
        return {"code": "hide_and_leave", "places": event["places"]}

    def at_others(self, mine: Chances) -> float:
        """The chance that it lies before another player."""
        return sum(mine[seat] for seat in self.others)

    def why_play(self, card: int, mine: Chances) -> dict[str, Any]:
        """Why this card."""
        words = [self.cards[card][half] for half in ("first", "second")]
        kept = next(number for number in self.seen.view["hand"] if number != card)
        learns = max(mine) < 0.999 and any(word.startswith("peek") for word in words)
        brings = mine[self.me] < 0.999 and any(word in ("swap", "hide", "rotate_either") for word in words)
        hides = "hide" in words
        code = (
            "play_to_learn" if learns else "play_to_get" if brings else "play_to_hide" if hides else "play_keep_better"
        )
        return {"code": code, "card": card, "keep": kept}
