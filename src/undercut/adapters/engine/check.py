"""A check for authors of engines: whether an engine fulfils the protocol."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import median

from undercut.adapters.engine.agent import Conversation, EngineAgent, EngineSpec, load_engine
from undercut.adapters.engine.messages import FromHost, Quit, Ready, format_message, game_message
from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.kernels.records import Action, View
from undercut.lab.check import Checks
from undercut.play.agent import AnyAgent, Origin, Random
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.match import Match
from undercut.play.records.seat_events import SeatLog
from undercut.players.catalog import parse_agent
from undercut.text.errors import Forfeit, OptionsError

_SEATS = 3  # at a table, where the game has as many
_DEALS = 4  # of each game
_QUIET = 0.2  # seconds to wait for unexpected messages
_ENDING = 3.0  # seconds to end in


@dataclass
class Report(Checks):
    command: str = ""
    engine: str = ""
    decisions: int = 0
    median_seconds: float = 0.0
    longest_seconds: float = 0.0

    def to_json(self) -> dict[str, object]:
        checks = [vars(check) for check in self.checks]
        return {**vars(self), "passed": self.passed, "checks": checks}


def check_engine(command: str, games: Sequence[str] = (), seed: int = 0) -> Report:
    """Check everything that a host may do with an engine, in the games that it plays."""
    report = Report(command=command)
    spec = EngineSpec.parse(f"engine:{command}")
    plays: list[str] = []

    def hello() -> str:
        with _talk(spec) as talk:
            report.engine, plays[:] = talk.engine.name, talk.engine.games
            report.run("ends when told to quit", lambda: _end(talk, Quit()))
            return f"{talk.engine.name}, {talk.engine.protocol}"

    if not report.run("says hello", hello):
        return report
    rule_sets = [parse_game(game) for game in games] or [
        parse_game(family.name, min(_SEATS, family.rules.SEATS[1])) for family in all_families()
    ]
    played = [game for game in rule_sets if not plays or game.family.name in plays]
    report.run("plays a game that it is checked with", lambda: _named(played, plays))
    report.run("ends when its input ends", lambda: _goes(spec))
    for game in played:
        report.run(f"{game.name}: ignores what it does not know", partial(_unknown, spec, game))
        with _seated(command, game) as engine:
            for name, check in (
                ("begins anew in the middle of a match", _anew),
                (f"{_DEALS} deals in every seat", partial(_play, report, seed)),
                ("answers about a position (optional)", _position),
            ):
                report.run(f"{game.name}: {name}", partial(check, engine, game))
    return report


@contextmanager
def _talk(spec: EngineSpec) -> Iterator[Conversation]:
    talk = Conversation(spec)
    try:
        yield talk
    finally:
        talk.process.kill()


def _named(played: Sequence[Game], plays: Sequence[str]) -> str:
    if not played:
        raise OptionsError(f"it plays {', '.join(plays)}: give --game")
    return ", ".join(game.name for game in played)


def _end(talk: Conversation, *last: FromHost) -> str:
    for message in last:
        talk.send(message)
    began = time.monotonic()
    if not talk.process.ends(_ENDING):
        raise Forfeit(f"it goes on for {_ENDING:g} s and has to be killed")
    return f"after {time.monotonic() - began:.2f} s"


def _goes(spec: EngineSpec) -> str:
    with _talk(spec) as talk:
        return _end(talk)


def _unknown(spec: EngineSpec, game: Game) -> str:
    """Check that the engine does not answer messages and fields of a later version."""
    with _talk(spec) as talk:
        talk.process.send(b'{"type":"of a later version","value":[1,{"a":null}]}\n')
        line = format_message(game_message(game, 0))
        talk.process.send(line.replace(b'"seat":0', b'"seat":0,"of_a_later_version":true'))
        talk.receive(Ready, spec.limits.start)
        try:
            talk.receive(Ready, _QUIET)
        except Forfeit as error:
            if str(error).startswith("no answer"):
                return ""
            raise
        raise Forfeit("it is ready twice")


@contextmanager
def _seated(command: str, game: Game) -> "Iterator[_Timed]":
    spec = f"engine:{command}"
    agent = load_engine(spec, game)
    agent.come_from(Origin(lambda *_: agent, spec, game.name))
    try:
        yield _Timed(agent)
    finally:
        agent.close()


def _anew(engine: "_Timed", game: Game) -> str:
    for seed in (1, 2):
        seat_logs = [SeatLog(game, seat) for seat in range(game.seats)]
        match = Match.from_seed(game, seed, seat_logs=seat_logs)
        while len(match.deal.actions) == 1:
            match.apply(match.deal.actions[0])
        deal = match.deal
        engine.act_on_events(
            seat_logs[deal.seat], deal.observe(), deal.actions, Random.from_seed(0)
        )
    return ""


def _play(report: Report, seed: int, engine: "_Timed", game: Game) -> str:
    engine.seconds.clear()
    others: list[AnyAgent] = [parse_agent("random", game) for _ in range(game.seats - 1)]
    batch = play_batch(game, [engine, *others], game.seats, seed, max_deals=_DEALS)
    if batch.forfeits[:, 0].any():
        raise Forfeit(engine.agent.faults[-1])
    times = engine.seconds
    if times:
        report.decisions += len(times)
        report.median_seconds = median(times)
        report.longest_seconds = max(report.longest_seconds, *times)
    return f"{len(times)} answers, the slowest {1000 * max(times, default=0.0):.1f} ms"


def _position(engine: "_Timed", game: Game) -> str:
    deal = Deal(game, 3)
    try:
        engine.agent.act(deal.observe(), deal.actions, Random.from_seed(0))
    except Forfeit as error:
        return f"no: {error}"
    return "yes"


class _Timed:
    """An engine whose answers are timed."""

    def __init__(self, agent: EngineAgent) -> None:
        self.agent, self.name, self.seconds = agent, agent.name, list[float]()

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        return self.agent.act(view, legal, random)

    def act_on_events(
        self, seat_log: SeatLog, view: View, legal: Sequence[Action], random: Random
    ) -> Action:
        began = time.monotonic()
        action = self.agent.act_on_events(seat_log, view, legal, random)
        self.seconds.append(time.monotonic() - began)
        return action

    def see_end(self, seat_log: SeatLog) -> None:
        self.agent.see_end(seat_log)
