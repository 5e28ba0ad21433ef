"""`engine:COMMAND`: an agent in another process, in whatever language it is written."""

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
from undercut.play.records.seat_events import Story
from undercut.text.errors import AgentError, Forfeit, NotationError, OptionsError
from undercut.text.printable import printable
from undercut.text.spec import one_of

Wanted = TypeVar("Wanted", Welcome, Ready, Play)
_SPEC = re.compile(r"engine(?:\[([^\]]*)\])?:(.+)", re.DOTALL)
_FAULTS = 20  # that are remembered
_QUITTING = 1.0  # seconds for a polite end


@dataclass(frozen=True)
class Limits:
    """How long an engine may take, in seconds."""

    seconds: float = 10.0  # for an answer
    game_seconds: float = 0.0  # for all answers of a match; 0: they are not counted
    start: float = 60.0  # to say hello, and to be ready for a match


@dataclass(frozen=True)
class EngineSpec:
    """What a spec says: engine[seconds=2,level=3]:COMMAND."""

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
    """The agent that a spec names. Its process is started, and has to say who it is."""
    return EngineAgent(EngineSpec.parse(spec), game)


def _nothing() -> None:
    """What a conversation is about that is about no match."""


class Conversation:
    """A process that has said hello, and what it was told since."""

    def __init__(self, spec: EngineSpec) -> None:
        self._limits, self._questions = spec.limits, 0
        self._left = spec.limits.game_seconds
        self._told = 0  # events
        self._place: tuple[Game, Seat] | None = None  # that positions are of, without a story
        self.story: Callable[[], Story | None] = _nothing
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
                has = one_of(known) if known else "it has none"
                raise OptionsError(f"unknown option {name!r} of {self.engine.name}: {has}")
        if spec.options:
            self.send(Options(values=spec.options))

    def send(self, message: FromHost) -> None:
        """Say something."""
        self.process.send(messages.format_message(message))

    def receive(self, wanted: type[Wanted], seconds: float) -> Wanted:
        """The answer, of the kind that is wanted; remarks are passed over."""
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

    def begin(self, game: Game, seat: Seat, story: Story | None) -> None:
        """A match begins."""
        self._told, self._left = 0, self._limits.game_seconds
        self._place = (game, seat) if story is None else None
        self.story = _nothing if story is None else weakref.ref(story)
        self.send(messages.game_message(game, seat))
        self.receive(Ready, self._limits.start)

    def tell(self, story: Story) -> None:
        """Send what has happened since it was told last."""
        for event in story.events[self._told :]:
            self.send(messages.event_message(event, story.seat))
        self._told = len(story.events)

    def show(self, game: Game, view: View) -> None:
        """Send a position in place of events."""
        seat = int(view["me"])
        if self._place != (game, seat):
            self.begin(game, seat, None)
        self.send(Position(position=format_position(game, view)))

    def ask(self, game: Game, view: View, legal: Sequence[Action]) -> Action:
        """One decision."""
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
        """Say goodbye; whoever does not go is killed."""
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
    """An agent in another process. One that fails is killed, and started again for the next match."""

    def __init__(self, spec: EngineSpec, game: Game) -> None:
        self._spec, self.name = spec, spec.command[0]
        self._open: list[Conversation] = []
        self.faults: list[str] = []  # why games were forfeited, the last ones
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
        """A decision in a position out of the blue."""
        game = self._game()

        def decide(talk: Conversation) -> Action:
            talk.show(game, view)
            return talk.ask(game, view, legal)

        return self._with(None, decide)

    def act_told(self, story: Story, view: View, legal: Sequence[Action], random: Random) -> Action:
        """A decision in a match of which all was told."""

        def decide(talk: Conversation) -> Action:
            if talk.story() is not story:
                talk.begin(story.game, story.seat, story)
            talk.tell(story)
            return talk.ask(story.game, view, legal)

        return self._with(story, decide)

    def hear_out(self, story: Story) -> None:
        """Hear how a match has ended; whoever does not listen any more is replaced."""
        talk = self._about(story)
        if talk is None:  # it had nothing to choose
            return
        try:
            talk.tell(story)
            talk.story = _nothing
        except Forfeit:
            self._drop(talk)

    def close(self) -> None:
        """End all its processes."""
        while self._open:
            self._open.pop().quit()

    def _game(self) -> Game:
        assert self.origin is not None, "a spec has made it"
        return parse_game(self.origin.game)

    def _with(self, story: Story | None, decide: Callable[[Conversation], Action]) -> Action:
        """Decide in the conversation about a match; one that fails is over."""
        talk = None
        try:
            talk = self._about(story) or self._about(None) or self._start()
            return decide(talk)
        except BaseException as error:
            if talk is not None:
                self._drop(talk)
            if not isinstance(error, Forfeit):
                raise
            self.faults = [*self.faults, str(error)][-_FAULTS:]
            raise Forfeit(f"{self.name}: {error}") from None

    def _about(self, story: Story | None) -> Conversation | None:
        """The conversation about a match; about none, one that is free."""
        return next((each for each in self._open if each.story() is story), None)

    def _start(self) -> Conversation:
        talk = Conversation(self._spec)
        self._open.append(talk)
        return talk

    def _drop(self, talk: Conversation) -> None:
        talk.process.kill()
        self._open.remove(talk)
