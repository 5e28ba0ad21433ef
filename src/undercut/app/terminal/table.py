"""A match at a terminal, line by line."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from threading import Timer

from rich.console import Console
from rich.text import Text

from undercut.app.session import Session
from undercut.app.shown import Shown, check_language
from undercut.app.terminal.board import Board
from undercut.app.terminal.painting import Lines
from undercut.core.agent import AnyAgent
from undercut.core.errors import IllegalAction, NotationError, RecordError
from undercut.core.jit import is_cache_cold
from undercut.core.spec import split_spec
from undercut.games.agents import parse_agent
from undercut.games.contract import Game
from undercut.games.description import YOU, Event
from undercut.games.families import parse_game
from undercut.play.record import write_record

WIDTH = 80
MANY = 3  # players whose names stand in one line
REHEARSAL = 4  # a draw, a throw, and the same again after the other's turn

# What the line of digits at the beginning and at the end of a deal is for.
SEAL = (
    "The seal of a deal is shown before it: the SHA-256 of a few words that name",
    "all its cards. These words follow when the deal is over, after “Seal opened:”,",
    "so you can check that no card was changed while you played.",
)


class Leave(Exception):
    """The person wants to stop."""


def play(
    game_spec: str,
    opponent_specs: Sequence[str],
    seats: int | None,
    seed: int | None,
    record: Path | None,
    language: str | None = None,
) -> None:
    """Play a match against agents at this terminal, to its end or until the person leaves."""
    with suppress(ImportError):
        import readline  # noqa: F401  (the line that is typed can then be edited)
    game, opponents = invite(game_spec, opponent_specs, seats)
    check_language(game, language)
    if record is not None and not record.parent.is_dir():
        raise RecordError(f"cannot write the record {str(record)!r}: there is no such folder")
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    with _patience(console):
        rehearse(game, opponents)
        session = Session(game, opponents, seed)
    try:
        Terminal(session, console, input, language).run()
    finally:  # also when the opponent fails
        if record is not None:
            _write(record, session, console)


def invite(
    game_spec: str, opponent_specs: Sequence[str], seats: int | None = None
) -> tuple[Game, list[AnyAgent]]:
    """A game and who plays it against the person.

    Opponents take a seat each, the last of them all that are left; none stands for the one whom a
    game proposes. Where nothing else says how many play, several opponents do.
    """
    is_open = seats is None and "players" not in split_spec(game_spec)[1]
    if is_open and len(opponent_specs) > 1:
        seats = len(opponent_specs) + 1
    game = parse_game(game_spec, seats)
    specs = [*opponent_specs] or [game.family.opponent]
    specs += specs[-1:] * (game.seats - 1 - len(specs))
    return game, [parse_agent(spec, game) for spec in specs]


def _write(path: Path, session: Session, console: Console) -> None:
    if session.results:
        write_record(path, session.record())
        console.print(Text(f"The deals that were finished are recorded in {path}."))
    else:
        console.print(Text("No deal was finished, so there is nothing to record."))


@contextmanager
def _patience(console: Console) -> Iterator[None]:
    """Say what is going on if it takes longer than a moment."""
    line = "Getting ready: on a first start the rules are compiled, once."
    timer = Timer(0.0 if is_cache_cold() else 2.0, console.print, (line,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def rehearse(game: Game, opponents: Sequence[AnyAgent]) -> None:
    """Play a few actions that nobody sees, so that nothing has to be compiled during the match."""
    session = Session(game, opponents, seed=0)
    shown = Shown(session)
    for _ in range(REHEARSAL):
        if not session.is_deal_over:
            shown.rehearse()
            session.play(session.choices()[0])


class Terminal:
    """One match: shows a board, reads lines, plays them."""

    def __init__(
        self,
        session: Session,
        console: Console,
        read: Callable[[str], str],
        language: str | None = None,
    ) -> None:
        self._session = session
        self._console = console
        self._read = read
        self._board = Board(session, language)
        self._told = 0  # how many events of the deal the person has been shown

    def run(self) -> None:
        """Play to the end of the match, or until the person leaves."""
        try:
            self._show(self._welcome())
            self._play_deal()
            while not self._session.is_over:
                self._pause()
                self._session.next_deal()
                self._play_deal()
            self._show(self._farewell())
        except (Leave, EOFError, KeyboardInterrupt):
            self._show(self._goodbye())

    def _play_deal(self) -> None:
        self._told = 0
        self._show(self._deal_header())
        while not self._session.is_deal_over:
            self._show([*self._news(), Text(), *self._board.table(), *self._board.question()])
            self._play_line()
        self._show([*self._news(), Text(), *self._end_of_deal()])

    def _play_line(self) -> None:
        """Read lines until one is played."""
        while True:
            line = self._read("> ")
            if self._obey(line):
                self._show([*self._board.table(), *self._board.question()])
                continue
            try:
                self._board.play(line)
                return
            except (NotationError, IllegalAction) as error:
                refusal = self._board.painter.sentence(f"  {error}", style="yellow")
                self._show([refusal, *self._board.question()])

    def _pause(self) -> None:
        while self._obey(self._read("Enter for the next deal > ")):
            pass

    def _obey(self, line: str) -> bool:
        """Carry out a word that is no action; say whether it was one."""
        word = line.strip().lower()
        if word in ("quit", "q", "exit"):
            raise Leave
        answers = {
            "help": self._help,
            "h": self._help,
            "?": self._help,
            "rules": self._board.rules,
            "score": self._score_sheet,
        }
        if word not in answers:
            return False
        self._show([Text(), *answers[word](), Text()])
        return True

    def _news(self) -> Lines:
        """What has happened since the person last looked; a line divides one turn from the next."""
        events = self._session.events[self._told :]
        mine = list(takewhile(self._is_mine, events))
        others = events[len(mine) :]
        has_begun = self._told > 0 or mine  # else the header of the deal stands just above
        is_turn = not self._session.is_deal_over and self._board.shown.question().begins_turn
        self._told += len(events)
        divider = [Text(), self._rule(self._totals())] if others and is_turn and has_begun else []
        return [*self._board.tell(mine), *divider, *self._board.tell(others)]

    def _is_mine(self, event: Event) -> bool:
        return event.seat == self._session.person

    def _welcome(self) -> Lines:
        others = " and ".join(name for name in self._session.names if name != YOU)
        if self._session.game.seats > MANY:
            others = f"{self._session.game.seats - 1} others"
        title = f"{self._board.shown.title}: you against {others}, {self._board.shown.goal}"
        return [
            Text(),
            Text(title, style="bold"),
            *self._board.aim(),
            Text("Answer with a number or a word; help, rules, score and quit work at any time."),
        ]

    def _deal_header(self) -> Lines:
        session = self._session
        begins = f"{session.names[session.starter]} begins"
        if session.starter == session.person:
            begins = "you begin"
        return [
            Text(),
            self._rule(self._totals()),
            Text(f"A new deal: {begins}."),
            Text(f"Seal (see help) {session.commitment}", style="dim"),
        ]

    def _end_of_deal(self) -> Lines:
        result = self._session.results[-1]
        return [
            self._rule(f"Deal {self._session.deal_number + 1} is over"),
            *self._board.summary(),
            Text(f"  {self._totals()}"),
            Text(f"Seal opened: undercut deal {result.seed} {result.salt}", style="dim"),
        ]

    def _farewell(self) -> Lines:
        return [
            Text(),
            self._rule("The match is over"),
            *self._score_sheet(),
            Text(f"  {self._verdict()}", style="bold"),
        ]

    def _verdict(self) -> str:
        """Who has won; those who are equal share the win."""
        winners = [self._session.names[seat] for seat in self._session.winners()]
        if winners == [YOU]:
            return "You win the match!"
        if len(winners) == 1:
            return f"{winners[0]} wins the match."
        others = [name for name in winners if name != YOU]
        names = ["You", *others] if YOU in winners else others
        return f"{', '.join(names[:-1])} and {names[-1]} share the win, 1/{len(names)} each."

    def _goodbye(self) -> Lines:
        return [Text(), Text(f"You left the match. {self._totals()}. Good-bye.")]

    def _help(self) -> Lines:
        words = [
            ("1, 2, 3 ...", "the choice with that number"),
            *self._board.help(),
            ("rules, score, help", "the rules, the score sheet, this list"),
            ("quit", "leave the match; Ctrl-C and Ctrl-D do so too"),
        ]
        listed = [Text(f"  {word:<20}{meaning}") for word, meaning in words]
        return [*listed, Text(), *(Text(f"  {line}") for line in SEAL)]

    def _score_sheet(self) -> Lines:
        session = self._session
        rows: list[tuple[str, Sequence[object]]] = [("", session.names)]
        results = enumerate(session.results, start=1)
        rows += [(f"deal {number}", result.points) for number, result in results]
        rows.append(("total", session.scores))
        widths = [max(8, len(name) + 2) for name in session.names]
        if 11 + sum(widths) > self._console.width:
            return self._standings()
        lines = []
        for label, cells in rows:
            columns = zip(cells, widths, strict=True)
            lines.append(
                Text(f"  {label:<9}" + "".join(str(cell).rjust(width) for cell, width in columns))
            )
        return lines

    def _standings(self) -> Lines:
        """The totals one below the other, where a sheet for this many players would be too wide."""
        names, scores = self._session.names, self._session.scores
        width = max(len(name) for name in names)
        pairs = zip(names, scores, strict=True)
        return [Text(f"  {name.ljust(width)}{score:>6}") for name, score in pairs]

    def _totals(self) -> str:
        """The deal, the scores and the goal; of very many players only the person's own score."""
        session = self._session
        pairs = zip(session.names, session.scores, strict=True)
        scores = [f"{name} {score}" for name, score in pairs]
        if sum(map(len, scores)) > self._console.width // 2:
            scores = [scores[session.person]]
        return " · ".join([f"Deal {session.deal_number + 1}", *scores, self._board.shown.goal])

    def _rule(self, title: str) -> Text:
        return Text(f"── {title} ".ljust(self._console.width, "─"), style="cyan")

    def _show(self, lines: Lines) -> None:
        for line in lines:
            plain = self._console.options.ascii_only
            self._console.print(self._board.painter.to_ascii(line) if plain else line)
