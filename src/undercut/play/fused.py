"""Whole matches of kernel agents in one call.

The functions below are templates: `fuse` binds the names declared here to the kernels of one game
and one line-up of agents, so that everything is compiled together, for a CPU thread and for a GPU
thread alike.
"""

import dis
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from undercut.core import rng
from undercut.core.agent import KernelAgent
from undercut.core.cards import NONE
from undercut.core.jit import UNBOUND, kernel, specialise
from undercut.core.records import (
    Action,
    Buffer,
    Options,
    State,
    View,
    pack,
)
from undercut.core.rng import Generator
from undercut.games.contract import MAX_SEATS, TALLIES, Rules
from undercut.play.checked import trust

# Seeds are derived for these purposes.
DECK_SEED, AGENT_SEED, STARTER_SEED = 0, 1, 2

MATCH = np.dtype(
    [
        ("seed", "i8"),
        ("number", "i8"),  # names the agents' chance
        ("pair", "i8"),  # names the cards: matches of one pair play the same deals
        ("seats", "i8"),
        ("max_deals", "i8"),  # stop after so many deals; 0: play to the end
        ("choosers", "i8", MAX_SEATS),  # which of the fused agents sits in each seat
        ("deals", "i8"),
        ("starter", "i8"),
        ("is_over", "i8"),
        ("actions", "i8"),
        ("scores", "i8", MAX_SEATS),
        ("gained", "i8", MAX_SEATS),  # in the latest deal
        ("tally", "i8", TALLIES),
    ],
    align=True,
)

# Bound by `fuse`: the kernels of a game, then those of its agents, then the templates themselves.
deal: Any = UNBOUND
legal: Any = UNBOUND
apply: Any = UNBOUND
observe: Any = UNBOUND
is_over: Any = UNBOUND
pace: Any = UNBOUND
hold: Any = UNBOUND
score: Any = UNBOUND
tally: Any = UNBOUND
first_starter: Any = UNBOUND
next_starter: Any = UNBOUND
is_match_over: Any = UNBOUND
first_choose: Any = UNBOUND
other_choose: Any = UNBOUND
choose: Any = UNBOUND
is_allowed: Any = UNBOUND
next_deal: Any = UNBOUND
begin_match: Any = UNBOUND
settle: Any = UNBOUND
advance: Any = UNBOUND
play_match: Any = UNBOUND


def _next_deal(match: Any, state: State, options: Options, generators: Any) -> None:
    """Deal; the last generator is the dealer's."""
    dealer = generators[match.seats]
    rng.start(dealer, rng.derive(match.seed, DECK_SEED, match.pair, match.deals))
    deal(state, options, dealer, int(match.starter), match.scores)


def _begin_match(match: Any, options: Options, generators: Any) -> None:
    """Set a match up; its seed, number, pair, seats and choosers are given."""
    for seat in range(match.seats):
        rng.start(generators[seat], rng.derive(match.seed, AGENT_SEED, match.number, seat))
    dealer = generators[match.seats]
    rng.start(dealer, rng.derive(match.seed, STARTER_SEED, match.pair, 0))
    match.starter = first_starter(options, match.seats, dealer)


def _settle(match: Any, state: State, options: Options) -> None:
    """Add the points of a deal that is over."""
    score(state, options, match.gained)
    for seat in range(match.seats):
        match.scores[seat] += match.gained[seat]
    tally(state, options, match.gained, match.tally)
    match.deals += 1
    match.starter = next_starter(state, options)
    if match.deals == match.max_deals or is_match_over(match.scores, match.deals, options):
        match.is_over = 1


def _advance(
    match: Any,
    state: State,
    options: Options,
    generators: Any,
    action: Action,
    out: Buffer,
    trace: Buffer,
) -> int:
    """Apply an action, then play on to the next real choice and write what is legal there.

    An action that has no alternative is played without asking; a deal that is over is scored and
    the next one dealt. The first call of a match has the action NONE. Returns how many actions
    are legal, 0 when the match is over.
    """
    while True:
        needs_deal = action == NONE
        if not needs_deal:
            if match.actions < len(trace):
                trace[match.actions] = action
            match.actions += 1
            apply(state, options, action)
            if is_over(state):
                settle(match, state, options)
                needs_deal = True
        if match.is_over:
            return 0
        if needs_deal:
            next_deal(match, state, options, generators)
        count = legal(state, options, out)
        if count > 1:
            return count
        action = int(out[0])


def _choose_only(
    who: int,
    view: View,
    out: Buffer,
    options: Options,
    settings: Any,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    return first_choose(view, out, options, settings[0], generator, workspace)


def _choose_first_or_other(
    who: int,
    view: View,
    out: Buffer,
    options: Options,
    settings: Any,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    if who == 0:
        return first_choose(view, out, options, settings[0], generator, workspace)
    return other_choose(who - 1, view, out, options, settings[1], generator, workspace)


def _play_match(
    match: Any,
    state: State,
    view: View,
    options: Options,
    settings: Any,
    generators: Any,
    out: Buffer,
    workspace: Buffer,
    trace: Buffer,
) -> None:
    begin_match(match, options, generators)
    action, count, waited = NONE, 1, 0
    while count > 0:
        # The threads of a GPU are fast only in step: each comes back here with every turn, and
        # `hold` keeps one that has come to lay down waiting until its neighbours have too.
        step = 0 if action == NONE else pace(state)
        playing = not hold(step, waited)
        waited = 0 if playing else waited + 1
        while playing:
            count = advance(match, state, options, generators, action, out, trace)
            if count > 0:
                seat = int(state.seat)
                observe(state, options, seat, view)
                who = int(match.choosers[seat])
                choices = out[:count]
                action = choose(who, view, choices, options, settings, generators[seat], workspace)
                if not is_allowed(match, state, options, action, out, trace):
                    count = 0
            playing = count > 0 and pace(state) == step


@kernel
def never_hold(step: int, waited: int) -> bool:
    """What `hold` is on a CPU, where a thread waits for nobody."""
    return False


def _play_matches(
    matches: Any,
    states: Any,
    views: Any,
    options: Options,
    settings: Any,
    generators: Any,
    out: Buffer,
    workspace: Buffer,
    traces: Any,
) -> None:
    """Play every match of an array with one thread's buffers."""
    for i in range(len(matches)):
        trace = traces[i]
        play_match(
            matches[i], states[0], views[0], options, settings, generators, out, workspace, trace
        )


_RULES = (
    "deal",
    "legal",
    "apply",
    "observe",
    "is_over",
    "pace",
    "score",
    "tally",
    "first_starter",
    "next_starter",
    "is_match_over",
)


@cache
def fuse_rules(rules: Rules) -> SimpleNamespace:
    """The match kernels of a game that need no agent: begin_match, advance and what they use."""
    bound: dict[str, Any] = {name: getattr(rules, name) for name in _RULES}
    for name, template in (
        ("next_deal", _next_deal),
        ("begin_match", _begin_match),
        ("settle", _settle),
        ("advance", _advance),
    ):
        bound[name] = specialise(template, rules.NAME, **bound)
    return SimpleNamespace(**bound)


@cache
def fuse(
    rules: Rules,
    choosers: tuple[Callable[..., Action], ...],
    hold: Callable[[int, int], bool] = never_hold,
    is_allowed: Callable[..., bool] = trust,
) -> SimpleNamespace:
    """`play_match` and `play_matches` for a game and the kernels of its agents."""
    bound = {**vars(fuse_rules(rules)), "hold": hold, "is_allowed": is_allowed}
    if not any(looks(chooser) for chooser in choosers):
        bound["observe"] = _look_away
    ways = hold.__name__, is_allowed.__name__
    name = "_".join([rules.NAME, *(_name(chooser) for chooser in choosers), *ways])
    bound["choose"] = _chain(rules, choosers)
    bound["play_match"] = specialise(_play_match, name, **bound)
    bound["play_matches"] = specialise(_play_matches, name, **bound)
    return SimpleNamespace(**bound)


def looks(chooser: Callable[..., Action]) -> bool:
    """Whether a kernel ever reads the view, its first argument; random play does not."""
    code = getattr(chooser, "py_func", chooser).__code__
    read = [step.argval for step in dis.get_instructions(code)]
    return any(
        code.co_varnames[0] in (each if isinstance(each, tuple) else (each,)) for each in read
    )


@kernel
def _look_away(state: State, options: Options, seat: int, view: View) -> None:
    """What `observe` is for agents that do not look."""


def chain_settings(agents: Sequence[KernelAgent]) -> Any:
    """The settings of the fused agents as nested pairs, which is what `choose` takes apart."""
    nested: Any = ()
    for agent in reversed(agents):
        nested = (pack(agent.settings), nested)
    return nested


def _chain(rules: Rules, choosers: tuple[Callable[..., Action], ...]) -> Callable[..., Action]:
    first, *others = choosers
    name = "_".join([rules.NAME, *(_name(chooser) for chooser in choosers)])
    if not others:
        return specialise(_choose_only, name, first_choose=first)
    rest = _chain(rules, tuple(others))
    return specialise(_choose_first_or_other, name, first_choose=first, other_choose=rest)


def _name(chooser: Callable[..., Action]) -> str:
    source = getattr(chooser, "py_func", chooser)
    return f"{source.__module__.rpartition('.')[2]}_{source.__qualname__}"
