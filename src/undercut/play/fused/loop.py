"""The loop that plays: one match from its number to its result, by the kernels of a game.

The functions below are templates: `bind_rules` fills their holes with the kernels of one game and
`fuse` with those of a line-up of agents too, so that everything is compiled together, for a CPU
thread and for a GPU thread alike.
"""

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace

from undercut.cards.french import NONE
from undercut.games.contract import Rules
from undercut.games.rules.pace import no_pace
from undercut.kernels import rng
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
from undercut.kernels.rng import Generator
from undercut.play.agent import KernelAgent
from undercut.play.fused.checked import trust
from undercut.play.seating import sit_down
from undercut.play.seeds import Purpose
from undercut.play.series import MatchRecord, Result, Series

# The kernels of a game.


@hole
def deal(
    state: State, options: Options, generator: Generator, starter: Seat, scores: Buffer
) -> None: ...
@hole
def legal(state: State, options: Options, out: Buffer) -> int: ...
@hole
def apply(state: State, options: Options, action: Action) -> None: ...
@hole
def observe(state: State, options: Options, seat: Seat, view: View) -> None: ...
@hole
def is_over(state: State) -> bool: ...
@hole
def score(state: State, options: Options, out: Buffer) -> None: ...
@hole
def tally(state: State, options: Options, gained: Buffer, counts: Buffer) -> None: ...
@hole
def first_starter(options: Options, seats: int, generator: Generator) -> Seat: ...
@hole
def next_starter(state: State, options: Options) -> Seat: ...
@hole
def is_match_over(scores: Buffer, deals: int, options: Options) -> bool: ...


# The kernels of agents, and how a thread of a GPU keeps step with others.


@hole
def first_choose(
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action: ...
@hole
def other_choose(
    who: int,
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action: ...
@hole
def choose(
    who: int,
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action: ...
@hole
def is_allowed(state: State, options: Options, action: Action, out: Buffer) -> bool: ...
@hole
def pace(state: State) -> int: ...
@hole
def hold(step: int, waited: int) -> bool: ...


# The templates themselves, once they are bound.


@hole
def next_deal(
    match: MatchRecord, series: Series, state: State, options: Options, generators: Records
) -> None: ...
@hole
def begin_match(
    match: MatchRecord, series: Series, number: int, options: Options, generators: Records
) -> None: ...
@hole
def settle(match: MatchRecord, series: Series, state: State, options: Options) -> None: ...
@hole
def advance(
    match: MatchRecord,
    series: Series,
    state: State,
    options: Options,
    generators: Records,
    action: Action,
    out: Buffer,
) -> int: ...
@hole
def play_match(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    view: View,
    options: Options,
    settings: Settings,
    generators: Records,
    out: Buffer,
    workspace: Buffer,
    trace: Array,
) -> None: ...


def _begin_match(
    match: MatchRecord, series: Series, number: int, options: Options, generators: Records
) -> None:
    """Sit down and choose who plays first; the last generator is the dealer's."""
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
    match.starter = first_starter(options, series.seats, dealer)


def _next_deal(
    match: MatchRecord, series: Series, state: State, options: Options, generators: Records
) -> None:
    dealer = generators[series.seats]
    rng.start(dealer, rng.derive(series.seed, Purpose.DECK, match.round_number, match.deals))
    deal(state, options, dealer, int(match.starter), match.scores)


def _settle(match: MatchRecord, series: Series, state: State, options: Options) -> None:
    """Add the points of a deal that is over."""
    score(state, options, match.gained)
    for seat in range(series.seats):
        match.scores[seat] += match.gained[seat]
    tally(state, options, match.gained, match.tally)
    deals = int(match.deals) + 1
    match.deals = deals
    match.starter = next_starter(state, options)
    if deals == series.max_deals or is_match_over(match.scores, deals, options):
        match.is_over = 1


def _advance(
    match: MatchRecord,
    series: Series,
    state: State,
    options: Options,
    generators: Records,
    action: Action,
    out: Buffer,
) -> int:
    """Apply an action, then play on to the next choice and write what is legal there.

    An action without an alternative is played without asking; a deal that is over is scored and
    the next one dealt. The first call of a match has the action NONE. Returns how many actions
    are legal, 0 when the match is over.
    """
    while True:
        needs_deal = action == NONE
        if not needs_deal:
            match.actions += 1
            apply(state, options, action)
            if is_over(state):
                settle(match, series, state, options)
                needs_deal = True
        if match.is_over:
            return 0
        if needs_deal:
            next_deal(match, series, state, options, generators)
        count = legal(state, options, out)
        if count > 1:
            match.choices += 1
            return count
        action = int(out[0])


@kernel
def trace_choice(trace: Array, choice: int, action: Action, out: Buffer, count: int) -> None:
    """Note the place of an action among the legal ones, if there is room for it."""
    if choice < len(trace):
        place = 0
        while place < count and out[place] != action:
            place += 1
        trace[choice] = place


@kernel
def write_result(match: MatchRecord, result: Result) -> None:
    """Keep what is worth keeping of a match that is over."""
    result.deals = match.deals
    result.actions = match.actions
    result.choices = match.choices
    result.is_stopped = match.is_stopped
    for seat in range(len(result.scores)):
        result.scores[seat] = match.scores[seat]
    for i in range(len(result.tally)):
        result.tally[i] = match.tally[i]


def _choose_only(
    who: int,
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    return first_choose(view, out, options, settings[0], generator, workspace)


def _choose_first_or_other(
    who: int,
    view: View,
    out: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    if who == 0:
        return first_choose(view, out, options, settings[0], generator, workspace)
    return other_choose(who - 1, view, out, options, settings[1], generator, workspace)


def _play_match(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    view: View,
    options: Options,
    settings: Settings,
    generators: Records,
    out: Buffer,
    workspace: Buffer,
    trace: Array,
) -> None:
    begin_match(match, series, number, options, generators)
    action, count, waited = NONE, 1, 0
    while count > 0:
        # The threads of a GPU are fast only in step: each comes back here with every turn, and
        # `hold` keeps one that has come to lay down waiting until its neighbours have too.
        step = 0 if action == NONE else pace(state)
        playing = not hold(step, waited)
        waited = 0 if playing else waited + 1
        while playing:
            count = advance(match, series, state, options, generators, action, out)
            if count > 0:
                seat = int(state.seat)
                observe(state, options, seat, view)
                who = int(match.choosers[seat])
                choices = out[:count]
                action = choose(who, view, choices, options, settings, generators[seat], workspace)
                trace_choice(trace, int(match.choices) - 1, action, out, count)
                if not is_allowed(state, options, action, out):
                    match.is_stopped = 1
                    count = 0
            playing = count > 0 and pace(state) == step


def _play_matches(
    results: Records,
    series: Records,
    first: int,
    matches: Records,
    states: Records,
    views: Records,
    options: Options,
    settings: Settings,
    generators: Records,
    out: Buffer,
    workspace: Buffer,
    traces: Array,
) -> None:
    """Play the matches from number `first` on with one thread's buffers."""
    for i in range(len(results)):
        play_match(
            matches[0],
            series[0],
            first + i,
            states[0],
            views[0],
            options,
            settings,
            generators,
            out,
            workspace,
            traces[i],
        )
        write_result(matches[0], results[i])


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
def bind_rules(rules: Rules) -> SimpleNamespace:
    """The match kernels of a game that need no agent: begin_match, advance and what they use."""
    bound: dict[str, Callable[..., object]] = {name: getattr(rules, name) for name in _RULES}
    for name, template in (
        ("next_deal", _next_deal),
        ("begin_match", _begin_match),
        ("settle", _settle),
        ("advance", _advance),
    ):
        bound[name] = specialise(template, rules.NAME, **bound)
    return SimpleNamespace(**bound)


@kernel
def never_hold(step: int, waited: int) -> bool:
    """What `hold` is on a CPU, where no thread waits for another."""
    return False


@kernel
def _look_away(state: State, options: Options, seat: Seat, view: View) -> None:
    """What `observe` is for agents that do not look."""


@cache
def fuse(
    rules: Rules,
    choosers: tuple[Callable[..., Action], ...],
    looks: bool = True,
    pace: Callable[..., int] = no_pace,
    hold: Callable[..., bool] = never_hold,
    is_allowed: Callable[..., bool] = trust,
) -> SimpleNamespace:
    """A game and the kernels of its agents: `play_match` for a GPU, `play_matches` for a CPU."""
    bound = {**vars(bind_rules(rules)), "pace": pace, "hold": hold, "is_allowed": is_allowed}
    if not looks:
        bound["observe"] = _look_away
    ways = hold.__name__, is_allowed.__name__
    name = "_".join([rules.NAME, *map(kernel_name, choosers), *ways])
    choose = _chain(rules, choosers, specialise)
    choose_here = _chain(rules, choosers, specialise_part)
    play_here = specialise_part(_play_match, name, **bound, choose=choose_here)
    return SimpleNamespace(
        play_match=specialise(_play_match, name, **bound, choose=choose),
        play_matches=specialise(_play_matches, name, **bound, play_match=play_here),
    )


def chain_settings(agents: Sequence[KernelAgent]) -> Settings:
    """The settings of the fused agents as nested pairs, which is what `choose` takes apart."""
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
