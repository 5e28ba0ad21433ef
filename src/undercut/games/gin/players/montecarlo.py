"""Determinized Monte Carlo: every candidate move is tried on the same sampled deals.

The player samples many determinizations. On each it tries every candidate move, followed by a
rollout: `patient` plays for itself, `simple` for the other player. It deviates from patient's move
only if another one is significantly better.
"""

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np

from undercut.cards.french import NONE, lowest, size
from undercut.cards.melds import deadwood, deadwood_without, in_melds
from undercut.games.gin.players import simple
from undercut.games.gin.players.strategy import worlds
from undercut.games.gin.players.strategy.worlds import DEAL, PLAYERS, deal_world, try_move
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel, meet
from undercut.kernels.records import Action, Buffer, Record, record_in, words_for
from undercut.play.agent import Items, Parts, Team, Turn
from undercut.players.entry import Entry
from undercut.text.spec import Option

Task: TypeAlias = Record  # of the layout TASK


class Settings(NamedTuple):
    """The number of samples, the required significance and the rollout players."""

    samples: Annotated[int, Option(1, 10_000, "deals that each move is tried on")] = 256
    gate: Annotated[
        float, Option(0.0, 10.0, "standard errors by which a move must lead the plain player's")
    ] = 2.0
    width: Annotated[int, Option(1, 11, "discards weighed, those that leave least deadwood")] = 4
    craft: Annotated[
        float,
        Option(
            0.0,
            2.0,
            "hands dealt for each card on the pile, the best of which counts; 0: any, by chance",
        ),
    ] = 0.5
    knock_at: Annotated[
        int, Option(0, 99, "played out, it goes out with at most this much deadwood itself")
    ] = 0
    their_knock_at: Annotated[int, Option(0, 99, "and the other player with at most this much")] = (
        99
    )


MOVES = 13  # the most candidates: eleven discards, the best knock, and patient's move

TASK = np.dtype(
    [
        ("players", PLAYERS),
        ("gate", "f8"),
        ("craft", "f8"),
        ("seed", "i8"),  # of the worlds
        ("samples", "i8"),
        ("count", "i8"),  # of moves
        ("moves", "i8", MOVES),  # patient's move is the first
        ("lead", "i8", MOVES),  # over the first move, summed over all worlds
        ("square", "i8", MOVES),  # the sum of squared leads
    ],
    align=True,
)
"""The state of one decision."""

_TASK_END = words_for(TASK)
_DEAL_END = _TASK_END + DEAL
_RESULTS_END = _DEAL_END + MOVES
WORKSPACE = _RESULTS_END + worlds.WORKSPACE
_TASK = np.dtype(TASK)


@kernel
def choose(view: View, turn: Turn[Options, Settings]) -> Action:
    """The best move on the worlds, if it is significantly better than patient's."""
    workspace, options = turn.workspace, turn.options
    task = record_in(workspace[:_TASK_END], _TASK)
    deal, results = workspace[_TASK_END:_DEAL_END], workspace[_DEAL_END:_RESULTS_END]
    space = workspace[_RESULTS_END:]
    action = _begin(view, turn, task, space)
    if action != NONE:
        return action
    for number in range(turn.settings.samples):
        deal_world(view, options, task.craft, int(task.seed), number, deal)
        _try_all(options, task, number, deal, space, results, 0, 1)
        _add(task, results)
    return _conclude(task)


@cold_kernel
def _begin(view: View, turn: Turn[Options, Settings], task: Task, space: Buffer) -> Action:
    """The action, or NONE if there are several candidates to try."""
    settings = turn.settings
    task.players.mine.knock_at = settings.knock_at
    task.players.theirs.knock_at = settings.their_knock_at
    plays = Turn(turn.legal, turn.options, task.players.mine, turn.generator, space)
    plain = int(simple.choose(view, plays))
    if view.phase >= Phase.SPREAD or (view.phase == Phase.DISCARD and _is_gin(view, plain)):
        return plain
    task.count = _list_moves(view, turn, plain, task.moves[:])
    if task.count == 1:
        return plain
    task.gate = settings.gate
    task.craft = settings.craft
    task.samples = settings.samples
    task.seed = rng.next_seed(turn.generator)
    for place in range(task.count):
        task.lead[place] = 0
        task.square[place] = 0
    return NONE


@kernel
def _is_gin(view: View, action: Action) -> bool:
    return deadwood(int(view.hand) & ~(1 << (action % gin.KNOCK)), 10) == 0


@kernel
def _list_moves(view: View, turn: Turn[Options, Settings], plain: Action, moves: Buffer) -> int:
    """Write the candidate moves, patient's first; return their number."""
    moves[0] = plain
    count = 1
    if view.phase == Phase.DISCARD:
        return _list_discards(view, turn, moves)
    for action in turn.legal:
        count = _put(moves, count, int(action))
    return count


@kernel
def _put(moves: Buffer, count: int, move: Action) -> int:
    """Add a move unless it is there already; return the number of moves."""
    for place in range(count):
        if moves[place] == move:
            return count
    moves[count] = move
    return count + 1


@kernel
def _list_discards(view: View, turn: Turn[Options, Settings], moves: Buffer) -> int:
    """Write the discards with the least deadwood, ties by chance, and the knock with the best."""
    hand, face_points = int(view.hand), int(turn.options.face_points)
    whole, melded = deadwood(hand, face_points), in_melds(hand)
    choices = hand if view.taken == NONE else hand & ~(1 << int(view.taken))
    count = 1
    for rank in range(min(int(turn.settings.width), size(choices))):
        best, least, ties = NONE, 1 << 20, 0
        cards = choices
        while cards:
            card = lowest(cards)
            cards ^= 1 << card
            left = deadwood_without(hand, card, melded, whole, face_points)
            if left < least:
                best, least, ties = card, left, 1
            elif left == least:
                ties += 1
                if rng.below(turn.generator, ties) == 0:
                    best = card
        choices ^= 1 << best
        count = _put(moves, count, best)
        if rank == 0:
            for action in turn.legal:
                if action == gin.KNOCK + best:
                    count = _put(moves, count, gin.KNOCK + best)
    return count


@kernel
def _try_all(
    options: Options,
    task: Task,
    number: int,
    deal: Buffer,
    space: Buffer,
    results: Buffer,
    lane: int,
    lanes: int,
) -> None:
    """Write the value of every move on the dealt world with a number."""
    for place in range(lane, int(task.count), lanes):
        move, seed = int(task.moves[place]), int(task.seed)
        results[place] = try_move(deal, move, options, task.players, seed, number, space)


@kernel
def _add(task: Task, results: Buffer) -> None:
    for place in range(1, task.count):
        lead = int(results[place] - results[0])
        task.lead[place] += lead
        task.square[place] += lead * lead


@kernel
def _conclude(task: Task) -> Action:
    """The move with the largest significant lead; patient's move if there is none."""
    best = 0
    for place in range(1, task.count):
        lead, square = int(task.lead[place]), int(task.square[place])
        is_best = lead > 0 if best == 0 else lead > task.lead[best]
        if is_best and leads(lead, square, int(task.samples), task.gate):
            best = place
    return int(task.moves[best])


@kernel
def leads(total: int, square: int, count: int, gate: float) -> bool:
    """Whether the mean of `count` numbers is more than `gate` standard errors above 0.

    The arguments are the sum of the numbers and the sum of their squares.
    """
    # mean > gate * sqrt(variance / count), squared, and multiplied by count ** 3
    spread = square * count - total * total
    return total > 0 and 1.0 * count * total * total > gate * gate * spread


@kernel
def _begin_part(view: View, turn: Turn[Options, Settings], team: Team) -> Action:
    if team.lane > 0:
        return NONE
    decision = record_in(team.task[:_TASK_END], _TASK)
    return _begin(view, turn, decision, team.own)


@kernel
def _item(view: View, options: Options, number: int, team: Team) -> None:
    decision = record_in(team.task[:_TASK_END], _TASK)
    first = _TASK_END + MOVES * number
    results, deal = team.task[first : first + MOVES], team.shared
    if team.lane == 0:
        deal_world(view, options, decision.craft, int(decision.seed), number, deal)
    meet(team.lanes)
    _try_all(options, decision, number, deal, team.own, results, team.lane, team.lanes)


@kernel
def _end(view: View, turn: Turn[Options, Settings], team: Team) -> Action:
    if team.lane > 0:
        return NONE
    decision = record_in(team.task[:_TASK_END], _TASK)
    for number in range(decision.samples):
        first = _TASK_END + MOVES * number
        _add(decision, team.task[first : first + MOVES])
    return _conclude(decision)


def _samples(settings: Settings) -> int:
    return int(settings.samples)


def _task_words(settings: Settings) -> int:
    return _TASK_END + MOVES * _samples(settings)


AGENT = Entry(
    "Plays as patient does, unless another move is clearly better on many deals that may be the "
    "real one.",
    choose,
    Settings(),
    WORKSPACE,
    Parts(
        _begin_part,
        shared=1,
        own=worlds.WORKSPACE,
        items=Items(_item, _end, _samples, _task_words, DEAL),
    ),
)
