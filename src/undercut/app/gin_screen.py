"""A gin table in lines of text: what a person sees of a session, and what the words mean."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from rich.text import Text

from undercut.agents.gin_layout import WORKSPACE, lay_cheapest
from undercut.app import gin_rules, gin_words
from undercut.app.gin_summary import summarise
from undercut.app.painting import Lines, paint, paint_card, paint_cards
from undercut.app.session import Event, Session
from undercut.core.cards import RANKS, parse_card
from undercut.core.errors import IllegalAction
from undercut.core.game import pack
from undercut.games import gin
from undercut.games.gin import Phase
from undercut.games.gin_describe import Table, deadwood_after, describe
from undercut.games.gin_text import parse_action

ORDERS = ("melds", "suits", "ranks")
INDENT = 11  # the column where cards begin
CELL = 4  # columns of a card

_RANK_WORDS = (
    "aces twos threes fours fives sixes sevens eights nines tens jacks queens kings".split()
)


class GinScreen:
    """What a person sees of a gin session, and how the words typed are played."""

    help = gin_words.HELP

    def __init__(self, session: Session) -> None:
        self._session = session
        self._options = session.game.options
        self._order = 0

    @property
    def goal(self) -> str:
        """How the match ends, in a few words."""
        return f"to {self._options.target}"

    @property
    def is_new_turn(self) -> bool:
        """Whether the person is about to begin a turn, or to lay cards down."""
        return self._table().phase != Phase.DISCARD

    def aim(self) -> Lines:
        """What a newcomer has to know."""
        return gin_rules.aim(self._options)

    def rules(self) -> Lines:
        """The rules, as the options have them."""
        return gin_rules.rules(self._options)

    def play(self, text: str) -> None:
        """Play what was typed; an error in one line says what is wrong."""
        word = text.strip().lower()
        if word == "sort":
            self._order = (self._order + 1) % len(ORDERS)
        elif word in ("auto", "a", "") and self._is_laying():
            self._lay_best()
        else:
            action = gin_words.read_action(text, self._choices())
            if action not in self._session.choices():
                raise IllegalAction(self._refusal(action))
            self._session.play(action)

    def table(self) -> Lines:
        """What lies on the table and in the person's hand."""
        table = self._table()
        if table.phase == Phase.DISCARD:
            return self._draw_hand(table, with_numbers=True)
        if self._is_laying():
            return [*self._draw_laid(table), *self._draw_hand(table)]
        return [*self._draw_piles(table), *self._draw_hand(table)]

    def question(self) -> Lines:
        """What the person is asked now, and the answers there are."""
        table, choices = self._table(), self._choices()
        if table.phase == Phase.DISCARD:
            knocks = [choice for choice in choices if choice.startswith("knock")]
            first = len(choices) - len(knocks) + 1
            return [
                Text("  Throw which card? Its number, or its name such as 8h."),
                *(self._offer_knock(first + i, knock) for i, knock in enumerate(knocks)),
            ]
        lines = [_number(i + 1, self._label(choice)) for i, choice in enumerate(choices)]
        if self._is_laying():
            lines.append(Text("  Enter  the best for you, laid down by itself"))
        return lines

    def tell(self, events: Sequence[Event]) -> Lines:
        """What was done, one sentence for each seat in turn."""
        lines = []
        for seat, group in groupby(events, key=lambda event: event.seat):
            is_me = seat == self._session.person
            phrases = [phrase for event in group if (phrase := _phrase(event.text, is_me))]
            if phrases:
                who = "You" if is_me else self._session.names[seat]
                *others, last = phrases
                said = f"{', '.join(others)} and {last}" if others else last
                lines.append(paint(f"{who} {said}."))
        return lines

    def summary(self) -> Lines:
        """How the deal ended: both hands, and where the points come from."""
        return summarise(self._session)

    def _table(self) -> Table:
        return describe(self._session.view(), self._options)

    def _is_laying(self) -> bool:
        return self._table().phase in (Phase.SPREAD, Phase.DEFEND)

    def _choices(self) -> list[str]:
        """The choices as they are numbered: discards as the hand lies, then knocks, best first."""
        table, choices = self._table(), self._session.choices()
        if table.phase != Phase.DISCARD:
            return choices
        cards = [card for group in self._groups(table) for card in group]
        knocks = [choice for choice in choices if choice.startswith("knock ")]
        discards = [f"discard {card}" for card in cards if card != table.taken]
        return discards + sorted(knocks, key=self._deadwood_after)

    def _deadwood_after(self, choice: str) -> int:
        card = parse_card(choice.split()[1])
        return deadwood_after(self._session.view(), card, self._options)

    def _offer_knock(self, number: int, choice: str) -> Text:
        card, left = choice.split()[1], self._deadwood_after(choice)
        what = "gin: all your cards in melds" if left == 0 else f"deadwood {left}"
        return _number(number, f"knock, throwing {card} ({what})")

    def _groups(self, table: Table) -> list[tuple[str, ...]]:
        """The hand in the order it is shown, in groups."""
        order, hand = ORDERS[self._order], table.hand
        cards = [*hand.loose, *(card for meld in hand.melds for card in meld)]
        if order == "melds":
            return [*hand.melds, hand.loose] if hand.loose else [*hand.melds]
        if order == "suits":
            return [tuple(sorted(cards, key=parse_card))]
        return [tuple(sorted(cards, key=lambda card: (RANKS.index(card[0]), card[1])))]

    def _draw_hand(self, table: Table, with_numbers: bool = False) -> Lines:
        cards, numbers = Text(_label("Your hand")), Text(" " * INDENT, style="dim")
        number = 0
        for i, group in enumerate(self._groups(table)):
            if i:
                cards.append("  │", style="dim")
                numbers.append("   ")
            for card in group:
                cards.append_text(paint_card(card, CELL))
                may_throw = card != table.taken
                number += may_throw
                numbers.append((str(number) if may_throw else "-").rjust(CELL))
        cards.append(f"   deadwood {table.hand.deadwood}", style="bold")
        return [cards, numbers] if with_numbers else [cards]

    def _draw_piles(self, table: Table) -> Lines:
        line = Text(_label("Upcard"))
        line.append_text(paint_card(table.upcard, CELL) if table.upcard else Text("none"))
        line.append(f"    pile {_count(table.pile)}    stock {_count(table.stock)}")
        lines = [line]
        if table.known:
            name = self._session.names[1 - table.me]
            known = Text(_label("Known")).append(f" {name} took and still holds ")
            lines.append(known.append_text(paint_cards(table.known)))
        return lines

    def _draw_laid(self, table: Table) -> Lines:
        """The melds on the table, and what the knocker has left."""
        lines = []
        for seat, melds in enumerate(table.laid):
            hand = table.hands[seat]
            if not melds and hand is None:
                continue
            who = "You laid" if seat == table.me else f"{self._session.names[seat]} laid"
            line = Text(f"  {who}: ")
            line.append_text(Text("  │  ").join(paint_cards(meld) for meld in melds))
            line.append("" if melds else "nothing")
            if seat != table.me and hand is not None:
                line.append("   left over ").append_text(paint_cards(hand.loose))
                line.append(f"{' ' if hand.loose else ''}(deadwood {hand.deadwood})")
            lines.append(line)
        return lines

    def _label(self, choice: str) -> str:
        """A choice as it is offered."""
        table = self._table()
        if choice == "draw":
            return "draw from the stock"
        if choice == "take":
            return f"take {table.upcard}"
        if choice == "pass":
            return "pass: leave it"
        if choice == "done":
            return f"done: the rest of your hand is deadwood ({self._unlaid_points()})"
        return "lay off " + _layoff_words(choice) if choice.startswith("lay ") else choice

    def _unlaid_points(self) -> int:
        hand = self._table().hands[self._session.person]
        assert hand is not None
        return hand.deadwood

    def _lay_best(self) -> None:
        workspace = np.zeros(WORKSPACE, dtype=np.int64)
        while not self._session.is_deal_over and self._is_laying():
            actions = [parse_action(choice) for choice in self._session.choices()]
            legal = np.array(actions, dtype=np.int64)
            action = lay_cheapest(self._session.view(), legal, pack(self._options), workspace)
            self._session.play(self._session.game.notation.format_action(action))

    def _refusal(self, action: str) -> str:
        """Why an action is not allowed now."""
        table = self._table()
        verb, _, rest = action.partition(" ")
        held = {card for group in self._groups(table) for card in group}
        if table.phase == Phase.DISCARD and verb in ("discard", "knock"):
            if rest not in held:
                return f"you do not hold {rest}"
            if rest == table.taken:
                return f"you took {rest} this turn: it may not be thrown back at once"
            return self._knock_refusal(action)
        if verb == "meld" and self._is_laying() and set(rest.split()) - held:
            return f"you do not hold all of {rest}"
        if verb == "done":
            return f"at most {self._options.knock_limit} points may stay in your hand"
        return f"{action!r} is not possible now"

    def _knock_refusal(self, action: str) -> str:
        options = self._options
        if not options.knock:
            return "nobody knocks in this game: a deal ends when all cards of a hand are in melds"
        left = self._deadwood_after(action)
        if left == 0:
            return "that is gin: throw the card, and the deal ends by itself"
        return f"that leaves {left} points of deadwood; {options.knock_limit} is the most to knock"


def _phrase(action: str, is_me: bool) -> str:
    """An action as part of a sentence; nothing for one that goes without saying."""
    verb, _, rest = action.partition(" ")
    ending = "" if is_me else "s"
    if verb == "draw":
        return f"draw{ending} {rest + ' ' if rest else ''}from the stock"
    if verb == "take":
        return f"take{ending} {rest} from the pile"
    if verb == "pass":
        return "pass" if is_me else "passes"
    if verb == "discard":
        return f"throw{ending} {rest}"
    if verb == "knock":
        return f"knock{ending}, throwing {rest or 'a card face down'}"
    if verb == "meld":
        return f"lay{ending} down {rest}"
    if verb == "lay":
        return f"lay{ending} off {_layoff_words(action)}"
    return ""


def _layoff_words(action: str) -> str:
    """A lay-off without its verb; a set is named by its rank, since 8s would read as a card."""
    card, target = action.removeprefix("lay ").split(" on ")
    if parse_action(action) < gin.LAY_ON_HIGHER:
        target = "the " + _RANK_WORDS[parse_card(card) % 13]
    return f"{card} on {target}"


def _number(number: int, words: str) -> Text:
    return Text(f"  {number:>3}  ", style="bold").append_text(paint(words, style="not bold"))


def _label(word: str) -> str:
    return f"  {word}".ljust(INDENT)


def _count(cards: int) -> str:
    return f"{cards} card" if cards == 1 else f"{cards} cards"
