"""Rules of thumb for Narabi: the rings in order that are nearest, and the likeliest way to one of them.

All rings in order are laid over the present one; those with the most stones in place are kept. From there exchanges are
tried some turns ahead, the most promising few of each turn. What is not known of a condition counts by the share of
those that are possible. Where the best way leans on what another player may not be allowed to do, that is asked first.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

from kubli.bots import kept
from kubli.games import narabi
from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.games.narabi_set import MOST
from kubli.play.seen import Seen

__all__ = ["choose"]

WIDTH = 6  # how many ways are followed at once
DEPTH = 8  # how many exchanges ahead
NEAREST = 60  # how many rings in order are kept
STEP, DOUBT, AWAY = 1.0, 1.0, 1.0  # what an exchange costs, one that may not be allowed, and a stone out of place
AGAIN = 2.0  # what it costs to lay a ring that has lain before, each time: or all would go round and round
ASK = 0.999  # what is less likely than this is asked


def choose(
    seen: Seen, told: list[dict[str, Any]], legal: list[Event], _rng: Luck, _budget: float
) -> tuple[Event, dict[str, Any]]:
    """Ask what the best way leans on, or take its first exchange."""
    exchanges = {(event["own"], event["other"]): event for event in legal if event["act"] == "exchange"}
    asks = {(event["place"], event["for"]): event for event in legal if event["act"] == "ask"}
    plan = Plan(seen, told)
    way = plan.best(list(exchanges))
    for pair in plan.doubts(way):
        if pair in asks:
            owner = plan.v.owner[pair[0]]
            return asks[pair], {"code": "ask_helpful", "owner": owner, "place": pair[0], "for": pair[1]}
    own, other = way.steps[0]
    code = "nearer_order" if way.nearer > 0 else "keep_options" if way.nearer == 0 else "least_harm"
    if way.nearer == plan.start.away:
        code = "wins_now"
    elif len(exchanges) == 1:
        code = "forced"
    return exchanges[own, other], {"code": code, "own": own, "other": other}


Steps = tuple[tuple[int, int], ...]
"""Exchanges, one a turn: the place of the one on turn, and the other."""


class Way:
    """Some exchanges: where they lead and what they cost."""

    __slots__ = ("away", "barred", "cost", "levels", "nearer", "ring", "steps")

    def __init__(
        self,
        ring: tuple[int, ...],
        barred: tuple[int, ...],
        steps: Steps,
        cost: float,
        nearer: int,
        away: int,
        levels: tuple[int, ...],
    ) -> None:
        """A way to this ring.

        Args:
            ring: the stones by place.
            barred: by place, where its sleeve may not go.
            steps: the exchanges.
            cost: of the steps, those that may not be allowed costing more.
            nearer: how many more stones are in place after the first step.
            away: how many are not in place after the last.
            levels: the rings in order with as many in place, one fewer, and two fewer, as bits.
        """
        self.ring, self.barred, self.steps, self.cost = ring, barred, steps, cost
        self.nearer, self.away, self.levels = nearer, away, levels

    @property
    def worth(self) -> float:
        """What it costs and what is still to do; the less the better."""
        return self.cost + AWAY * self.away


Step = tuple[float, Way, int, int, float, int]
"""One exchange at the end of a way: its worth, that way, the two places, the cost, and how much nearer it leads."""


class Plan:
    """What one seat makes of the ring as it sees it."""

    def __init__(self, seen: Seen, told: list[dict[str, Any]]) -> None:
        self.seat, self.view = seen.seat, seen.view
        self.v: narabi.Variant = kept.variant(seen)
        v = self.v
        ring = [v.stone_names.index(place["stone"]) for place in self.view["ring"]]
        self.possible = [0] * MOST
        for stone, place in zip(ring, self.view["ring"], strict=True):
            self.possible[stone] = sum(1 << v.condition_names.index(name) for name in place["possible"])
        barred = [narabi.NOWHERE if place["barred"] is None else place["barred"] for place in self.view["ring"]]
        self.kind, kinds = kinds_of(v)
        near, self.every = nearest(v.places, kinds, [self.kind[stone] for stone in ring])
        self.fits = [[near[place][self.kind[stone]] for stone in range(MOST)] for place in range(v.places)]
        self.chances: dict[int, float] = {}
        self.pairs = [pairs_of(v, seat) for seat in range(v.players)]
        self.before = before(ring, told)
        self.start = self.way(tuple(ring), tuple(barred), (), 0.0, 0)

    def best(self, mine: list[tuple[int, int]]) -> Way:
        """The way that costs least, and leads nearest to an order."""
        ways, found = [self.start], []
        for depth in range(min(DEPTH, self.view["limit"] - self.view["exchanges"])):
            seat = (self.seat + depth) % self.v.players
            steps = [step for way in ways for step in self.after(way, seat, mine if depth == 0 else None)]
            ways = self.promising(sorted(steps, key=lambda step: step[0]), seat) or ways
            found += [way for way in ways if way.away == 0]
            ways = [way for way in ways if way.away]
            if not steps or not ways or (found and min(way.worth for way in found) <= ways[0].worth):
                break
        return min([*found, *ways], key=lambda way: way.worth)

    def promising(self, steps: list[Step], seat: int) -> list[Way]:
        """Where the first of these steps lead, each ring once."""
        ways: dict[tuple[int, ...], Way] = {}
        for _, way, own, other, cost, up in steps:
            moved = list(way.ring)
            moved[own], moved[other] = moved[other], moved[own]
            ring = tuple(moved)
            if ring not in ways:
                nearer, barred = way.nearer if way.steps else up, self.bar(way, seat, own, other)
                ways[ring] = self.way(ring, barred, (*way.steps, (own, other)), cost, nearer)
                if len(ways) == WIDTH:
                    break
        return list(ways.values())

    def after(self, way: Way, seat: int, mine: list[tuple[int, int]] | None) -> Iterator[Step]:
        """The exchanges of this seat, and how many more stones are in place after each than before."""
        ring, fits, chances, owner = way.ring, self.fits, self.chances, self.v.owner
        (s0, s1, s2), away, chance = way.levels, way.away, 1.0
        near = s0 | s1 | s2
        for own, other in self.pairs[seat] if mine is None else mine:
            x, y = ring[own], ring[other]
            cost = way.cost + STEP
            if mine is None:
                key = ((x * MOST + y) * MOST + owner[other]) * MOST + seat
                chance = chances[key] if key in chances else self.chance(key)
                if chance == 0 or way.barred[own] == other:
                    continue
                cost += DOUBT * (1 - chance)
            elif self.before:
                cost += AGAIN * self.lain(own, other)
            gain, gain2, loss, loss2 = fits[own][y], fits[other][x], fits[own][x], fits[other][y]
            if not (gain | gain2) & near:
                up = 0 if s0 & ~(loss | loss2) else -1
            else:
                both, one = gain & gain2, gain & ~(gain2 | loss2) | gain2 & ~(gain | loss)
                even = ~(loss | loss2 | gain | gain2) | gain & loss2 | gain2 & loss
                if s0 & both:
                    up = 2
                elif s0 & one | s1 & both:
                    up = 1
                else:
                    up = 0 if s0 & even | s1 & one | s2 & both else -1
            yield cost + AWAY * (away - up), way, own, other, cost, up

    def lain(self, own: int, other: int) -> int:
        """How often the ring has lain before that this exchange would make."""
        moved = list(self.start.ring)
        moved[own], moved[other] = moved[other], moved[own]
        return self.before.get(tuple(moved), 0)

    def bar(self, way: Way, seat: int, own: int, other: int) -> tuple[int, ...]:
        """Where the sleeves may not go straight back to, after an exchange."""
        if not self.v.no_return:
            return way.barred
        row = range(seat * self.v.row, seat * self.v.row + self.v.row)
        barred = [narabi.NOWHERE if place in row else to for place, to in enumerate(way.barred)]
        barred[own], barred[other] = other, own
        return tuple(barred)

    def chance(self, key: int) -> float:
        """The share of the conditions that a stone may have which let it go from a seat to a stone of another seat.

        Args:
            key: stone, stone wanted, its owner and the seat, as digits to the base MOST.
        """
        stone, wanted, to, seat = key // MOST**3, key // MOST**2 % MOST, key // MOST % MOST, key % MOST
        yes, of, place = 0, 0, to * self.v.row
        for condition in range(len(self.v.condition_names)):
            if self.possible[stone] >> condition & 1:
                of += 1
                yes += self.v.allows[condition][stone] >> wanted & self.v.reaches[condition][seat] >> place & 1
        self.chances[key] = yes / of
        return self.chances[key]

    def way(self, ring: tuple[int, ...], barred: tuple[int, ...], steps: Steps, cost: float, nearer: int) -> Way:
        """A way that leads to this ring, with the rings in order that are nearest to it."""
        counts, away = counted([self.fits[place][stone] for place, stone in enumerate(ring)]), 0
        while not (first := exactly(counts, self.v.places - away) & self.every):
            away += 1
        others = [exactly(counts, self.v.places - away - fewer) & self.every for fewer in (1, 2)]
        return Way(ring, barred, steps, cost, nearer, away, (first, *others))

    def doubts(self, way: Way) -> Iterator[tuple[int, int]]:
        """The exchanges of others on this way that may not be allowed, as far as one can ask about them now."""
        touched: set[int] = set()
        for i, (own, other) in enumerate(way.steps):
            x, y, seat = self.start.ring[own], self.start.ring[other], (self.seat + i) % self.v.players
            now = seat != self.seat and not touched & {own, other} and self.start.barred[own] != other
            key = ((x * MOST + y) * MOST + self.v.owner[other]) * MOST + seat
            if now and self.chance(key) < ASK:
                yield own, other
            touched |= {own, other}


def pairs_of(v: narabi.Variant, seat: int) -> list[tuple[int, int]]:
    """The places that a seat could exchange, whatever lies there."""
    mine = [place for place in range(v.places) if v.owner[place] == seat]
    return [(own, other) for own in mine for other in range(v.places) if other not in mine]


def before(ring: list[int], told: list[dict[str, Any]]) -> dict[tuple[int, ...], int]:
    """How often each ring has lain so far: the exchanges told, taken back one by one."""
    now, found = list(ring), {tuple(ring): 1}
    for fact in reversed(told):
        if fact["what"] == "exchanged":
            own, other = fact["own"], fact["other"]
            now[own], now[other] = now[other], now[own]
            found[tuple(now)] = found.get(tuple(now), 0) + 1
    return found


# --- Rings in order ---------------------------------------------------------------------------------------------------


def kinds_of(v: narabi.Variant) -> tuple[list[int], int]:
    """Each stone's number in the order, counted from 1 (blanks: 0), and how many numbers there are."""
    kind, stone, kinds = [0] * MOST, v.zero, 0
    while kind[stone] == 0:
        kinds += 1
        kind[stone], stone = kinds, v.after[stone]
    return kind, kinds


@lru_cache(maxsize=8)
def orders(places: int, kinds: int) -> tuple[list[tuple[int, ...]], int, list[list[int]]]:
    """All rings in order, with blanks anywhere, beginning anywhere and both ways round.

    Returns:
        the places of the numbers, by choice of them; how many bits a choice takes (a bit for each beginning, both ways
        round); and by place and kind the rings that have this kind there, as bits.
    """
    width = (2 * kinds + 7) // 8
    chosen, blank, nothing = list(combinations(range(places), kinds)), (1 << 2 * kinds) - 1, bytes(width)
    at = [[numbers.index(place) if place in numbers else -1 for numbers in chosen] for place in range(places)]
    table = []
    for row in at:
        pieces = [nothing] * kinds + [blank.to_bytes(width, "little")]
        table.append([int.from_bytes(b"".join(pieces[i] for i in row), "little")])
        for kind in range(1, kinds + 1):
            begins = [1 << (kind - 1 - i) % kinds | 1 << kinds + (kind - 1 + i) % kinds for i in range(kinds)]
            pieces = [*(one.to_bytes(width, "little") for one in begins), nothing]
            table[-1].append(int.from_bytes(b"".join(pieces[i] for i in row), "little"))
    return chosen, 8 * width, table


def nearest(places: int, kinds: int, ring: list[int]) -> tuple[list[list[int]], int]:
    """By place and kind, which of the nearest rings in order have this kind there, as bits; and all of them."""
    chosen, width, table = orders(places, kinds)
    counts = counted([table[place][kind] for place, kind in enumerate(ring)])
    near: list[list[int]] = [[0] * (kinds + 1) for _ in range(places)]
    found = 0
    for most in range(places, 0, -1):
        rings = exactly(counts, most)
        while rings and found < NEAREST:
            at = (rings & -rings).bit_length() - 1
            rings ^= 1 << at
            numbers, (way, begin) = chosen[at // width], divmod(at % width, kinds)
            kind_at = [0] * places
            for i, place in enumerate(numbers):
                kind_at[place] = (begin - i if way else begin + i) % kinds + 1
            for place, kind in enumerate(kind_at):
                near[place][kind] |= 1 << found
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
