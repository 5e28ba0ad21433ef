"""A match on the whole screen of a terminal: the table stays, and what happens is told below it.

The match itself is that of the line mode (match.py), in a thread of its own. It shows its lines in
places of the screen and waits for answers: typed ones, or keys and clicks that type the same. The
screen knows no game.
"""

from contextvars import copy_context
from io import StringIO
from queue import SimpleQueue
from threading import Thread
from typing import ClassVar

from rich.console import Console
from rich.style import Style
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Click, Key, Resize
from textual.widgets import Footer, Input, Static

from undercut.app.rematch import How
from undercut.app.session import Session
from undercut.app.terminal.board import Board
from undercut.app.terminal.colours import Lines, Painter
from undercut.app.terminal.drawing import offer
from undercut.app.terminal.match import Terminal
from undercut.games.table.description import Choice
from undercut.text.translation import say

WIDEST = 100  # columns of the table at most
MARGIN = 3  # columns beside the table, the scroll bar included
NUMBER = "number"  # the key of a choice's number in the style of its text
_CARD = Style(bgcolor="#f3efe2")
_INK = {
    "bold bright_red": "bold #c01020",
    "bold bright_blue": "bold #1450b0",
    "bold green": "bold #107030",
    "bold yellow": "bold #8a6a00",
    "bold magenta": "bold #7a208a",
    "bold": "bold #101010",
}


class CardPainter(Painter):
    """Draws the cards of piles, melds and hands as small cards, and marks the chosen one."""

    marked = 0  # the number of the choice that the arrow keys have reached

    def card(self, card: str, width: int = 0) -> Text:
        """A card; with a width it lies on the table, otherwise it stands in a sentence."""
        plain = super().card(card)
        if not width:
            return plain
        ink = Style.parse(_INK.get(str(plain.style), "bold #101010"))
        return Text.assemble(" ", (f" {plain.plain} ", ink + _CARD))

    def cards(self, cards: tuple[str, ...]) -> Text:
        return Text().join(self.card(card, width=1) for card in cards)

    def choice(self, number: int, text: Text) -> Text:
        """The text with its number, for clicks; the marked choice is underlined."""
        if not number:
            return text
        text.apply_meta({NUMBER: number})
        if number == self.marked:
            text.stylize("reverse bold")
        return text


class _Match(Terminal):
    """A match that shows its lines on a screen."""

    def __init__(
        self, session: Session, screen: "FullScreen", names_cards: bool, kept: int, resumes: bool
    ) -> None:
        self._screen = screen
        console = Console(file=StringIO(), width=screen.columns, highlight=False)
        super().__init__(session, console, screen.read, names_cards, kept, resumes)

    def _set_board(self) -> Board:
        width = self._screen.columns
        return Board(self._session, self._names_cards, width, CardPainter, shows_all=True)

    def fit(self, columns: int) -> None:
        """Draw for another width from now on."""
        self._console.width = self._board.painter.width = columns

    @property
    def painter(self) -> CardPainter:
        painter = self._board.painter
        assert isinstance(painter, CardPainter)
        return painter

    def table(self, opened: Choice | None) -> Lines:
        """The table and the question, or that of an opened choice; nothing between questions."""
        if self._session.is_deal_over or not self._session.choices():
            return []
        if opened is None:
            return [*self._board.table(), Text(), *self._board.question()]
        words = enumerate((each.words for each in opened.more), start=1)
        lines = [line for key, each in words for line in offer(str(key), each, self.painter)]
        asks = self.painter.wrapped("  ", f"{' '.join(opened.cards)}: {opened.asks}")
        return [*self._board.table(), Text(), *asks, *lines]

    def choice(self, number: int) -> Choice | None:
        """The choice with a number."""
        numbered = self._board.numbered() if self._session.choices() else []
        return numbered[number - 1] if 0 < number <= len(numbered) else None

    def _show(self, lines: Lines) -> None:
        self._screen.tell(lines)

    def _show_turn(self) -> None:
        self._show(self._news())
        self._show_table()

    def _show_table(self) -> None:
        self._screen.show_table(self._totals())

    def _show_end(self) -> None:
        self._show([*self._news(), Text(), *self._end_of_deal()])
        self._show_table()

    def _put_cards_away(self) -> None:
        self._show_table()

    def _clear(self) -> None:
        self._screen.clear()

    def _ask(self, question: str) -> str:
        return self._read(f"{question} > ")


class _Line(Input):
    """The line that a person types; while it is empty, arrows go through the choices."""

    def on_key(self, event: Key) -> None:
        steps = {"up": -1, "left": -1, "down": 1, "right": 1}
        screen = self.app
        assert isinstance(screen, FullScreen)
        if not self.value and event.key in steps:
            screen.mark(steps[event.key])
            event.stop()
            event.prevent_default()


class FullScreen(App[None]):
    """The screen of a match."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+d,ctrl+q", "leave", priority=True, show=False)
    ]
    CSS = """
    Screen { align-horizontal: center; }
    #totals { background: $primary; color: $text; padding: 0 1; text-style: bold; }
    #table { height: auto; max-height: 70%; padding: 1 1 0 1; scrollbar-size-vertical: 1; }
    #news { height: 1fr; padding: 1 1 0 1; border-top: solid $primary; scrollbar-size-vertical: 1; }
    #question { padding: 0 1; color: $text-muted; }
    #line { border: none; height: 1; padding: 0 1; }
    """

    def __init__(
        self, session: Session, names_cards: bool, kept: int, resumes: bool, columns: int
    ) -> None:
        super().__init__()
        self.title = "Undercut"
        self.columns = min(columns - MARGIN, WIDEST)
        self.how: How | None = None
        self.problem: BaseException | None = None
        self.last: Lines = []  # the last words of the match, for the terminal below
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        self._match = _Match(session, self, names_cards, kept, resumes)
        self._told: Lines = []
        self._offers = False  # whether it waits for a choice
        self._opened: Choice | None = None  # it needs a second word
        self._is_waiting = False  # for an answer; otherwise the match changes in its thread
        keys = {
            "f1": ("help", say("Help")),
            "f2": ("rules", say("Rules")),
            "f3": ("score", say("Score")),
            "f4": ("log", say("Log")),
            "f5": ("hint", say("Hint")),
            "f6": ("sort", say("Sort")),
            "escape": ("quit", say("Quit")),
        }
        for key, (word, label) in keys.items():
            self.bind(key, f"answer('{word}')", description=label)

    def compose(self) -> ComposeResult:
        yield Static(id="totals")
        with VerticalScroll(id="table", can_focus=False):
            yield Static()
        with VerticalScroll(id="news", can_focus=False):
            yield Static()
        yield Static(id="question")
        yield _Line(id="line")
        yield Footer()

    def on_mount(self) -> None:
        """Begin the match."""
        self.query_one(_Line).focus()
        context = copy_context()
        Thread(target=lambda: context.run(self._play), daemon=True).start()

    def _play(self) -> None:
        try:
            self.how = self._match.run()
        except BaseException as error:
            self.problem = error
        self.call_from_thread(self.exit)

    # What the match does, in its thread.

    def tell(self, lines: Lines) -> None:
        """Show what happens, below what was told before."""
        self.last = lines
        self.call_from_thread(self._tell, lines)

    def show_table(self, totals: str) -> None:
        """Draw the table as it is now."""
        self.call_from_thread(self._show_table, totals)

    def clear(self) -> None:
        """Take everything off the screen."""
        self.call_from_thread(self._clear)

    def read(self, prompt: str) -> str:
        """Wait for an answer."""
        self.call_from_thread(self._prompt, prompt)
        self._offers = prompt == "> "
        self._is_waiting = True
        answer = self._answers.get()
        if answer is None:
            raise EOFError
        return answer

    # What a person does.

    def action_answer(self, word: str) -> None:
        """Type a word; nothing is typed ahead."""
        if self._is_waiting:
            self._is_waiting, self._opened, self._match.painter.marked = False, None, 0
            self._answers.put(word)

    def _choose(self, number: int) -> None:
        """Choose by number; a choice that needs a second word opens first."""
        if self._opened is not None and 0 < number <= len(self._opened.more):
            self.action_answer(self._opened.more[number - 1].action)
            return
        choice = self._match.choice(number)
        if choice is None or not choice.more:
            self.action_answer(str(number))
            return
        self._opened, self._match.painter.marked = choice, 0
        self._draw()

    def action_leave(self) -> None:
        """Stop without a question."""
        self._answers.put(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the typed line, or with the marked choice."""
        if not self._is_waiting:
            return
        event.input.clear()
        number = event.value.strip() or str(self._match.painter.marked or "")
        if self._offers and number.isdecimal():
            self._choose(int(number))
        else:
            self.action_answer(event.value)

    def on_click(self, event: Click) -> None:
        """Choose what was clicked."""
        number = event.style.meta.get(NUMBER)
        if number is not None and self._is_waiting and self._offers:
            self._choose(int(number))
        self.query_one(_Line).focus()

    def mark(self, step: int) -> None:
        """Go to the next or the previous choice."""
        painter, most = (
            self._match.painter,
            self._numbers() if self._is_waiting and self._offers else 0,
        )
        if most:
            first = 1 if step > 0 else most
            painter.marked = (painter.marked - 1 + step) % most + 1 if painter.marked else first
            self._draw()

    def _numbers(self) -> int:
        spans = [span for line in self._match.table(self._opened) for span in line.spans]
        metas = [style.meta for span in spans if isinstance(style := span.style, Style)]
        return max((int(meta[NUMBER]) for meta in metas if NUMBER in meta), default=0)

    def on_resize(self, event: Resize) -> None:
        """Draw for the new width."""
        self.columns = min(event.size.width - MARGIN, WIDEST)
        self._match.fit(self.columns)
        if self._is_waiting:
            self._draw()

    def _tell(self, lines: Lines) -> None:
        first = len(self._told)
        self._told += lines
        news = self.query_one("#news")
        news.query_one(Static).update(Text("\n").join(self._told))
        room = news.size.height
        top = len(self._told) - room if len(lines) < room else first
        self.call_after_refresh(news.scroll_to, y=max(0, top), animate=False)

    def _show_table(self, totals: str) -> None:
        self.query_one("#totals", Static).update(Text(totals))
        self._draw()

    def _draw(self) -> None:
        lines = self._match.table(self._opened)
        table = self.query_one("#table")
        table.display = bool(lines)
        table.query_one(Static).update(Text("\n").join(lines))
        self.call_after_refresh(table.scroll_end, animate=False)  # the question

    def _prompt(self, prompt: str) -> None:
        shown = prompt.strip().rstrip(">").strip()
        self.query_one("#question", Static).display = bool(shown)
        self.query_one("#question", Static).update(Text(shown))

    def _clear(self) -> None:
        self._told = []
        self._tell([])
        self.query_one("#table").display = False


def play_full_screen(
    session: Session, console: Console, names_cards: bool, kept: int, resumes: bool
) -> How | None:
    """Play a match on the whole screen; the kind of rematch, if any."""
    screen = FullScreen(session, names_cards, kept, resumes, console.width)
    screen.run()
    if screen.problem is not None:
        raise screen.problem
    if screen.how is None:
        for line in screen.last:
            console.print(line)
    return screen.how
