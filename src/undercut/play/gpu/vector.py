"""The vector table on a GPU: the arrays of play/vector/table.py in GPU memory, the same kernels.

`views`, `legal`, `counts` and `seats` are device arrays. torch.as_tensor can share their memory,
and that of one field of all views (`field`). Results do not depend on the row of a match.
"""

from typing import Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Game, Rules
from undercut.games.rules.holes import apply, is_over, legal, observe
from undercut.kernels.jit import hole_value
from undercut.kernels.records import Array, Buffer, Records, new
from undercut.kernels.rng import Seed
from undercut.play.desk import Desk, advance, begin_match, make_desk
from undercut.play.fused.checked import ALL, checker
from undercut.play.fused.loop import is_allowed
from undercut.play.gpu.target import (
    DeviceArray,
    compile_for_gpu,
    cuda,
    is_simulated,
    load_cuda,
    multiprocessors,
)
from undercut.play.seeds import check_seed
from undercut.play.series import MATCH
from undercut.play.vector.autoplay import (
    Autoplay,
    autoplay_kernels,
    autoplay_settings,
    bind_table,
    is_asked,
)
from undercut.play.vector.observations import (
    Shown,
    bind_display,
    make_shown,
    show_rows,
    slow_spread,
)
from undercut.play.vector.rows import RowKernel
from undercut.play.vector.table import (
    DEFAULTS,
    Rows,
    Schedule,
    TableSettings,
    check_width,
    close_account,
    keep_choice,
    keep_result,
    open_account,
    row_starts,
    row_stride,
)

THREADS = 128
REGISTERS = 128
BLOCKS = 16  # for each multiprocessor, at most

workspace_size: int = hole_value()


class Queue(NamedTuple):
    """The rows that `_finish_rows` still has to advance, and the number of illegal actions."""

    length: Buffer
    rows: Buffer
    refused: Buffer


def _apply_rows(actions: Buffer, desk: Desk, rows: Rows, schedule: Schedule, queue: Queue) -> None:
    """Apply an action in every row that has a match; most reach their next decision at once.

    The others are queued for `_finish_rows`: a thread that deals or lays down a hand would keep its
    neighbours waiting.
    """
    options = desk.options[0]
    for i in range(cuda.grid(1), len(rows.counts), cuda.gridsize(1)):
        count, is_done = int(rows.counts[i]), False
        if count > 0:
            match, state, action = desk.matches[i], desk.states[i], int(actions[i])
            keep_choice(desk, i, action, count, schedule)
            rows.ended[i] = 0
            for seat in range(rows.gained.shape[1]):
                rows.gained[i, seat] = 0
            if is_allowed(int(match.number), state, options, action, desk.legal[i]):
                match.actions += 1
                apply(state, options, action)
                if not is_over(state):
                    count = legal(state, options, desk.legal[i])
                    if count > 1:
                        seat = int(state.seat)
                        observe(state, options, seat, desk.views[i])
                        if is_asked(desk.views[i], int(match.choosers[seat])):
                            match.choices += 1
                            rows.counts[i] = count
                            rows.seats[i] = seat
                            is_done = True
            else:
                match.is_stopped = 1
                cuda.atomic.add(queue.refused, 0, 1)
        else:
            is_done = schedule.next_match[0] >= schedule.end
        if not is_done:
            queue.rows[int(cuda.atomic.add(queue.length, 0, 1))] = i


def _finish_rows(
    desk: Desk, rows: Rows, schedule: Schedule, settings: tuple[Records, Records], queue: Queue
) -> None:
    """Advance the queued rows to their next decision, if necessary in the next match."""
    workspace = cuda.local.array(workspace_size, np.int64)
    for entry in range(cuda.grid(1), queue.length[0], cuda.gridsize(1)):
        i = int(queue.rows[entry])
        match, count = desk.matches[i], 0
        if rows.counts[i] > 0:
            open_account(match, rows, i)
            if not match.is_stopped:
                count = advance(desk, i, NONE, (settings, workspace))
            close_account(match, rows, i)
            if count == 0:
                keep_result(match, schedule)
        if count == 0 and schedule.next_match[0] < schedule.end:
            number = int(match.number) + schedule.stride
            if schedule.stride == 0:
                number = int(cuda.atomic.add(schedule.next_match, 0, 1))
            if number < schedule.end:
                begin_match(desk, i, number)
                count = advance(desk, i, NONE, (settings, workspace))
        rows.counts[i] = count
        if count > 0:
            rows.seats[i] = desk.states[i].seat


def _clear(length: Buffer) -> None:
    """Empty the queue."""
    length[0] = 0


class GpuVectorTable:
    """Matches side by side on a GPU; see play.vector.table.VectorTable.

    It cannot raise an error for an illegal action. A checked table stops the match, starts another
    and counts the action in `refused`. In an unchecked table the GPU may hang.
    """

    device = "cuda"

    def __init__(self, game: Game, width: int, settings: TableSettings = DEFAULTS) -> None:
        check_width(width)
        rules, series, first = game.rules, settings.series_of(game), settings.first
        autoplay, display = settings.autoplay, settings.display
        self.game, self.width, self._first, self._end = game, width, first, settings.end
        desk: Any = map(_sent, make_desk(game, series, width))
        self.desk: Any = Desk(*desk)
        desk = self.desk
        self.series, self.options, self.matches, _, self.views, self.generators, self.legal = desk
        self.counts, self.seats, self.ended, self.actions = (_zeros(width) for _ in range(4))
        self.gained = _zeros(width, game.seats)
        rows: Any = self.counts, self.seats, self.gained, self.ended
        self.rows = Rows(*rows)
        self._next = _sent(np.array([first], dtype=np.int64))
        results, traces = map(_sent, settings.results_of(game))
        stride = row_stride(series, width) if settings.own_rows else 0
        planned: Any = self._next, first, self._end, stride, results, traces
        self._schedule = Schedule(*planned)
        queued: Any = _zeros(1), _zeros(width), _zeros(1)
        self._queue: Any = Queue(*queued)
        self._settings = tuple(map(_sent, autoplay_settings(autoplay)))
        self._compile(rules, autoplay, ALL if settings.is_checked else 0)
        self._starts = row_starts(series, width)
        self.shown: Any = None
        if display is not None:
            shown: Any = map(_sent, make_shown(display, width))
            self.shown = Shown(*shown)
            self._numbers = _zeros(width)
            bound = bind_display(display.encode, rules, slow_spread)
            self._show = RowKernel(show_rows, rules.NAME, "cuda", **bound)
        self._place_rows(first)
        self.apply()

    def _compile(self, rules: Rules, autoplay: Autoplay | None, checked: int) -> None:
        bound = vars(bind_table(rules, autoplay_kernels(autoplay)))
        names = ("apply", "is_over", "legal", "observe", "is_asked")
        quick = {name: bound[name] for name in names} | {"is_allowed": checker(rules, checked)}
        self._clear = compile_for_gpu(_clear, REGISTERS)
        self._apply = compile_for_gpu(_apply_rows, REGISTERS, **quick)
        self._finish = compile_for_gpu(
            _finish_rows,
            REGISTERS,
            begin_match=bound["begin_match"],
            advance=bound["advance"],
            workspace_size=autoplay.workspace if autoplay else 1,
        )

    @property
    def begun(self) -> int:
        """The number of matches that have begun; this waits for the GPU."""
        return min(int(self._next.copy_to_host()[0]), self._end) - self._first

    @property
    def refused(self) -> int:
        """The number of illegal actions in a checked table; this waits for the GPU."""
        return int(self._queue.refused.copy_to_host()[0])

    def apply(self, actions: object = None, stream: object = None) -> None:
        """Play an action in every row, by default the attribute `actions`."""
        size = (*grid(THREADS, self.width), *(() if stream is None else (stream,)))
        given = self.actions if actions is None else actions
        desk, rows, schedule, queue = self.desk, self.rows, self._schedule, self._queue
        self._clear.launch((1, 1, *size[2:]), queue.length)
        self._apply.launch(size, given, desk, rows, schedule, queue)
        self._finish.launch(size, desk, rows, schedule, self._settings, queue)
        if self.shown is not None:
            self._show(self.width, desk, rows, self._numbers, self.shown, stream=stream)

    def restart(self, first: int, seed: Seed | None = None) -> None:
        """Abandon all matches and start others in all rows, from number `first`."""
        if seed is not None:
            series = self.series.copy_to_host()
            series["seed"][0] = check_seed(seed)
            self.series.copy_to_device(series)
        self.counts.copy_to_device(np.zeros(self.width, dtype=np.int64))
        self._next.copy_to_device(np.array([first], dtype=np.int64))
        self._place_rows(first)
        self.apply()

    def _place_rows(self, first: int) -> None:
        """If rows do not share matches, set each one stride before its first match."""
        stride = self._schedule.stride
        if stride:
            matches = new(MATCH, self.width)
            matches.number[:] = first + self._starts - stride
            self.matches.copy_to_device(matches)

    def reveal(self, kernel: RowKernel, words: object, stream: object = None) -> None:
        """Write the hidden cards of each row, as targets for training a belief."""
        kernel(self.width, self.desk.states, self.options, self.seats, words, stream=stream)

    def field(self, name: str) -> "SharedField":
        """One field of all views, as an array that shares their memory."""
        return SharedField(self.views, name)


class SharedField:
    """A field of a device array of records, for libraries that share GPU memory."""

    def __init__(self, records: DeviceArray, name: str) -> None:
        assert records.dtype.fields is not None, "records have fields"
        kind, offset = records.dtype.fields[name][:2]
        base, shape = kind.subdtype or (kind, ())
        steps = np.zeros(shape, dtype=base).strides
        self._records = records  # keeps the memory alive
        self.__cuda_array_interface__ = {
            "shape": (*records.shape, *shape),
            "typestr": base.str,
            "data": (records.__cuda_array_interface__["data"][0] + offset, False),
            "strides": (*records.strides, *steps),
            "version": 3,
        }


def _sent(array: Array | DeviceArray) -> DeviceArray:
    """An array on the device; one that is there already stays."""
    return load_cuda().to_device(array.view(np.ndarray)) if isinstance(array, np.ndarray) else array


def _zeros(*shape: int) -> DeviceArray:
    return _sent(np.zeros(shape, dtype=np.int64))


def grid(threads: int, wanted: int) -> tuple[int, int]:
    """The number of blocks and threads for this many items."""
    if is_simulated():
        return 1, 2
    return max(1, min(BLOCKS * multiprocessors(), -(-wanted // threads))), threads
