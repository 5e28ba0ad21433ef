"""The row kernels of self-play against slow twins."""

from math import exp, log
from typing import Any

import numpy as np
import pytest

from undercut.games.families import parse_game
from undercut.kernels.records import new
from undercut.learn.selfplay.arena import Device, Kernels
from undercut.learn.selfplay.kernels import MASK_BITS, Decisions, Steps, Terms
from undercut.play.series import MATCH

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


def test_worth_is_bounded_by_the_end_of_a_match_and_points_by_the_mean_of_all() -> None:
    """A match is over at the last score; three seats share what is taken from the best."""
    ended, gained = np.array([1, 2]), np.array([[30, 0], [0, 90]])
    before = np.array([[80, 50], [10, 20]], dtype=np.int32)
    equity = np.arange(101 * 101, dtype=np.float32).reshape(101, 101)
    over, points = np.zeros(2, dtype=np.int8), np.zeros((2, 2), dtype=np.int16)
    rewards = np.zeros((2, 2), dtype=np.float32)
    KERNELS.note(2, ended, gained, before, equity, 0.5, over, points, rewards)
    first = 0.5 * (equity[100, 50] - equity[80, 50])
    second = 0.5 * (equity[10, 100] - equity[10, 20])
    assert rewards.tolist() == [[first, -first], [second, -second]]
    assert points.tolist() == gained.tolist()
    assert over.tolist() == [1, 1]
    three, nothing = np.array([[6, 0, 30]]), np.zeros((1, 1), dtype=np.float32)
    rewards, points = np.zeros((1, 3), dtype=np.float32), np.zeros((1, 3), dtype=np.int16)
    KERNELS.note(
        1, np.array([1]), three, np.zeros((1, 3), np.int32), nothing, 6.0, over, points, rewards
    )
    assert rewards[0] == pytest.approx([6 * (6 - 12) / 60, 6 * -12 / 60, 6 * 18 / 60])
    assert points.tolist() == three.tolist()


def test_bits_are_those_of_their_places() -> None:
    random = np.random.default_rng(6)
    words = random.integers(1 << 62, size=(5, 3))
    places = np.array([0, 5, 61, 64, 70, 128, 189])
    bits = np.full((5, len(places)), 9.0, dtype=np.float32)
    KERNELS.unpack(bits.size, words, places, np.float32(1), bits)
    slow = [[float(int(row[place // 64]) >> place % 64 & 1) for place in places] for row in words]
    assert bits.tolist() == slow
    assert 0 < bits.mean() < 1


def test_whose_turn_it_is_and_the_scores_before() -> None:
    matches = new(MATCH, 3)
    seats = np.array([0, 1, 1], dtype=np.int64)
    for row, (agents, scores) in enumerate((([0, 1], [3, 4]), ([0, 1], [5, 6]), ([1, 0], [7, 8]))):
        matches[row].agents[:2] = agents
        matches[row].scores[:2] = scores
    for learners, wanted in ((1, [1, 0, 1]), (2, [1, 1, 1])):
        on_turn, learns = (np.full(3, 9, dtype=np.int8) for _ in range(2))
        before = np.zeros((3, 2), dtype=np.int32)
        KERNELS.look(3, matches, seats, on_turn, learns, before, learners)
        assert on_turn.tolist() == [0, 1, 1]
        assert learns.tolist() == wanted
        assert before.tolist() == [[3, 4], [5, 6], [7, 8]]
