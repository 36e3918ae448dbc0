"""Rules of thumb for Narabi: the rings in order that are nearest, and the likeliest way to one of them.

All rings in order are laid over the present one; those with the most stones in place are kept. From there exchanges are
tried some turns ahead, the most promising few of each turn. What is not known of a condition counts by the share of
those that are possible. Where the best way leans on what another player may not be allowed to do, that is asked first.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

from kubli.games import narabi
from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.games.narabi_set import MOST
from kubli.play.seen import Seen

__all__ = ["choose"]

WIDTH = 6  # how many ways are followed at once
DEPTH = 8  # how many exchanges ahead
NEAREST = 60  # how many rings in order are kept
STEP, DOUBT, AWAY = 1.0, 1.0, 0.8  # what an exchange costs, one that may not be allowed, and a stone out of place
ASK = 0.999  # what is less likely than this is asked


def choose(
    seen: Seen, _told: list[dict[str, Any]], legal: list[Event], _rng: Luck, _budget: float
) -> tuple[Event, dict[str, Any]]:
    """Ask what the best way leans on, or take its first exchange."""
    exchanges = {(event["own"], event["other"]): event for event in legal if event["act"] == "exchange"}
    asks = {(event["place"], event["for"]): event for event in legal if event["act"] == "ask"}
    plan = Plan(seen)
    way = plan.best(list(exchanges))
    for pair in plan.doubts(way):
        if pair in asks:
            owner = plan.v.owner[pair[0]]
            return asks[pair], {"code": "ask_helpful", "owner": owner, "place": pair[0], "for": pair[1]}
    own, other = way.steps[0]
    code = "nearer_order" if way.nearer > 0 else "keep_options" if way.nearer == 0 else "least_harm"
    if way.nearer == plan.away:
        code = "wins_now"
    elif len(exchanges) == 1:
        code = "forced"
    return exchanges[own, other], {"code": code, "own": own, "other": other}


class Way:
    """Some exchanges, one a turn: where they lead and what they cost."""

    __slots__ = ("away", "barred", "cost", "nearer", "ring", "steps")

    def __init__(
        self,
        ring: tuple[int, ...],
        barred: tuple[int, ...],
        steps: tuple[tuple[int, int], ...],
        cost: float,
        away: int,
        nearer: int,
    ) -> None:
        self.ring, self.barred, self.steps, self.cost, self.away, self.nearer = ring, barred, steps, cost, away, nearer

    @property
    def worth(self) -> float:
        """What it costs and what is still to do; the less the better."""
        return self.cost + AWAY * self.away


class Plan:
    """What one seat makes of the ring as it sees it."""

    def __init__(self, seen: Seen) -> None:
        self.seat, self.view = seen.seat, seen.view
        self.v = v = narabi.variant(seen.players, seen.options, seen.deck)
        ring = [v.stone_names.index(place["stone"]) for place in self.view["ring"]]
        self.possible = [0] * MOST
        for stone, place in zip(ring, self.view["ring"], strict=True):
            self.possible[stone] = sum(1 << v.condition_names.index(name) for name in place["possible"])
        barred = [narabi.NOWHERE if place["barred"] is None else place["barred"] for place in self.view["ring"]]
        self.kind, kinds = kinds_of(v)
        near, self.every = nearest(v.places, kinds, [self.kind[stone] for stone in ring])
        self.fits = [[near[place][self.kind[stone]] for stone in range(MOST)] for place in range(v.places)]
        self.chances: dict[tuple[int, int, int, int], float] = {}
        self.start = Way(tuple(ring), tuple(barred), (), 0.0, 0, 0)
        self.away = self.start.away = v.places - self.levels(self.start.ring)[0]

    def best(self, mine: list[tuple[int, int]]) -> Way:
        """The way that costs least, and leads nearest to an order."""
        ways, found = [self.start], []
        for depth in range(min(DEPTH, self.view["limit"] - self.view["exchanges"])):
            seat = (self.seat + depth) % self.v.players
            new: dict[tuple[int, ...], Way] = {}
            for way in ways:
                for after in self.after(way, seat, mine if depth == 0 else None):
                    same = new.get(after.ring)
                    if same is None or after.cost < same.cost:
                        new[after.ring] = after
            if not new:
                break
            ways = sorted(new.values(), key=lambda way: way.worth)[:WIDTH]
            found += [way for way in ways if way.away == 0]
            ways = [way for way in ways if way.away]
            if not ways or (found and min(way.worth for way in found) <= ways[0].worth):
                break
        return min([*found, *ways], key=lambda way: way.worth)

    def after(self, way: Way, seat: int, mine: list[tuple[int, int]] | None) -> Iterator[Way]:
        """The ways that go on from here by one exchange of this seat."""
        ring, fits = way.ring, self.fits
        most, s0, s1, s2 = self.levels(ring)
        for own, other in mine if mine is not None else self.pairs(way, seat):
            x, y = ring[own], ring[other]
            chance = 1.0 if mine is not None else self.chance(x, seat, y, other)
            if chance == 0:
                continue
            gain, gain2, loss, loss2 = fits[own][y], fits[other][x], fits[own][x], fits[other][y]
            both, one = gain & gain2, gain & ~(gain2 | loss2) | gain2 & ~(gain | loss)
            none = gain & loss2 | gain2 & loss | ~(gain | gain2 | loss | loss2)
            if s0 & both:
                up = 2
            elif s0 & one or s1 & both:
                up = 1
            elif s0 & none or s1 & one or s2 & both:
                up = 0
            elif s0 & ~(loss & loss2) or s1 & none or s2 & one:
                up = -1
            else:
                up = -2
            moved = list(ring)
            moved[own], moved[other] = y, x
            cost = way.cost + STEP + DOUBT * (1 - chance)
            away = self.v.places - most - up
            nearer = way.nearer if way.steps else up
            yield Way(tuple(moved), self.bar(way, seat, own, other), (*way.steps, (own, other)), cost, away, nearer)

    def pairs(self, way: Way, seat: int) -> Iterator[tuple[int, int]]:
        """The places that this seat could exchange, as far as the rules of a turn go."""
        row = self.v.row
        for own in range(seat * row, seat * row + row):
            for other in range(self.v.places):
                if not seat * row <= other < seat * row + row and way.barred[own] != other:
                    yield own, other

    def bar(self, way: Way, seat: int, own: int, other: int) -> tuple[int, ...]:
        """Where the sleeves may not go straight back to, after an exchange."""
        if not self.v.no_return:
            return way.barred
        row = range(seat * self.v.row, seat * self.v.row + self.v.row)
        barred = [narabi.NOWHERE if place in row else to for place, to in enumerate(way.barred)]
        barred[own], barred[other] = other, own
        return tuple(barred)

    def chance(self, stone: int, seat: int, wanted: int, place: int) -> float:
        """The share of the conditions that this stone may have which let it go there."""
        key = (stone, seat, wanted, self.v.owner[place])
        if key not in self.chances:
            yes = of = 0
            for condition in range(len(self.v.condition_names)):
                if self.possible[stone] >> condition & 1:
                    of += 1
                    allows, reaches = self.v.allows[condition][stone], self.v.reaches[condition][seat]
                    yes += allows >> wanted & reaches >> place & 1
            self.chances[key] = yes / of
        return self.chances[key]

    def levels(self, ring: tuple[int, ...]) -> tuple[int, int, int, int]:
        """The most stones in place, and which rings have so many, one fewer, and two fewer."""
        counts = counted([self.fits[place][stone] for place, stone in enumerate(ring)])
        most, every = self.v.places, self.every
        while not (first := exactly(counts, most) & every):
            most -= 1
        return most, first, exactly(counts, most - 1) & every, exactly(counts, most - 2) & every

    def doubts(self, way: Way) -> Iterator[tuple[int, int]]:
        """The exchanges of others on this way that may not be allowed, as far as one can ask about them now."""
        touched: set[int] = set()
        for i, (own, other) in enumerate(way.steps):
            x, y, seat = self.start.ring[own], self.start.ring[other], (self.seat + i) % self.v.players
            now = seat != self.seat and not touched & {own, other} and self.start.barred[own] != other
            if now and self.chance(x, seat, y, other) < ASK:
                yield own, other
            touched |= {own, other}


# --- Rings in order ---------------------------------------------------------------------------------------------------


def kinds_of(v: narabi.Variant) -> tuple[list[int], int]:
    """Each stone's number in the order, counted from 1 (blanks: 0), and how many numbers there are."""
    kind, stone, kinds = [0] * MOST, v.zero, 0
    while kind[stone] == 0:
        kinds += 1
        kind[stone], stone = kinds, v.after[stone]
    return kind, kinds


@lru_cache(maxsize=8)
def orders(places: int, kinds: int) -> list[list[int]]:
    """By place and kind, the rings in order that have this kind there, as bits: blanks anywhere, both ways round."""
    width = (2 * kinds + 7) // 8
    bits = [[0] * (kinds + 1) for _ in range(kinds)]
    for at in range(kinds):
        for turn in range(kinds):
            bits[at][(turn + at) % kinds + 1] |= 1 << turn
            bits[at][(turn - at) % kinds + 1] |= 1 << kinds + turn
    piece = [[one.to_bytes(width, "little") for one in row] for row in bits]
    blank, nothing = ((1 << 2 * kinds) - 1).to_bytes(width, "little"), bytes(width)
    rows: list[list[int]] = [[] for _ in range(places)]  # by place: how many numbers stand before it, or -1: blank
    for chosen in combinations(range(places), kinds):
        for row in rows:
            row.append(-1)
        for at, place in enumerate(chosen):
            rows[place][-1] = at
    table = []
    for row in rows:
        table.append([int.from_bytes(b"".join(nothing if at >= 0 else blank for at in row), "little")])
        for kind in range(1, kinds + 1):
            pieces = [one[kind] for one in piece] + [nothing]
            table[-1].append(int.from_bytes(b"".join(pieces[at] for at in row), "little"))
    return table


def nearest(places: int, kinds: int, ring: list[int]) -> tuple[list[list[int]], int]:
    """By place and kind, which of the nearest rings in order have this kind there, as bits; and all of them."""
    table = orders(places, kinds)
    counts = counted([table[place][kind] for place, kind in enumerate(ring)])
    near: list[list[int]] = [[0] * (kinds + 1) for _ in range(places)]
    every, found = table[0][0], 0
    for one in table[0][1:]:
        every |= one
    for most in range(places, -1, -1):
        rings = exactly(counts, most) & every
        while rings and found < NEAREST:
            at = (rings & -rings).bit_length() - 1
            rings ^= 1 << at
            for place, row in enumerate(table):
                for kind, one in enumerate(row):
                    near[place][kind] |= (one >> at & 1) << found
            found += 1
    return near, (1 << found) - 1


def counted(sets: list[int]) -> list[int]:
    """For each member, in how many of these sets it is: as binary digits, each a set."""
    ones = twos = fours = eights = 0
    for one in sets:
        carry, ones = ones & one, ones ^ one
        carry2, twos = twos & carry, twos ^ carry
        carry, fours = fours & carry2, fours ^ carry2
        eights ^= carry
    return [ones, twos, fours, eights]


def exactly(counts: list[int], wanted: int) -> int:
    """The members that are in exactly so many sets; for none, what is in no set at all counts too."""
    if wanted < 0:
        return 0
    found = -1
    for digit, one in enumerate(counts):
        found &= one if wanted >> digit & 1 else ~one
    return found
