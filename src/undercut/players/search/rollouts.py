"""Rollouts of moves on the same determinizations: the samples that an evaluation is made of.

A sample has a number. Its random streams come from a seed and that number alone, so a sample is the
same in any part of the work and on any number of threads. Every move of a sample is tried on the
same hidden cards, and chance breaks ties in the same way after each (common random numbers).

The functions are templates with holes; `rollout_kernel` binds them for a game, the player that
finishes the deals, and the game's endings.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from undercut.cards.french import NONE, Card, lowest
from undercut.games.contract import Game, Rules
from undercut.games.rules.holes import apply, is_over, observe, score
from undercut.games.rules.holes import legal as list_legal
from undercut.kernels import rng
from undercut.kernels.jit import hole, kernel, kernel_name, specialise
from undercut.kernels.records import (
    Action,
    Array,
    Buffer,
    Options,
    Records,
    Seat,
    Settings,
    State,
    View,
    new,
)
from undercut.kernels.rng import GENERATOR, Seed
from undercut.play.agent import KernelAgent, Turn, ValueHead
from undercut.players.endings import Endings

MINE, OTHERS, ENDING, ANSWERED, VALUE, FIELDS = range(6)  # the numbers of a move on a sample
CUT = -1  # the ending of a rollout that was cut off; its value stands in place of points
MILLION = 1_000_000  # the unit of a value: a millionth of the network's
_CARDS, _TIES = range(2)  # the purposes of random streams


class Samples(NamedTuple):
    """The determinizations of a call."""

    numbers: Buffer  # a sample's random streams follow from its number
    hands: Buffer  # the hidden hands, a row for each sample; without columns, they are dealt evenly
    depths: Buffer  # the network's decisions until a rollout is cut; 0: play to the end


class Memory(NamedTuple):
    """The buffers of one thread."""

    states: Records  # the determinization, and the deal as it is played
    views: Records
    generators: Records
    legal: Buffer
    gained: Buffer  # the points of each seat
    workspace: Buffer  # of the player


def make_memory(game: Game, player: KernelAgent) -> Memory:
    """The cleared buffers for a game and the player that finishes its deals."""
    rules = game.rules
    return Memory(
        new(rules.STATE, 2),
        new(rules.VIEW, 1),
        new(GENERATOR, 1),
        np.zeros(rules.LEGAL, dtype=np.int64),
        np.zeros(game.seats, dtype=np.int64),
        np.zeros(max(1, player.workspace), dtype=np.int64),
    )


@hole
def complete(view: View, options: Options, generator: rng.Generator, state: State) -> None: ...
@hole
def choose(view: View, turn: Turn[Options, Settings]) -> Action: ...
@hole
def ending(state: State, options: Options, seat: Seat, gained: Buffer) -> int: ...
@hole
def is_answer(move: Action, reply: Action) -> bool: ...
@hole
def is_asked(view: View, who: int) -> bool: ...
@hole
def read_value(turn: Turn[Options, Settings]) -> float: ...
@hole
def play_out(
    move: Action,
    options: Options,
    settings: Settings,
    me: Seat,
    depth: int,
    memory: Memory,
    found: Buffer,
) -> None: ...


@kernel
def never_asked(view: View, who: int) -> bool:
    """`is_asked` of a player without a network: its rollouts go to the end."""
    return False


@kernel
def no_value(turn: Turn[Options, Settings]) -> float:
    """`read_value` of a player without a network."""
    return 0.0


@kernel
def give_hands(state: State, me: Seat, hands: Buffer) -> None:
    """Exchange hidden cards so that the other seats, in the order of play, hold these hands.

    The order of the stock stays random: each order of the old cards becomes one of the new ones.
    """
    for other in range(len(hands)):
        seat = (me + 1 + other) % (len(hands) + 1)
        held, wanted = int(state.hands[seat]), int(hands[other])
        missing, extra = wanted & ~held, held & ~wanted
        while missing:
            _exchange(state, lowest(missing), lowest(extra))
            missing &= missing - 1
            extra &= extra - 1


@kernel
def _exchange(state: State, one: Card, other: Card) -> None:
    """Exchange two cards wherever they lie."""
    for seat in range(len(state.hands)):
        hand = int(state.hands[seat])
        if ((hand >> one) ^ (hand >> other)) & 1:
            state.hands[seat] = hand ^ (1 << one) ^ (1 << other)
    for place in range(len(state.deck)):
        card = int(state.deck[place])
        if card == one:
            state.deck[place] = other
        elif card == other:
            state.deck[place] = one


@kernel
def write_end(gained: Buffer, seat: Seat, way: int, found: Buffer) -> None:
    """Write the points of a seat and of the others, and the ending of the deal."""
    total = 0
    for each in range(len(gained)):
        total += gained[each]
    found[MINE] = gained[seat]
    found[OTHERS] = total - gained[seat]
    found[ENDING] = way


def _roll_out(
    view: View,
    moves: Buffer,
    options: Options,
    settings: Settings,
    seed: Seed,
    samples: Samples,
    memory: Memory,
    found: Array,
) -> None:
    """Fill a row of `found` for each sample: FIELDS numbers for each move."""
    me, generator = int(view.me), memory.generators[0]
    for row in range(len(samples.numbers)):
        number, depth = int(samples.numbers[row]), int(samples.depths[row])
        rng.start(generator, rng.derive(seed, _CARDS, number, 0))
        complete(view, options, generator, memory.states[0])
        give_hands(memory.states[0], me, samples.hands[row])
        for place in range(len(moves)):
            memory.states[1] = memory.states[0]
            rng.start(generator, rng.derive(seed, _TIES, number, 0))
            play_out(int(moves[place]), options, settings, me, depth, memory, found[row, place])


def _play_out(
    move: Action,
    options: Options,
    settings: Settings,
    me: Seat,
    depth: int,
    memory: Memory,
    found: Buffer,
) -> None:
    """Play a move, let the player finish the deal for every seat, and write its numbers.

    Without a move (NONE) the player also makes the first decision. Columns of `found` beyond FIELDS
    get the points of each seat, if the deal ends.

    If `depth` is above 0, the rollout ends at the next decision after so many of the network's,
    with the network's value. With more than two seats it is the searcher's next decision: one seat's
    value says nothing of the others'.
    """
    state, view, legal = memory.states[1], memory.views[0], memory.legal
    action, reply, left = move, NONE, depth
    while True:
        if action != NONE:
            if reply == NONE and state.seat != me:
                reply = action
            apply(state, options, action)
            if is_over(state):
                break
        count = list_legal(state, options, legal)
        action = int(legal[0])
        if count > 1:
            observe(state, options, int(state.seat), view)
            turn = Turn(legal[:count], options, settings, memory.generators[0], memory.workspace)
            action = int(choose(view, turn))
            if depth > 0 and is_asked(view, 0):
                if left <= 0 and (state.seat == me or len(memory.gained) == 2):
                    value = read_value(turn) if state.seat == me else -read_value(turn)
                    found[VALUE] = math.floor(value * MILLION + 0.5)
                    break
                left -= 1
    found[ANSWERED] = int(reply != NONE and is_answer(move, reply))
    found[ENDING] = CUT
    if is_over(state):
        found[VALUE] = 0
        score(state, options, memory.gained)
        write_end(memory.gained, me, ending(state, options, me, memory.gained), found)
        for each in range(len(found) - FIELDS):
            found[FIELDS + each] = memory.gained[each]


def rollout_kernel(rules: Rules, player: KernelAgent, endings: Endings) -> Callable[..., None]:
    """The kernel `_roll_out` for a game, a player and the game's endings."""
    chooser, value = player.choose, player.value
    return _rollout_kernel(rules, chooser, value, endings)


@cache
def _rollout_kernel(
    rules: Rules, chooser: Callable[..., Action], value: ValueHead | None, endings: Endings
) -> Callable[..., None]:
    name = f"{rules.NAME}_{kernel_name(chooser)}"
    bound = {
        "complete": rules.complete,
        "apply": rules.apply,
        "list_legal": rules.legal,
        "observe": rules.observe,
        "is_over": rules.is_over,
        "score": rules.score,
        "choose": chooser,
        "is_asked": never_asked if value is None else value.is_asked,
        "read_value": no_value if value is None else value.read,
        "ending": endings.ending,
        "is_answer": endings.is_answer,
    }
    part = specialise(_play_out, name, **bound)
    return specialise(_roll_out, name, **bound, play_out=part)
