"""The desk: the buffers of a batch of matches, and the kernels that advance one of them.

`advance` applies an action and plays on to the next decision that an agent has to make. Every loop
in `play` calls it: fused matches, vector tables, replays, on a CPU and on a GPU. The simplest loop:

    begin_match(desk, row, number)
    count = advance(desk, row, NONE, ())
    while count > 0:
        action = ...  # one of desk.legal[row, :count]
        count = advance(desk, row, action, ())

The functions `_begin_match`, `_next_deal`, `_settle` and `_advance` are templates. They call stubs
that are declared with `@hole`. `bind_rules` replaces the stubs of a game with its kernels.
`bind_desk` also binds the three hooks of a loop: `answer`, `before` and `after`.
"""

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Game, Rules
from undercut.games.rules.holes import apply, is_over, legal, score
from undercut.kernels import rng
from undercut.kernels.jit import hole, kernel, specialise
from undercut.kernels.records import Action, Buffer, Options, Records, Seat, State, array_of, new
from undercut.kernels.rng import Generator
from undercut.play.seating import sit_down
from undercut.play.seeds import Purpose
from undercut.play.series import MATCH, MatchRecord, Result


class Desk(NamedTuple):
    """The buffers of a batch of matches. Row i of each belongs to match i, unless all share it."""

    series: Records  # one record that all rows share
    options: Records  # one record that all rows share
    matches: Records
    states: Records
    views: Records  # of the seat on turn
    generators: Records  # a column for each seat; the last column is for the dealer
    legal: Buffer  # the legal actions of the seat on turn


def make_desk(game: Game, series: Records, rows: int = 1, spare: int = 0) -> Desk:
    """A cleared desk. `spare` is unused room at the end of each row of `legal`."""
    rules = game.rules
    return Desk(
        series=series,
        options=array_of(game.options),
        matches=new(MATCH, rows),
        states=new(rules.STATE, rows),
        views=new(rules.VIEW, rows),
        generators=new(rng.GENERATOR, (rows, game.seats + 1)),
        legal=np.zeros((rows, rules.LEGAL + spare), dtype=np.int64),
    )


Extra: TypeAlias = Any  # the data of a loop's hooks: a tuple that `advance` passes through

# The kernels of a game, bound by `bind_rules`.


@hole
def deal(
    state: State, options: Options, generator: Generator, starter: Seat, scores: Buffer
) -> None: ...
@hole
def tally(state: State, options: Options, gained: Buffer, counts: Buffer) -> None: ...
@hole
def first_starter(options: Options, seats: int, generator: Generator) -> Seat: ...
@hole
def next_starter(state: State, options: Options) -> Seat: ...
@hole
def is_match_over(scores: Buffer, deals: int, options: Options) -> bool: ...


# The hooks of a loop, bound by `bind_desk`.


@hole
def answer(desk: Desk, row: int, count: int, extra: Extra) -> Action:
    """The action that the loop itself plays, or NONE to return the decision to the caller."""


@hole
def before(desk: Desk, row: int, action: Action, extra: Extra) -> None:
    """Called before an action is applied."""


@hole
def after(desk: Desk, row: int, action: Action, extra: Extra) -> None:
    """Called after an action, and with NONE after the second and later deals."""


# The bound templates, which call each other.


@hole
def next_deal(desk: Desk, row: int) -> None: ...
@hole
def begin_match(desk: Desk, row: int, number: int) -> None: ...
@hole
def settle(desk: Desk, row: int) -> None: ...
@hole
def advance(desk: Desk, row: int, action: Action, extra: Extra) -> int: ...


def _begin_match(desk: Desk, row: int, number: int) -> None:
    """Reset the row, seat the agents, choose the starter, and deal."""
    match, series, generators = desk.matches[row], desk.series[0], desk.generators[row]
    match.number = number
    round_number = number // int(series.games_in_round)
    match.round_number = round_number
    match.deals = 0
    match.is_over = 0
    match.is_stopped = 0
    match.actions = 0
    match.choices = 0
    sit_down(series, number, match.agents, match.gained)
    for i in range(len(match.tally)):
        match.tally[i] = 0
    for seat in range(series.seats):
        match.choosers[seat] = series.choosers[match.agents[seat]]
        match.scores[seat] = 0
        match.gained[seat] = 0
        rng.start(generators[seat], rng.derive(series.seed, Purpose.AGENT, number, seat))
    dealer = generators[series.seats]
    rng.start(dealer, rng.derive(series.seed, Purpose.STARTER, round_number, 0))
    match.starter = first_starter(desk.options[0], series.seats, dealer)
    next_deal(desk, row)


def _next_deal(desk: Desk, row: int) -> None:
    match, series = desk.matches[row], desk.series[0]
    dealer = desk.generators[row, series.seats]
    rng.start(dealer, rng.derive(series.seed, Purpose.DECK, match.round_number, match.deals))
    deal(desk.states[row], desk.options[0], dealer, int(match.starter), match.scores)


def _settle(desk: Desk, row: int) -> None:
    """Score a deal that is over; end the match or name the next starter."""
    match, series, state, options = (
        desk.matches[row],
        desk.series[0],
        desk.states[row],
        desk.options[0],
    )
    score(state, options, match.gained)
    for seat in range(series.seats):
        match.scores[seat] += match.gained[seat]
    tally(state, options, match.gained, match.tally)
    deals = int(match.deals) + 1
    match.deals = deals
    match.starter = next_starter(state, options)
    if deals == series.max_deals or is_match_over(match.scores, deals, options):
        match.is_over = 1


def _advance(desk: Desk, row: int, action: Action, extra: Extra) -> int:
    """Apply an action (NONE applies nothing), then play on to the next decision of an agent.

    Forced moves are played here, without an agent. A deal that is over is scored, and the next one
    is dealt. Returns the number of legal actions in `desk.legal`, or 0 if the match is over.
    """
    match, state, options, out = (
        desk.matches[row],
        desk.states[row],
        desk.options[0],
        desk.legal[row],
    )
    while True:
        if action != NONE:
            match.actions += 1
            before(desk, row, action, extra)
            apply(state, options, action)
            after(desk, row, action, extra)
        if is_over(state):
            settle(desk, row)
            if match.is_over:
                return 0
            next_deal(desk, row)
            after(desk, row, NONE, extra)
        count = legal(state, options, out)
        action = int(out[0])
        if count > 1:
            match.choices += 1
            action = answer(desk, row, count, extra)
            if action == NONE:
                return count


@kernel
def ask_always(desk: Desk, row: int, count: int, extra: Extra) -> Action:
    """The default `answer`: the caller makes every decision."""
    return NONE


def _do_nothing(desk: Desk, row: int, action: Action, extra: Extra) -> None:
    """The default `before` and `after`."""


@kernel
def write_result(match: MatchRecord, result: Result) -> None:
    """Copy the result of a match that is over."""
    result.deals = match.deals
    result.actions = match.actions
    result.choices = match.choices
    result.is_stopped = match.is_stopped
    for seat in range(len(result.scores)):
        result.scores[seat] = match.scores[seat]
    for i in range(len(result.tally)):
        result.tally[i] = match.tally[i]


_RULES = (
    "deal",
    "legal",
    "apply",
    "observe",
    "is_over",
    "score",
    "tally",
    "first_starter",
    "next_starter",
    "is_match_over",
)


@cache
def bind_rules(rules: Rules) -> dict[str, Callable[..., Any]]:
    """The kernels of a game, and the templates that need no hooks, bound to them."""
    bound: dict[str, Callable[..., Any]] = {name: getattr(rules, name) for name in _RULES}
    for template in (_next_deal, _begin_match, _settle):
        bound[template.__name__[1:]] = specialise(template, rules.NAME, **bound)
    return bound


@cache
def bind_desk(
    rules: Rules,
    name: str = "",
    answer: Callable[..., Action] = ask_always,
    before: Callable[..., None] | None = None,
    after: Callable[..., None] | None = None,
    bind: Callable[..., Callable[..., int]] = specialise,
) -> SimpleNamespace:
    """All kernels of a match: those of `bind_rules`, the hooks of a loop, and `advance`."""
    label = f"{rules.NAME}_{name}" if name else rules.NAME
    nothing = bind(_do_nothing, label)
    own = {"answer": answer, "before": before or nothing, "after": after or nothing}
    bound = {**bind_rules(rules), **own}
    return SimpleNamespace(**bound, advance=bind(_advance, label, **bound))
