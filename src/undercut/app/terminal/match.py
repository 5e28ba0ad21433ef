"""One match at a terminal: it shows a board, reads lines and plays them."""

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from undercut.app.coach import TUTORED, advise
from undercut.app.presentation import Unsure
from undercut.app.rematch import How
from undercut.app.result_text import verdict
from undercut.app.session import Session
from undercut.app.terminal.board import Board
from undercut.app.terminal.colours import WIDTH, Lines
from undercut.app.terminal.compile_notice import patience
from undercut.app.terminal.scores import score_sheet, totals
from undercut.games.table.description import YOU, Event, both
from undercut.games.table.typed import in_english
from undercut.kernels.records import Seat
from undercut.play.records.record import write_record
from undercut.text.errors import IllegalAction, NotationError, RecordError
from undercut.text.translation import say, say_as, say_count

MANY = 3  # the most players whose names fit one line
SEAL = 16  # digits of a commitment that are shown at first
YES = ("yes", "y")
STOP = ("stop", "s", "y", "yes", "quit", "q", "exit", "give up", "g")


class Leave(Exception):
    """The person wants to stop."""


class PlayAgain(Exception):
    """The person wants the same cards once more."""


class Terminal:
    """A match, and the people who play it at this terminal."""

    def __init__(
        self,
        session: Session,
        console: Console,
        read: Callable[[str], str],
        names_cards: bool = False,
        kept: int | None = None,
        resumes: bool = False,
    ) -> None:
        """`kept` is the number of a stored match, `resumes` whether it was played before."""
        self._session, self._names_cards = session, names_cards
        self._kept = kept
        self._console = console
        self._read = read
        self._board = self._set_board()
        self._told = 0  # the events of the deal that the person has seen
        self._resumes = resumes
        self._read_so_far: dict[Seat, int] = {}  # the same for each person

    def _set_board(self) -> Board:
        return Board(self._session, self._names_cards, min(self._console.width, WIDTH))

    def run(self) -> How | None:
        """Play until the match ends or the person leaves; the kind of rematch, if any."""
        try:
            self._show(self._welcome())
            while not self._session.is_over:
                self._pause()
                if self._session.is_deal_over:
                    self._session.next_deal()
                self._play_deal()
            self._show(self._farewell())
        except PlayAgain:
            return "same"
        except (Leave, EOFError, KeyboardInterrupt):
            self._show(self._goodbye())
            return None
        return self._after() if self._kept is not None else None

    def _word(self, line: str) -> str:
        """Typed text in English."""
        return in_english(line, self._board.shown.pack).strip().lower()

    def _stop(self) -> None:
        question = say("Stop playing? (stop: leave; Enter: play on)")
        if self._kept:
            question = say(
                "Stop playing? (stop: for now; give up: end the match for good; Enter: play on)"
            )
        word = self._word(self._ask(question))
        if word in ("give up", "g"):
            self._session.leave()
        if word in STOP:
            raise Leave

    def _play_deal(self) -> None:
        self._told, self._read_so_far = 0, dict[Seat, int]()
        self._show(self._deal_header())
        self._skip_what_was_told()
        while not self._session.is_deal_over:
            if not self._session.choices():
                self._hand_over()
            self._show_turn()
            self._play_line()
        self._show_end()

    def _skip_what_was_told(self) -> None:
        """Where a stopped deal goes on, tell only the last own move and the answers."""
        events = self._session.events
        mine = [place for place, event in enumerate(events) if self._is_mine(event)]
        if self._resumes and mine and not self._session.is_deal_over:
            self._told = mine[-1]
            self._show([Text(say("You played this deal before: log tells all of it."))])
        self._resumes = False

    def _show_turn(self) -> None:
        """Show what has happened since the last question, and the next one."""
        self._show([*self._news(), Text()])
        self._show_table()

    def _show_table(self) -> None:
        self._show([*self._board.table(), *self._board.question()])

    def _show_end(self) -> None:
        self._show([*self._news(), Text(), *self._end_of_deal()])

    def _hand_over(self) -> None:
        """Clear the screen for the next person, so that no card of this person stays on it."""
        session, following = self._session, self._session.person_on_turn
        self._show(self._news())
        self._put_cards_away()
        name = session.names[following]
        question = say("It is the turn of {name}: pass the screen on, Enter", name=name)
        self._ask(question)
        self._clear()
        self._session = session.neighbour(following)
        self._board = self._set_board()
        self._told = self._read_so_far.get(following, 0)
        self._show([Text(say("You are {name}.", name=name), style="bold")])

    def _put_cards_away(self) -> None:
        """Hide the hand of the person who has just played; printed lines stay."""

    def _clear(self) -> None:
        self._console.clear()
        self._show([Text()] * self._console.height)

    def _ask(self, question: str) -> str:
        """Read an answer; a long question is broken between words."""
        asked, painter = f"{question} >", self._board.painter
        lines = [asked] if len(asked) < painter.width else painter.broken("", asked)
        return self._read("\n".join(lines) + " ")

    def _play_line(self) -> None:
        """Read lines until an action is played; a costly one needs confirmation."""
        doubted, sure_of = "", ""
        while True:
            line = self._read("> ")
            if sure_of and self._word(line) in YES:
                line = doubted
            if self._obey(line):
                sure_of = ""
                self._show_table()
                continue
            try:
                self._board.play(line, sure_of)
                return
            except Unsure as warning:
                doubted, sure_of = line, warning.action
                asked = say("{warning} The same again, or yes, plays it.", warning=warning)
                self._show(self._board.painter.wrapped("  ", asked, style="yellow"))
            except (NotationError, IllegalAction) as error:
                sure_of = ""
                refusal = self._board.painter.wrapped("  ", str(error), style="yellow")
                self._show(refusal)
                self._show_table()

    def _pause(self) -> None:
        """Wait for Enter; an undo returns to the deal."""
        while self._session.is_deal_over:
            if not self._obey(self._ask(say("Enter for the next deal"))):
                return

    def _after(self) -> How | None:
        """Ask for a rematch when the match is over."""
        question = say(
            "Enter: stop; again: another match; same: the same cards, as training; "
            "save: write the record"
        )
        while True:
            try:
                word = self._word(self._ask(question))
            except (EOFError, KeyboardInterrupt):
                return None
            if word in ("again", "same"):
                return "rematch" if word == "again" else "same"
            if not word or word in STOP:
                return None
            self._obey(word)

    def _obey(self, line: str) -> bool:
        """Run a command such as help; False if the line is none."""
        word = self._word(line)
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
            "seal": self._seal,
            "pile": self._board.pile,
            "undo": self._undo,
            "hint": self._hint,
            "again": self._again,
            "same": self._again,
            "save": self._save,
            "table": list,  # no lines: the table follows anyway
        }
        if word not in answers:
            return False
        try:
            lines = answers[word]()
        except (IllegalAction, RecordError) as error:
            lines = [Text(f"  {error}", style="yellow")]
        self._show([Text(), *lines, Text()])
        return True

    def _log(self) -> Lines:
        """All events of the deal."""
        told = self._board.tell(self._session.events)
        return told or [Text(say("Nothing has happened yet."))]

    def _seal(self) -> Lines:
        return self._board.painter.wrapped("", say("Seal {seal}", seal=self._session.commitment))

    def _hint(self) -> Lines:
        """The adviser's action, and the position as a line for `undercut hint`."""
        if self._session.is_deal_over:
            raise IllegalAction(say("The deal is over: there is nothing to advise."))
        self._session.note_coached()
        with patience(self._console):
            advice = advise(self._session, TUTORED)
        sentence = self._board.painter.wrapped("", advice.sentence)
        return [*sentence, Text(advice.position, style="dim")]

    def _undo(self) -> Lines:
        self._session.undo()
        self._told = len(self._session.events)
        return [Text(say("Your last move is taken back."))]

    def _again(self) -> Lines:
        """Play the same cards once more; only in training, alone."""
        is_alone = len(self._session.people) == 1
        if self._session.is_training and is_alone and self._kept is not None:
            raise PlayAgain
        raise IllegalAction(
            say("Only a match that has ended, or a training game, is played again.")
        )

    def _save(self) -> Lines:
        """Write the record of a match that has ended; ask before overwriting a file."""
        if not (self._session.is_over or self._session.is_left):
            raise IllegalAction(say("A match is recorded when it has ended."))
        name = self._ask(say("Write the record into which file?")).strip()
        if not name:
            return [Text(say("Nothing was written."))]
        path = Path(name).expanduser()
        if path.exists():
            question = say("{path} is there already. Overwrite it? (yes, no)", path=path)
            if self._word(self._ask(question)) not in YES:
                return [Text(say("Nothing was written."))]
        write_record(path, self._session.record())
        return [Text(say("The match is recorded in {path}.", path=path))]

    def _news(self) -> Lines:
        """The events that the person has not seen; a line separates turns."""
        events = self._session.events[self._told :]
        mine = list(takewhile(self._is_mine, events))
        others = events[len(mine) :]
        has_begun = self._told > 0 or mine  # otherwise the header of the deal is just above
        is_turn = not self._session.is_deal_over and self._board.shown.question().begins_turn
        self._told += len(events)
        self._read_so_far[self._session.person] = self._told
        divider = [Text(), self._rule(self._totals())] if others and is_turn and has_begun else []
        return [*self._board.tell(mine), *divider, *self._board.tell(others)]

    def _is_mine(self, event: Event) -> bool:
        return event.seat == self._session.person

    def _welcome(self) -> Lines:
        shown, session = self._board.shown, self._session
        values = {"title": shown.title, "goal": shown.goal}
        if session.game.seats > MANY:
            title = say_count(
                "{title}: you against {count} other, {goal}",
                "{title}: you against {count} others, {goal}",
                session.game.seats - 1,
                **values,
            )
        else:
            others = both([name for name in session.names if name != YOU])
            title = say("{title}: you against {others}, {goal}", others=others, **values)
        words = say("Answer with a number or a word; help, rules, score and quit work at any time.")
        return [Text(), Text(title, style="bold"), *self._board.aim(), Text(words)]

    def _deal_header(self) -> Lines:
        session = self._session
        begins = say("A new deal: {name} begins.", name=session.names[session.starter])
        if session.starter == session.person:
            begins = say("A new deal: you begin.")
        seal = say("Seal (see help) {seal}", seal=f"{session.commitment[:SEAL]}…")
        return [Text(), self._rule(self._totals()), Text(begins), Text(seal, style="dim")]

    def _end_of_deal(self) -> Lines:
        result = self._session.results[-1]
        command = f"undercut verify {result.seed} {result.salt} {result.commitment}"
        opened = say("Seal opened: {command}", command=command)
        return [
            self._rule(say("Deal {deal} is over", deal=self._session.deal_number + 1)),
            *self._board.summary(),
            Text(f"  {self._totals()}"),
            Text(opened, style="dim", no_wrap=True),  # to be pasted whole
        ]

    def _farewell(self) -> Lines:
        return [
            Text(),
            self._rule(say("The match is over")),
            *self._score_sheet(),
            Text(f"  {verdict(self._session)}", style="bold"),
        ]

    def _goodbye(self) -> Lines:
        is_kept = self._kept is not None and not self._session.is_left
        said = say("You stopped.") if is_kept else say("You left the match.")
        lines = [Text(), Text(f"{said} {self._totals()}. {say('Good-bye.')}")]
        if is_kept:
            command = f"undercut play --resume {self._kept}"
            lines.append(Text(say("Nothing is lost: {command} goes on here.", command=command)))
        return lines

    def _help(self) -> Lines:
        training = self._session.is_training
        listed = [
            ("1, 2, 3 ...", say("the choice with that number")),
            *self._board.help(),
            (say("rules, score, help"), say("the rules, the score sheet, this list")),
            (say("table, log"), say("the table once more; what has happened in this deal")),
            (say_as("typed", "seal"), say("the whole seal of the deal")),
            (say_as("typed", "pile"), say("look through the pile, where the rules allow it")),
            (say_as("typed", "hint"), say("what the adviser would do; the position as a line")),
            *([(say_as("typed", "undo"), say("take your last move back"))] if training else []),
            *([(say_as("typed", "again"), say("the same cards once more"))] if training else []),
            (say_as("typed", "save"), say("write the record of a match that has ended")),
            (say_as("typed", "quit"), say("stop; Ctrl-C and Ctrl-D do so without asking")),
        ]
        column = max(20, *(len(word) + 2 for word, _ in listed))
        painter = self._board.painter
        lines = [
            Text(line)
            for word, meaning in listed
            for line in painter.broken(f"  {word:<{column}}", meaning)
        ]
        return [*lines, Text(), *painter.wrapped("  ", _explain_seal())]

    def _score_sheet(self) -> Lines:
        return score_sheet(self._session, self._board.shown.names, self._console.width)

    def _totals(self) -> str:
        return totals(self._session, self._board.shown, self._console.width)

    def _rule(self, title: str) -> Text:
        return Text(f"── {title} ".ljust(self._console.width, "─"), style="cyan")

    def _show(self, lines: Lines) -> None:
        for line in lines:
            plain = self._console.options.ascii_only
            shown = self._board.painter.to_ascii(line) if plain else line
            self._console.print(shown, soft_wrap=line.no_wrap)


def _explain_seal() -> str:
    """The explanation of the seal at the start and at the end of a deal."""
    return say(
        "The seal of a deal is shown before it: the SHA-256 of a few words that name all its "
        "cards; at first only its beginning. When the deal is over, a command follows after “Seal opened:”. It checks that no "
        "card was changed while you played."
    )
