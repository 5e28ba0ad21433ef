"""A rummy table at a terminal: what a person is shown and asked, and how the answers are played."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text

from undercut.app.session import Event
from undercut.app.terminal.hand_drawing import draw_hand, draw_numbers, offer
from undercut.app.terminal.melding_screen import MeldingScreen, ask_throw, why_not_thrown
from undercut.app.terminal.painting import Lines
from undercut.app.terminal.rummy import drawing as rummy_drawing
from undercut.app.terminal.rummy import rules as rummy_rules
from undercut.app.terminal.rummy import words as rummy_words
from undercut.app.terminal.rummy.summary import summarise
from undercut.app.terminal.telling import counted, tell
from undercut.games.melding.hand import CardTexts, held, worth
from undercut.games.rummy.describe import Table, describe
from undercut.games.rummy.rules import Phase


class RummyScreen(MeldingScreen):
    """What a person sees of a rummy session, and what the words typed mean."""

    help = rummy_words.HELP
    titles: ClassVar = {"rummy": "Rummy", "rummy-classic": "Classic Rummy"}

    @property
    def is_new_turn(self) -> bool:
        """Whether the person is about to draw."""
        return self._table().phase == Phase.DRAW

    def aim(self) -> Lines:
        """What a newcomer has to know."""
        return rummy_rules.aim(self._options)

    def rules(self) -> Lines:
        """The rules, as the options have them."""
        return rummy_rules.rules(self._options)

    def tell(self, events: Sequence[Event]) -> Lines:
        """What was done, in sentences."""
        return tell(events, self._session.names, rummy_drawing.phrase)

    def summary(self) -> Lines:
        """How the deal ended: the table, both hands, and where the points come from."""
        return summarise(self._session)

    def table(self) -> Lines:
        """What lies on the table and in the person's hand."""
        table = self._table()
        groups = self._groups(table.hand)
        melds = rummy_drawing.draw_melds(table, self._session.names)
        hand = draw_hand(groups, counted(worth(held(table.hand)), "point"))
        if table.phase == Phase.PLAY:
            return [*melds, hand, draw_numbers(groups, self._held_back(table))]
        return [*melds, *rummy_drawing.draw_piles(table), hand]

    def question(self) -> Lines:
        """What the person is asked now, and the answers there are."""
        table, choices = self._table(), self._choices()
        offers = [
            offer(str(number), self._label(choice, table))
            for number, choice in enumerate(choices, start=1)
            if not choice.startswith("discard ")
        ]
        if table.phase == Phase.DRAW:
            return offers
        question = ask_throw(choices[: len(choices) - len(offers)])
        if not offers:
            return [question]
        return [question, Text("  Or first put down cards, as often as you like:"), *offers]

    def prepare(self) -> None:
        """Compile whatever only comes late in a deal: here nothing does."""

    def _read(self, text: str) -> str:
        melds = [meld.cards for meld in self._table().melds]
        return rummy_words.read_action(text, self._choices(), melds)

    def _table(self) -> Table:
        return describe(self._session.view())

    def _held_back(self, table: Table) -> str | None:
        return None if self._options.may_discard_taken else table.taken

    def _choices(self) -> list[str]:
        """The choices as they are numbered: discards as the hand lies, then what can be put down.

        A part of a meld that could be put down is not among them: it has to be named.
        """
        table, choices = self._table(), self._session.choices()
        if table.phase == Phase.DRAW:
            return choices
        melds = [set(choice.split()) for choice in choices if choice.startswith("meld ")]
        whole = [
            choice
            for choice in choices
            if choice.startswith("meld ") and not any(set(choice.split()) < meld for meld in melds)
        ]
        layoffs = sorted(
            (choice for choice in choices if choice.startswith("lay ")),
            key=lambda choice: _target(choice, table),
        )
        return [*self._discards(table.hand, self._held_back(table)), *whole, *layoffs]

    def _label(self, choice: str, table: Table) -> str:
        """A choice as it is offered."""
        if choice == "draw":
            known = f"draw {table.next_card}, which is next in the stock (d)"
            return known if table.next_card else "draw from the stock (d)"
        if choice == "take":
            return f"take {table.upcard} (t)"
        if choice == "turn over":
            return f"turn the pile over and draw {table.next_card} (o)"
        if choice.startswith("lay "):
            number = _target(choice, table)
            cards = " ".join(table.melds[number - 1].cards)
            return f"lay off {choice.split()[1]} on {number}: {cards}"
        return choice

    def _refusal(self, action: str) -> str:
        """Why an action is not allowed now."""
        table = self._table()
        verb, _, rest = action.partition(" ")
        if table.phase == Phase.DRAW:
            return _draw_refusal(verb, table)
        hand = held(table.hand)
        if verb == "discard":
            return why_not_thrown(rest, hand)
        if verb == "meld":
            return self._put_down_refusal(tuple(rest.split()), table)
        if verb == "lay" and not _target(action, table):
            return f"there is no such meld on the table to lay {rest}"
        if verb == "lay":
            return self._put_down_refusal((rest.split()[0],), table)
        return "you have drawn already: put cards down, or throw one"

    def _put_down_refusal(self, cards: CardTexts, table: Table) -> str:
        missing = [card for card in cards if card not in held(table.hand)]
        if missing:
            return f"you do not hold {' '.join(missing)}"
        return f"that would leave only {table.taken}, which may not be thrown back at once"


def _target(layoff: str, table: Table) -> int:
    """The number of the meld that a lay-off names, 0 if it is not there."""
    return rummy_words.number_of(layoff, [meld.cards for meld in table.melds])


def _draw_refusal(verb: str, table: Table) -> str:
    if verb == "draw":
        return f"the stock is empty: take {table.upcard}, or turn the pile over"
    if verb == "turn":
        return "the pile is turned over only when the stock is empty"
    return "a turn begins with a card: draw, or take the upcard"
