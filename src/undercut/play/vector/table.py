"""A vector table: many matches side by side, each at its next choice.

Every row is a match in progress. `apply` plays one action in each and goes on to the next choice;
a match that is over gives its row to the next match of the series. Loops over such a table are
lock-step play, self-play and vector environments. play/gpu/vector.py is the same on a GPU.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
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

ENDLESS = 1 << 62  # the number of matches where nobody counts them
THREAD_ROWS = 2048  # that are worth a thread of their own
_NO_ACTIONS = np.zeros(0, dtype=np.int64)
SHOWN_ROWS = 256  # the same where each is shown, which takes longer


class Rows(NamedTuple):
    """What a vector table keeps of every row beside its desk."""

    counts: Buffer  # how many actions are legal; 0 without a match
    seats: Buffer  # whose turn it is
    gained: Buffer  # by each seat in the last step
    ended: Buffer  # how many deals ended in the last step


class Schedule(NamedTuple):
    """Which matches of a series are played in the rows, and where their results go."""

    next_match: Buffer  # the number of the one that begins next
    first: int
    end: int
    stride: int  # from a row's match to its next one; 0: rows take matches in turn
    results: Records
    traces: Array


@kernel
def open_account(match: MatchRecord, rows: Rows, row: int) -> None:
    """Begin to count what each seat gains in a row, and how many deals end there."""
    for seat in range(rows.gained.shape[1]):
        rows.gained[row, seat] = -match.scores[seat]
    rows.ended[row] = -match.deals


@kernel
def close_account(match: MatchRecord, rows: Rows, row: int) -> None:
    """What was gained, and how many deals have ended, since the account was opened."""
    for seat in range(rows.gained.shape[1]):
        rows.gained[row, seat] += match.scores[seat]
    rows.ended[row] += match.deals


@kernel
def keep_result(match: MatchRecord, schedule: Schedule) -> None:
    """Store the result of a match that is over, if there is room for it."""
    place = int(match.number) - schedule.first
    if place < len(schedule.results):
        write_result(match, schedule.results[place])


@kernel
def keep_choice(desk: Desk, row: int, action: Action, count: int, schedule: Schedule) -> None:
    """Trace a choice, if there is room for it."""
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
    """Play in the rows from part[0] up to part[1]; returns how many of them have a match.

    An action is applied in each, if any are given. Then the next matches of the schedule begin in
    rows that have none. One loop does both: the way to the next choice is most of its code.
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
                if schedule.stride == 0:  # else threads would wait for each other to write nothing
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

    `views`, `legal`, `counts` and `seats` have a row for each match in play: what the seat on turn
    may know, what it may do (the first counts[i] actions of row i), and which seat that is. A row
    without a match has counts[i] == 0. They are the table's own memory: torch.from_numpy shares it.

    >>> from undercut.games.families import parse_game
    >>> table = VectorTable(parse_game("gin"), width=4, seed=1)
    >>> table.apply(table.legal[:, 0])
    >>> table.counts.shape, table.gained.tolist()[0]
    ((4,), [0, 0])
    """

    device = "cpu"

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
        results: Records | None = None,
        traces: Array | None = None,
        workers: int = 1,
        autoplay: Autoplay | None = None,
        display: Display | None = None,
        own_rows: bool = False,
        checked: bool | None = None,
    ) -> None:
        """`count` matches from number `first` on are played, by default one after another without end.

        The line-ups are those of `agents`, by default of as many different ones as there are seats.
        With `autoplay`, its choices are not asked for. With a `display`, `shown` has what
        it shows of every row, and an illegal action ends a match and costs points. With `own_rows`, the matches of a row do not depend on other rows,
        each has cards of its own, and they go on without end. A table that is `checked`, as all are
        with UNDERCUT_CHECKED=1, refuses illegal actions, and is slower for that.
        """
        if width < 1:
            raise OptionsError(f"a table of {width} matches: must be at least 1")
        rules = game.rules
        self.game, self.width, self.workers = game, width, workers
        if series is None:
            players = range(game.seats) if agents is None else agents
            series = make_series(game, players, seed, max_deals)
        # Rows that lie a power of two apart would meet in the same few places of a cache.
        self.desk = make_desk(game, series, width, spare=(rules.LEGAL | 8) - rules.LEGAL)
        rows: Any = self.desk
        self.series, self.options, self.matches, _, self.views, self.generators, self.legal = rows
        self.counts, self.seats, self.ended, self.actions = np.zeros((4, width), dtype=np.int64)
        self.gained = np.zeros((width, game.seats), dtype=np.int64)
        self.rows = Rows(self.counts, self.seats, self.gained, self.ended)
        self._first, self._end = first, first + (ENDLESS if count is None else count)
        self._next = np.array([first], dtype=np.int64)
        self.results = new(result_layout(rules), 0) if results is None else results
        self.traces = np.zeros((0, 0), dtype=trace_type(rules)) if traces is None else traces
        self.stride = row_stride(series, width) if own_rows else 0
        self._checked = is_checked() if checked is None else checked
        self.shown: Any = None if display is None else make_shown(display, width)
        self._settings = autoplay_settings(autoplay)
        space = autoplay.workspace if autoplay else 1
        self._workspaces = np.zeros((workers, space), dtype=np.int64)
        self._parts = _parts(workers, width, THREAD_ROWS if display is None else SHOWN_ROWS)
        others = len(self._parts) - 1
        self._pool = ThreadPoolExecutor(others) if others else None
        encoder = None if display is None else display.encode
        self._kernel = _kernel(rules, autoplay_kernels(autoplay), encoder)
        self._place_rows(first)
        self._begin()
        self._kernel = undispatched(self._kernel)  # its arguments are many, and always of a kind

    @property
    def playing(self) -> int:
        """How many rows have a match."""
        return self._playing

    @property
    def finished(self) -> int:
        """How many matches are over."""
        return int(self._next[0]) - self._first - self._playing

    @property
    def players(self) -> Buffer:
        """For each row the number of the agent whose turn it is."""
        players: Buffer = self.matches.agents[np.arange(self.width), self.seats]
        return players

    def apply(self, actions: npt.ArrayLike | None = None, stream: object = None) -> None:
        """Play an action in every row, by default those that were written into `actions`.

        Those of rows without a match are not looked at; the stream is for tables on a GPU.

        Like `apply` of the rules it trusts its caller: play/ask.py checks what agents answer. If the
        table is checked, an illegal action is an error, and no row is played.
        Afterwards `ended` has how many deals ended in each row, and `gained` the points that they
        brought each seat.
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
        # Rows that share their matches take them in order, when all have come so far.
        end = self._end if self.stride else 0
        others = self._pool.map(
            self._play, self._parts[1:], repeat(chosen), self._workspaces[1:], repeat(end)
        )
        self._playing = self._play(first, chosen, space, end) + sum(others)
        if not self.stride:
            self._begin()

    def restart(self, first: int, seed: Seed | None = None) -> None:
        """Leave the matches in play and begin others in all rows, from number `first` on."""
        if seed is not None:
            self.series["seed"][0] = check_seed(seed)
        self.counts[:], self._next[0] = 0, first
        self._place_rows(first)
        self._begin()

    def _place_rows(self, first: int) -> None:
        if self.stride:
            self.matches.number[:] = first + row_starts(self.series, self.width) - self.stride

    def reveal(self, kernel: RowKernel, words: Buffer, stream: object = None) -> None:
        """Write what the seat on turn cannot see, for those who train agents to guess it."""
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
        """Apply these actions, if any, and begin matches before number `end`."""
        schedule = Schedule(self._next, self._first, end, self.stride, self.results, self.traces)
        shown = () if self.shown is None else self.shown
        extra = self._settings, workspace
        return self._kernel(part, actions, self.desk, self.rows, schedule, extra, shown)


def _parts(workers: int, width: int, rows: int) -> list[Buffer]:
    """The rows of each thread, from the first up to the last, if this many are worth a thread."""
    count = max(1, min(workers, width // rows))
    cuts = np.linspace(0, width, count + 1).astype(np.int64)
    return [cuts[i : i + 2] for i in range(count)]


def row_starts(series: Records, width: int) -> Buffer:
    """The number of each row's first match, if rows do not share matches.

    Each is in a round of its own, so that no two have the same cards, and in another seating.
    """
    games, rows = int(series["games_in_round"][0]), np.arange(width, dtype=np.int64)
    return games * rows + rows % games


def row_stride(series: Records, width: int) -> int:
    """How far it is to a row's next match: as many rounds as there are rows, one seating further."""
    return int(series["games_in_round"][0]) * width + 1


def vector_table(
    game: Game, width: int, seed: int = 0, *, device: str = "cpu", **settings: Any
) -> "VectorTable | GpuVectorTable":
    """A vector table on a device; see VectorTable."""
    if device == "cpu":
        settings.setdefault("workers", os.cpu_count() or 1)
        return VectorTable(game, width, seed, **settings)
    if device != "cuda":
        raise OptionsError(f"unknown device {device!r}: one of cpu, cuda")
    from undercut.play.gpu.vector import GpuVectorTable

    return GpuVectorTable(game, width, seed, **settings)
