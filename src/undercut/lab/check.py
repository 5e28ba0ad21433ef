"""`undercut check`: whether a game or an agent fulfils its contract, in sentences."""

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import msgspec
import numpy as np

from undercut.games.contract import Family, Game, Notation
from undercut.games.families import FAMILIES, find_family, parse_game
from undercut.games.table.description import YOU, Company
from undercut.games.table.plain_description import Plain, description_of
from undercut.games.table.position import format_position, parse_position
from undercut.kernels.records import differences
from undercut.play.agent import AnyAgent, KernelAgent, Random
from undercut.play.ask import ask
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.match import Match
from undercut.play.records.events import Event
from undercut.play.records.record import format_record, header, parse_record, verify
from undercut.play.rules_check import RulesCheck, find_missing
from undercut.players.catalog import RANDOM, agent_names, parse_agent
from undercut.text.errors import AgentError, RulesError, UndercutError, raised
from undercut.text.spec import one_of, options_of, split_spec

SLOW = ("iterations", "samples")  # settings of agents that search; interpreted, at their minimum
_DEALS = 4
_ANSWERS = 60  # of each agent
_MATCHES = 4  # interpreted and compiled
_CHECKED = 400  # compiled only
_MOST_DEALS = 10_000  # of a match


@dataclass(frozen=True)
class Check:
    name: str
    passed: bool
    found: str = ""  # a note, or the error


@dataclass
class Checks:
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    def run(self, name: str, check: Callable[[], object]) -> bool:
        """Run a check, and keep its note; an exception is a failure."""
        try:
            self.checks.append(Check(name, True, str(check() or "")))
        except UndercutError as error:
            self.checks.append(Check(name, False, str(error)))
        except Exception as error:
            self.checks.append(Check(name, False, raised(error)))
        return self.checks[-1].passed


@dataclass
class Report(Checks):
    """The report of `undercut check`."""

    game: str = ""
    agent: str = ""  # "" for a check of the game itself
    scores: list[list[int]] = field(default_factory=list)  # of the interpreted matches

    def to_json(self) -> dict[str, object]:
        checks = [vars(check) for check in self.checks]
        named = {"game": self.game, "agent": self.agent, "passed": self.passed}
        return {**named, "checks": checks, "scores": self.scores}


def check_interpreted(spec: str, agent: str, seed: int) -> Report:
    """Check a game, or one agent of it, in plain Python, where errors have a file and a line."""
    report = Report(game=spec, agent=agent)
    if not agent and not _check_family(report, spec):
        return report
    game = parse_game(spec)
    if agent:
        with suppress(AgentError):  # the check below reports it; an unknown name is an error here
            parse_agent(agent, game)
        _check_agent(report, game, agent, seed, 3 * _ANSWERS)
    # Later checks use earlier kernels: the first failure ends them.
    elif all(report.run(*check) for check in RulesCheck(game, seed).checks.items()):
        _check_words(report, game, seed)
        for name in agent_names(game.family):
            _check_agent(report, game, name, seed, _ANSWERS)
    if report.passed:
        report.run("matches can be played", partial(_play, report, game, seed))
    return report


def check_compiled(report: Report, seed: int) -> None:
    """Check that the compiled kernels play the same, and answer legally in many matches."""
    game = parse_game(report.game)
    agents = _line_up(report, game)
    if not all(isinstance(agent, KernelAgent) for agent in agents):
        return
    with _checked_build():
        again = partial(_compare, game, agents, seed, report.scores)
        if report.run("kernels compile, and play as they do interpreted", again):
            many = partial(_play_many, game, agents, seed)
            report.run("matches end, and every answer in them is legal", many)


# The game


def _check_family(report: Report, spec: str) -> bool:
    """Whether the game can be played; the report lists all missing members."""
    name = split_spec(spec)[0].partition("+")[0]
    name = name if name in FAMILIES else parse_game(spec).family.name
    if not report.run("the family can be imported", lambda: find_family(name).package):
        return False
    family = find_family(name)
    found = find_missing(family.rules)
    found += _missing(Notation, family.notation)
    if family.description is not None:
        found += _missing(Plain, family.description)
    for each in found or [""]:
        report.checks.append(Check("rules, text and description are complete", not each, each))
    return not found and report.run("the family names what is there", partial(_names, family))


def _missing(kind: type, given: object) -> list[str]:
    """A message for each member of a kind that an object lacks."""
    place = kind.__module__.removeprefix("undercut.").replace(".", "/")
    return [
        f"{type(given).__name__}.{name} is missing; see {kind.__name__} in {place}.py"
        for name in vars(kind)
        if not name.startswith("_") and not hasattr(given, name)
    ]


def _names(family: Family) -> str:
    """Check that the agents, levels and modules that a family names exist."""
    names = agent_names(family)
    for role in ("opponent", "reference"):
        spec = getattr(family, role)
        if spec and split_spec(family.played_by(spec))[0] not in names:
            raise RulesError(f"FAMILY.{role} is {spec!r}: {one_of(names)}")
    game = parse_game(family.measured_at)
    for level in family.levels:
        parse_agent(level.spec, game)
    for role in ("encoding", "belief", "chance", "histories", "luck"):
        module, _, member = getattr(family, role).partition(":")
        if module and not hasattr(importlib.import_module(module), member or "__name__"):
            raise RulesError(f"FAMILY.{role}: {module} has no {member!r}")
    return f"agents: {', '.join(names)}"


def _check_words(report: Report, game: Game, seed: int) -> None:
    for name, check in (
        ("positions read back", _positions),
        ("records can be played again", _records),
        ("the description tells every choice once", _description),
        ("readable views can be shown", _views),
    ):
        report.run(name, partial(check, game, Random.from_seed(seed)))


def _moments(game: Game, random: Random) -> Iterator[Deal]:
    """Some positions of random deals, including their ends."""
    for number in range(_DEALS):
        deal = Deal(game, random.below(1 << 30), number % game.seats)
        while not deal.is_over:
            if random.below(12) == 0:
                yield deal
            deal.apply(random.choice(deal.actions))
        yield deal


def _positions(game: Game, random: Random) -> None:
    for deal in _moments(game, random):
        for seat in range(game.seats):
            view = deal.observe(seat)
            _, again = parse_position(format_position(game, view))
            if unlike := differences(view, again):
                raise RulesError(f"parse_view reads other than format_view was given: {unlike}")


def _records(game: Game, random: Random) -> None:
    """A match of two deals, in full and in the form of each seat."""
    for seat in (None, *range(game.seats)):
        events: list[Event] = []
        match = Match.from_seed(game, 1, note=events.append, seat=seat)
        while match.deals < 2 and not match.is_over:
            deal = match.next_deal() if match.deal.is_over else match.deal
            match.apply(random.choice(deal.actions))
        if not match.is_over:
            match.leave(0)
        players = [RANDOM] * game.seats
        start = header(game, players, seat, left=match.is_left)
        verify(parse_record(format_record([start, *events])))


def _description(game: Game, random: Random) -> None:
    told = description_of(game.family)
    for sentence in (*told.aim(game.options), *told.rules(game.options), told.goal(game.options)):
        _line(sentence, "aim, rules or goal")
    for deal in _moments(game, random):
        for seat in range(game.seats):
            names = [f"player {other}" for other in range(game.seats)]
            names[seat] = YOU
            company, view = Company(tuple(names)), deal.view(seat)
            msgspec.json.encode(told.table(view, company))
            if deal.is_over:
                for sentence in told.summary(view, deal.points(), company).sentences:
                    _line(sentence, "summary")
            elif seat == deal.seat:
                _check_choices(told, view, company)


def _line(sentence: str, what: str) -> None:
    if not sentence or not sentence.isprintable():
        raise RulesError(f"description.{what} has {sentence!r}: a sentence is one line of text")


def _check_choices(told: Plain[Any], view: Any, company: Company) -> None:
    question, legal = told.question(view, company), view.legal
    actions = [action for choice in question.choices for action in choice.actions]
    if sorted(actions) != sorted(legal):
        odd = sorted({*actions} ^ {*legal}) or sorted(actions)
        raise RulesError(f"description.question has each legal action once; look at {odd}")
    for choice in question.choices:
        typed = {action: action for action in choice.actions}
        typed |= {choice.key: choice.action} if choice.key else {}
        for text, action in typed.items():
            read = told.read(text, view, legal)
            if read != action:
                raise RulesError(f"description.read takes {text!r} for {read!r}, not {action!r}")


def _views(game: Game, random: Random) -> None:
    for deal in _moments(game, random):
        for seat in range(game.seats):
            view = deal.view(seat)
            _ = str(view), repr(view), view._repr_html_(), view.fields()


# Agents


def _check_agent(report: Report, game: Game, spec: str, seed: int, answers: int) -> None:
    def check() -> str:
        agent = parse_agent(spec, game)
        hurried = _hurried(agent)
        few = answers if hurried is agent else answers // 6
        return _ask(game, hurried, Random.from_seed(seed), few)

    report.run(f"{spec}: answers legally, and the same when asked again", check)


def _hurried(agent: AnyAgent) -> AnyAgent:
    """An agent with the least search; an agent that does not search is returned itself."""
    if not isinstance(agent, KernelAgent):
        return agent
    options = options_of(type(agent.settings))
    least = {name: int(options[name].low) for name in SLOW if name in options}
    return replace(agent, settings=agent.settings._replace(**least)) if least else agent


def _ask(game: Game, agent: AnyAgent, random: Random, answers: int) -> str:
    """Put an agent into random deals, in every seat; request every decision twice."""
    asked = 0
    for number in range(answers):
        deal = Deal(game, random.below(1 << 30), number % game.seats)
        seat = number // 2 % game.seats
        while not deal.is_over and asked < answers:
            action = random.choice(deal.actions)
            if deal.seat == seat and len(deal.actions) > 1:
                asked, action = asked + 1, _ask_twice(game, agent, deal, random.below(1 << 30))
            deal.apply(action)
    return f"{asked} answers"


def _ask_twice(game: Game, agent: AnyAgent, deal: Deal, seed: int) -> int:
    given, legal = deal.observe(), deal.actions
    first, second = (ask(game, agent, given, [*legal], Random.from_seed(seed)) for _ in range(2))
    if changed := differences(deal.observe(), given):
        raise AgentError(f"{agent.name} changes its view, {changed}: it only reads it")
    if first != second:
        write = game.notation.format_action
        both = f"{write(first)!r}, then {write(second)!r}"
        why = "agents keep no memory, and their chance is `random` or `generator`"
        raise AgentError(f"{agent.name} answers one question with {both}: {why}")
    return first


# Matches


def _line_up(report: Report, game: Game) -> list[AnyAgent]:
    """The agent, or the opponent of the game, against random agents."""
    first = report.agent or game.family.opponent
    return [parse_agent(spec, game) for spec in (first, *[RANDOM] * (game.seats - 1))]


def _scores(game: Game, agents: Sequence[AnyAgent], seed: int) -> list[list[int]]:
    """The scores of matches of one deal, with the least search."""
    hurried = [_hurried(agent) for agent in agents]
    found: list[list[int]] = play_batch(game, hurried, _MATCHES, seed, max_deals=1).scores.tolist()
    return found


def _play(report: Report, game: Game, seed: int) -> str:
    report.scores = _scores(game, _line_up(report, game), seed)
    return f"{_MATCHES} of one deal"


def _compare(game: Game, agents: Sequence[AnyAgent], seed: int, expected: list[list[int]]) -> None:
    found = _scores(game, agents, seed)
    if found != expected:
        raise RulesError(
            f"the scores of {_MATCHES} matches are {found} compiled and {expected} interpreted: "
            "is a number wider than 64 bits, or an index out of bounds?"
        )


def _play_many(game: Game, agents: Sequence[AnyAgent], seed: int) -> str:
    is_slow = any(_hurried(agent) is not agent for agent in agents)
    count = game.seats if is_slow else _CHECKED
    batch = play_batch(game, agents, count, seed, max_deals=_MOST_DEALS)
    longest = int(np.max(batch.results.deals))
    if longest >= _MOST_DEALS:
        raise RulesError(f"is_match_over: a match is not over after {_MOST_DEALS:,} deals")
    return f"{count} matches, the longest of {longest} deals"


@contextmanager
def _checked_build() -> Iterator[None]:
    """In this build an illegal action of a kernel agent stops its match."""
    before = os.environ.get("UNDERCUT_CHECKED")
    os.environ["UNDERCUT_CHECKED"] = "1"
    try:
        yield
    finally:
        del os.environ["UNDERCUT_CHECKED"]
        if before is not None:
            os.environ["UNDERCUT_CHECKED"] = before
