"""Autoplay: decisions of a vector table that kernels make, in the hook `answer` of its desk."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import TypeAlias

from undercut.cards.french import NONE
from undercut.games.contract import Rules
from undercut.games.rules.holes import observe
from undercut.kernels.jit import hole, hole_value, kernel, kernel_name, specialise
from undercut.kernels.records import Action, Buffer, Options, Records, Settings, View, array_of
from undercut.play.agent import NO_SETTINGS, KernelAgent, Turn
from undercut.play.agent import choose as plain_choose
from undercut.play.agent import choose as rival_choose
from undercut.play.desk import Desk, bind_desk, bind_rules

Kernels: TypeAlias = tuple[Callable[..., int] | bool, ...]
Extra: TypeAlias = tuple[tuple[Records, Records], Buffer]  # settings of both agents, workspace


@dataclass(frozen=True)
class Autoplay:
    """The kernel agents that make some decisions of a vector table.

    `is_asked` takes a view and the index of the agent. If it returns True, the table leaves the
    decision to the caller. Otherwise `plain` decides for agent 0 and `rival` for all others. If
    `rival` never reads the view, the view is not filled in for it: `is_asked` must then ignore it.
    """

    is_asked: Callable[[View, int], bool]
    plain: KernelAgent
    rival: KernelAgent

    @property
    def workspace(self) -> int:
        """The int64 numbers of working space that its kernels need."""
        return max(1, self.plain.workspace, self.rival.workspace)


rival_looks: bool = hole_value()


@hole
def is_asked(view: View, who: int) -> bool: ...


def _answer(desk: Desk, row: int, count: int, extra: Extra) -> Action:
    """The hook `answer`: observe, and let a kernel decide where `is_asked` is false."""
    state, view, options = desk.states[row], desk.views[row], desk.options[0]
    seat = int(state.seat)
    who = int(desk.matches[row].choosers[seat])
    if who == 0 or rival_looks:
        observe(state, options, seat, view)
    if is_asked(view, who):
        return NONE
    settings, workspace = extra
    choices, generator = desk.legal[row, :count], desk.generators[row, seat]
    if who == 0:
        return plain_choose(view, Turn(choices, options, settings[0][0], generator, workspace))
    return rival_choose(view, Turn(choices, options, settings[1][0], generator, workspace))


@kernel
def _always(view: View, who: int) -> bool:
    return True


@kernel
def _no_choice(view: View, turn: Turn[Options, Settings]) -> Action:
    return NONE


_NAMES = ("is_asked", "plain_choose", "rival_choose", "rival_looks")


@cache
def bind_table(
    rules: Rules, kernels: Kernels, bind: Callable[..., Callable[..., int]] = specialise
) -> SimpleNamespace:
    """The match kernels of a vector table."""
    name, own = name_table(rules, kernels), dict(zip(_NAMES, kernels, strict=True))
    answer = bind(_answer, name, **bind_rules(rules), **own)
    return SimpleNamespace(
        **vars(bind_desk(rules, name, answer, bind=bind)), is_asked=own["is_asked"]
    )


def autoplay_kernels(autoplay: Autoplay | None) -> Kernels:
    """The kernels for `bind_table`; without autoplay the caller makes every decision."""
    if autoplay is None:
        return _always, _no_choice, _no_choice, True
    return autoplay.is_asked, autoplay.plain.choose, autoplay.rival.choose, autoplay.rival.looks


def name_table(rules: Rules, kernels: Kernels) -> str:
    """The name of templates that are bound to these kernels."""
    return "_".join([rules.NAME, *map(kernel_name, kernels[:-1])])


def autoplay_settings(autoplay: Autoplay | None) -> tuple[Records, Records]:
    """The settings of both agents, each as an array of one record."""
    agents = (None, None) if autoplay is None else (autoplay.plain, autoplay.rival)
    plain, rival = (array_of(agent.settings if agent else NO_SETTINGS) for agent in agents)
    return plain, rival
