"""The row kernels of self-play: choose actions, store their results, compute advantages."""

from math import exp, log
from typing import NamedTuple

from undercut.kernels.jit import hole, hole_value
from undercut.kernels.records import Action, Array
from undercut.play.vector.rows import first_row, row_step

LANES = 32  # of a GPU that share a row of contiguous numbers
lanes: int = hole_value()
MASK_BITS = 62  # of a word, so that it stays above 0


class Decisions(NamedTuple):
    """The decision in every row."""

    masks: Array  # the action mask, MASK_BITS to a word
    chosen: Array  # the output of the action
    chances: Array  # its log probability


class Steps(NamedTuple):
    """The results of every step and row; only the first two exist for the step after the last."""

    values: Array
    seats: Array  # on turn
    learns: Array  # whether that seat is a learner's
    over: Array  # whether the step ended a deal
    rewards: Array  # for each seat


class Terms(NamedTuple):
    """Parameters of the advantages: see `Config`."""

    trail: float
    discount: float
    cost: float


@hole
def output_of(action: Action) -> int: ...


def unpack_rows(words: Array, places: Array, one: float, bits: Array) -> None:
    """Unpack the bits of words as numbers; on a GPU, lanes share a row."""
    lane = first_row() % lanes
    for row in range(first_row() // lanes, len(words), row_step() // lanes):
        for column in range(lane, len(places), lanes):
            place = int(places[column])
            lit = (int(words[row, place >> 6]) >> (place & 63)) & 1
            bits[row, column] = one if lit else 0


def choose_rows(
    logits: Array,
    randoms: Array,
    sharpness: float,
    legal: Array,
    counts: Array,
    actions: Array,
    decisions: Decisions,
) -> None:
    """Sample an action in every row, or take the likeliest if sharpness is 0."""
    masks = decisions.masks
    for i in range(first_row(), len(counts), row_step()):
        count = int(counts[i])
        for word in range(masks.shape[1]):
            masks[i, word] = 0
        if count > 0:
            best, place = -1e30, 0
            for k in range(count):
                output = output_of(int(legal[i, k]))
                masks[i, output // MASK_BITS] |= 1 << (output % MASK_BITS)
                if logits[i, output] > best:
                    best, place = float(logits[i, output]), k
            total = 0.0
            for k in range(count):
                total += exp(float(logits[i, output_of(int(legal[i, k]))]) - best)
            if sharpness > 0:
                mark, passed, place = float(randoms[i]) * total, 0.0, count - 1
                for k in range(count):
                    passed += exp(float(logits[i, output_of(int(legal[i, k]))]) - best)
                    if passed > mark:
                        place = k
                        break
            action = int(legal[i, place])
            actions[i] = action
            decisions.chosen[i] = output_of(action)
            decisions.chances[i] = float(logits[i, output_of(action)]) - best - log(total)


def look_rows(
    matches: Array, seats: Array, seat: Array, learns: Array, before: Array, learners: int
) -> None:
    """Store the seat on turn, whether it is one of the first `learners`, and the scores."""
    for i in range(first_row(), len(seats), row_step()):
        on_turn = int(seats[i])
        seat[i] = on_turn
        learns[i] = 1 if matches[i].agents[on_turn] < learners else 0
        for each in range(before.shape[1]):
            before[i, each] = matches[i].scores[each]


def note_rows(
    ended: Array,
    gained: Array,
    before: Array,
    equity: Array,
    scale: float,
    over: Array,
    points: Array,
    rewards: Array,
) -> None:
    """Store whether a deal ended, and its reward for each seat."""
    seats, last = before.shape[1], len(equity) - 1
    for i in range(first_row(), len(over), row_step()):
        over[i] = 1 if ended[i] > 0 else 0
        for seat in range(seats):
            points[i, seat] = gained[i, seat]
        if ended[i] > 0:
            if last > 0:
                mine, yours = int(before[i, 0]), int(before[i, 1])
                now_mine = min(last, mine + int(gained[i, 0]))
                now_yours = min(last, yours + int(gained[i, 1]))
                worth = scale * (equity[now_mine, now_yours] - equity[mine, yours])
                rewards[i, 0] = worth
                rewards[i, 1] = -worth
            else:
                mean = 0.0
                for seat in range(seats):
                    mean += float(gained[i, seat]) / seats
                for seat in range(seats):
                    rewards[i, seat] = scale * (float(gained[i, seat]) - mean) / 60.0


def judge_rows(
    played: Steps, terms: Terms, scratch: Array, advantages: Array, weights: Array
) -> None:
    """Generalised advantage estimation, from the last step to the first.

    Each seat's choices of a deal form a separate sequence. If the last step interrupts it, its last
    choice has weight 0, as have all choices that are not a learner's. `scratch` has for every seat
    the next value, the trace, the reward, and whether they are known.
    """
    values, seats, over, rewards = played.values, played.seats, played.over, played.rewards
    steps = len(over)
    for i in range(first_row(), len(scratch), row_step()):
        for seat in range(rewards.shape[2]):
            for k in range(4):
                scratch[i, k, seat] = 0.0
        seat = int(seats[steps, i])
        scratch[i, 0, seat] = values[steps, i]
        scratch[i, 3, seat] = 1.0
        for back in range(steps):
            step = steps - 1 - back
            if over[step, i]:
                for each in range(rewards.shape[2]):
                    scratch[i, 0, each] = 0.0
                    scratch[i, 1, each] = 0.0
                    scratch[i, 2, each] = rewards[step, i, each]
                    scratch[i, 3, each] = 1.0
            seat = int(seats[step, i])
            if scratch[i, 3, seat] > 0:
                following = terms.discount * scratch[i, 0, seat]
                better = scratch[i, 2, seat] + following - values[step, i] - terms.cost
                trailing = terms.discount * terms.trail * scratch[i, 1, seat]
                scratch[i, 1, seat] = better + trailing
                advantages[step, i] = scratch[i, 1, seat]
                weights[step, i] = played.learns[step, i]
            else:
                advantages[step, i] = 0.0
                weights[step, i] = 0
            scratch[i, 0, seat] = values[step, i]
            scratch[i, 2, seat] = 0.0
            scratch[i, 3, seat] = 1.0
