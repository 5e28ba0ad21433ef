"""Matches on a GPU in steps, for agents with parallel parts: a few kernel launches a decision.

This is a loop over the vector table. In each step every row advances to its next decision. The rows
of each agent are queued, and the agent's kernels process the queue.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from undercut.cards.french import NONE
from undercut.kernels.jit import hole, hole_value, kernel, meet
from undercut.kernels.records import (
    Action,
    Buffer,
    Layout,
    Options,
    Records,
    Settings,
    View,
    array_of,
)
from undercut.kernels.rng import GENERATOR, Generator
from undercut.play.agent import Items, KernelAgent, Parts, Team, Turn, choose
from undercut.play.desk import Desk
from undercut.play.gpu.target import DeviceArray, compile_for_gpu, cuda, is_simulated, load_cuda
from undercut.play.gpu.vector import THREADS, GpuVectorTable, grid
from undercut.play.job import Job
from undercut.play.vector.table import Rows, TableSettings

Counts: TypeAlias = NDArray[np.int32]

ROWS = 1 << 14
ROUNDS = 4  # the aimed number of matches that a row plays one after another
FEWEST = 1 << 10  # rows, if there are as many matches
TASK_BYTES = 1 << 32  # for all tasks together
BLOCK_LANES = 2 if is_simulated() else 64  # in a block of `begin`; more if a decision has more
WARP = 2 if is_simulated() else 32
ITEM_LANES = 2 if is_simulated() else 8  # that work on an item together
SHARED_BYTES = 48 << 10  # in a block
REGISTERS, ITEM_REGISTERS = 128, 80
BLOCK_REGISTERS = 1 << 16
STEPS = 64  # between two checks whether any match is left

# Bound by `compile_for_gpu`: the kernels of an agent, and the sizes of their memory.


@hole
def begin(view: View, turn: Turn[Options, Settings], team: Team) -> Action: ...
@hole
def item(view: View, options: Options, number: int, team: Team) -> None: ...
@hole
def end(view: View, turn: Turn[Options, Settings], team: Team) -> Action: ...


workspace_size: int = hole_value()
shared_size: int = hole_value()
team_count: int = hole_value()
lane_count: int = hole_value()
own_size: int = hole_value()
generator_type: Layout = hole_value()


class Queues(NamedTuple):
    """The rows of each agent in a step."""

    lengths: Counts  # by step and agent
    rows: Counts  # by agent


class Tasks(NamedTuple):
    """Decisions that agents have begun and not finished."""

    words: Buffer  # a task for each row
    waiting: Counts  # the number of such decisions, by step and agent
    rows: Counts  # their rows


def _queue_rows(step: int, desk: Desk, rows: Rows, queues: Queues) -> None:
    """Put every row into the queue of the agent on turn."""
    for row in range(cuda.grid(1), len(rows.counts), cuda.gridsize(1)):
        if rows.counts[row] > 0:
            who = int(desk.matches[row].choosers[int(rows.seats[row])])
            queues.rows[who, int(cuda.atomic.add(queues.lengths, (step, who), 1))] = row


def _choose_rows(
    step: int, who: int, actions: Buffer, desk: Desk, rows: Rows, settings: Records, queues: Queues
) -> None:
    workspace = cuda.local.array(workspace_size, np.int64)
    for i in range(cuda.grid(1), int(queues.lengths[step, who]), cuda.gridsize(1)):
        row = int(queues.rows[who, i])
        generator = desk.generators[row, int(rows.seats[row])]
        legal = desk.legal[row, : int(rows.counts[row])]
        turn = Turn(legal, desk.options[0], settings[0], generator, workspace)
        actions[row] = choose(desk.views[row], turn)


@kernel
def copy_generator(source: Generator, target: Generator) -> None:
    target.seed = source.seed
    target.position = source.position
    for i in range(4):
        target.words[i] = source.words[i]


def _begin_rows(
    step: int,
    who: int,
    actions: Buffer,
    desk: Desk,
    rows: Rows,
    settings: Records,
    queues: Queues,
    tasks: Tasks,
) -> None:
    """The lanes of a team begin one decision after another."""
    team, lane = cuda.threadIdx.x // lane_count, cuda.threadIdx.x % lane_count
    shared = cuda.shared.array((team_count, shared_size), np.int64)
    own = cuda.local.array(own_size, np.int64)
    chance = cuda.local.array(1, generator_type)
    teams = cuda.gridsize(1) // lane_count
    for i in range(cuda.grid(1) // lane_count, int(queues.lengths[step, who]), teams):
        row = int(queues.rows[who, i])
        generator = desk.generators[row, int(rows.seats[row])]
        copy_generator(generator, chance[0])  # so that all lanes draw the same numbers
        meet(lane_count)
        legal = desk.legal[row, : int(rows.counts[row])]
        turn = Turn(legal, desk.options[0], settings[0], chance[0], own)
        memory = Team(tasks.words[row], shared[team], own, lane, lane_count)
        action = begin(desk.views[row], turn, memory)
        meet(lane_count)
        if lane == 0:
            copy_generator(chance[0], generator)
            actions[row] = action
            if action == NONE:
                tasks.rows[int(cuda.atomic.add(tasks.waiting, (step, who), 1))] = row


def _do_items(step: int, who: int, items: int, desk: Desk, tasks: Tasks) -> None:
    """The lanes of a team work on one item after another, in step with the teams of their block.

    So all teams need the same instructions at about the same time, and fetch them once. A warp has
    several teams; a surplus team repeats another team's item.
    """
    team, lane = cuda.threadIdx.x // ITEM_LANES, cuda.threadIdx.x % ITEM_LANES
    shared = cuda.shared.array((team_count, shared_size), np.int64)
    own = cuda.local.array(own_size, np.int64)
    count, options = int(tasks.waiting[step, who]) * items, desk.options[0]
    for first in range(cuda.blockIdx.x * team_count, count, cuda.gridDim.x * team_count):
        cuda.syncthreads()
        i = min(first + team, count - 1)
        row = int(tasks.rows[i // items])
        memory = Team(tasks.words[row], shared[team], own, lane, ITEM_LANES)
        item(desk.views[row], options, i % items, memory)


def _end_rows(
    step: int, who: int, actions: Buffer, desk: Desk, rows: Rows, settings: Records, tasks: Tasks
) -> None:
    lane = cuda.threadIdx.x % WARP
    for i in range(cuda.grid(1) // WARP, int(tasks.waiting[step, who]), cuda.gridsize(1) // WARP):
        row = int(tasks.rows[i])
        generator, task = desk.generators[row, int(rows.seats[row])], tasks.words[row]
        legal = desk.legal[row, : int(rows.counts[row])]
        turn = Turn(legal, desk.options[0], settings[0], generator, task)
        action = end(desk.views[row], turn, Team(task, task, task, lane, WARP))
        if lane == 0:
            actions[row] = action


def rows_for(matches: int, words: int) -> int:
    """The number of rows for this many matches, with tasks of `words` int64 numbers."""
    room = min(ROWS, max(1, TASK_BYTES // (8 * words)))
    return min(matches, room, max(FEWEST, matches // ROUNDS))


class _Thinking:
    """The queues, tasks and settings of the agents at a vector table, in GPU memory."""

    def __init__(self, table: GpuVectorTable, agents: Sequence[KernelAgent], words: int) -> None:
        cuda, width = load_cuda(), table.width
        self.table, self._desk, self._rows = table, table.desk, table.rows
        self._words = cuda.to_device(np.zeros((width, words), dtype=np.int64))
        self._queued = cuda.to_device(np.zeros((len(agents), width), dtype=np.int32))
        self._undecided = cuda.to_device(np.zeros(width, dtype=np.int32))
        self._settings = [cuda.to_device(array_of(agent.settings)) for agent in agents]
        self._nothing = np.zeros((STEPS, len(agents)), dtype=np.int32)
        self.clear()

    def clear(self) -> None:
        """Reset the queues for the next STEPS steps."""
        lengths, waiting = (load_cuda().to_device(self._nothing) for _ in range(2))
        queues: Any = lengths, self._queued
        tasks: Any = self._words, waiting, self._undecided
        self._queues, self._tasks = Queues(*queues), Tasks(*tasks)

    def queue(self, step: int) -> None:
        """Queue every row for the agent on turn."""
        kernel, size = compile_for_gpu(_queue_rows, REGISTERS), grid(THREADS, self.table.width)
        kernel.launch(size, step, self._desk, self._rows, self._queues)

    def choose(self, step: int, who: int, agent: KernelAgent) -> None:
        """Let an agent decide in all rows where it is on turn."""
        if agent.parts is not None:
            self._choose_in_parts(step, who, agent, agent.parts)
            return
        space = max(1, agent.workspace)
        kernel = compile_for_gpu(_choose_rows, REGISTERS, choose=agent.choose, workspace_size=space)
        size, asked = grid(THREADS, self.table.width), self._asked
        kernel.launch(size, step, who, *asked, self._settings[who], self._queues)

    def _choose_in_parts(self, step: int, who: int, agent: KernelAgent, parts: Parts) -> None:
        lanes = min(parts.lanes, BLOCK_LANES) if is_simulated() else parts.lanes
        teams = max(1, BLOCK_LANES // lanes)
        begin = compile_for_gpu(
            _begin_rows,
            REGISTERS,
            begin=parts.begin,
            lane_count=lanes,
            team_count=teams,
            shared_size=parts.shared,
            own_size=parts.own,
            generator_type=np.dtype((np.record, GENERATOR)),
        )
        size, asked = grid(lanes * teams, lanes * self.table.width), self._asked
        begin.launch(size, step, who, *asked, self._settings[who], self._queues, self._tasks)
        if parts.items is not None:
            self._do_items(step, who, parts.items, parts.own, agent.settings)

    @property
    def _asked(self) -> tuple[Any, ...]:
        """The arguments of every agent kernel: actions, desk and rows."""
        return self.table.actions, self._desk, self._rows

    def _do_items(self, step: int, who: int, items: Items, own: int, settings: Settings) -> None:
        teams = _item_teams(items.shared)
        item = compile_for_gpu(
            _do_items,
            ITEM_REGISTERS,
            item=items.item,
            team_count=teams,
            shared_size=items.shared,
            own_size=own,
        )
        end = compile_for_gpu(_end_rows, REGISTERS, end=items.end)
        count, width = items.count(settings), self.table.width
        size = grid(ITEM_LANES * teams, ITEM_LANES * width * count)
        item.launch(size, step, who, count, self._desk, self._tasks)
        end.launch(
            grid(THREADS, WARP * width), step, who, *self._asked, self._settings[who], self._tasks
        )


def _item_teams(words: int) -> int:
    """The number of teams in a block, in whole warps; each shares `words` int64 numbers."""
    in_a_warp = WARP // ITEM_LANES
    room = min(BLOCK_REGISTERS // (ITEM_REGISTERS * ITEM_LANES), SHARED_BYTES // (8 * words))
    return 1 if is_simulated() else room // in_a_warp * in_a_warp


def _task_words(agent: KernelAgent) -> int:
    items = agent.parts.items if agent.parts else None
    return items.task(agent.settings) if items else 1


def play_in_steps(job: Job[KernelAgent], results: DeviceArray, traces: DeviceArray) -> None:
    """Play matches of a job, as many as fit into arrays on the device."""
    agents = job.agents
    words = max(_task_words(agent) for agent in agents)
    settings = replace(TableSettings.of(job), count=len(results), results=results, traces=traces)
    table = GpuVectorTable(job.game, rows_for(len(results), words), settings)
    thinking = _Thinking(table, agents, words)
    playing, done = 1, 0
    while playing:
        thinking.clear()
        for step in range(STEPS):
            thinking.queue(step)
            for who, agent in enumerate(agents):
                thinking.choose(step, who, agent)
            table.apply()
        playing = int((table.counts.copy_to_host() > 0).sum())
        finished = table.begun - playing
        job.report(finished - done)
        done = finished
