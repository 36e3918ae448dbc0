"""Loops over many games, compiled. kernels.py executes this text once for each game, with that game's rules at hand.

`variant` and `blank` are arrays of one row, `states` has a row a game. Row i of `luck` has the random streams of game
i: the first is the deal's, equal to play.chance.Seeded(seed, i), the next ones are the seats' own, equal to those that
play.simulate gives its bots. Functions whose names begin with `quick_` leave out what viewers remember.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # stand-ins for those of the game
    from kubli.batch.native import below_at as below
    from kubli.batch.native import clear, lent, mix, nth, picked, room_of
    from kubli.batch.native import compiled as inner
    from kubli.batch.native import compiled as loop
    from kubli.games.darna import draw, legal, outcomes, over, refusal, setup, step, to_act, utilities, view
    from kubli.games.darna_worlds import encode, redeal

    room = room_of(0)
    quick_draw, quick_legal, quick_outcomes, quick_setup = draw, legal, outcomes, setup
    quick_step, quick_to_act, quick_utilities = step, to_act, utilities

__all__ = ["act", "begin", "check", "finish", "imagine", "learn", "masks", "observe", "play"]

CHANCE, NOBODY, BOT = -1, -1, 0x626F74
MOST_SKIPPED = 10_000  # games that end before the learner's first turn


@inner
def start_luck(luck: Any, players: int, seed: Any, game: int) -> None:
    """The streams of one game."""
    start = mix(mix(0, seed), game)
    luck[0] = start
    start = mix(start, BOT)
    for seat in range(players):
        luck[1 + seat] = mix(start, seat)


@inner
def next_seat(v: Any, s: Any) -> int:
    """The lowest seat that may act, or NOBODY."""
    bits = to_act(v, s)
    return nth(bits, 0) if bits else NOBODY


@inner
def advance(v: Any, s: Any, luck: Any) -> None:
    """Let chance act for as long as it is chance's turn."""
    n = outcomes(v, s)
    while n > 0:
        step(v, s, CHANCE, draw(v, s, below(luck, 0, n)))
        n = outcomes(v, s)


@inner
def start(v: Any, blank: Any, states: Any, luck: Any, seed: Any, game: int, i: int) -> None:
    """Set up and deal a game of the seed in place i."""
    states[i] = blank[0]
    start_luck(luck[i], v.players, seed, game)
    setup(v, states[i])
    advance(v, states[i], luck[i])


@loop
def begin(variant: Any, blank: Any, states: Any, luck: Any, seed: Any, first: int, low: int, high: int) -> None:
    """Set games low to high - 1 up and deal: game i of the batch is game first + i of the seed."""
    v = variant[0]
    for i in range(low, high):
        start(v, blank, states, luck, seed, first + i, i)


@loop
def check(variant: Any, states: Any, seats: Any, actions: Any, found: Any) -> None:
    """Write the first game in which an action is forbidden, and the rule, to `found`; changes nothing else."""
    v = variant[0]
    for i in range(len(states)):
        if actions[i] >= 0:
            rule = refusal(v, states[i], seats[i], actions[i])
            if rule != 0:
                found[0], found[1] = i, rule
                return


@loop
def act(variant: Any, states: Any, luck: Any, seats: Any, actions: Any) -> None:
    """Do one action in each game where it isn't negative, and all that chance does then."""
    v = variant[0]
    for i in range(len(states)):
        if actions[i] >= 0:
            step(v, states[i], seats[i], actions[i])
        advance(v, states[i], luck[i])  # where nothing was done, chance may be due in an imagined game


@loop
def masks(variant: Any, states: Any, seats: Any, out: Any, acting: Any, ended: Any, points: Any) -> None:
    """For each game: which actions a seat may do (the next to act, if negative), who is next, whether it is over."""
    v, out = variant[0], lent(out)
    for i in range(len(states)):
        s = states[i]
        acting[i] = next_seat(v, s)
        ended[i] = over(v, s)
        if len(out) > 0:
            mark(v, s, seats[i] if seats[i] >= 0 else acting[i], out[i])
        if len(points) > 0:
            points[i, :] = 0.0
            if ended[i]:
                utilities(v, s, points[i])


@inner
def mark(v: Any, s: Any, seat: int, out: Any) -> None:
    """Write 1 for each action that a seat may do, 0 for the others; all 0 if the seat is negative."""
    out[:] = 0
    if seat >= 0:
        actions = room()
        for j in range(legal(v, s, seat, actions)):
            out[actions[j]] = 1


@loop
def observe(variant: Any, blank: Any, views: Any, states: Any, seats: Any, out: Any) -> None:
    """For each game: what a seat may know, as a learner's vector; 0 where the seat is negative."""
    v, out = variant[0], lent(out)
    for i in range(len(states)):
        write(v, blank, views, states[i], seats[i], out[i])


@loop
def imagine(
    variant: Any, blank: Any, states: Any, luck: Any, seed: Any, world: Any, actions: Any, low: int, high: int
) -> None:
    """Draw worlds low to high - 1 from what is certain, and play them over. Chance goes on where the draw has ended."""
    v, luck = variant[0], lent(luck)
    for i in range(low, high):
        states[i] = blank[0]
        start_luck(luck[i], v.players, seed, i)
        redeal(v, world, luck[i], actions)
        setup(v, states[i])
        for j in range(len(world.by)):
            step(v, states[i], world.by[j], actions[j])


@inner
def write(v: Any, blank: Any, views: Any, s: Any, seat: int, out: Any) -> None:
    """A learner's vector; 0 if the seat is negative."""
    out[:] = 0
    if seat >= 0:
        views[0] = blank[0]
        view(v, s, seat, views[0])
        encode(v, views[0], seat, out)


@inner
def play_others(v: Any, s: Any, luck: Any, seat: int) -> None:
    """Random play of the other seats, until this one may act or the game is over."""
    out = room()
    while True:
        bits = to_act(v, s)
        if bits == 0 or bits >> seat & 1:
            return
        other = nth(bits, 0)
        clear(out)
        n = quick_legal(v, s, other, out)
        step(v, s, other, picked(out, below(luck, 1 + other, n)))
        advance(v, s, luck)


@loop
def learn(
    variant: Any,
    blank: Any,
    states: Any,
    luck: Any,
    seed: Any,
    games: Any,
    stride: int,
    seat: int,
    by_lot: bool,
    actions: Any,
    ended: Any,
    no_view: Any,
    views: Any,
    seen: Any,
    mask: Any,
    acting: Any,
    points: Any,
    reward: Any,
) -> int:
    """In each game the seat acts if its action isn't negative; one that had ended gives way to the next.

    Then, `by_lot`, the others play until the seat may act again; what it sees then is written down. `games` has the
    number of each game; the next one is `stride` further, and those that end before the seat may act are passed over.
    Returns a place in which too many did, or NOBODY.
    """
    v, luck, seen, mask, points = variant[0], lent(luck), lent(seen), lent(mask), lent(points)
    for i in range(len(states)):
        tries = MOST_SKIPPED if ended[i] else 0
        if not ended[i] and actions[i] >= 0:
            step(v, states[i], seat, actions[i])
            advance(v, states[i], luck[i])
        while True:
            if tries > 0:
                games[i] += stride
                start(v, blank, states, luck, seed, games[i], i)
            if by_lot:
                play_others(v, states[i], luck[i], seat)
            if tries == 0 or not over(v, states[i]):
                break
            tries -= 1
            if tries == 0:
                return i
        write(v, no_view, views, states[i], seat, seen[i])
        mark(v, states[i], seat, mask[i])
        acting[i], ended[i], reward[i] = next_seat(v, states[i]), over(v, states[i]), 0.0
        if ended[i]:
            utilities(v, states[i], points)
            reward[i] = points[seat]
    return NOBODY


@inner
def play_out(v: Any, s: Any, luck: Any) -> int:
    """Random play to the end; returns how many decisions it took."""
    decisions, out = 0, room()
    while True:
        n = quick_outcomes(v, s)
        if n > 0:
            quick_step(v, s, CHANCE, quick_draw(v, s, below(luck, 0, n)))
            continue
        bits = quick_to_act(v, s)
        if bits == 0:
            return decisions
        seat = nth(bits, 0)
        clear(out)
        n = quick_legal(v, s, seat, out)
        quick_step(v, s, seat, picked(out, below(luck, 1 + seat, n)))
        decisions += 1


@loop
def finish(variant: Any, states: Any, luck: Any, low: int, high: int) -> int:
    """Play games low to high - 1 on at random, each to its end; returns how many decisions it took."""
    v, luck, decisions = variant[0], lent(luck), 0
    for i in range(low, high):
        decisions += play_out(v, states[i], luck[i])
    return decisions


@loop
def play(
    variant: Any,
    blank: Any,
    state: Any,
    luck: Any,
    seed: Any,
    first: int,
    count: int,
    points: Any,
    sums: Any,
) -> int:
    """Random play of whole games, one after the other in one row; adds each seat's utilities to `sums`."""
    v, luck, decisions = variant[0], lent(luck), 0
    for game in range(first, first + count):
        state[0] = blank[0]
        s = state[0]
        start_luck(luck, v.players, seed, game)
        quick_setup(v, s)
        decisions += play_out(v, s, luck)
        quick_utilities(v, s, points)
        for seat in range(v.players):
            sums[seat] += points[seat]
    return decisions
