"""`engine:COMMAND`: an agent in another process, in any programming language."""

import re
import shlex
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from undercut import __version__
from undercut.adapters.engine import messages
from undercut.adapters.engine.messages import (
    PROTOCOL,
    FromEngine,
    FromHost,
    Go,
    Hello,
    Info,
    Options,
    Play,
    Position,
    Quit,
    Ready,
    Trouble,
    Welcome,
)
from undercut.adapters.engine.process import Process
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.kernels.records import Action, Seat, View
from undercut.play.agent import FromSpec, Random
from undercut.play.records.seat_events import SeatLog
from undercut.text.errors import AgentError, Forfeit, NotationError, OptionsError
from undercut.text.printable import printable
from undercut.text.spec import one_of

Wanted = TypeVar("Wanted", Welcome, Ready, Play)
_SPEC = re.compile(r"engine(?:\[([^\]]*)\])?:(.+)", re.DOTALL)
_FAULTS = 20  # that are kept
_QUITTING = 1.0  # seconds to quit by itself


@dataclass(frozen=True)
class Limits:
    """The time limits of an engine, in seconds."""

    seconds: float = 10.0  # for an answer
    game_seconds: float = 0.0  # for all answers of a match; 0: no limit
    start: float = 60.0  # for the hello message, and for each match to be ready


@dataclass(frozen=True)
class EngineSpec:
    """The parts of a spec: engine[seconds=2,level=3]:COMMAND."""

    command: list[str]
    limits: Limits = field(default_factory=Limits)
    options: dict[str, str] = field(default_factory=dict)  # the engine's own

    @classmethod
    def parse(cls, spec: str) -> "EngineSpec":
        """Read a spec.

        >>> EngineSpec.parse("engine[seconds=2,level=3]:node bot.js").options
        {'level': '3'}
        """
        found = _SPEC.fullmatch(spec)
        try:
            command = shlex.split(found[2]) if found else []
        except ValueError as error:
            raise OptionsError(f"not an engine: {spec!r} ({error})") from None
        if not found or not command:
            raise OptionsError(f"not an engine: {spec!r} (write engine:COMMAND)")
        limits: dict[str, float] = {}
        options: dict[str, str] = {}
        for part in filter(None, (found[1] or "").split(",")):
            name, _, value = part.partition("=")
            if name in Limits.__dataclass_fields__:
                limits[name] = _seconds(name, value)
            else:
                options[name] = value
        return cls(command, Limits(**limits), options)


def _seconds(name: str, value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e6:
        raise OptionsError(f"{name}={value}: must be a number of seconds")
    return seconds


def load_engine(spec: str, game: Game) -> "EngineAgent":
    return EngineAgent(EngineSpec.parse(spec), game)


def _nothing() -> None:
    """The seat_log of a conversation without a match."""


class Conversation:
    """A process after its hello message, and the state of its match."""

    def __init__(self, spec: EngineSpec) -> None:
        self._limits, self._questions = spec.limits, 0
        self._left = spec.limits.game_seconds
        self._told = 0  # events
        self._place: tuple[Game, Seat] | None = None  # of positions without a seat_log
        self.seat_log: Callable[[], SeatLog | None] = _nothing
        self.process = Process(spec.command)
        try:
            self.send(Hello(protocol=PROTOCOL, host=f"undercut {__version__}"))
            self.engine = self.receive(Welcome, spec.limits.start)
            self._agree(spec)
        except BaseException:
            self.process.kill()
            raise

    def _agree(self, spec: EngineSpec) -> None:
        if self.engine.protocol != PROTOCOL:
            raise Forfeit(f"it speaks {self.engine.protocol!r}, not {PROTOCOL!r}")
        known = [option.name for option in self.engine.options]
        for name in spec.options:
            if name not in known:
                has = one_of(known, name) if known else "it has none"
                raise OptionsError(f"unknown option {name!r} of {self.engine.name}: {has}")
        if spec.options:
            self.send(Options(values=spec.options))

    def send(self, message: FromHost) -> None:
        self.process.send(messages.format_message(message))

    def receive(self, wanted: type[Wanted], seconds: float) -> Wanted:
        """The answer, of the wanted kind; info messages are skipped."""
        for line in self.process.receive(seconds):
            try:
                message: FromEngine = messages.parse_from_engine(line)
            except NotationError as error:
                raise Forfeit(str(error)) from None
            if isinstance(message, wanted):
                return message
            if isinstance(message, Trouble):
                raise Forfeit(f"it says: {message.message}")
            if not isinstance(message, Info):
                should = wanted.__struct_config__.tag
                raise Forfeit(f"{messages.quoted(line)} where {should!r} should stand")
        raise AssertionError("it waits for an answer, or raises")

    def begin(self, game: Game, seat: Seat, seat_log: SeatLog | None) -> None:
        self._told, self._left = 0, self._limits.game_seconds
        self._place = (game, seat) if seat_log is None else None
        self.seat_log = _nothing if seat_log is None else weakref.ref(seat_log)
        self.send(messages.game_message(game, seat))
        self.receive(Ready, self._limits.start)

    def tell(self, seat_log: SeatLog) -> None:
        """Send the new events of a seat_log."""
        for event in seat_log.events[self._told :]:
            self.send(messages.event_message(event, seat_log.seat))
        self._told = len(seat_log.events)

    def show(self, game: Game, view: View) -> None:
        """Send a position instead of events."""
        seat = int(view["me"])
        if self._place != (game, seat):
            self.begin(game, seat, None)
        self.send(Position(position=format_position(game, view)))

    def ask(self, game: Game, view: View, legal: Sequence[Action]) -> Action:
        """Request a decision."""
        texts = [game.notation.format_action(action) for action in legal]
        limit, is_counted = self._limits.seconds, self._limits.game_seconds > 0
        if is_counted:
            limit = min(limit, self._left)
        self._questions += 1
        began = time.monotonic()
        self.send(
            Go(
                id=self._questions,
                legal=texts,
                position=format_position(game, view),
                seconds=limit,
                game_seconds=self._left if is_counted else None,
            )
        )
        answer = self.receive(Play, limit)
        self._left -= time.monotonic() - began
        if answer.id != self._questions:
            raise Forfeit(f"it answers question {answer.id}, not {self._questions}")
        return _read_action(game, answer.action, legal, texts)

    def quit(self) -> None:
        """Ask the process to quit, and kill it otherwise."""
        try:
            self.send(Quit())
            self.process.ends(_QUITTING)
        except Forfeit:
            pass
        self.process.kill()


def _read_action(game: Game, text: str, legal: Sequence[Action], texts: list[str]) -> Action:
    if text in texts:
        return int(legal[texts.index(text)])
    try:
        action = game.notation.parse_action(text)
    except NotationError as error:
        raise Forfeit(str(error)) from None
    if action not in legal:
        raise Forfeit(f"it answers {text!r}, which is not legal: {', '.join(texts)}")
    return int(action)


class EngineAgent(FromSpec):
    """An agent in another process. After a failure, the next match gets a new process."""

    def __init__(self, spec: EngineSpec, game: Game) -> None:
        self._spec, self.name = spec, spec.command[0]
        self._open: list[Conversation] = []
        self.faults: list[str] = []  # the reasons of the last forfeits
        try:
            engine = self._start().engine
        except Forfeit as error:
            raise AgentError(f"{self.name}: {error}") from None
        self.name = printable(engine.name)
        if engine.games and game.family.name not in engine.games:
            self.close()
            known = one_of(engine.games)
            raise OptionsError(f"{self.name} does not play {game.family.name}: {known}")

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """A decision in a position without events."""
        assert self.origin is not None, "the agent of a spec"
        game = parse_game(self.origin.game)

        def decide(talk: Conversation) -> Action:
            talk.show(game, view)
            return talk.ask(game, view, legal)

        return self._with(None, decide)

    def act_on_events(
        self, seat_log: SeatLog, view: View, legal: Sequence[Action], random: Random
    ) -> Action:
        """A decision in a match with all its events."""

        def decide(talk: Conversation) -> Action:
            if talk.seat_log() is not seat_log:
                talk.begin(seat_log.game, seat_log.seat, seat_log)
            talk.tell(seat_log)
            return talk.ask(seat_log.game, view, legal)

        return self._with(seat_log, decide)

    def see_end(self, seat_log: SeatLog) -> None:
        """Send the end of a match; a process that fails here is replaced."""
        talk = self._about(seat_log)
        if talk is None:  # it had no decision in this match
            return
        try:
            talk.tell(seat_log)
            talk.seat_log = _nothing
        except Forfeit:
            self._drop(talk)

    def close(self) -> None:
        while self._open:
            self._open.pop().quit()

    def _with(self, seat_log: SeatLog | None, decide: Callable[[Conversation], Action]) -> Action:
        """Decide in the conversation of a match; a failure ends it."""
        talk = None
        try:
            talk = self._about(seat_log) or self._about(None) or self._start()
            return decide(talk)
        except BaseException as error:
            if talk is not None:
                self._drop(talk)
            if not isinstance(error, Forfeit):
                raise
            self.faults = [*self.faults, str(error)][-_FAULTS:]
            raise Forfeit(f"{self.name}: {error}") from None

    def _about(self, seat_log: SeatLog | None) -> Conversation | None:
        """The conversation of a match; for None, a free one."""
        return next((each for each in self._open if each.seat_log() is seat_log), None)

    def _start(self) -> Conversation:
        talk = Conversation(self._spec)
        self._open.append(talk)
        return talk

    def _drop(self, talk: Conversation) -> None:
        talk.process.kill()
        self._open.remove(talk)
