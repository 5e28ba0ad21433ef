"""`undercut engine SPEC`: one of our agents as an engine.

Every request has a position, so the engine needs no memory of events.
"""

from collections.abc import Callable, Iterable

from undercut import __version__
from undercut.adapters.engine.messages import (
    PROTOCOL,
    FromEngine,
    FromHost,
    Go,
    Hello,
    NewGame,
    Play,
    Quit,
    Ready,
    Trouble,
    Welcome,
    format_message,
    parse_from_host,
)
from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.games.table.position import parse_position
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask
from undercut.play.seeds import Purpose, derive
from undercut.players.catalog import agent_names, is_foreign, parse_agent
from undercut.text.errors import NotationError, UndercutError
from undercut.text.spec import split_spec


def serve(spec: str, seed: int, lines: Iterable[bytes], write: Callable[[bytes], object]) -> None:
    """Answer a host's lines until it quits, or its input ends."""
    engine = Engine(spec, seed)
    for line in lines:
        try:
            message = parse_from_host(line)
        except NotationError:
            continue  # a message of a later version, or an invalid one
        if isinstance(message, Quit):
            return
        answer = engine.answer(message)
        if answer is not None:
            write(format_message(answer))


class Engine:
    """An agent that answers messages."""

    def __init__(self, spec: str, seed: int) -> None:
        self._spec, self._seed, self._games = spec, seed, 0
        self._agents: dict[str, AnyAgent] = {}  # by the rule set
        self._chance = Random.from_seed(seed)

    def answer(self, message: FromHost) -> FromEngine | None:
        """The answer to a message, if it has one."""
        try:
            if isinstance(message, Hello):
                return self._welcome()
            if isinstance(message, NewGame):
                return self._begin(message)
            return self._play(message) if isinstance(message, Go) else None
        except UndercutError as error:
            return Trouble(message=str(error))

    def _welcome(self) -> Welcome:
        return Welcome(
            protocol=PROTOCOL,
            name=self._spec,
            author=f"undercut {__version__}",
            games=self._plays(),
        )

    def _plays(self) -> list[str]:
        """The games that have this agent; empty if it may play any game."""
        if is_foreign(self._spec):
            return []
        name = split_spec(self._spec)[0]
        return [
            family.name
            for family in all_families()
            if name in (*agent_names(family), *(level.name for level in family.levels))
        ]

    def _begin(self, message: NewGame) -> Ready:
        self._agent(parse_game(message.game))
        seed = derive(self._seed, Purpose.AGENT, self._games, message.seat)
        self._chance = Random.from_seed(seed)
        self._games += 1
        return Ready()

    def _play(self, message: Go) -> Play:
        game, view = parse_position(message.position)
        agent = self._agent(game)
        legal = [game.notation.parse_action(text) for text in message.legal]
        action = ask(game, agent, view, legal, self._chance)
        return Play(id=message.id, action=game.notation.format_action(action))

    def _agent(self, game: Game) -> AnyAgent:
        if game.name not in self._agents:
            self._agents[game.name] = parse_agent(self._spec, game)
        return self._agents[game.name]
