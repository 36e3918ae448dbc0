"""Learn Darwin's Dice from nothing but play, and beat the bot `simple`: masked PPO by self-play, in NumPy alone.

`python docs/guides/learn.py --minutes 10 --players 2 --seed 1 --out docs/pictures/learning.svg`

docs/guides/learning.md tells how it goes. It needs the extra `fast`. The method is that of Schulman et al., Proximal
Policy Optimization Algorithms (2017), and High-Dimensional Continuous Control Using Generalized Advantage Estimation
(2015). Shapes: n rows are decisions, one of one seat; a network's layers are (n, size of the layer).
"""

import argparse
import math
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy comes: products this small wait for a second thread

import numpy as np
import numpy.typing as npt

from kubli.batch import Batch
from kubli.bots import BOTS
from kubli.games.darwin_worlds import OBSERVATION
from kubli.games.kit import Luck
from kubli.play.chance import Seeded
from kubli.play.summary import mean, share
from kubli.play.table import Table

__all__ = ["Net", "Samples", "gains", "learn", "main", "measure", "picture"]

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Point = tuple[float, float, float, float]
"""On the curve: after how many minutes, the mean utility in a game, and from where to where its 95 % interval is."""

GAME, KINDS, TRUMPS = "darwins-dice", 35, 24
WIDTH = {part.name: part.size for part in OBSERVATION}
FIRST = dict(zip(WIDTH, np.cumsum([0, *WIDTH.values()]).tolist(), strict=False))  # where each part begins
USED = {"trump": 1, "flight": 1, "hand": 1, "seen": 1, "pile": 20, "tricks": 10}  # and what brings it to about 0 to 1
OUT, TRUMP, VALUE = KINDS + 2, KINDS, KINDS + 1  # a score for each kind, one more for the trump, and the seat's value

GAMES, HIDDEN = 512, 128  # played between two updates; size of both hidden layers
POINTS = 10.0  # so many points are a reward of 1
LAMBDA, CLIP, ENTROPY, PASSES, ROWS = 0.8, 0.2, 0.01, 2, 4096
RATE, SLOWER = 1e-3, 100  # Adam's rate at first; after so many updates it is half
CURVE_GAMES, LAST_GAMES, EVALUATION = 100, 400, 2**32  # measured at a point of the curve; at the end; from which seed


# --- What is seen, and a network that scores it -----------------------------------------------------------------------


def part(seen: npt.NDArray[np.int16], name: str) -> npt.NDArray[np.int16]:
    """One part of learners' vectors (docs/guides/observations.md)."""
    return seen[:, FIRST[name] : FIRST[name] + WIDTH[name]]


def inputs(seen: npt.NDArray[np.int16]) -> Floats:
    """What the network is given: the trump first."""
    return np.concatenate([part(seen, name) / np.float32(scale) for name, scale in USED.items()], axis=1)


def standing(seen: npt.NDArray[np.int16], players: int) -> npt.NDArray[np.float64]:
    """A seat's points, safe or in its pile, less the mean of all: at the end that is its utility (DD-20)."""
    points = part(seen, "pile")[:, :players] + part(seen, "score")[:, :players]
    own: npt.NDArray[np.float64] = points[:, 0] - points.mean(axis=1)
    return own


class Net:
    """Two hidden layers of rectified sums, with Adam's memory of each weight."""

    def __init__(self, rng: np.random.Generator) -> None:
        sizes = [sum(WIDTH[name] for name in USED), HIDDEN, HIDDEN, OUT]
        scales = [math.sqrt(2 / sizes[0]), math.sqrt(2 / HIDDEN), 0.01 / math.sqrt(HIDDEN)]  # at first all cards alike
        shapes = list(zip(sizes, sizes[1:], scales, strict=False))
        self.weights = [(rng.standard_normal((a, b)) * scale).astype(np.float32) for a, b, scale in shapes]
        self.weights += [np.zeros(b, np.float32) for b in sizes[1:]]
        self.drift, self.square = [[np.zeros_like(one) for one in self.weights] for _ in range(2)]
        self.updates = 0

    def layers(self, x: Floats) -> list[Floats]:
        """The input and all layers after it."""
        w, found = self.weights, [x]
        for i in range(3):
            x = x @ w[i] + w[3 + i]
            x = np.maximum(x, 0) if i < 2 else x
            found.append(x)
        return found

    def descend(self, layers: list[Floats], slope: Floats, rate: float) -> None:
        """One step of Adam, given the loss's slope at the last layer; steep ones are cut to length 0.5."""
        slopes = self.weights[:]
        for i in (2, 1, 0):
            slopes[i], slopes[3 + i] = layers[i].T @ slope, slope.sum(axis=0)
            slope = (slope @ self.weights[i].T) * (layers[i] > 0)
        steep = math.sqrt(sum(float((one * one).sum()) for one in slopes))
        self.updates += 1
        for weight, drift, square, one in zip(self.weights, self.drift, self.square, slopes, strict=True):
            cut = one * min(1.0, 0.5 / (steep + 1e-8))
            drift += 0.1 * (cut - drift)
            square += 0.001 * (cut * cut - square)
            root = np.sqrt(square / (1 - 0.999**self.updates)) + 1e-5
            weight -= rate * drift / (1 - 0.9**self.updates) / root


def logs(out: Floats, x: Floats, mask: Bools) -> Floats:
    """(n, KINDS) the logarithm of each card's probability; very low for cards that are not in hand."""
    scores = out[:, :KINDS].copy()
    scores[:, :TRUMPS] += x[:, :TRUMPS] * out[:, TRUMP, None]
    scores = np.where(mask, scores, np.float32(-1e9))
    scores -= scores.max(axis=1, keepdims=True)
    found: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return found


# --- Play, and what was good in it ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Samples:
    """Decisions, n of them: what was seen, what was allowed, what was chosen and how likely, and how it turned out."""

    x: Floats
    mask: Bools
    card: Ints
    log: Floats
    gain: Floats  # better than expected by so much
    value: Floats  # of the seat, as it turned out


def play(net: Net, batch: Batch, rng: np.random.Generator) -> Samples:
    """All games of a batch to the end, the network in every seat. All games at one table have as many tricks."""
    seats = [np.full(batch.size, seat) for seat in range(batch.players)]
    rows, stood = [], []
    while not batch.over.all():
        seen, mask = np.concatenate([batch.observe(one) for one in seats]), np.concatenate([*map(batch.mask, seats)])
        x = inputs(seen)
        out = net.layers(x)[-1]
        log = logs(out, x, mask)
        card = (log + rng.gumbel(size=log.shape)).argmax(axis=1)  # draws each card as often as its probability says
        for one, chosen in zip(seats, np.split(card, batch.players), strict=True):
            batch.step(chosen, one)
        rows.append((x, mask, card, log[np.arange(len(card)), card], out[:, VALUE]))
        stood.append(standing(seen, batch.players))
    rewards = np.diff([*stood, batch.utilities().T.ravel()], axis=0) / POINTS
    x, mask, card, log, value = (np.stack(one) for one in zip(*rows, strict=True))
    gain = gains(rewards.astype(np.float32), value)
    columns: list[Any] = [x, mask, card, log, gain, gain + value]
    return Samples(*(one.reshape(-1, *one.shape[2:]) for one in columns))


def gains(rewards: Floats, values: Floats) -> Floats:
    """Generalized advantages, undiscounted: (tricks, n) rewards and values as expected to (tricks, n)."""
    found, later, value = np.zeros_like(rewards), np.zeros_like(rewards[0]), np.zeros_like(rewards[0])
    for trick in range(len(rewards) - 1, -1, -1):
        later = rewards[trick] + value - values[trick] + LAMBDA * later
        found[trick], value = later, values[trick]
    return found


def slope_of(out: Floats, part: Samples) -> Floats:
    """The slope of PPO's loss at the last layer: clipped gain, entropy, the value's squared error."""
    log, rows = logs(out, part.x, part.mask), np.arange(len(out))
    share = np.exp(log)
    ratio = np.exp(log[rows, part.card] - part.log)
    clipped = np.where(part.gain > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
    pull = np.where(clipped, 0, part.gain * ratio)[:, None]
    surprise = np.where(part.mask, log, 0)
    cards = share * (pull + ENTROPY * (surprise - (share * surprise).sum(axis=1, keepdims=True)))
    cards[rows, part.card] -= pull[:, 0]
    slope = np.empty_like(out)
    slope[:, :KINDS], slope[:, TRUMP] = cards, (cards[:, :TRUMPS] * part.x[:, :TRUMPS]).sum(axis=1)
    slope[:, VALUE] = 0.5 * (out[:, VALUE] - part.value)
    slope /= len(out)
    return slope


def improve(net: Net, samples: Samples, rate: float, rng: np.random.Generator) -> None:
    """Some passes over what was played, in parts of ROWS decisions."""
    samples.gain = (samples.gain - samples.gain.mean()) / samples.gain.std()
    fields = [getattr(samples, name) for name in Samples.__slots__]
    for _ in range(PASSES):
        order = rng.permutation(len(samples.x))
        for first in range(0, len(order) - ROWS + 1, ROWS):
            chosen = Samples(*(one[order[first : first + ROWS]] for one in fields))
            layers = net.layers(chosen.x)
            net.descend(layers, slope_of(layers[-1], chosen), rate)


def learn(players: int, seed: int) -> Iterator[Net]:
    """The network as it is at first, and then after each update, for as long as somebody asks; always the same one."""
    rng = np.random.default_rng(seed)
    net, batch = Net(rng), Batch(GAME, players, GAMES, seed)
    for update in range(1 << 40):
        yield net
        batch.reset(update * GAMES)
        improve(net, play(net, batch, rng), RATE / (1 + update / SLOWER), rng)


# --- How good it is ---------------------------------------------------------------------------------------------------


def best_card(net: Net, table: Table, seat: int) -> int:
    """The likeliest card, by what the seat may know and do."""
    mask = np.zeros((1, KINDS), np.bool_)
    mask[0, table.actions(seat)] = True
    x = inputs(np.array([table.observation(seat)], np.int16))
    return int(logs(net.layers(x)[-1], x, mask).argmax())


def measure(net: Net, players: int, games: int, bot: str = "simple") -> tuple[list[float], list[float]]:
    """The network in whole games against this bot in all other seats, its own seat going round.

    Returns:
        Its utility in each game, and its part of the win: 1, 0, or less than 1 if it is shared.
    """
    tables, utilities, wins = Table(GAME, players), list[float](), list[float]()
    for game in range(games):
        own, table = game % players, tables.anew(Seeded(EVALUATION, game))
        result = against(net, own, table, bot, [Luck(EVALUATION, game, seat) for seat in range(players)])
        utilities.append(result["utilities"][own])
        wins.append((own in result["winners"]) / len(result["winners"]))
    return utilities, wins


def against(net: Net, own: int, table: Table, bot: str, luck: list[Luck]) -> dict[str, Any]:
    """The result of one game with the network in one seat and the bot in all others."""
    table.advance()
    while not table.over:
        seat = table.to_act[0]
        if seat == own:
            table.do(seat, best_card(net, table, seat))
            table.advance()
        else:
            event, _ = BOTS[bot](table.seen(seat), table.told(seat), table.legal(seat), luck[seat], 0.0)
            table.act(seat, event)
    return table.result or {}


def report(net: Net, players: int, games: int, bot: str) -> str:
    """A line on how it does against a bot, with 95 % intervals."""
    utilities, wins = measure(net, players, games, bot)
    won, least, most = share(sum(wins), games)
    gain, low, high = mean(utilities)
    shares, gains = f"{won:.1%} [{least:.1%}, {most:.1%}]", f"{gain:+.1f} [{low:+.1f}, {high:+.1f}]"
    return f"against {bot}, {games} games: wins {shares}, utility {gains}"


# --- The curve --------------------------------------------------------------------------------------------------------

STYLE = """
.back{fill:#fff} .ink{fill:#24292f} .line{stroke:#0969da;fill:none;stroke-width:2} .band{fill:#0969da;opacity:.2}
.grid{stroke:#8c959f;stroke-width:.5} .zero{stroke:#24292f} text{font:13px sans-serif}
@media (prefers-color-scheme:dark){.back{fill:#0d1117} .ink{fill:#e6edf3} .line{stroke:#58a6ff} .band{fill:#58a6ff}
.zero{stroke:#e6edf3}}
"""


def picture(curve: list[Point], title: str) -> str:
    """The curve as SVG, with its interval as a band; it keeps to the reader's light or dark."""
    least = min(-40, *(10 * math.floor(low / 10) for _, _, low, _ in curve))
    most = max(20, *(10 * math.ceil(high / 10) for _, _, _, high in curve))
    last = max(minutes for minutes, *_ in curve)

    def x(minutes: float) -> str:
        return f"{60 + 560 * minutes / last:.1f}"

    def y(points: float) -> str:
        return f"{330 - 270 * (points - least) / (most - least):.1f}"

    def text(where: str, words: str) -> str:
        return f'<text class="ink" {where}>{words}</text>'

    found = ['<rect class="back" width="640" height="380"/>', text('x="60" y="24"', title)]
    found.append(
        text('x="60" y="44"', "utility in a game: points above the mean of all; the band is the 95 % interval")
    )
    for points in range(least, most + 1, 10):
        found.append(f'<path class="{"grid" if points else "zero"}" d="M60 {y(points)}H620"/>')
        found.append(text(f'x="50" y="{y(points)}" dy="4" text-anchor="end"', f"{points:+d}" if points else "0"))
    for fifth in range(6):
        minutes = last * fifth / 5
        found.append(text(f'x="{x(minutes)}" y="350" text-anchor="middle"', f"{minutes:.1f}"))
    found.append(text('x="340" y="372" text-anchor="middle"', "minutes by the clock"))
    band = [f"{x(t)},{y(high)}" for t, _, _, high in curve] + [f"{x(t)},{y(low)}" for t, _, low, _ in curve[::-1]]
    found.append(f'<polygon class="band" points="{" ".join(band)}"/>')
    found.append(f'<polyline class="line" points="{" ".join(f"{x(t)},{y(middle)}" for t, middle, _, _ in curve)}"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 380" role="img" aria-label="{title}">'
    return "\n".join([head, f"<style>{STYLE}</style>", *found, "</svg>\n"])


def main() -> None:
    """Learn for a while and tell how good it became; all of it takes about as many minutes as are asked for."""
    parser = argparse.ArgumentParser(description="Learn Darwin's Dice by self-play.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to draw the curve, as SVG")
    given = parser.parse_args()
    began, curve, due = time.monotonic(), list[Point](), 0.0
    for update, net in enumerate(learn(given.players, given.seed)):
        minutes = (time.monotonic() - began) / 60
        done = minutes >= 0.9 * given.minutes  # the rest is for the last games
        if done or update >= due:
            due = max(4.0, 1.5 * update)  # it learns most at first
            gain, low, high = mean(measure(net, given.players, CURVE_GAMES)[0])
            curve.append((minutes, gain, low, high))
            print(f"{minutes:.1f} min, {update * GAMES} games: {gain:+.1f} [{low:+.1f}, {high:+.1f}]", flush=True)
        if done:
            break
    for bot, games in (("simple", LAST_GAMES), ("random", CURVE_GAMES)):
        print(report(net, given.players, games, bot), flush=True)
    print(f"{(time.monotonic() - began) / 60:.1f} min by the clock, {time.process_time() / 60:.1f} on processors")
    if given.out:
        title = f"Darwin's Dice, {given.players} players: self-play against simple"
        given.out.write_text(picture(curve, title), encoding="utf-8")


if __name__ == "__main__":
    main()
