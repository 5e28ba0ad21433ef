"""The row kernels of self-play against slow twins."""

from math import exp, log
from typing import Any

import numpy as np
import pytest

from undercut.games.families import parse_game
from undercut.learn.selfplay.arena import Device, Kernels
from undercut.learn.selfplay.kernels import MASK_BITS, Decisions, Steps, Terms

KERNELS = Kernels(parse_game("gin"), Device("cpu"))


def _judged(
    values: Any,
    last: Any,
    seats: Any,
    over: Any,
    rewards: Any,
    trail: float,
    discount: float,
    cost: float,
) -> Any:
    """Each seat's choices of a deal as a list, from the last one back."""
    steps, rows = values.shape
    advantages, weights = np.zeros((steps, rows)), np.ones((steps, rows))
    for row in range(rows):
        for seat in range(rewards.shape[2]):
            deals: list[list[Any]] = [[]]
            for step in range(steps):
                if seats[step, row] == seat:
                    deals[-1].append(step)
                if over[step, row]:
                    deals[-1].append(("end", rewards[step, row, seat]))
                    deals.append([])
            for deal in deals:
                ended = bool(deal) and isinstance(deal[-1], tuple)
                own = [each for each in deal if not isinstance(each, tuple)]
                following, paid = 0.0, 0.0
                known = ended
                if ended:
                    paid = deal[-1][1]
                elif last[1][row] == seat:
                    following, known = last[0][row], True
                trailing = 0.0
                for step in reversed(own):
                    if known:
                        better = paid + discount * following - values[step, row] - cost
                        trailing = better + discount * trail * trailing
                        advantages[step, row] = trailing
                    else:
                        weights[step, row] = 0
                    following, paid, known = values[step, row], 0.0, True
    return advantages, weights


@pytest.mark.parametrize("seat_count", [2, 3])
def test_looking_back(seat_count: int) -> None:
    random = np.random.default_rng(3)
    steps, rows = 12, 40
    values = random.normal(size=(steps + 1, rows)).astype(np.float32)
    seats = random.integers(seat_count, size=(steps + 1, rows)).astype(np.int8)
    over = (random.random((steps, rows)) < 0.2).astype(np.int8)
    rewards = random.normal(size=(steps, rows, seat_count)).astype(np.float32)
    scratch = np.zeros((rows, 4, seat_count), dtype=np.float32)
    advantages = np.zeros((steps, rows), dtype=np.float32)
    learns = (random.random((steps, rows)) < 0.7).astype(np.int8)
    weights = np.full((steps, rows), 9, dtype=np.int8)
    played = Steps(values, seats, learns, over, rewards)
    KERNELS.judge(rows, played, Terms(0.9, 0.8, 0.3), scratch, advantages, weights)
    last = (values[steps], seats[steps])
    wanted, known = _judged(values[:steps], last, seats, over, rewards, 0.9, 0.8, 0.3)
    assert np.allclose(advantages, wanted, atol=1e-4)
    assert (weights == known * learns).all()


def test_choosing() -> None:
    random = np.random.default_rng(4)
    rows, outputs = 4000, 106
    logits = random.normal(size=(1, outputs)).astype(np.float32).repeat(rows, axis=0)
    legal = np.zeros((rows, 128), dtype=np.int64)
    legal[:, :4] = (3, 17, 60, 104)
    counts = np.full(rows, 4, dtype=np.int64)
    counts[0] = 0
    actions, chosen = np.zeros((2, rows), dtype=np.int64)
    masks = np.ones((rows, 2), dtype=np.int64)
    chances = np.zeros(rows, dtype=np.float32)
    randoms = random.random(rows).astype(np.float32)
    rest = (legal, counts, actions, Decisions(masks, chosen, chances))
    KERNELS.choose(rows, logits, randoms, 1.0, *rest)
    bits = {
        word * MASK_BITS + bit
        for word in range(2)
        for bit in range(62)
        if masks[1, word] >> bit & 1
    }
    assert bits == {3, 17, 60, 104}
    total = sum(exp(float(logits[0, k])) for k in (3, 17, 60, 104))
    for action in (3, 17, 60, 104):
        share = exp(float(logits[0, action])) / total
        found = actions[1:] == action
        assert found.mean() == pytest.approx(share, abs=0.03)
        assert chances[1:][found] == pytest.approx(log(share), abs=1e-4)
    KERNELS.choose(rows, logits, randoms, 0.0, *rest)
    assert set(actions[1:]) == {max((3, 17, 60, 104), key=lambda k: logits[0, k])}


def test_what_a_deal_is_worth() -> None:
    ended, gained = np.array([0, 1, 1]), np.array([[0, 0], [30, 0], [0, 0]])
    before = np.array([[0, 0], [80, 50], [80, 50]], dtype=np.int32)
    equity = np.zeros((121, 121), dtype=np.float32)
    equity[80, 50], equity[110, 50] = 0.75, 1.0
    over, points = np.zeros(3, dtype=np.int8), np.zeros((3, 2), dtype=np.int16)
    rewards = np.zeros((3, 2), dtype=np.float32)
    KERNELS.note(3, ended, gained, before, equity, 2.0, over, points, rewards)
    assert over.tolist() == [0, 1, 1]
    assert rewards.tolist() == [[0, 0], [0.5, -0.5], [0, 0]]
    nothing = np.zeros((1, 1), dtype=np.float32)
    KERNELS.note(3, ended, gained, before, nothing, 2.0, over, points, rewards)
    assert rewards[1].tolist() == [0.5, -0.5], "points are worth a sixtieth"
