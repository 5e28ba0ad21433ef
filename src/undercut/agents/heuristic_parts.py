"""The paper's player in pieces, for a GPU: every sampled hand is an item of its own.

A task is a thought, then the sampled hands, then the numbers that each of them gave. The hands are
drawn and the numbers added in the order of `heuristic.decide`, so that both choose the same.
"""

from typing import Any

import numpy as np

from undercut.agents import estimator
from undercut.agents.gin_utility import OUTLOOK
from undercut.agents.heuristic import (
    GAINS,
    SCRATCH,
    SCRATCH_WORDS,
    THOUGHT,
    THOUGHT_WORDS,
    Settings,
    add_gains,
    conclude,
    copy_settings,
    find_gains,
)
from undercut.agents.heuristic import begin as begin_thought
from undercut.belief import counting
from undercut.belief.sample import draw
from undercut.core.agent import Parts
from undercut.core.cards import NONE
from undercut.core.game import Action, Buffer, Options, View
from undercut.core.jit import UNBOUND, kernel, specialise
from undercut.core.rng import Generator
from undercut.core.workspace import record_in, words_for

_OUTLOOK_WORDS = words_for(OUTLOOK)
_THOUGHT, _SCRATCH, _OUTLOOK = np.dtype(THOUGHT), np.dtype(SCRATCH), np.dtype(OUTLOOK)

estimate: Any = UNBOUND


def _begin(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    task: Buffer,
    workspace: Buffer,
) -> Action:
    thought = record_in(task[:THOUGHT_WORDS], _THOUGHT)
    scratch = record_in(workspace[:SCRATCH_WORDS], _SCRATCH)
    copy_settings(settings, thought.settings)
    estimate(view, options, settings, workspace[SCRATCH_WORDS:], scratch.mine.chances[:])
    action = begin_thought(view, legal, options, generator, thought, scratch)
    if action == NONE:
        for number in range(settings.samples):
            task[THOUGHT_WORDS + number] = draw(scratch.sampler, generator)
    return action


@kernel
def _item(view: View, options: Options, task: Buffer, number: int, workspace: Buffer) -> None:
    thought = record_in(task[:THOUGHT_WORDS], _THOUGHT)
    theirs = record_in(workspace[:_OUTLOOK_WORDS], _OUTLOOK)
    first = THOUGHT_WORDS + int(thought.settings.samples) + GAINS * number
    gains = task[first : first + GAINS].view(np.float64)
    find_gains(view, int(task[THOUGHT_WORDS + number]), options, thought, theirs, gains)


@kernel
def _end(view: View, legal: Buffer, options: Options, generator: Generator, task: Buffer) -> Action:
    thought = record_in(task[:THOUGHT_WORDS], _THOUGHT)
    samples = int(thought.settings.samples)
    for number in range(samples):
        first = THOUGHT_WORDS + samples + GAINS * number
        add_gains(thought, task[first : first + GAINS].view(np.float64))
    return conclude(view, legal, options, generator, thought)


def _samples(settings: Any) -> int:
    return int(settings.samples)


def _task_words(settings: Any) -> int:
    return THOUGHT_WORDS + (1 + GAINS) * _samples(settings)


def _parts(name: str, **model: Any) -> Parts:
    begin = specialise(_begin, name, **model)
    return Parts(begin, _item, _end, _samples, _task_words, _OUTLOOK_WORDS)


COUNTING = _parts("counting", estimate=counting.estimate)
NETWORK = _parts(
    "network", estimate=estimator.estimate, copy_settings=specialise(copy_settings, "parts")
)
