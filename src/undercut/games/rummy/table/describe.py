"""The description of Rummy: table, choices, refusals, events and the end of a round."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from undercut.cards.card import Cards
from undercut.games.rummy.table import house, rulebook, words
from undercut.games.rummy.table.going_out import GoingOut
from undercut.games.rummy.table.readable import RummyView
from undercut.games.rummy.table.summary import melds_areas, summarise
from undercut.games.table.actions import Action
from undercut.games.table.description import (
    Area,
    Choice,
    Company,
    Event,
    Group,
    Part,
    Question,
    Summary,
    Table,
    among,
    points,
)
from undercut.games.table.feats import Feat
from undercut.games.table.melding import description as melding
from undercut.games.table.melding.hand import worth
from undercut.games.table.melding.layoffs import name_target
from undercut.games.table.melding.open_hand import rest_part
from undercut.text.translation import mark, mark_as, say, say_count


class RummyDescription(melding.MeldingDescription[RummyView]):
    """Rummy as people see it, and the parser for their input."""

    titles: ClassVar = {"rummy": mark("Rummy"), "rummy-classic": mark("Classic Rummy")}
    phrases: ClassVar = {
        **melding.PHRASES,
        "turn": (
            mark_as("you", "turn the pile over and draw {card}"),
            mark("turns the pile over and draws {card}"),
        ),
        "meld": (mark_as("you", "put down {cards}"), mark("puts down {cards}")),
    }
    about = house.ABOUT
    house = house.HOUSE
    feats = (
        Feat(mark("You go out first in {share} % of the deals."), won="out"),
        Feat(mark("{share} % of the deals end with your rummy."), won="rummy"),
    )
    help = words.HELP
    aim = staticmethod(rulebook.aim)
    rules = staticmethod(rulebook.rules)

    def table(self, view: RummyView, company: Company) -> Table:
        """The melds with their numbers, the piles, the other hand, and the own hand."""
        layout = view.layout
        hand = melding.hand_area(layout, points(worth(layout.cards)), view.me)
        if view.phase == "over":
            hand = replace(hand, parts=(_left(view.hand, view.me),))
        areas = (*melds_areas(view, company), _piles(view), _opponent(view), hand)
        return Table(areas, melding.orders_of(layout))

    def question(self, view: RummyView, company: Company) -> Question:
        """A draw; or a throw, with the put-downs that are legal before it."""
        legal = view.choices
        if view.phase == "draw":
            return Question((Group("", "list", tuple(_draw(each, view) for each in legal)),))
        groups = [melding.throws(view.layout, legal), *_put_downs(legal, view)]
        going_out = GoingOut(view)
        if going_out.is_possible:
            groups = [_warned(group, going_out) for group in groups]
        shortcut = say("put down all your cards, and go out") if going_out.is_possible else ""
        asked = tuple(group for group in groups if group.choices)
        return Question(asked, begins_turn=False, shortcut=shortcut)

    def refusal(self, view: RummyView, action: str) -> str:
        """The reason why an action is not legal now."""
        verb, _, rest = action.partition(" ")
        if view.phase == "draw":
            return _why_no_draw(verb, view)
        if verb == "discard":
            return melding.why_not_thrown(rest, view.hand.texts)
        if verb == "meld":
            return _why_not_put_down(tuple(rest.split()), view)
        if verb == "lay" and not _target(action, view):
            card, _, target = rest.partition(" on ")
            return say(
                "there is no such meld on the table to lay {card} on {target}",
                card=card,
                target=name_target(target),
            )
        if verb == "lay":
            return _why_not_put_down((rest.split()[0],), view)
        return say("you have drawn already: put cards down, or throw one")

    def seen(self, action: Action, before: RummyView, after: RummyView) -> Event:
        """An action as the viewer saw it; after a turnover with the other player's card."""
        event = super().seen(action, before, after)
        is_known = event.verb in self._DRAWS and not event.cards and before.next_card
        return replace(event, cards=(str(before.next_card),)) if is_known else event

    def summary(self, view: RummyView, points: Sequence[int], company: Company) -> Summary:
        """The melds, both hands, the end of the round, and the sum of the points."""
        return summarise(view, company)

    def read(self, text: str, view: RummyView, choices: Sequence[str]) -> str:
        """The typed action; a number may stand for a meld."""
        return words.read_action(text, choices, [meld.cards for meld in view.melds])


DESCRIPTION = RummyDescription()


def _piles(view: RummyView) -> Area:
    """The upcard, the pile and the stock."""
    turned = say("the pile turned over {times}", times=rulebook.times(view.turnovers))
    note = f" ({turned})" if view.turnovers else ""
    return melding.piles_area(view, note)


def _opponent(view: RummyView) -> Area:
    """The number of cards in the other hand, and the known ones; after a win all of them."""
    known = view.known.texts
    hidden = view.held - len(known)
    if view.phase == "over" and not hidden:
        return Area("players", say("Opponent"), (_left(view.known, 1 - view.me),))
    told = say_count("holds {count} card", "holds {count} cards", view.held)
    if known:
        told = among(told, hidden)
    part = Part(known, told, face_down=hidden, seat=1 - view.me)
    return Area("players", say("Opponent"), (part,))


def _left(cards: Cards, seat: int) -> Part:
    """The cards of a hand at the end."""
    return rest_part(cards, points(worth(cards.texts)), seat)


def _draw(action: str, view: RummyView) -> Choice:
    """A choice at the beginning of a turn."""
    if action == "take":
        return melding.take_choice(view)
    if action == "turn over":
        words = say("turn the pile over and draw {card}", card=view.next_card)
        return Choice(action, words, key="o")
    known = say("draw {card}, which is next in the stock", card=view.next_card)
    return Choice(action, known if view.next_card else say("draw from the stock"), key="d")


def _put_downs(legal: Sequence[str], view: RummyView) -> list[Group]:
    """The largest melds, then lay-offs; parts of these melds can only be typed."""
    melds = [action for action in legal if action.startswith("meld ")]
    parts = [one for one in melds if any({*one.split()} < {*other.split()} for other in melds)]
    layoffs = sorted(
        (action for action in legal if action.startswith("lay ")),
        key=lambda action: _target(action, view),
    )
    whole = [melding.meld_choice(action) for action in melds if action not in parts]
    offered = (*whole, *(_layoff(action, view) for action in layoffs))
    return [
        Group(say("Or first put down cards, as often as you like:"), "list", offered),
        Group(say("Or only some of them:"), "named", tuple(map(melding.meld_choice, parts))),
    ]


def _warned(group: Group, going_out: GoingOut) -> Group:
    """Move choices after which the player can no longer go out to the end, with a warning."""
    warning = say("You can go out in this turn. After this choice you cannot.")
    choices = [
        replace(choice, warning=warning if going_out.is_given_away(choice.action) else "")
        for choice in group.choices
    ]
    return replace(group, choices=tuple(sorted(choices, key=lambda choice: bool(choice.warning))))


def _layoff(action: str, view: RummyView) -> Choice:
    number, card = _target(action, view), action.split()[1]
    onto = view.melds[number - 1].cards.texts
    cards = " ".join(onto)
    words = say("lay off {card} on {number}: {cards}", card=card, number=number, cards=cards)
    return Choice(action, words, (card,), onto=onto)


def _target(layoff: str, view: RummyView) -> int:
    """The number of the meld that a lay-off names, 0 without such a meld."""
    return words.number_of(layoff, [meld.cards for meld in view.melds])


def _why_no_draw(verb: str, view: RummyView) -> str:
    if verb == "draw":
        return say("the stock is empty: take {card}, or turn the pile over", card=view.upcard)
    if verb == "turn":
        return say("the pile is turned over only when the stock is empty")
    return say("a turn begins with a card: draw, or take the upcard")


def _why_not_put_down(cards: Sequence[str], view: RummyView) -> str:
    missing = [card for card in cards if card not in view.hand]
    if missing:
        return say("you do not hold {cards}", cards=" ".join(missing))
    return say(
        "that would leave only {card}, which may not be thrown back at once", card=view.taken
    )
