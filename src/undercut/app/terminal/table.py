"""A match at a terminal, line by line."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from threading import Timer

from rich.console import Console
from rich.text import Text

from undercut.app.rehearsal import rehearse
from undercut.app.session import Session
from undercut.app.shown import check_language
from undercut.app.store import PLAYING, Kept, Store, StoreError, data_folder
from undercut.app.terminal.board import Board
from undercut.app.terminal.painting import Lines
from undercut.core.agent import AnyAgent
from undercut.core.errors import IllegalAction, NotationError, OptionsError, RecordError
from undercut.core.jit import is_cache_cold
from undercut.core.records import Seat
from undercut.core.spec import split_spec
from undercut.games.agents import parse_agent
from undercut.games.contract import Game
from undercut.games.description import YOU, Event
from undercut.games.families import parse_game
from undercut.play.fairness import new_seed
from undercut.play.record import write_record
from undercut.play.seeds import check_seed

WIDTH = 80
MANY = 3  # players whose names stand in one line

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
    *,
    data: Path | None = None,
    training: bool = False,
    people: int = 1,
) -> None:
    """Play a match against agents at this terminal, to its end or until the people stop.

    Several people take the first seats, and pass the screen on to each other.
    """
    game, opponents = invite(game_spec, opponent_specs, seats, people)
    check_language(game, language)
    check_record(record)
    players = [*[YOU] * people, *(spec_of(agent) for agent in opponents)]
    store = Store(data or data_folder())
    console = _console()
    with _patience(console):
        rehearse(game, [*[None] * people, *opponents])
    begun = store.begin(game, players, new_seed() if seed is None else check_seed(seed), training)
    _sit_down(Kept(store, begun), console, record, language)


def resume(
    number: int | None, record: Path | None, language: str | None = None, data: Path | None = None
) -> None:
    """Go on with a game that was stopped, by default the last one."""
    check_record(record)
    store = Store(data or data_folder())
    stored = store.last() if number is None else store.find(number)
    if stored.state != PLAYING:
        raise StoreError(f"game {stored.number} has ended: `undercut games` lists those in play")
    check_language(parse_game(stored.game), language)
    console = _console()
    with _patience(console):
        kept = Kept(store, stored)
        rehearse(kept.host.game, kept.host.players)
    _sit_down(kept, console, record, language)


def _console() -> Console:
    with suppress(ImportError):
        import readline  # noqa: F401  (the line that is typed can then be edited)
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    return console


def _sit_down(kept: Kept, console: Console, record: Path | None, language: str | None) -> None:
    session = Session.at(kept.host, kept.people[0])
    try:
        Terminal(session, console, input, language, kept.number).run()
    finally:  # also when the opponent fails
        kept.note()
        if record is not None:
            _write(record, session, console)


def check_record(record: Path | None) -> None:
    """Raise an error if a record cannot be written there, or something is there already."""
    if record is None:
        return
    if not record.parent.is_dir():
        raise RecordError(f"cannot write the record {str(record)!r}: there is no such folder")
    if record.exists():
        raise RecordError(f"{str(record)!r} is there already: choose another name for the record")


def spec_of(agent: AnyAgent) -> str:
    """What makes an agent again."""
    origin = getattr(agent, "origin", None)
    return str(origin.spec if origin else agent.name)


def invite(
    game_spec: str, opponent_specs: Sequence[str], seats: int | None = None, people: int = 1
) -> tuple[Game, list[AnyAgent]]:
    """A game and who plays it with the people.

    Opponents take a seat each, the last of them all that are left; none stands for a skilled one,
    or for the one whom a game without levels proposes. Where nothing else says how many play, several opponents do.
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
        console.print(Text(f"The match is recorded in {path}."))
    else:
        console.print(Text("A match is recorded when it has ended: give --record again then."))


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


class Terminal:
    """One match: shows a board, reads lines, plays them."""

    def __init__(
        self,
        session: Session,
        console: Console,
        read: Callable[[str], str],
        language: str | None = None,
        kept: int | None = None,
    ) -> None:
        """`kept` is the number under which the match is kept, if it is."""
        self._session, self._language = session, language
        self._kept = kept
        self._console = console
        self._read = read
        self._board = Board(session, language)
        self._told = 0  # how many events of the deal the person has been shown
        self._read_so_far: dict[Seat, int] = {}  # and each of the others, if there are any

    def run(self) -> None:
        """Play to the end of the match, or until the person leaves."""
        try:
            self._show(self._welcome())
            if not self._session.is_deal_over:
                self._play_deal()
            while not self._session.is_over:
                self._pause()
                if self._session.is_deal_over:
                    self._session.next_deal()
                self._play_deal()
            self._show(self._farewell())
        except (Leave, EOFError, KeyboardInterrupt):
            self._show(self._goodbye())

    def _stop(self) -> None:
        """Ask whether the person really wants to stop, and for how long."""
        answers = "stop: for now" if self._kept else "stop: leave"
        if self._kept:
            answers += "; give up: end the match for good"
        line = self._read(f"Stop playing? ({answers}; Enter: play on) > ").strip().lower()
        if line in ("give up", "g"):
            self._session.leave()
        if line in ("stop", "s", "y", "yes", "quit", "q", "exit", "give up", "g"):
            raise Leave

    def _play_deal(self) -> None:
        self._told, self._read_so_far = 0, dict[Seat, int]()
        self._show(self._deal_header())
        while not self._session.is_deal_over:
            if not self._session.choices():
                self._hand_over()
            self._show([*self._news(), Text(), *self._board.table(), *self._board.question()])
            self._play_line()
        self._show([*self._news(), Text(), *self._end_of_deal()])

    def _hand_over(self) -> None:
        """Another person is on turn: nothing of this one's cards stays on the screen."""
        session, following = self._session, self._session.person_on_turn
        self._show(self._news())
        self._read(f"It is the turn of {session.names[following]}: pass the screen on, Enter > ")
        self._console.clear()
        self._show([Text()] * self._console.height)
        self._session = session.neighbour(following)
        self._board = Board(self._session, self._language)
        self._told = self._read_so_far.get(following, 0)
        self._show([Text(f"You are {session.names[following]}.", style="bold")])

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
                self._show([refusal, *self._board.table(), *self._board.question()])

    def _pause(self) -> None:
        """Wait for Enter; who takes his last move back is in the deal again."""
        while self._session.is_deal_over:
            if not self._obey(self._read("Enter for the next deal > ")):
                return

    def _obey(self, line: str) -> bool:
        """Carry out a word that is no action; say whether it was one."""
        word = line.strip().lower()
        if word in ("quit", "q", "exit"):
            self._stop()
            return True
        answers: dict[str, Callable[[], Lines]] = {
            "help": self._help,
            "h": self._help,
            "?": self._help,
            "rules": self._board.rules,
            "score": self._score_sheet,
            "log": self._log,
            "undo": self._undo,
            "hint": self._hint,
            "table": list,  # nothing but the table, which follows anyway
        }
        if word not in answers:
            return False
        self._show([Text(), *answers[word](), Text()])
        return True

    def _log(self) -> Lines:
        """All that has happened in the deal."""
        return self._board.tell(self._session.events) or [Text("Nothing has happened yet.")]

    def _hint(self) -> Lines:
        """What the game's adviser would do, and the position in a line that `undercut hint` takes."""
        if self._session.is_deal_over:
            return [Text("  The deal is over: there is nothing to advise.", style="yellow")]
        position, advice = self._board.shown.advice()
        return [self._board.painter.sentence(advice), Text(position, style="dim")]

    def _undo(self) -> Lines:
        try:
            self._session.undo()
        except IllegalAction as error:
            return [Text(f"  {error}", style="yellow")]
        self._told = len(self._session.events)
        return [Text("Your last move is taken back.")]

    def _news(self) -> Lines:
        """What has happened since the person last looked; a line divides one turn from the next."""
        events = self._session.events[self._told :]
        mine = list(takewhile(self._is_mine, events))
        others = events[len(mine) :]
        has_begun = self._told > 0 or mine  # else the header of the deal stands just above
        is_turn = not self._session.is_deal_over and self._board.shown.question().begins_turn
        self._told += len(events)
        self._read_so_far[self._session.person] = self._told
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
        is_kept = self._kept is not None and not self._session.is_left
        said = "You stopped." if is_kept else "You left the match."
        lines = [Text(), Text(f"{said} {self._totals()}. Good-bye.")]
        if is_kept:
            again = f"undercut play --resume {self._kept}"
            lines.append(Text(f"Nothing is lost: {again} goes on here."))
        return lines

    def _help(self) -> Lines:
        words = [
            ("1, 2, 3 ...", "the choice with that number"),
            *self._board.help(),
            ("rules, score, help", "the rules, the score sheet, this list"),
            ("table, log", "the table once more; what has happened in this deal"),
            ("hint", "what the adviser would do; the position as a line"),
            *([("undo", "take your last move back")] if self._session.is_training else []),
            ("quit", "stop; Ctrl-C and Ctrl-D do so without asking"),
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
