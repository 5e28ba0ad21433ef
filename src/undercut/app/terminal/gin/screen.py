"""A gin table at a terminal: what a person is shown and asked, and how the answers are played."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from rich.text import Text

from undercut.app.session import Event
from undercut.app.terminal.gin import drawing as gin_drawing
from undercut.app.terminal.gin import rules as gin_rules
from undercut.app.terminal.gin import words as gin_words
from undercut.app.terminal.gin.summary import summarise
from undercut.app.terminal.hand_drawing import draw_hand, draw_numbers, offer
from undercut.app.terminal.melding_screen import MeldingScreen, ask_throw, why_not_thrown
from undercut.app.terminal.painting import Lines
from undercut.app.terminal.telling import tell
from undercut.core.cards import parse_card
from undercut.core.records import pack
from undercut.games.gin.describe import Table, deadwood_after, describe
from undercut.games.gin.rules import Phase
from undercut.games.gin.strategy.laying import WORKSPACE, lay_cheapest
from undercut.games.gin.text import format_action, parse_action
from undercut.games.melding.hand import held


class GinScreen(MeldingScreen):
    """What a person sees of a gin session, and what the words typed mean."""

    help = gin_words.HELP
    titles: ClassVar = {"gin": "Gin Rummy", "distilled": "Distilled Gin"}

    @property
    def is_new_turn(self) -> bool:
        """Whether the person is about to draw, or to lay cards down."""
        return self._table().phase != Phase.DISCARD

    def aim(self) -> Lines:
        """What a newcomer has to know."""
        return gin_rules.aim(self._options)

    def rules(self) -> Lines:
        """The rules, as the options have them."""
        return gin_rules.rules(self._options)

    def tell(self, events: Sequence[Event]) -> Lines:
        """What was done, in sentences."""
        return tell(events, self._session.names, gin_drawing.phrase)

    def summary(self) -> Lines:
        """How the deal ended: both hands, and where the points come from."""
        return summarise(self._session)

    def table(self) -> Lines:
        """What lies on the table and in the person's hand."""
        table = self._table()
        groups = self._groups(table.hand)
        hand = draw_hand(groups, f"deadwood {table.hand.deadwood}")
        if table.phase == Phase.DISCARD:
            return [hand, draw_numbers(groups, table.taken)]
        opponent = self._session.names[1 - table.me]
        if _is_laying(table):
            return [*gin_drawing.draw_laid(table, opponent), hand]
        return [*gin_drawing.draw_piles(table, opponent), hand]

    def question(self) -> Lines:
        """What the person is asked now, and the answers there are."""
        table, choices = self._table(), self._choices()
        if table.phase == Phase.DISCARD:
            return self._ask_throw(choices)
        offers = [
            offer(str(i), self._label(choice, table)) for i, choice in enumerate(choices, start=1)
        ]
        return self._ask_laying(choices, offers) if _is_laying(table) else offers

    def play(self, text: str) -> None:
        """Play what was typed; an error in one line says what is wrong."""
        if text.strip().lower() in ("auto", "a", "") and _is_laying(self._table()):
            self._lay_best()
        else:
            super().play(text)

    def prepare(self) -> None:
        """Compile what laying down will need; the deal need not have come that far."""
        self._best_laying()

    def _table(self) -> Table:
        return describe(self._session.view(), self._options)

    def _read(self, text: str) -> str:
        return gin_words.read_action(text, self._choices())

    def _choices(self) -> list[str]:
        """The choices as they are numbered: discards as the hand lies, then knocks, best first."""
        table, choices = self._table(), self._session.choices()
        if table.phase != Phase.DISCARD:
            return choices
        knocks = [choice for choice in choices if choice.startswith("knock ")]
        discards = self._discards(table.hand, table.taken)
        return discards + sorted(knocks, key=self._deadwood_after)

    def _ask_throw(self, choices: list[str]) -> Lines:
        knocks = [choice for choice in choices if choice.startswith("knock ")]
        discards = choices[: len(choices) - len(knocks)]
        question = ask_throw(discards)
        if not knocks:
            return [question]
        also = Text("  Or knock, which ends the deal:")
        numbers = range(len(discards) + 1, len(choices) + 1)
        return [question, also, *map(self._offer_knock, numbers, knocks)]

    def _offer_knock(self, number: int, choice: str) -> Text:
        card, left = choice.split()[1], self._deadwood_after(choice)
        what = "gin, no deadwood" if left == 0 else f"deadwood {left}"
        return offer(str(number), f"knock, throwing {card} ({what})")

    def _ask_laying(self, choices: list[str], offers: Lines) -> Lines:
        question = "  Lay down your melds"
        if any(choice.startswith("lay ") for choice in choices):
            question += ", and lay off cards that fit the knocker's"
        best = offer("a", "auto: lay down whatever leaves the least deadwood (or just Enter)")
        return [Text(question + ":"), *offers, best]

    def _label(self, choice: str, table: Table) -> str:
        """A choice as it is offered."""
        if choice == "draw":
            return "draw from the stock (d)"
        if choice == "take":
            return f"take {table.upcard} (t)"
        if choice == "pass":
            return "pass, leave it there (p)"
        if choice == "done":
            own = table.hands[table.me]
            assert own is not None, "one's own hand can always be seen"
            return f"done, with {own.deadwood} points of deadwood"
        return choice.replace("lay ", "lay off ")

    def _deadwood_after(self, choice: str) -> int:
        card = parse_card(choice.split()[1])
        return deadwood_after(self._session.view(), card, self._options)

    def _lay_best(self) -> None:
        while _is_laying(self._table()):
            self._session.play(self._best_laying())

    def _best_laying(self) -> str:
        actions = [parse_action(choice) for choice in self._session.choices()]
        workspace = np.zeros(WORKSPACE, dtype=np.int64)
        legal = np.array(actions, dtype=np.int64)
        view, options = self._session.view(), pack(self._options)
        return format_action(lay_cheapest(view, legal, options, workspace))

    def _refusal(self, action: str) -> str:
        """Why an action is not allowed now."""
        table = self._table()
        verb, _, rest = action.partition(" ")
        hand = held(table.hand)
        if table.phase == Phase.DISCARD and verb in ("discard", "knock"):
            if rest not in hand or rest == table.taken:
                return why_not_thrown(rest, hand)
            return self._knock_refusal(action)
        if _is_laying(table) and verb == "meld" and set(rest.split()) - set(hand):
            return f"you do not hold all of {rest}"
        if _is_laying(table) and verb in ("meld", "done"):
            return f"after a knock at most {self._options.knock_limit} points may be left over"
        return f"{verb!r} is not possible now"

    def _knock_refusal(self, action: str) -> str:
        options = self._options
        if not options.knock:
            return "nobody knocks in this game: a deal ends when all cards of a hand are in melds"
        left = self._deadwood_after(action)
        if left == 0:
            return "that is gin: just throw the card, and the deal ends by itself"
        return f"that leaves {left} points of deadwood; {options.knock_limit} is the most to knock"


def _is_laying(table: Table) -> bool:
    return table.phase in (Phase.SPREAD, Phase.DEFEND)
