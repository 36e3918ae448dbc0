"""The guide's learner: its slopes are right, it learns in a minute, and its command draws the curve."""

import itertools
import math
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import learn
from kubli.batch import Batch
from kubli.play.summary import mean

HAND, PLAYERS, INPUTS = 9, 2, sum(learn.WIDTH[name] for name in learn.USED)


def samples(rng: np.random.Generator, rows: int) -> tuple[learn.Samples, learn.Floats]:
    """Decisions made up, with hands of some cards, and the last layer's numbers for them."""
    x = np.zeros((rows, INPUTS), np.float32)
    mask = np.zeros((rows, learn.KINDS), np.bool_)
    card = np.zeros(rows, np.int64)
    for row in range(rows):
        x[row, rng.integers(learn.TRUMPS)] = 1
        hand = rng.choice(learn.KINDS, HAND, replace=False)
        mask[row, hand], card[row] = True, hand[0]
    out = rng.standard_normal((rows, learn.OUT)).astype(np.float32)
    old = learn.logs(out, x, mask)[np.arange(rows), card] + rng.normal(0, 0.3, rows).astype(np.float32)
    gain, value = rng.standard_normal((2, rows)).astype(np.float32)
    return learn.Samples(x, mask, card, old, gain, value), out


def loss(out: learn.Floats, given: learn.Samples) -> float:
    """PPO's loss as the paper writes it, row by row in floats of 64 bits."""
    total = 0.0
    for row, numbers in enumerate(out.astype(float).tolist()):
        trump = int(given.x[row, : learn.TRUMPS].argmax())
        scores = {
            kind: numbers[kind] + (kind == trump) * numbers[learn.TRUMP] for kind in np.flatnonzero(given.mask[row])
        }
        every = math.fsum(map(math.exp, scores.values()))
        shares = {kind: math.exp(score) / every for kind, score in scores.items()}
        gain = float(given.gain[row])
        ratio = shares[given.card[row]] / math.exp(given.log[row])
        total -= min(ratio * gain, min(max(ratio, 1 - learn.CLIP), 1 + learn.CLIP) * gain)
        total += learn.ENTROPY * math.fsum(share * math.log(share) for share in shares.values())
        total += 0.25 * (numbers[learn.VALUE] - float(given.value[row])) ** 2
    return total / len(out)


def test_the_slope_is_that_of_the_loss() -> None:
    given, out = samples(np.random.default_rng(3), 24)
    found, step, clipped = learn.slope_of(out, given), 2.0**-10, 0
    for row, number in itertools.product(range(len(out)), range(learn.OUT)):
        low, high = out.copy(), out.copy()
        low[row, number] -= step
        high[row, number] += step
        measured = (loss(high, given) - loss(low, given)) / float(high[row, number] - low[row, number])
        assert found[row, number] == pytest.approx(measured, abs=2e-4)
        clipped += measured == 0
    assert 0 < clipped < out.size


def test_the_slopes_of_the_weights() -> None:
    rng = np.random.default_rng(4)
    net, x = learn.Net(rng), rng.standard_normal((5, INPUTS)).astype(np.float32)
    net.weights[2] *= 100  # at first it is next to nothing
    pull = 1e-4 * rng.standard_normal((5, learn.OUT)).astype(np.float32)  # so weak that nothing is cut
    net.descend(net.layers(x), pull, 0.0)
    for weight, drift in zip(net.weights, net.drift, strict=True):
        place, found = np.unravel_index(np.abs(drift).argmax(), drift.shape), []
        kept = weight[place]
        for moved in (kept + np.float32(0.001), kept - np.float32(0.001)):
            weight[place] = moved
            found.append(float((net.layers(x)[-1].astype(float) * pull).sum()))
        weight[place] = kept
        assert 10 * drift[place] == pytest.approx((found[0] - found[1]) / 0.002, rel=0.02)


def test_a_step_goes_down() -> None:
    net, x = learn.Net(np.random.default_rng(4)), np.ones((1, INPUTS), np.float32)
    before = net.layers(x)[-1][0, learn.VALUE]
    slope = np.zeros((1, learn.OUT), np.float32)
    slope[0, learn.VALUE] = 1
    net.descend(net.layers(x), slope, 1e-3)
    assert net.layers(x)[-1][0, learn.VALUE] < before


def test_gains_are_sums_of_surprises() -> None:
    rng = np.random.default_rng(5)
    rewards, values = rng.standard_normal((2, 6, 3)).astype(np.float32)
    surprises = rewards + np.vstack([values[1:], np.zeros((1, 3), np.float32)]) - values
    for trick in range(6):
        expected = sum(learn.LAMBDA**k * surprises[trick + k] for k in range(6 - trick))
        assert learn.gains(rewards, values)[trick] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rewards_add_up_to_the_utility(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "LAMBDA", 1.0)
    net, batch = learn.Net(np.random.default_rng(6)), Batch(learn.GAME, players, 8, 1)
    for weight in net.weights:
        weight[:] = 0  # nothing is expected, so all is gain
    played = learn.play(net, batch, np.random.default_rng(7))
    first = played.gain.reshape(-1, players, 8)[0]
    assert len(played.gain) == batch.variant.cards * batch.variant.rounds * players * 8
    assert first * learn.POINTS == pytest.approx(batch.utilities().T, abs=1e-3)
    assert played.mask[np.arange(len(played.card)), played.card].all()


def test_it_beats_simple_after_a_minute() -> None:
    net = next(itertools.islice(learn.learn(PLAYERS, 1), 48, None))
    _, by_lot, _ = mean(learn.measure(net, PLAYERS, 60, "random")[0])
    _, simple, _ = mean(learn.measure(net, PLAYERS, 100)[0])
    assert by_lot > 20  # the least of the interval; who plays by lot gains 0
    assert simple > 0  # and loses 36 against simple


def test_the_command_draws_its_curve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learn, "CURVE_GAMES", 4)
    monkeypatch.setattr(learn, "LAST_GAMES", 6)
    out = tmp_path / "curve.svg"
    monkeypatch.setattr(sys, "argv", ["learn.py", "--minutes", "0.05", "--players", "3", "--out", str(out)])
    learn.main()
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("0.0 min, 0 games: ")
    assert [line.split(":")[0] for line in said[-3:-1]] == ["against simple, 6 games", "against random, 4 games"]
    picture = ET.fromstring(out.read_text())
    line = next(one for one in picture if one.get("class") == "line")
    assert len(line.attrib["points"].split()) == len(said) - 3
