"""What plays beside a vector table: the choices that nobody is asked for, and the way to the next.

`bind_table` fills the holes with the kernels of a game and of what plays beside its table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

from undercut.cards.french import NONE
from undercut.games.contract import Rules
from undercut.kernels.jit import hole, hole_value, kernel, kernel_name, specialise
from undercut.kernels.records import (
    Action,
    Buffer,
    Options,
    Records,
    Settings,
    State,
    View,
    array_of,
)
from undercut.kernels.rng import Generator
from undercut.play.agent import NO_SETTINGS, KernelAgent
from undercut.play.fused.loop import (
    apply,
    begin_match,
    bind_rules,
    is_over,
    legal,
    next_deal,
    observe,
    settle,
)
from undercut.play.series import MatchRecord, Series


@dataclass(frozen=True)
class Beside:
    """Choices of a vector table that are played without asking.

    `is_asked` says of a view, and of the number of the agent's kernel, whether its choice is asked
    for. If not, `plain` plays it for the first agent, `rival` for every other. Others than the first
    are not shown a view if they never look, and must then be asked always or never.
    """

    is_asked: Callable[[View, int], bool]
    plain: KernelAgent
    rival: KernelAgent

    @property
    def workspace(self) -> int:
        """How many int64 numbers its kernels need."""
        return max(1, self.plain.workspace, self.rival.workspace)


rival_looks: bool = hole_value()


@hole
def is_asked(view: View, who: int) -> bool: ...
@hole
def plain_choose(
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action: ...
@hole
def rival_choose(
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action: ...
@hole
def go_on(
    match: MatchRecord,
    series: Series,
    state: State,
    view: View,
    options: Options,
    generators: Records,
    out: Buffer,
    settings: tuple[Records, Records],
    workspace: Buffer,
) -> int: ...
@hole
def begin_row(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    view: View,
    options: Options,
    generators: Records,
    out: Buffer,
    settings: tuple[Records, Records],
    workspace: Buffer,
) -> int: ...


def _go_on(
    match: MatchRecord,
    series: Series,
    state: State,
    view: View,
    options: Options,
    generators: Records,
    out: Buffer,
    settings: tuple[Records, Records],
    workspace: Buffer,
) -> int:
    """Play on to the next choice that is asked for, and show it to the seat that has it.

    An action was just applied, or a match begun. A choice that nobody is asked for is played by the
    kernels beside the table. Returns how many actions are legal, 0 when the match is over.
    """
    while True:
        if is_over(state):
            settle(match, series, state, options)
            if match.is_over:
                return 0
            next_deal(match, series, state, options, generators)
        count = legal(state, options, out)
        action = int(out[0])
        if count > 1:
            seat = int(state.seat)
            who = int(match.choosers[seat])
            match.choices += 1
            if who == 0 or rival_looks:
                observe(state, options, seat, view)
            if is_asked(view, who):
                return count
            choices, chance = out[:count], generators[seat]
            if who == 0:
                action = plain_choose(view, choices, options, settings[0][0], chance, workspace)
            else:
                action = rival_choose(view, choices, options, settings[1][0], chance, workspace)
        match.actions += 1
        apply(state, options, action)


def _begin_row(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    view: View,
    options: Options,
    generators: Records,
    out: Buffer,
    settings: tuple[Records, Records],
    workspace: Buffer,
) -> int:
    """Begin the match of this number, and play on to its first choice that is asked for."""
    begin_match(match, series, number, options, generators)
    next_deal(match, series, state, options, generators)
    return go_on(match, series, state, view, options, generators, out, settings, workspace)


@kernel
def _always(view: View, who: int) -> bool:
    return True


@kernel
def _no_choice(
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    return NONE


@cache
def bind_table(
    rules: Rules,
    beside: tuple[Callable[..., int] | bool, ...],
    bind: Callable[..., Callable[..., int]] = specialise,
) -> SimpleNamespace:
    """The match kernels of a vector table: those of the game, and `go_on` and `begin_row`."""
    names = dict(zip(_BESIDE, beside, strict=True))
    bound = {**vars(bind_rules(rules)), **names}
    name = name_beside(rules, beside)
    bound["go_on"] = bind(_go_on, name, **bound)
    bound["begin_row"] = bind(_begin_row, name, **bound)
    return SimpleNamespace(**bound)


_BESIDE = ("is_asked", "plain_choose", "rival_choose", "rival_looks")


def kernels_beside(beside: Beside | None) -> tuple[Callable[..., int] | bool, ...]:
    """What `bind_table` takes; with nothing beside a table, all choices are asked for."""
    if beside is None:
        return _always, _no_choice, _no_choice, True
    return beside.is_asked, beside.plain.choose, beside.rival.choose, beside.rival.looks


def name_beside(rules: Rules, beside: tuple[Callable[..., int] | bool, ...]) -> str:
    """A name for what is bound to these."""
    return "_".join([rules.NAME, *map(kernel_name, beside[:-1])])


def settings_beside(beside: Beside | None) -> tuple[Records, Records]:
    """The settings of its two agents, each in an array of one record."""
    agents = (None, None) if beside is None else (beside.plain, beside.rival)
    plain, rival = (array_of(agent.settings if agent else NO_SETTINGS) for agent in agents)
    return plain, rival
