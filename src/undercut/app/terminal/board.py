"""A session in lines of text: the table, the question and the choices."""

from rich.text import Text

from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.app.terminal.colours import WIDTH, Lines, Painter
from undercut.app.terminal.drawing import draw_areas, draw_hand, draw_names, rows
from undercut.app.terminal.prompts import Asked
from undercut.games.table.description import Cards, Choice, Event, Table, either
from undercut.games.table.typed import in_english
from undercut.text.translation import say, say_as

SORT = "sort"
_AT_FIRST = ("piles", "players")  # drawn only when a turn begins


class Board:
    """Draws a session, with the hand in the order that the person chose."""

    def __init__(
        self,
        session: Session,
        names_cards: bool = False,
        width: int = WIDTH,
        paint: type[Painter] = Painter,
        shows_all: bool = False,
    ) -> None:
        """With `shows_all`, also later questions of a turn show all of the table."""
        self.shown = Shown(session, names_cards)
        self.painter = paint(self.shown.pack, width)
        self._order, self._shows_all = 0, shows_all

    def table(self) -> Lines:
        table = self.shown.table()
        begins = self._shows_all or self.shown.question().begins_turn
        numbers, groups = self._asked(table).on_hand(), self._groups(table)
        above = [area for area in table.areas if begins or area.kind not in _AT_FIRST]
        lines = draw_areas([area for area in above if area.kind != "hand"], self.painter)
        for area in above:
            if area.kind == "hand":
                lines += draw_hand(groups, area, numbers, self.painter)
        if self.shown.names_cards:
            cards = [card for group in groups for card in group]
            lines += draw_names(cards, self.painter)
        return lines

    def question(self) -> Lines:
        return self._asked(self.shown.table()).draw(self.painter)

    def tell(self, events: list[Event]) -> Lines:
        return [self.painter.sentence(told) for told in self.shown.tell(events)]

    def summary(self) -> Lines:
        summary = self.shown.summary()
        told = [
            line
            for each in summary.sentences
            for line in self.painter.wrapped("  ", each, style="bold")
        ]
        above = draw_areas(summary.areas, self.painter)
        return [*above, Text(), *told] if above else told

    def aim(self) -> Lines:
        """The aim of the game, for a newcomer."""
        return [self.painter.sentence(each) for each in self.shown.aim()]

    def rules(self) -> Lines:
        return self.painter.numbered(self.shown.rules())

    def help(self) -> list[tuple[str, str]]:
        orders = [order.name for order in self.shown.table().orders]
        sorting = say("show the hand {orders}", orders=either(orders))
        sort = [(say_as("typed", SORT), sorting)] if len(orders) > 1 else []
        return [*self.shown.help, *sort]

    def pile(self) -> Lines:
        """The cards of the discard pile, if the rules show them."""
        areas = self.shown.table().areas
        below = [part.below for area in areas for part in area.parts if part.below]
        if not below:
            return [Text(say("There is no pile that you may look through."))]
        start = Text(say("Pile:"))
        cards = [Text(" ").append_text(self.painter.card(card)) for card in below[0]]
        return rows(start, cards, self.painter.width)

    def play(self, line: str, sure_of: str = "") -> None:
        """Play typed text, or sort the hand in another order."""
        table = self.shown.table()
        if in_english(line, self.shown.pack).strip().lower() == SORT and len(table.orders) > 1:
            self._order = (self._order + 1) % len(table.orders)
        else:
            self.shown.play(line, self._asked(table).numbered, sure_of)

    def numbered(self) -> list[Choice]:
        """The choices with a number, from 1."""
        return self._asked(self.shown.table()).numbered

    def _asked(self, table: Table) -> Asked:
        hand = [card for group in self._groups(table) for card in group]
        return Asked(self.shown.question(), hand)

    def _groups(self, table: Table) -> tuple[Cards, ...]:
        """The hand in the chosen order."""
        if table.orders:
            return table.orders[self._order].groups
        return tuple(
            part.cards for area in table.areas if area.kind == "hand" for part in area.parts
        )
