"""The vector table on a GPU: the arrays of play/vector.py in its memory, the same kernels.

`views`, `legal`, `counts` and `seats` are device arrays; torch.as_tensor shares their memory, and
that of one field of all views (`field`). Nothing depends on which row a match is in.
"""

from collections.abc import Sequence

import numpy as np

from undercut.core.errors import OptionsError
from undercut.core.jit import hole, hole_value
from undercut.core.records import Array, Buffer, Options, Records, State, new
from undercut.core.rng import GENERATOR
from undercut.games.contract import Game
from undercut.play.checked import checker
from undercut.play.gpu.target import (
    DeviceArray,
    compile_for_gpu,
    cuda,
    is_simulated,
    load_cuda,
    multiprocessors,
)
from undercut.play.loop import (
    Beside,
    apply,
    begin_match,
    bind_table,
    go_on,
    is_allowed,
    is_asked,
    is_over,
    kernels_beside,
    next_deal,
    observe,
    trace_choice,
    write_result,
)
from undercut.play.rows import RowKernel
from undercut.play.series import MATCH, make_series, result_layout, trace_type
from undercut.play.vector import ENDLESS, array_of, settings_beside

THREADS = 128
REGISTERS = 128
BLOCKS = 16  # for each multiprocessor, at most

workspace_size: int = hole_value()


@hole
def find_legal(state: State, options: Options, out: Buffer) -> int:
    """`legal` of the rules."""


def _apply_rows(
    next_match: Buffer,
    end: int,
    matches: Records,
    states: Records,
    views: Records,
    options: Records,
    actions: Buffer,
    legal: Buffer,
    counts: Buffer,
    seats: Buffer,
    gained: Buffer,
    ended: Buffer,
    first: int,
    traces: Array,
    length: Buffer,
    queue: Buffer,
) -> None:
    """Apply an action in every row that has a match; most come to their next choice at once.

    The others are queued for `_finish_rows`: threads that deal or lay down would keep their
    neighbours waiting.
    """
    for i in range(cuda.grid(1), len(counts), cuda.gridsize(1)):
        count, is_done = int(counts[i]), False
        if count > 0:
            match, state, action = matches[i], states[i], int(actions[i])
            place = int(match.number) - first
            if place < len(traces):
                trace_choice(traces[place], int(match.choices) - 1, action, legal[i], count)
            ended[i] = 0
            for seat in range(gained.shape[1]):
                gained[i, seat] = 0
            if is_allowed(state, options[0], action, legal[i]):
                match.actions += 1
                apply(state, options[0], action)
                if not is_over(state):
                    count = find_legal(state, options[0], legal[i])
                    if count > 1:
                        seat = int(state.seat)
                        observe(state, options[0], seat, views[i])
                        if is_asked(views[i], int(match.choosers[seat])):
                            match.choices += 1
                            counts[i] = count
                            seats[i] = seat
                            is_done = True
            else:
                match.is_stopped = 1
        else:
            is_done = next_match[0] >= end
        if not is_done:
            queue[int(cuda.atomic.add(length, 0, 1))] = i


def _finish_rows(
    next_match: Buffer,
    end: int,
    matches: Records,
    series: Records,
    states: Records,
    views: Records,
    options: Records,
    generators: Records,
    legal: Buffer,
    counts: Buffer,
    seats: Buffer,
    gained: Buffer,
    ended: Buffer,
    settings: tuple[Records, Records],
    first: int,
    results: Records,
    length: Buffer,
    queue: Buffer,
) -> None:
    """Play on in the rows that were queued, if need be in another match."""
    workspace = cuda.local.array(workspace_size, np.int64)
    for entry in range(cuda.grid(1), length[0], cuda.gridsize(1)):
        i = int(queue[entry])
        match, count = matches[i], 0
        if counts[i] > 0:
            for seat in range(gained.shape[1]):
                gained[i, seat] = -match.scores[seat]
            ended[i] = -match.deals
            if not match.is_stopped:
                count = go_on(
                    match,
                    series[0],
                    states[i],
                    views[i],
                    options[0],
                    generators[i],
                    legal[i],
                    settings,
                    workspace,
                )
            for seat in range(gained.shape[1]):
                gained[i, seat] += match.scores[seat]
            ended[i] += match.deals
            place = int(match.number) - first
            if count == 0 and place < len(results):
                write_result(match, results[place])
        if count == 0 and next_match[0] < end:
            number = int(cuda.atomic.add(next_match, 0, 1))
            if number < end:
                begin_match(match, series[0], number, options[0], generators[i])
                next_deal(match, series[0], states[i], options[0], generators[i])
                count = go_on(
                    match,
                    series[0],
                    states[i],
                    views[i],
                    options[0],
                    generators[i],
                    legal[i],
                    settings,
                    workspace,
                )
        counts[i] = count
        if count > 0:
            seats[i] = states[i].seat


def _clear(length: Buffer) -> None:
    """Empty the queue."""
    length[0] = 0


class GpuVectorTable:
    """Matches side by side on a GPU; see play.vector.VectorTable."""

    device = "cuda"

    def __init__(
        self,
        game: Game,
        width: int,
        seed: int = 0,
        *,
        agents: Sequence[object] | None = None,
        first: int = 0,
        count: int | None = None,
        max_deals: int = 0,
        series: Records | None = None,
        results: DeviceArray | None = None,
        traces: DeviceArray | None = None,
        beside: Beside | None = None,
    ) -> None:
        if width < 1:
            raise OptionsError(f"a table of {width} matches: must be at least 1")
        if series is None:
            players = range(game.seats) if agents is None else agents
            series = make_series(game, players, seed, max_deals)
        cuda, rules = load_cuda(), game.rules
        self.game, self.width, self._first = game, width, first
        self._end = first + (ENDLESS if count is None else count)
        self.series = cuda.to_device(series)
        self.options = cuda.to_device(array_of(game.options))
        self.results = cuda.to_device(new(result_layout(rules), 0)) if results is None else results
        self.traces = traces
        if traces is None:
            self.traces = cuda.to_device(np.zeros((0, 0), dtype=trace_type(rules)))
        self._next = cuda.to_device(np.array([first], dtype=np.int64))
        self.matches = cuda.to_device(new(MATCH, width))
        self.views = cuda.to_device(new(rules.VIEW, width))
        self.legal = cuda.to_device(np.zeros((width, rules.LEGAL), dtype=np.int64))
        self.counts = cuda.to_device(np.zeros(width, dtype=np.int64))
        self.seats = cuda.to_device(np.zeros(width, dtype=np.int64))
        self.actions = cuda.to_device(np.zeros(width, dtype=np.int64))
        self.gained = cuda.to_device(np.zeros((width, game.seats), dtype=np.int64))
        self.ended = cuda.to_device(np.zeros(width, dtype=np.int64))
        self._settings = tuple(cuda.to_device(each) for each in settings_beside(beside))
        self.generators = cuda.to_device(new(GENERATOR, (width, game.seats + 1)))
        self._states = cuda.to_device(new(rules.STATE, width))
        bound = bind_table(rules, kernels_beside(beside))
        self._length = cuda.to_device(np.zeros(1, dtype=np.int64))
        self._queue = cuda.to_device(np.zeros(width, dtype=np.int64))
        self._clear = compile_for_gpu(_clear, REGISTERS)
        self._apply = compile_for_gpu(
            _apply_rows,
            REGISTERS,
            apply=bound.apply,
            is_over=bound.is_over,
            find_legal=bound.legal,
            observe=bound.observe,
            is_asked=bound.is_asked,
            is_allowed=checker(rules),
        )
        self._finish = compile_for_gpu(
            _finish_rows,
            REGISTERS,
            begin_match=bound.begin_match,
            next_deal=bound.next_deal,
            go_on=bound.go_on,
            workspace_size=beside.workspace if beside else 1,
        )
        self.apply()

    @property
    def begun(self) -> int:
        """How many matches have been begun; this waits for the GPU."""
        return min(int(self._next.copy_to_host()[0]), self._end) - self._first

    def apply(self, actions: object = None, stream: object = None) -> None:
        """Play an action in every row, by default those that were written into `actions`."""
        more = () if stream is None else (stream,)
        self._clear.launch((1, 1, *more), self._length)
        self._apply.launch(
            (*grid(THREADS, self.width), *more),
            self._next,
            self._end,
            self.matches,
            self._states,
            self.views,
            self.options,
            self.actions if actions is None else actions,
            self.legal,
            self.counts,
            self.seats,
            self.gained,
            self.ended,
            self._first,
            self.traces,
            self._length,
            self._queue,
        )
        self._finish.launch(
            (*grid(THREADS, self.width), *more),
            self._next,
            self._end,
            self.matches,
            self.series,
            self._states,
            self.views,
            self.options,
            self.generators,
            self.legal,
            self.counts,
            self.seats,
            self.gained,
            self.ended,
            self._settings,
            self._first,
            self.results,
            self._length,
            self._queue,
        )

    def restart(self, first: int) -> None:
        """Leave the matches in play and begin others in all rows, from number `first` on."""
        self.counts.copy_to_device(np.zeros(self.width, dtype=np.int64))
        self._next.copy_to_device(np.array([first], dtype=np.int64))
        self.apply()

    def reveal(self, kernel: RowKernel, words: object, stream: object = None) -> None:
        """Write what the seat on turn cannot see, for those who train agents to guess it."""
        kernel(self.width, self._states, self.options, self.seats, words, stream=stream)

    def field(self, name: str) -> "SharedField":
        """One field of all views, as an array that shares their memory."""
        return SharedField(self.views, name)


class SharedField:
    """A field of an array of records in the GPU's memory, for libraries that can share it."""

    def __init__(self, records: DeviceArray, name: str) -> None:
        assert records.dtype.fields is not None, "records have fields"
        kind, offset = records.dtype.fields[name][:2]
        base, shape = kind.subdtype or (kind, ())
        steps = np.zeros(shape, dtype=base).strides
        self._records = records  # keeps the memory
        self.__cuda_array_interface__ = {
            "shape": (*records.shape, *shape),
            "typestr": base.str,
            "data": (records.__cuda_array_interface__["data"][0] + offset, False),
            "strides": (*records.strides, *steps),
            "version": 3,
        }


def grid(threads: int, wanted: int) -> tuple[int, int]:
    """Blocks and threads for this many items."""
    if is_simulated():
        return 1, 2
    return max(1, min(BLOCKS * multiprocessors(), -(-wanted // threads))), threads
