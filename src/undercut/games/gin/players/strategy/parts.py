"""The paper's player as `Parts` for a GPU: every sampled hand is one item.

A task has a thought, then the sampled hands, then the gains of each hand. Hands are drawn and gains
are added in the same order as in `thinking.decide`, so both choose the same action.
"""

from collections.abc import Callable

import numpy as np

from undercut.cards.french import NONE, lowest, size
from undercut.games.gin.players.belief import counting
from undercut.games.gin.players.belief import estimate as network
from undercut.games.gin.players.belief.sample import draw_numbered
from undercut.games.gin.players.strategy.outlook import OUTLOOK, skip
from undercut.games.gin.players.strategy.thinking import (
    GAINS,
    SCRATCH,
    THOUGHT,
    Settings,
    conclude,
    copy_settings,
    estimate,
    find_gains,
)
from undercut.games.gin.players.strategy.thinking import begin as begin_thought
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels.jit import kernel, meet, specialise
from undercut.kernels.records import Action, record_in, words_for
from undercut.kernels.rng import GENERATOR
from undercut.play.agent import Items, Parts, Team, Turn

_HANDS = words_for(THOUGHT)  # the offset of the hands in a task
_SCRATCH_WORDS = words_for(SCRATCH)
_THOUGHT, _SCRATCH = np.dtype(THOUGHT), np.dtype(SCRATCH)
_OUTLOOK, _GENERATOR = np.dtype(OUTLOOK), np.dtype(GENERATOR)


def _begin(view: View, turn: Turn[Options, Settings], team: Team) -> Action:
    task, shared, lane, lanes = team.task, team.shared, team.lane, team.lanes
    settings, options = turn.settings, turn.options
    thought = record_in(task[:_HANDS], _THOUGHT)
    scratch = record_in(shared[:_SCRATCH_WORDS], _SCRATCH)
    chance = record_in(team.own, _GENERATOR)
    copy_settings(settings, thought.settings)
    belief = shared[_SCRATCH_WORDS:]
    estimate(view, options, settings, belief, scratch.mine.chances[:], lane, lanes)
    action = begin_thought(view, turn.legal, options, turn.generator, thought, scratch, lane, lanes)
    if action == NONE:
        for number in range(lane, settings.samples, lanes):
            hand = draw_numbered(scratch.sampler, scratch.seed, number, chance)
            task[_HANDS + number] = hand
    return action


@kernel
def _item(view: View, options: Options, number: int, team: Team) -> None:
    task = team.task
    thought = record_in(task[:_HANDS], _THOUGHT)
    theirs = record_in(team.shared, _OUTLOOK)
    first = _HANDS + int(thought.settings.samples) + GAINS * number
    gains = task[first : first + GAINS].view(np.float64)
    hand = int(task[_HANDS + number])
    find_gains(view, hand, options, thought, theirs, gains, team.lane, team.lanes)


@kernel
def _end(view: View, turn: Turn[Options, Settings], team: Team) -> Action:
    task, lane, lanes = team.task, team.lane, team.lanes
    thought = record_in(task[:_HANDS], _THOUGHT)
    samples = int(thought.settings.samples)
    first = _HANDS + samples
    gains = task[first : first + GAINS * samples].view(np.float64)
    choices = int(thought.candidates)
    for place in range(lane, 1 + size(choices), lanes):
        total = 0.0
        for number in range(samples):
            total += gains[GAINS * number + place]
        if place:
            thought.gain[lowest(skip(choices, place - 1))] = total
        else:
            thought.their_deadwood = total
    meet(lanes)
    return conclude(view, turn.legal, turn.options, turn.generator, thought) if lane == 0 else NONE


def _samples(settings: Settings) -> int:
    return int(settings.samples)


def _task_words(settings: Settings) -> int:
    return _HANDS + (1 + GAINS) * _samples(settings)


def _parts(name: str, belief_words: int, **model: Callable[..., None]) -> Parts:
    return Parts(
        specialise(_begin, name, **model),
        shared=_SCRATCH_WORDS + belief_words,
        own=words_for(GENERATOR),
        items=Items(_item, _end, _samples, _task_words, words_for(OUTLOOK)),
    )


COUNTING = _parts("counting", 0, estimate=counting.estimate)
NETWORK = _parts(
    "network",
    network.WORDS,
    estimate=network.estimate,
    copy_settings=specialise(copy_settings, "parts"),
)
