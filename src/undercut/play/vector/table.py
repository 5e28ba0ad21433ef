"""A vector table: a batch of matches as arrays, each waiting for a decision.

Every row is a match in progress. `apply` plays one action in each row and advances to the next
decision. When a match is over, its row takes the next match of the series. Lock-step play,
self-play and vector environments are loops over such a table.
The GPU version is play/gpu/vector.py.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from undercut.cards.french import NONE
from undercut.games.contract import Game, Rules
from undercut.kernels.jit import kernel, kernel_name, specialise, specialise_part, undispatched
from undercut.kernels.records import Action, Array, Buffer, Records, new
from undercut.kernels.rng import Seed
from undercut.play.ask import illegal_rows
from undercut.play.desk import Desk, Extra, advance, begin_match, make_desk, write_result
from undercut.play.fused.checked import is_checked
from undercut.play.fused.loop import trace_choice
from undercut.play.job import Job
from undercut.play.seeds import check_seed
from undercut.play.series import MatchRecord, make_series, result_layout, trace_type
from undercut.play.vector.autoplay import (
    Autoplay,
    Kernels,
    autoplay_kernels,
    autoplay_settings,
    bind_table,
    name_table,
)
from undercut.play.vector.observations import (
    Display,
    bind_display,
    make_shown,
    may_play,
    show,
    show_gain,
    show_last,
)
from undercut.play.vector.rows import RowKernel
from undercut.text.errors import IllegalAction, OptionsError

if TYPE_CHECKING:
    from undercut.play.gpu.vector import GpuVectorTable

ENDLESS = 1 << 62  # the number of matches of an unlimited series
THREAD_ROWS = 2048  # the fewest rows for a thread
_NO_ACTIONS = np.zeros(0, dtype=np.int64)
SHOWN_ROWS = 256  # the same with observations, which take longer


class Rows(NamedTuple):
    """The arrays of a vector table in addition to its desk."""

    counts: Buffer  # of legal actions; 0 in a row without a match
    seats: Buffer  # on turn
    gained: Buffer  # the points of each seat in the last step
    ended: Buffer  # the number of deals that ended in the last step


class Schedule(NamedTuple):
    """The matches that rows play, and the buffers for their results."""

    next_match: Buffer  # the number of the match that begins next
    first: int
    end: int
    stride: int  # from a row's match to its next; 0: rows take the next free number
    results: Records
    traces: Array


@dataclass(frozen=True)
class TableSettings:
    """The settings of a vector table.

    The table plays `count` matches, by default without end, from number `first`. Seatings are those
    of `agents`, by default of a different agent for each seat. `autoplay` makes some decisions
    itself. With a `display`, `shown` has the observations of all rows, and an illegal action ends
    its match and costs points. With `own_rows`, the matches of a row do not depend on other rows:
    each row has its own deals and goes on without end. A `checked` table rejects illegal actions
    and is slower; the default depends on UNDERCUT_CHECKED.
    """

    seed: int = 0
    agents: Sequence[object] | None = None
    first: int = 0
    count: int | None = None
    max_deals: int = 0
    series: Records | None = None  # in place of seed, agents and max_deals
    results: Any = None  # arrays of the table's device for the results and the decisions
    traces: Any = None
    autoplay: Autoplay | None = None
    display: Display | None = None
    own_rows: bool = False
    checked: bool | None = None

    @classmethod
    def of(cls, job: Job[Any]) -> "TableSettings":
        """The settings of a table that plays a job."""
        return cls(
            first=job.first,
            count=len(job.results),
            series=job.series,
            results=job.results,
            traces=job.traces,
        )

    def series_of(self, game: Game) -> Records:
        """The record of the series."""
        if self.series is not None:
            return self.series
        players = range(game.seats) if self.agents is None else self.agents
        return make_series(game, players, self.seed, self.max_deals)

    def results_of(self, game: Game) -> tuple[Records, Array]:
        """The given arrays for results and traces, or empty ones."""
        results = new(result_layout(game.rules), 0) if self.results is None else self.results
        empty = np.zeros((0, 0), dtype=trace_type(game.rules))
        return results, empty if self.traces is None else self.traces

    @property
    def end(self) -> int:
        """The number after that of the last match."""
        return self.first + (ENDLESS if self.count is None else self.count)

    @property
    def is_checked(self) -> bool:
        """Whether illegal actions are rejected."""
        return is_checked() if self.checked is None else self.checked


def check_width(width: int) -> None:
    """Raise an error for a table without rows."""
    if width < 1:
        raise OptionsError(f"a table of {width} matches: must be at least 1")


DEFAULTS = TableSettings()


@kernel
def open_account(match: MatchRecord, rows: Rows, row: int) -> None:
    """Start to count the points and the finished deals of a row."""
    for seat in range(rows.gained.shape[1]):
        rows.gained[row, seat] = -match.scores[seat]
    rows.ended[row] = -match.deals


@kernel
def close_account(match: MatchRecord, rows: Rows, row: int) -> None:
    """Complete the counts that `open_account` started."""
    for seat in range(rows.gained.shape[1]):
        rows.gained[row, seat] += match.scores[seat]
    rows.ended[row] += match.deals


@kernel
def keep_result(match: MatchRecord, schedule: Schedule) -> None:
    """Write the result of a match that is over, if the schedule keeps results."""
    place = int(match.number) - schedule.first
    if place < len(schedule.results):
        write_result(match, schedule.results[place])


@kernel
def keep_choice(desk: Desk, row: int, action: Action, count: int, schedule: Schedule) -> None:
    """Write a decision to the trace of its match, if the schedule keeps traces."""
    match = desk.matches[row]
    place = int(match.number) - schedule.first
    if place < len(schedule.traces):
        choice = int(match.choices) - 1
        trace_choice(schedule.traces[place], choice, action, desk.legal[row], count)


def _play_rows(
    part: Buffer,
    actions: Buffer,
    desk: Desk,
    rows: Rows,
    schedule: Schedule,
    extra: Extra,
    shown: Any,
) -> int:
    """Play in the rows from part[0] to part[1] - 1; returns how many of them have a match.

    Apply an action in each row, if there are actions. Then start the next matches of the schedule
    in rows without a match. Both share one loop, because `advance` is most of the compiled code.
    """
    playing, options = 0, desk.options[0]
    for i in range(part[0], part[1]):
        match, count, action = desk.matches[i], int(rows.counts[i]), NONE
        is_old = len(actions) > 0 and count > 0
        is_new = is_old or count == 0
        if is_old:
            action = int(actions[i])
            open_account(match, rows, i)
            if may_play(action, shown, i):
                keep_choice(desk, i, action, count, schedule)
            else:
                close_account(match, rows, i)
                show_gain(int(rows.seats[i]), rows.gained[i], 0, True, shown, i)
                show_last(desk.states[i], options, int(rows.seats[i]), desk.views[i], shown, i)
                is_old, count, action = False, 0, NONE
        while is_old or (count == 0 and schedule.next_match[0] < schedule.end):
            if not is_old:
                number = int(match.number) + schedule.stride
                if schedule.stride == 0:  # else do not write: threads would contend
                    number = int(schedule.next_match[0])
                    schedule.next_match[0] += 1
                begin_match(desk, i, number)
            count = advance(desk, i, action, extra)
            if is_old:
                close_account(match, rows, i)
                show_gain(
                    int(rows.seats[i]), rows.gained[i], int(rows.ended[i]), count == 0, shown, i
                )
            if count == 0:
                keep_result(match, schedule)
                if is_old:
                    show_last(desk.states[i], options, int(rows.seats[i]), desk.views[i], shown, i)
            is_old, action = False, NONE
        rows.counts[i] = count
        if count > 0:
            rows.seats[i] = desk.states[i].seat
            playing += 1
            if is_new:
                show(desk.views[i], options, desk.legal[i, :count], shown, i)
    return playing


@cache
def _kernel(
    rules: Rules, kernels: Kernels, encoder: Callable[..., None] | None
) -> Callable[..., int]:
    bound = vars(bind_table(rules, kernels, specialise_part)) | bind_display(encoder, rules)
    shown = f"_{kernel_name(encoder)}" if encoder else ""
    return specialise(_play_rows, name_table(rules, kernels) + shown, **bound)


class VectorTable:
    """Matches side by side on the CPU.

    `views`, `legal`, `counts` and `seats` have a row for each match: the view of the seat on turn,
    its legal actions (the first counts[i] of row i), and the seat. A row without a match has
    counts[i] == 0. The arrays are the table's own memory, which torch.from_numpy can share.

    >>> import undercut
    >>> table = undercut.vector_table(undercut.load("gin"), 4, seed=1)
    >>> table.apply(table.legal[:, 0])
    >>> table.counts.shape, table.gained.tolist()[0]
    ((4,), [0, 0])
    """

    device = "cpu"

    def __init__(
        self, game: Game, width: int, settings: TableSettings = DEFAULTS, workers: int = 1
    ) -> None:
        check_width(width)
        rules, series = game.rules, settings.series_of(game)
        self.game, self.width, self.workers = game, width, workers
        # Rows a power of two apart would compete for the same few cache lines.
        self.desk = make_desk(game, series, width, spare=(rules.LEGAL | 8) - rules.LEGAL)
        rows: Any = self.desk
        self.series, self.options, self.matches, _, self.views, self.generators, self.legal = rows
        self.counts, self.seats, self.ended, self.actions = np.zeros((4, width), dtype=np.int64)
        self.gained = np.zeros((width, game.seats), dtype=np.int64)
        self.rows = Rows(self.counts, self.seats, self.gained, self.ended)
        self._first, self._end = settings.first, settings.end
        self._next = np.array([self._first], dtype=np.int64)
        self.results, self.traces = settings.results_of(game)
        self.stride = row_stride(series, width) if settings.own_rows else 0
        self._checked = settings.is_checked
        autoplay, display = settings.autoplay, settings.display
        self.shown: Any = None if display is None else make_shown(display, width)
        self._settings = autoplay_settings(autoplay)
        space = autoplay.workspace if autoplay else 1
        self._workspaces = np.zeros((workers, space), dtype=np.int64)
        self._parts = _parts(workers, width, THREAD_ROWS if display is None else SHOWN_ROWS)
        others = len(self._parts) - 1
        self._pool = ThreadPoolExecutor(others) if others else None
        encoder = None if display is None else display.encode
        self._kernel = _kernel(rules, autoplay_kernels(autoplay), encoder)
        self._place_rows(self._first)
        self._begin()
        self._kernel = undispatched(self._kernel)  # many arguments, always of the same types

    @property
    def playing(self) -> int:
        """The number of rows with a match."""
        return self._playing

    @property
    def finished(self) -> int:
        """The number of finished matches."""
        return int(self._next[0]) - self._first - self._playing

    @property
    def players(self) -> Buffer:
        """For each row the number of the agent whose turn it is."""
        players: Buffer = self.matches.agents[np.arange(self.width), self.seats]
        return players

    def apply(self, actions: npt.ArrayLike | None = None, stream: object = None) -> None:
        """Play an action in every row, by default the attribute `actions`.

        Rows without a match ignore their action; `stream` is for tables on a GPU. Afterwards
        `ended` has the number of deals that ended in each row, and `gained` the points of each
        seat in them.

        Like `apply` of the rules, this trusts its caller; play/ask.py checks the actions of agents.
        A checked table raises an error for an illegal action, before it plays any row.
        """
        given = self.actions if actions is None else actions
        chosen = np.ascontiguousarray(given, dtype=np.int64)
        if chosen.shape != (self.width,):
            raise OptionsError(f"{chosen.shape} actions: the table has {self.width} matches")
        if self._checked:
            self._check(chosen)
        first, space = self._parts[0], self._workspaces[0]
        if self._pool is None:
            self._playing = self._play(first, chosen, space, self._end)
            return
        # Rows that share matches take the next numbers in order, after all threads are done.
        end = self._end if self.stride else 0
        others = self._pool.map(
            self._play, self._parts[1:], repeat(chosen), self._workspaces[1:], repeat(end)
        )
        self._playing = self._play(first, chosen, space, end) + sum(others)
        if not self.stride:
            self._begin()

    def restart(self, first: int, seed: Seed | None = None) -> None:
        """Abandon all matches and start others in all rows, from number `first`."""
        if seed is not None:
            self.series["seed"][0] = check_seed(seed)
        self.counts[:], self._next[0] = 0, first
        self._place_rows(first)
        self._begin()

    def _place_rows(self, first: int) -> None:
        if self.stride:
            self.matches.number[:] = first + row_starts(self.series, self.width) - self.stride

    def reveal(self, kernel: RowKernel, words: Buffer, stream: object = None) -> None:
        """Write the hidden cards of each row, as targets for training a belief."""
        kernel(self.width, self.desk.states, self.options, self.seats, words)

    def _check(self, actions: Buffer) -> None:
        playing = np.flatnonzero(self.counts)
        wrong = illegal_rows(actions[playing], self.legal[playing], self.counts[playing])
        if len(wrong):
            row = playing[wrong[0]]
            legal = self.legal[row, : self.counts[row]].tolist()
            allowed = ", ".join(map(self.game.notation.format_action, legal))
            raise IllegalAction(f"row {row}: action {actions[row]} is not legal: {allowed}")

    def _begin(self) -> None:
        everywhere = np.array([0, self.width], dtype=np.int64)
        self._playing = self._play(everywhere, _NO_ACTIONS, self._workspaces[0], self._end)

    def _play(self, part: Buffer, actions: Buffer, workspace: Buffer, end: int) -> int:
        """Apply these actions, if any, and start matches with numbers below `end`."""
        schedule = Schedule(self._next, self._first, end, self.stride, self.results, self.traces)
        shown = () if self.shown is None else self.shown
        extra = self._settings, workspace
        return self._kernel(part, actions, self.desk, self.rows, schedule, extra, shown)


def _parts(workers: int, width: int, rows: int) -> list[Buffer]:
    """The range of rows of each thread; a thread gets at least `rows` of them."""
    count = max(1, min(workers, width // rows))
    cuts = np.linspace(0, width, count + 1).astype(np.int64)
    return [cuts[i : i + 2] for i in range(count)]


def row_starts(series: Records, width: int) -> Buffer:
    """The number of each row's first match, if rows do not share matches.

    Each row starts in its own round, so that no two have the same cards, and the seatings vary.
    """
    games, rows = int(series["games_in_round"][0]), np.arange(width, dtype=np.int64)
    return games * rows + rows % games


def row_stride(series: Records, width: int) -> int:
    """The distance to a row's next match: one round for each row, plus one seating."""
    return int(series["games_in_round"][0]) * width + 1


def vector_table(
    game: Game,
    width: int,
    seed: int = 0,
    *,
    device: str = "cpu",
    workers: int | None = None,
    **settings: Any,
) -> "VectorTable | GpuVectorTable":
    """A vector table on a device; `settings` are those of TableSettings."""
    chosen = TableSettings(seed, **settings)
    if device == "cpu":
        return VectorTable(game, width, chosen, workers or os.cpu_count() or 1)
    if device != "cuda":
        raise OptionsError(f"unknown device {device!r}: one of cpu, cuda")
    from undercut.play.gpu.vector import GpuVectorTable

    return GpuVectorTable(game, width, chosen)
