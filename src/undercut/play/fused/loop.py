"""Fused play: whole matches of kernel agents in one compiled call.

`fuse` binds the kernels of a game and of a line-up of agents, so that everything is compiled
together. A CPU thread and a GPU thread run the same code.
"""

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace

from undercut.cards.french import NONE
from undercut.games.contract import Rules
from undercut.games.rules.holes import observe
from undercut.games.rules.pace import no_pace
from undercut.kernels.jit import hole, kernel, kernel_name, specialise, specialise_part
from undercut.kernels.records import (
    Action,
    Array,
    Buffer,
    Options,
    Records,
    Seat,
    Settings,
    State,
    View,
    pack,
)
from undercut.play.agent import KernelAgent, Turn
from undercut.play.agent import choose as first_choose
from undercut.play.desk import Desk, advance, begin_match, bind_desk, write_result
from undercut.play.fused.checked import trust

# The kernels of agents, and those that keep the threads of a GPU in step.


@hole
def choose(who: int, view: View, turn: Turn[Options, Settings]) -> Action: ...


other_choose = choose  # for the agents after the first


@hole
def is_allowed(
    number: int, state: State, options: Options, action: Action, out: Buffer
) -> bool: ...
@hole
def pace(state: State) -> int: ...
@hole
def hold(step: int, waited: int) -> bool: ...
@hole
def play_match(
    desk: Desk, number: int, settings: Settings, workspace: Buffer, trace: Array
) -> None: ...


@kernel
def trace_choice(trace: Array, choice: int, action: Action, out: Buffer, count: int) -> None:
    """Write the index of an action among the legal ones, if the trace has room."""
    if choice < len(trace):
        place = 0
        while place < count and out[place] != action:
            place += 1
        trace[choice] = place


def _choose_only(who: int, view: View, turn: Turn[Options, Settings]) -> Action:
    own = turn.settings[0]
    return first_choose(view, Turn(turn.legal, turn.options, own, turn.generator, turn.workspace))


def _choose_first_or_other(who: int, view: View, turn: Turn[Options, Settings]) -> Action:
    own, others = turn.settings
    legal, options, generator, workspace = turn.legal, turn.options, turn.generator, turn.workspace
    if who == 0:
        return first_choose(view, Turn(legal, options, own, generator, workspace))
    return other_choose(who - 1, view, Turn(legal, options, others, generator, workspace))


def _play_match(
    desk: Desk, number: int, settings: Settings, workspace: Buffer, trace: Array
) -> None:
    """Play the match with this number in row 0 of a desk."""
    begin_match(desk, 0, number)
    match, state, view, out = desk.matches[0], desk.states[0], desk.views[0], desk.legal[0]
    options, generators = desk.options[0], desk.generators[0]
    action, count, waited = NONE, 1, 0
    while count > 0:
        # The threads of a GPU are fast only in step. Each returns here every turn, and `hold` lets
        # a thread that is about to lay down its hand wait until its neighbours are too.
        step = 0 if action == NONE else pace(state)
        playing = not hold(step, waited)
        waited = 0 if playing else waited + 1
        while playing:
            count = advance(desk, 0, action, ())
            if count > 0:
                seat = int(state.seat)
                observe(state, options, seat, view)
                who = int(match.choosers[seat])
                turn = Turn(out[:count], options, settings, generators[seat], workspace)
                action = choose(who, view, turn)
                trace_choice(trace, int(match.choices) - 1, action, out, count)
                if not is_allowed(number, state, options, action, out):
                    match.is_stopped = 1
                    count = 0
            playing = count > 0 and pace(state) == step


def _play_matches(
    desk: Desk, first: int, settings: Settings, workspace: Buffer, results: Records, traces: Array
) -> None:
    """Play consecutive matches, from number `first`, on one thread's desk."""
    for i in range(len(results)):
        play_match(desk, first + i, settings, workspace, traces[i])
        write_result(desk.matches[0], results[i])


@kernel
def never_hold(step: int, waited: int) -> bool:
    """`hold` on a CPU, where no thread waits for another."""
    return False


@kernel
def _look_away(state: State, options: Options, seat: Seat, view: View) -> None:
    """`observe` for agents that never read the view."""


@cache
def fuse(
    rules: Rules,
    choosers: tuple[Callable[..., Action], ...],
    looks: bool = True,
    pace: Callable[..., int] = no_pace,
    hold: Callable[..., bool] = never_hold,
    is_allowed: Callable[..., bool] = trust,
) -> SimpleNamespace:
    """The loops for a game and its agents: `play_match` for a GPU, `play_matches` for a CPU."""
    bound = {**vars(bind_desk(rules)), "pace": pace, "hold": hold, "is_allowed": is_allowed}
    if not looks:
        bound["observe"] = _look_away
    name = "_".join([rules.NAME, *map(kernel_name, (*choosers, hold, is_allowed))])
    choose = _chain(rules, choosers, specialise)
    choose_here = _chain(rules, choosers, specialise_part)
    play_here = specialise_part(_play_match, name, **bound, choose=choose_here)
    return SimpleNamespace(
        play_match=specialise(_play_match, name, **bound, choose=choose),
        play_matches=specialise(_play_matches, name, **bound, play_match=play_here),
    )


def chain_settings(agents: Sequence[KernelAgent]) -> Settings:
    """The settings of the fused agents as nested pairs, as `choose` expects them."""
    nested: Settings = ()
    for agent in reversed(agents):
        nested = (pack(agent.settings), nested)
    return nested


def _chain(
    rules: Rules,
    choosers: tuple[Callable[..., Action], ...],
    bind: Callable[..., Callable[..., Action]],
) -> Callable[..., Action]:
    first, *others = choosers
    name = "_".join([rules.NAME, *map(kernel_name, choosers)])
    if not others:
        return bind(_choose_only, name, first_choose=first)
    rest = _chain(rules, tuple(others), bind)
    return bind(_choose_first_or_other, name, first_choose=first, other_choose=rest)
