"""Matches on a GPU with agents that think in parts: a few kernels for every decision.

Many matches are in play at once, each in a slot. In a step every slot comes to its next choice; the
slots of each agent are queued, and its kernels go through the queue. When a match is over its slot
takes up the next one. Nothing depends on which slot a match is in.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from undercut.core.agent import KernelAgent, Parts
from undercut.core.cards import NONE
from undercut.core.jit import UNBOUND, kernel, meet
from undercut.core.records import new, pack
from undercut.core.rng import GENERATOR, Generator
from undercut.games.contract import Game
from undercut.play.checked import checker, is_checked
from undercut.play.fused import fuse_rules
from undercut.play.gpu.target import (
    compile_for_gpu,
    is_simulated,
    load_cuda,
    multiprocessors,
)

SLOTS = 1 << 14
ROUNDS = 4  # a slot plays so many matches, one after another, or more, unless there are too few
FEWEST = 1 << 10
TASK_BYTES = 1 << 32  # that all tasks may take together
LANES = 2 if is_simulated() else 32  # that begin a decision together: a warp
ITEM_LANES = 2 if is_simulated() else 8  # that do an item together
TEAMS = 1 if is_simulated() else 2  # of lanes, in a block
SHARED_BYTES = 48 << 10  # of a block
THREADS = 128  # in a block, where each works alone
REGISTERS, ITEM_REGISTERS = 128, 80
BLOCKS = 16  # for each multiprocessor, at most
STEPS = 64  # between two looks at whether anything is left to play
FREE, IDLE = -1, -2  # a slot that wants a match; one for which there is none left

SLOT = np.dtype([("match", "i8"), ("count", "i8"), ("seat", "i8"), ("action", "i8")], align=True)

# Bound by `compile_for_gpu`: Numba's CUDA target, then the kernels of a game or an agent.
cuda: Any = UNBOUND
begin_match: Any = UNBOUND
advance: Any = UNBOUND
observe: Any = UNBOUND
is_allowed: Any = UNBOUND
choose: Any = UNBOUND
begin: Any = UNBOUND
item: Any = UNBOUND
end: Any = UNBOUND
workspace_size: Any = UNBOUND
shared_size: Any = UNBOUND
team_count: Any = UNBOUND
own_size: Any = UNBOUND
generator_type: Any = UNBOUND


def _advance_slots(
    step: int,
    matches: Any,
    taken: Any,
    slots: Any,
    states: Any,
    views: Any,
    generators: Any,
    legal: Any,
    traces: Any,
    options: Any,
    lengths: Any,
    queues: Any,
) -> None:
    """Bring every slot to its next choice, and put it in the queue of the agent that chooses."""
    for place in range(cuda.grid(1), len(slots), cuda.gridsize(1)):
        slot, count = slots[place], 0
        while count == 0 and slot.match != IDLE:
            number = int(slot.match)
            if number == FREE:
                number = int(cuda.atomic.add(taken, 0, 1))
                slot.match = number if number < len(matches) else IDLE
                slot.action = NONE
                if number < len(matches):
                    begin_match(matches[number], options[0], generators[place])
            else:
                count = advance(
                    matches[number],
                    states[place],
                    options[0],
                    generators[place],
                    int(slot.action),
                    legal[place],
                    traces[number],
                )
                if count == 0:
                    slot.match = FREE
        if count > 0:
            seat = int(states[place].seat)
            observe(states[place], options[0], seat, views[place])
            slot.count, slot.seat = count, seat
            who = int(matches[int(slot.match)].choosers[seat])
            queues[who, int(cuda.atomic.add(lengths, (step, who), 1))] = place


def _choose_slots(
    step: int,
    who: int,
    slots: Any,
    views: Any,
    generators: Any,
    legal: Any,
    options: Any,
    settings: Any,
    lengths: Any,
    queues: Any,
) -> None:
    workspace = cuda.local.array(workspace_size, np.int64)
    for i in range(cuda.grid(1), int(lengths[step, who]), cuda.gridsize(1)):
        place = int(queues[who, i])
        slot = slots[place]
        slot.action = choose(
            views[place],
            legal[place, : int(slot.count)],
            options[0],
            settings[0],
            generators[place, int(slot.seat)],
            workspace,
        )


@kernel
def copy_generator(source: Generator, target: Generator) -> None:
    target.seed = source.seed
    target.position = source.position
    for i in range(4):
        target.words[i] = source.words[i]


def _begin_slots(
    step: int,
    who: int,
    slots: Any,
    views: Any,
    generators: Any,
    legal: Any,
    options: Any,
    settings: Any,
    lengths: Any,
    queues: Any,
    tasks: Any,
    waiting: Any,
    undecided: Any,
) -> None:
    """The lanes of a team begin one decision after another."""
    team, lane = cuda.threadIdx.x // LANES, cuda.threadIdx.x % LANES
    shared = cuda.shared.array((TEAMS, shared_size), np.int64)
    own = cuda.local.array(own_size, np.int64)
    chance = cuda.local.array(1, generator_type)
    for i in range(cuda.grid(1) // LANES, int(lengths[step, who]), cuda.gridsize(1) // LANES):
        place = int(queues[who, i])
        slot = slots[place]
        generator = generators[place, int(slot.seat)]
        copy_generator(generator, chance[0])  # each lane takes the same numbers from its own
        meet(LANES)
        action = begin(
            views[place],
            legal[place, : int(slot.count)],
            options[0],
            settings[0],
            chance[0],
            tasks[place],
            shared[team],
            own,
            lane,
            LANES,
        )
        meet(LANES)
        if lane == 0:
            copy_generator(chance[0], generator)
            slot.action = action
            if action == NONE:
                undecided[int(cuda.atomic.add(waiting, (step, who), 1))] = place


def _do_items(
    step: int,
    who: int,
    items: int,
    views: Any,
    options: Any,
    tasks: Any,
    waiting: Any,
    undecided: Any,
) -> None:
    """The lanes of a team do one item after another, in step with the other teams of the block:

    so they all need the same instructions at about the same time, and fetch them once. A warp has
    several teams; for a team too many there is nothing left, and it does another's item again.
    """
    team, lane = cuda.threadIdx.x // ITEM_LANES, cuda.threadIdx.x % ITEM_LANES
    shared = cuda.shared.array((team_count, shared_size), np.int64)
    own = cuda.local.array(own_size, np.int64)
    count = int(waiting[step, who]) * items
    for first in range(cuda.blockIdx.x * team_count, count, cuda.gridDim.x * team_count):
        cuda.syncthreads()
        i = min(first + team, count - 1)
        place = int(undecided[i // items])
        item(views[place], options[0], tasks[place], i % items, shared[team], own, lane, ITEM_LANES)


def _end_slots(
    step: int,
    who: int,
    slots: Any,
    views: Any,
    generators: Any,
    legal: Any,
    options: Any,
    tasks: Any,
    waiting: Any,
    undecided: Any,
) -> None:
    lane = cuda.threadIdx.x % LANES
    for i in range(cuda.grid(1) // LANES, int(waiting[step, who]), cuda.gridsize(1) // LANES):
        place = int(undecided[i])
        slot = slots[place]
        action = end(
            views[place],
            legal[place, : int(slot.count)],
            options[0],
            generators[place, int(slot.seat)],
            tasks[place],
            lane,
            LANES,
        )
        if lane == 0:
            slot.action = action


def _check_slots(
    matches: Any, slots: Any, states: Any, legal: Any, traces: Any, options: Any
) -> None:
    """Stop every match that was answered illegally, and free its slot."""
    for place in range(cuda.grid(1), len(slots), cuda.gridsize(1)):
        slot = slots[place]
        number, action = int(slot.match), int(slot.action)
        if number >= 0 and not is_allowed(
            matches[number], states[place], options[0], action, legal[place], traces[number]
        ):
            slot.match = FREE


def slots_for(matches: int, words: int) -> int:
    """How many matches are in play at once, with tasks of so many int64 numbers."""
    room = min(SLOTS, max(1, TASK_BYTES // (8 * words)))
    return min(matches, room, max(FEWEST, matches // ROUNDS))


class _Table:
    """All that is in the GPU's memory while matches are played."""

    def __init__(
        self, game: Game, agents: Sequence[KernelAgent], matches: Any, traces: Any
    ) -> None:
        rules, cuda = game.rules, load_cuda()
        words = max((each.parts.task(each.settings) for each in agents if each.parts), default=1)
        size = slots_for(len(matches), words)
        slots = new(SLOT, size)
        slots.match = FREE
        self.game, self.size, self.matches, self.traces = game, size, matches, traces
        self.taken = cuda.to_device(np.zeros(1, dtype=np.int32))
        self.slots = cuda.to_device(slots)
        self.states = cuda.to_device(new(rules.STATE, size))
        self.views = cuda.to_device(new(rules.VIEW, size))
        self.generators = cuda.to_device(new(GENERATOR, (size, game.seats + 1)))
        self.legal = cuda.to_device(np.zeros((size, rules.LEGAL), dtype=np.int64))
        self.tasks = cuda.to_device(np.zeros((size, words), dtype=np.int64))
        self.queues = cuda.to_device(np.zeros((len(agents), size), dtype=np.int32))
        self.undecided = cuda.to_device(np.zeros(size, dtype=np.int32))
        self.options = cuda.to_device(_array(game.options))
        self.settings = [cuda.to_device(_array(agent.settings)) for agent in agents]
        self._nothing = np.zeros((STEPS, len(agents)), dtype=np.int32)
        self.clear()

    def clear(self) -> None:
        """Make room for the numbers of the next steps."""
        self.lengths: Any = load_cuda().to_device(self._nothing)
        self.waiting: Any = load_cuda().to_device(self._nothing)


def _array(values: Any) -> Any:
    """A record as an array of one."""
    record = pack(values)
    return np.array([record], dtype=record.dtype)


def play_in_steps(
    game: Game,
    agents: Sequence[KernelAgent],
    matches: Any,
    traces: Any,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Play all matches, which are in the GPU's memory already; tell how many more are done."""
    table = _Table(game, agents, matches, traces)
    playing, done = 1, 0
    while playing:
        table.clear()
        for step in range(STEPS):
            _advance(table, step)
            for who, agent in enumerate(agents):
                if agent.parts is None:
                    _choose(table, step, who, agent)
                else:
                    _choose_in_parts(table, step, who, agent, agent.parts)
            if is_checked():
                _check(table)
        playing = int(table.lengths.copy_to_host()[-1].sum())
        begun = min(int(table.taken.copy_to_host()[0]), len(matches))
        if progress is not None:
            progress(begun - playing - done)
        done = begun - playing


def _grid(threads: int, wanted: int) -> tuple[int, int]:
    if is_simulated():
        return 1, LANES
    return max(1, min(BLOCKS * multiprocessors(), -(-wanted // threads))), threads


def _item_teams(words: int) -> int:
    """How many teams fit in a block, each with so many shared int64 numbers, in whole warps."""
    in_a_warp = LANES // ITEM_LANES
    return 1 if is_simulated() else SHARED_BYTES // (8 * words) // in_a_warp * in_a_warp


def _advance(table: _Table, step: int) -> None:
    rules = table.game.rules
    fused = fuse_rules(rules)
    kernel = compile_for_gpu(
        _advance_slots,
        REGISTERS,
        begin_match=fused.begin_match,
        advance=fused.advance,
        observe=rules.observe,
    )
    kernel.launch(
        _grid(THREADS, table.size),
        step,
        table.matches,
        table.taken,
        table.slots,
        table.states,
        table.views,
        table.generators,
        table.legal,
        table.traces,
        table.options,
        table.lengths,
        table.queues,
    )


def _check(table: _Table) -> None:
    is_allowed = checker(table.game.rules)
    kernel = compile_for_gpu(_check_slots, REGISTERS, is_allowed=is_allowed)
    matches, slots, states = table.matches, table.slots, table.states
    kernel.launch(
        _grid(THREADS, table.size), matches, slots, states, table.legal, table.traces, table.options
    )


def _seen(table: _Table) -> tuple[Any, ...]:
    return table.slots, table.views, table.generators, table.legal, table.options


def _choose(table: _Table, step: int, who: int, agent: KernelAgent) -> None:
    size = max(1, agent.workspace)
    kernel = compile_for_gpu(_choose_slots, REGISTERS, choose=agent.choose, workspace_size=size)
    queue = table.lengths, table.queues
    kernel.launch(_grid(THREADS, table.size), step, who, *_seen(table), table.settings[who], *queue)


def _choose_in_parts(table: _Table, step: int, who: int, agent: KernelAgent, parts: Parts) -> None:
    begin = compile_for_gpu(
        _begin_slots,
        REGISTERS,
        begin=parts.begin,
        shared_size=parts.begin_shared,
        own_size=parts.own,
        generator_type=np.dtype((np.record, GENERATOR)),
    )
    teams = _item_teams(parts.item_shared)
    item = compile_for_gpu(
        _do_items,
        ITEM_REGISTERS,
        item=parts.item,
        team_count=teams,
        shared_size=parts.item_shared,
        own_size=parts.own,
    )
    end = compile_for_gpu(_end_slots, REGISTERS, end=parts.end)
    queue = table.lengths, table.queues
    tasks = table.tasks, table.waiting, table.undecided
    items = parts.items(agent.settings)
    begin.launch(
        _grid(LANES * TEAMS, LANES * table.size),
        step,
        who,
        *_seen(table),
        table.settings[who],
        *queue,
        *tasks,
    )
    item.launch(
        _grid(ITEM_LANES * teams, ITEM_LANES * table.size * items),
        step,
        who,
        items,
        table.views,
        table.options,
        *tasks,
    )
    end.launch(_grid(THREADS, LANES * table.size), step, who, *_seen(table), *tasks)
