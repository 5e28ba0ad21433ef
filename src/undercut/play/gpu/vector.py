"""The vector table on a GPU: the arrays of play/vector/table.py in its memory, the same kernels.

`views`, `legal`, `counts` and `seats` are device arrays; torch.as_tensor shares their memory, and
that of one field of all views (`field`). Nothing depends on which row a match is in.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from undercut.games.contract import Game, Rules
from undercut.kernels.jit import hole, hole_value
from undercut.kernels.records import Array, Buffer, Options, Records, State, array_of, new
from undercut.kernels.rng import GENERATOR, Seed
from undercut.play.fused.checked import checker
from undercut.play.fused.loop import apply, is_allowed, is_over, observe, trace_choice
from undercut.play.gpu.target import (
    DeviceArray,
    compile_for_gpu,
    cuda,
    is_simulated,
    load_cuda,
    multiprocessors,
)
from undercut.play.seeds import check_seed
from undercut.play.series import MATCH, make_series, result_layout, trace_type
from undercut.play.vector.autoplay import (
    Beside,
    begin_row,
    bind_table,
    go_on,
    is_asked,
    kernels_beside,
    settings_beside,
)
from undercut.play.vector.observations import (
    Display,
    Shown,
    bind_display,
    make_shown,
    show_rows,
    slow_spread,
)
from undercut.play.vector.rows import RowKernel
from undercut.play.vector.table import (
    ENDLESS,
    close_account,
    keep_result,
    open_account,
    row_starts,
    row_stride,
)
from undercut.text.errors import OptionsError

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
    refused: Buffer,
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
                cuda.atomic.add(refused, 0, 1)
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
    stride: int,
    length: Buffer,
    queue: Buffer,
) -> None:
    """Play on in the rows that were queued, if need be in another match."""
    workspace = cuda.local.array(workspace_size, np.int64)
    for entry in range(cuda.grid(1), length[0], cuda.gridsize(1)):
        i = int(queue[entry])
        match, count = matches[i], 0
        if counts[i] > 0:
            open_account(match, gained[i], ended[i : i + 1])
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
            close_account(match, gained[i], ended[i : i + 1])
            if count == 0:
                keep_result(match, first, results)
        if count == 0 and next_match[0] < end:
            number = int(match.number) + stride
            if stride == 0:
                number = int(cuda.atomic.add(next_match, 0, 1))
            if number < end:
                count = begin_row(
                    match,
                    series[0],
                    number,
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
    """Matches side by side on a GPU; see play.vector.table.VectorTable.

    It cannot raise an error for an illegal action. If it is checked, it stops the match instead,
    begins another, and counts that in `refused`; else such an action may keep the GPU busy for ever.
    """

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
        display: Display | None = None,
        own_rows: bool = False,
        checked: bool | None = None,
    ) -> None:
        if width < 1:
            raise OptionsError(f"a table of {width} matches: must be at least 1")
        if series is None:
            players = range(game.seats) if agents is None else agents
            series = make_series(game, players, seed, max_deals)
        self.game, self.width, self._first = game, width, first
        self._end = first + (ENDLESS if count is None else count)
        self.series = _sent(series)
        self.options = _sent(array_of(game.options))
        self._settings = tuple(_sent(each) for each in settings_beside(beside))
        self._next = _sent(np.array([first], dtype=np.int64))
        nothing = np.zeros((0, 0), dtype=trace_type(game.rules))
        self.traces = _sent(nothing) if traces is None else traces
        self.results = _sent(new(result_layout(game.rules), 0)) if results is None else results
        self._make_rows(game, width)
        self._compile(game.rules, beside, checked)
        self.stride = row_stride(series, width) if own_rows else 0
        self._starts = row_starts(series, width)
        self.shown: Any = None
        if display is not None:
            rows: Any = map(_sent, make_shown(display, width))
            self.shown = Shown(*rows)
            self._numbers = _zeros(width)
            bound = bind_display(display.encode, game.rules, slow_spread)
            self._show = RowKernel(show_rows, game.rules.NAME, "cuda", **bound)
        self._place_rows(first)
        self.apply()

    def _make_rows(self, game: Game, width: int) -> None:
        rules = game.rules
        self.matches = _sent(new(MATCH, width))
        self.views = _sent(new(rules.VIEW, width))
        self.generators = _sent(new(GENERATOR, (width, game.seats + 1)))
        self._states = _sent(new(rules.STATE, width))
        self.legal = _zeros(width, rules.LEGAL)
        self.counts, self.seats, self.actions = (_zeros(width) for _ in range(3))
        self.gained, self.ended = _zeros(width, game.seats), _zeros(width)
        self._queue, self._length, self._refused = _zeros(width), _zeros(1), _zeros(1)

    def _compile(self, rules: Rules, beside: Beside | None, checked: bool | None) -> None:
        bound = bind_table(rules, kernels_beside(beside))
        self._clear = compile_for_gpu(_clear, REGISTERS)
        self._apply = compile_for_gpu(
            _apply_rows,
            REGISTERS,
            apply=bound.apply,
            is_over=bound.is_over,
            find_legal=bound.legal,
            observe=bound.observe,
            is_asked=bound.is_asked,
            is_allowed=checker(rules, checked),
        )
        self._finish = compile_for_gpu(
            _finish_rows,
            REGISTERS,
            begin_row=bound.begin_row,
            go_on=bound.go_on,
            workspace_size=beside.workspace if beside else 1,
        )

    @property
    def begun(self) -> int:
        """How many matches have been begun; this waits for the GPU."""
        return min(int(self._next.copy_to_host()[0]), self._end) - self._first

    @property
    def refused(self) -> int:
        """How many actions were illegal, if the table is checked; this waits for the GPU."""
        return int(self._refused.copy_to_host()[0])

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
            self._refused,
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
            self.stride,
            self._length,
            self._queue,
        )
        if self.shown is not None:
            self._show(
                self.width,
                self.views,
                self.options,
                self.legal,
                self.counts,
                self.gained,
                self.ended,
                self.matches,
                self.seats,
                self._numbers,
                self.shown,
                stream=stream,
            )

    def restart(self, first: int, seed: Seed | None = None) -> None:
        """Leave the matches in play and begin others in all rows, from number `first` on."""
        if seed is not None:
            series = self.series.copy_to_host()
            series["seed"][0] = check_seed(seed)
            self.series = _sent(series)
        self.counts.copy_to_device(np.zeros(self.width, dtype=np.int64))
        self._next.copy_to_device(np.array([first], dtype=np.int64))
        self._place_rows(first)
        self.apply()

    def _place_rows(self, first: int) -> None:
        """Where rows do not share matches, let each go on from before its first."""
        if self.stride:
            matches = new(MATCH, self.width)
            matches.number[:] = first + self._starts - self.stride
            self.matches = _sent(matches)

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


def _sent(array: Array) -> DeviceArray:
    return load_cuda().to_device(array)


def _zeros(*shape: int) -> DeviceArray:
    return _sent(np.zeros(shape, dtype=np.int64))


def grid(threads: int, wanted: int) -> tuple[int, int]:
    """Blocks and threads for this many items."""
    if is_simulated():
        return 1, 2
    return max(1, min(BLOCKS * multiprocessors(), -(-wanted // threads))), threads
