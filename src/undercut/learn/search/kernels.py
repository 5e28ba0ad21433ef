"""The row kernels of many searches at once: a row is a rollout.

They are those of players/search/rollouts.py in steps. A network decides for all rows in between.
"""

import math
from typing import NamedTuple

from undercut.cards.french import NONE
from undercut.games.rules.holes import apply, is_over, observe, score
from undercut.games.rules.holes import legal as list_legal
from undercut.kernels import rng
from undercut.kernels.jit import hole
from undercut.kernels.records import Action, Array, Buffer, Options, Records, Settings
from undercut.play.agent import Turn
from undercut.play.vector.rows import first_row, row_step
from undercut.players.policy.kernel import is_asked, output_of, rest
from undercut.players.search.rollouts import (
    CUT,
    ENDING,
    MILLION,
    VALUE,
    complete,
    ending,
    give_hands,
    write_end,
)


class Rollouts(NamedTuple):
    """The rows of a batch of rollouts."""

    states: Records
    views: Records
    generators: Records
    legal: Buffer
    counts: Buffer  # of legal actions at the network's decision; 0: the rollout is over
    actions: Buffer  # to be played; NONE: none
    left: Buffer  # the network's decisions before the rollout is cut
    seats: Buffer  # of the searcher
    gained: Buffer  # the points of each seat
    settings: Records  # the temperature of the network
    workspace: Buffer  # of `rest`
    found: Buffer  # FIELDS numbers


def draw_rows(seeds: Buffer, generators: Records, words: Buffer) -> None:
    """Fill each row with the random words of a seed."""
    for i in range(first_row(), len(words), row_step()):
        rng.start(generators[i], int(seeds[i]))
        rng.fill(generators[i], words[i])


def deal_rows(
    views: Records,
    options: Records,
    seeds: Buffer,
    numbers: Buffer,
    hands: Array,
    generators: Records,
    states: Records,
) -> None:
    """Determinize each view, several rows in a row for one of them, and give the sampled hands."""
    each = len(states) // len(views)
    for i in range(first_row(), len(states), row_step()):
        view = views[i // each]
        rng.start(generators[i], rng.derive(int(seeds[i // each]), 0, int(numbers[i % each]), 0))
        complete(view, options[0], generators[i], states[i])
        give_hands(states[i], int(view.me), hands[i])


def begin_rows(
    dealt: Records, parents: Buffer, moves: Buffer, seeds: Buffer, numbers: Buffer, rows: Rollouts
) -> None:
    """A determinization for each row, and the move that is tried on it."""
    for i in range(first_row(), len(moves), row_step()):
        rows.states[i] = dealt[int(parents[i])]
        rng.start(rows.generators[i], rng.derive(int(seeds[i]), 1, int(numbers[i]), 0))
        rows.seats[i] = int(rows.states[i].seat)
        rows.actions[i] = moves[i]
        for field in range(rows.found.shape[1]):
            rows.found[i, field] = 0


def play_rows(options: Records, rows: Rollouts) -> None:
    """Play the action of every row, and on to the network's next decision or the end of the deal."""
    for i in range(first_row(), len(rows.actions), row_step()):
        action, count, is_done = int(rows.actions[i]), 0, rows.actions[i] == NONE
        state, view, legal = rows.states[i], rows.views[i], rows.legal[i]
        while not is_done:
            apply(state, options[0], action)
            is_done = is_over(state)
            if is_done:
                score(state, options[0], rows.gained[i])
                way = ending(state, options[0], int(rows.seats[i]), rows.gained[i])
                write_end(rows.gained[i], int(rows.seats[i]), way, rows.found[i])
            else:
                count = list_legal(state, options[0], legal)
                action = int(legal[0])
                if count > 1:
                    observe(state, options[0], int(state.seat), view)
                    is_done = is_asked(view, 0)
                    if not is_done:
                        spare = rows.workspace[i]
                        turn = Turn(
                            legal[:count], options[0], rows.settings[0], rows.generators[i], spare
                        )
                        action = int(rest(view, turn))
                        count = 0
                else:
                    count = 0
        rows.counts[i] = count


@hole
def pick(turn: Turn[Options, Settings], answers: Array) -> Action: ...


def choose_rows(options: Records, logits: Array, value_at: int, rows: Rollouts) -> None:
    """The network's action in every row; a row that has come to its depth gets its value."""
    seats = rows.gained.shape[1]
    for i in range(first_row(), len(rows.counts), row_step()):
        count, action = int(rows.counts[i]), NONE
        is_mine = rows.states[i].seat == rows.seats[i]
        if count > 0 and rows.left[i] <= 0 and (is_mine or seats == 2):
            sign = 1.0 if is_mine else -1.0
            rows.found[i, VALUE] = math.floor(sign * float(logits[i, value_at]) * MILLION + 0.5)
            rows.found[i, ENDING] = CUT
        elif count > 0:
            rows.left[i] -= 1
            allowed, spare = rows.legal[i, :count], rows.workspace[i]
            turn = Turn(allowed, options[0], rows.settings[0], rows.generators[i], spare)
            action = int(pick(turn, logits[i]))
        rows.actions[i] = action


def pick_rows(
    logits: Array,
    legal: Buffer,
    counts: Buffer,
    options: Records,
    settings: Records,
    generators: Records,
    actions: Buffer,
    chances: Array,
) -> None:
    """The guide's move in every row, and the chance of each legal action under its policy."""
    for i in range(first_row(), len(counts), row_step()):
        count = int(counts[i])
        allowed = legal[i, :count]
        turn = Turn(allowed, options[0], settings[0], generators[i], allowed)
        actions[i] = pick(turn, logits[i])
        best, total = -math.inf, 0.0
        for place in range(count):
            best = max(best, float(logits[i, output_of(int(allowed[place]))]))
        for place in range(count):
            chances[i, place] = math.exp(float(logits[i, output_of(int(allowed[place]))]) - best)
            total += chances[i, place]
        for place in range(count):
            chances[i, place] /= total
