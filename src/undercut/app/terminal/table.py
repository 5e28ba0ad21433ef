"""A match at a terminal, line by line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from undercut.app.data_folder import data_folder
from undercut.app.new_game import NewGame
from undercut.app.rematch import How, begin_again
from undercut.app.session import Session
from undercut.app.store import Kept, Store
from undercut.app.stored_games import PLAYING, Stored, StoreError
from undercut.app.terminal.colours import WIDTH
from undercut.app.terminal.compile_notice import patience
from undercut.app.terminal.match import Terminal
from undercut.app.warm_up import rehearse
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.description import YOU
from undercut.play.agent import AnyAgent
from undercut.play.records.record import write_record
from undercut.play.secret_seeds import new_secret
from undercut.play.seeds import check_seed
from undercut.players.catalog import parse_agent
from undercut.text.errors import AgentError, OptionsError, RecordError
from undercut.text.spec import split_spec
from undercut.text.translation import ENGLISH, say, speaking

__all__ = ["Terminal", "check_record", "invite", "play", "resume", "spec_of"]


def play(
    new: NewGame,
    record: Path | None,
    language: str | None = None,
    data: Path | None = None,
    *,
    full_screen: bool = False,
) -> None:
    """Play a match against agents at this terminal, to its end or until the people stop.

    Several people take turns at the screen.
    """
    game, opponents = invite(new.spec, new.opponents, new.seats, new.people)
    check_record(record)
    players = [*[YOU] * new.people, *(spec_of(agent) for agent in opponents)]
    store = Store(data or data_folder())
    console = _console()
    with speaking(language or ENGLISH):
        with patience(console):
            rehearse(game, [*[None] * new.people, *opponents])
        chosen = new_secret() if new.seed is None else check_seed(new.seed)
        begun = store.begin(game, players, chosen, new.training)
        _Seat(store, console, language is not None, full_screen).play(begun.number, record)


def resume(
    number: int | None,
    record: Path | None,
    language: str | None = None,
    data: Path | None = None,
    *,
    full_screen: bool = False,
) -> None:
    """Continue a stopped game, by default the last one."""
    check_record(record)
    store = Store(data or data_folder())
    stored = find_in_play(store, number)
    console = _console()
    with speaking(language or ENGLISH):
        with patience(console):
            host = Kept(store, stored).host
            rehearse(host.game, host.players)
        seat = _Seat(store, console, language is not None, full_screen)
        seat.play(stored.number, record, resumes=True)


def find_in_play(store: Store, number: int | None) -> Stored:
    """The game to continue; None is the last one."""
    stored = store.find(number) if number is not None else _last(store)
    if stored.state != PLAYING:
        raise StoreError(f"game {stored.number} has ended: `undercut games` lists those in play")
    return stored


def _last(store: Store) -> Stored:
    """The readable game with the latest choice; print a line for each damaged one."""
    for each in store.damaged():
        told = say("game {number} is damaged: {why}", number=each.number, why=each.why)
        Console(stderr=True, highlight=False).print(Text(told))
    return store.last()


def _console() -> Console:
    with suppress(ImportError):
        import readline  # noqa: F401  (so that a person can edit a typed line)
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    return console


class _Seat(NamedTuple):
    """A person's seat at this terminal."""

    store: Store
    console: Console
    names_cards: bool
    full_screen: bool

    def play(self, number: int, record: Path | None, resumes: bool = False) -> None:
        """Play a stored match and its rematches."""
        while True:
            kept = Kept(self.store, self.store.find(number))
            with _honest(kept):
                session = Session.at(kept.host, kept.people[0])
            try:
                with _honest(kept):
                    how = self._play(session, number, resumes)
            finally:  # also if an agent fails
                kept.note()
                if record is not None:
                    _write(record, session, self.console)
            if how is None:
                return
            stored = begin_again(self.store, self.store.find(number), how)
            number, record, resumes = stored.number, None, False

    def _play(self, session: Session, number: int, resumes: bool) -> How | None:
        if not self.full_screen:
            match = Terminal(session, self.console, input, self.names_cards, number, resumes)
            return match.run()
        from undercut.app.terminal.full_screen import play_full_screen

        return play_full_screen(session, self.console, self.names_cards, number, resumes)


@contextmanager
def _honest(kept: Kept) -> Iterator[None]:
    """Name an agent that fails; its own message might reveal its cards."""
    try:
        yield
    except AgentError as error:
        agent, cause = kept.host.agent_on_turn, error.__cause__
        assert agent is not None, "an agent was asked"
        why = f" ({type(cause).__name__})" if cause else ""
        command = f"undercut play --resume {kept.number}"
        told = say("{name} could not answer{why}.", name=agent.name, why=why)
        lost = say("Nothing is lost: {command} goes on here.", command=command)
        raise AgentError(f"{told} {lost}") from error


def check_record(record: Path | None) -> None:
    """Raise an error if a record cannot be written there, or the file exists."""
    if record is None:
        return
    if not record.parent.is_dir():
        raise RecordError(f"cannot write the record {str(record)!r}: there is no such folder")
    if record.exists():
        raise RecordError(f"{str(record)!r} is there already: choose another name for the record")


def spec_of(agent: AnyAgent) -> str:
    """The spec of an agent."""
    origin = getattr(agent, "origin", None)
    return str(origin.spec if origin else agent.name)


def invite(
    game_spec: str, opponent_specs: Sequence[str], seats: int | None = None, people: int = 1
) -> tuple[Game, list[AnyAgent]]:
    """A game and the agents that play it with the people.

    Each opponent takes one seat, the last one all remaining seats. The default is the level
    skilled, or the default agent of a game without levels. Several opponents determine the number
    of seats, unless the game or `seats` does.
    """
    is_open = seats is None and "players" not in split_spec(game_spec)[1]
    if is_open and len(opponent_specs) + people > 2:
        seats = len(opponent_specs) + people
    game = parse_game(game_spec, seats)
    if people > game.seats:
        raise OptionsError(f"{people} people: {game.name} is for {game.seats}")
    specs = [*opponent_specs] or [game.family.usual]
    if people == game.seats and not opponent_specs:
        specs = []
    specs += specs[-1:] * (game.seats - people - len(specs))
    return game, [parse_agent(spec, game) for spec in specs]


def _write(path: Path, session: Session, console: Console) -> None:
    if session.is_over or session.is_left:
        write_record(path, session.record())
        console.print(Text(say("The match is recorded in {path}.", path=path)))
    else:
        told = say("A match is recorded when it has ended: give --record again then.")
        console.print(Text(told))
