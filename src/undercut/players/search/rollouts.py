"""Rollouts of moves on the same determinizations: the samples that an evaluation is made of.

A sample has a number. Its random streams come from a seed and that number alone, so a sample is the
same in any part of the work and on any number of threads. Every move of a sample is tried on the
same hidden cards, and chance breaks ties in the same way after each (common random numbers).

The functions are templates with holes; `rollout_kernel` binds them for a game, the player that
finishes the deals, and the game's endings.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Game, Rules
from undercut.kernels import rng
from undercut.kernels.jit import hole, kernel_name, specialise
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
from undercut.play.agent import KernelAgent, Turn
from undercut.players.endings import Endings

MINE, OTHERS, ENDING, ANSWERED, FIELDS = range(5)  # the numbers of a move on a sample
_CARDS, _TIES = range(2)  # the purposes of random streams


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
def apply(state: State, options: Options, action: Action) -> None: ...
@hole
def list_legal(state: State, options: Options, out: Buffer) -> int: ...
@hole
def observe(state: State, options: Options, seat: Seat, view: View) -> None: ...
@hole
def is_over(state: State) -> bool: ...
@hole
def score(state: State, options: Options, out: Buffer) -> None: ...
@hole
def choose(view: View, turn: Turn[Options, Settings]) -> Action: ...
@hole
def ending(state: State, options: Options, seat: Seat, gained: Buffer) -> int: ...
@hole
def is_answer(move: Action, reply: Action) -> bool: ...
@hole
def play_out(
    move: Action, options: Options, settings: Settings, me: Seat, memory: Memory, found: Buffer
) -> None: ...


def _roll_out(
    view: View,
    moves: Buffer,
    options: Options,
    settings: Settings,
    seed: Seed,
    numbers: Buffer,
    memory: Memory,
    found: Array,
) -> None:
    """Fill a row of `found` for each sample: FIELDS numbers for each move."""
    me, generator = int(view.me), memory.generators[0]
    for row in range(len(numbers)):
        number = int(numbers[row])
        rng.start(generator, rng.derive(seed, _CARDS, number, 0))
        complete(view, options, generator, memory.states[0])
        for place in range(len(moves)):
            memory.states[1] = memory.states[0]
            rng.start(generator, rng.derive(seed, _TIES, number, 0))
            play_out(int(moves[place]), options, settings, me, memory, found[row, place])


def _play_out(
    move: Action, options: Options, settings: Settings, me: Seat, memory: Memory, found: Buffer
) -> None:
    """Play a move, let the player finish the deal for every seat, and write its numbers."""
    state, view, legal = memory.states[1], memory.views[0], memory.legal
    action, reply = move, NONE
    while True:
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
    score(state, options, memory.gained)
    total = 0
    for seat in range(len(memory.gained)):
        total += memory.gained[seat]
    found[MINE] = memory.gained[me]
    found[OTHERS] = total - memory.gained[me]
    found[ENDING] = ending(state, options, me, memory.gained)
    found[ANSWERED] = int(reply != NONE and is_answer(move, reply))


@cache
def rollout_kernel(
    rules: Rules, chooser: Callable[..., Action], endings: Endings
) -> Callable[..., None]:
    """The kernel `_roll_out` for a game, a player and the game's endings."""
    name = f"{rules.NAME}_{kernel_name(chooser)}"
    bound = {
        "complete": rules.complete,
        "apply": rules.apply,
        "list_legal": rules.legal,
        "observe": rules.observe,
        "is_over": rules.is_over,
        "score": rules.score,
        "choose": chooser,
        "ending": endings.ending,
        "is_answer": endings.is_answer,
    }
    part = specialise(_play_out, name, **bound)
    return specialise(_roll_out, name, **bound, play_out=part)
