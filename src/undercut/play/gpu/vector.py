"""The vector table on a GPU: the arrays of play/vector.py in its memory, the same kernels.

`views`, `legal`, `counts` and `seats` are device arrays; torch.as_tensor shares their memory, and
that of one field of all views (`field`). Nothing depends on which row a match is in.
"""

from collections.abc import Sequence

import numpy as np

from undercut.core.cards import NONE
from undercut.core.errors import OptionsError
from undercut.core.records import Array, Buffer, Options, Records, Settings, new, pack
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
    advance,
    begin_match,
    bind_rules,
    is_allowed,
    observe,
    trace_choice,
    write_result,
)
from undercut.play.series import MATCH, make_series, result_layout, trace_type
from undercut.play.vector import ENDLESS

THREADS = 128
REGISTERS = 128
BLOCKS = 16  # for each multiprocessor, at most


def _advance_rows(
    next_match: Buffer,
    end: int,
    matches: Records,
    series: Records,
    states: Records,
    views: Records,
    options: Records,
    generators: Records,
    actions: Buffer,
    legal: Buffer,
    counts: Buffer,
    seats: Buffer,
    gained: Buffer,
    first: int,
    results: Records,
    traces: Array,
) -> None:
    """Apply an action in every row and go on to its next choice, if need be in another match."""
    for i in range(cuda.grid(1), len(counts), cuda.gridsize(1)):
        match, seat_count = matches[i], int(series[0].seats)
        count = int(counts[i])
        if count > 0:
            place = int(match.number) - first
            allowed = is_allowed(states[i], options[0], int(actions[i]), legal[i])
            if place < len(traces):
                trace_choice(
                    traces[place], int(match.choices) - 1, int(actions[i]), legal[i], count
                )
            for seat in range(seat_count):
                gained[i, seat] = -match.scores[seat]
            count = 0
            if allowed:
                count = advance(
                    match,
                    series[0],
                    states[i],
                    options[0],
                    generators[i],
                    int(actions[i]),
                    legal[i],
                )
            else:
                match.is_stopped = 1
            for seat in range(seat_count):
                gained[i, seat] += match.scores[seat]
            if count == 0 and place < len(results):
                write_result(match, results[place])
        if count == 0 and next_match[0] < end:
            number = int(cuda.atomic.add(next_match, 0, 1))
            if number < end:
                begin_match(match, series[0], number, options[0], generators[i])
                count = advance(
                    match, series[0], states[i], options[0], generators[i], NONE, legal[i]
                )
        counts[i] = count
        if count > 0:
            seats[i] = states[i].seat
            observe(states[i], options[0], int(states[i].seat), views[i])


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
        self.generators = cuda.to_device(new(GENERATOR, (width, game.seats + 1)))
        self._states = cuda.to_device(new(rules.STATE, width))
        bound = bind_rules(rules)
        self._kernel = compile_for_gpu(
            _advance_rows,
            REGISTERS,
            begin_match=bound.begin_match,
            advance=bound.advance,
            observe=bound.observe,
            is_allowed=checker(rules),
        )
        self.apply()

    @property
    def begun(self) -> int:
        """How many matches have been begun; this waits for the GPU."""
        return min(int(self._next.copy_to_host()[0]), self._end) - self._first

    def apply(self, actions: object = None) -> None:
        """Play an action in every row, by default those that were written into `actions`."""
        self._kernel.launch(
            grid(THREADS, self.width),
            self._next,
            self._end,
            self.matches,
            self.series,
            self._states,
            self.views,
            self.options,
            self.generators,
            self.actions if actions is None else actions,
            self.legal,
            self.counts,
            self.seats,
            self.gained,
            self._first,
            self.results,
            self.traces,
        )

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


def array_of(values: Options | Settings) -> Records:
    """Options or settings as an array of one record."""
    record = pack(values)
    return np.array([record], dtype=record.dtype)


def grid(threads: int, wanted: int) -> tuple[int, int]:
    """Blocks and threads for this many items."""
    if is_simulated():
        return 1, 2
    return max(1, min(BLOCKS * multiprocessors(), -(-wanted // threads))), threads
