"""Rummy in plain data and sentences: the table, the choices, why not, what happened, the end."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from undercut.games.rummy.rules import deal as rules
from undercut.games.rummy.rules.deal import Phase
from undercut.games.rummy.table import rulebook, text, words
from undercut.games.rummy.table.going_out import GoingOut
from undercut.games.rummy.table.sight import Sight, format_seen, look
from undercut.games.rummy.table.summary import melds_areas, summarise
from undercut.games.table.description import (
    Area,
    Cards,
    Choice,
    Company,
    Group,
    Part,
    Question,
    Sentences,
    Summary,
    Table,
    among,
    points,
)
from undercut.games.table.melding.description import (
    MeldingDescription,
    hand_area,
    meld_choice,
    orders_of,
    phrase_action,
    piles_area,
    throws,
    why_not_thrown,
)
from undercut.games.table.melding.hand import held, worth
from undercut.games.table.melding.layoffs import name_target
from undercut.kernels.records import Action, Seat, View
from undercut.text.translation import mark, say, say_as, say_count


class RummyDescription(MeldingDescription):
    """What a person sees of rummy, and what the words typed mean."""

    titles: ClassVar = {"rummy": mark("Rummy"), "rummy-classic": mark("Classic Rummy")}
    help = words.HELP

    def aim(self, options: Any) -> Sentences:
        """What a newcomer has to know."""
        return rulebook.aim(options)

    def rules(self, options: Any) -> Sentences:
        """The rules, as the options have them."""
        return rulebook.rules(options)

    def table(self, view: View, company: Company) -> Table:
        """The melds with their numbers, the piles, what the other one holds, and the hand."""
        sight = look(view)
        hand = hand_area(sight.hand, points(worth(held(sight.hand))), sight.me)
        areas = (*melds_areas(sight, company), _piles(sight), _opponent(sight), hand)
        return Table(areas, orders_of(sight.hand))

    def question(self, view: View, legal: Sequence[str], company: Company) -> Question:
        """A draw; or a throw, and before it whatever can be put down."""
        sight = look(view)
        if sight.phase == Phase.DRAW:
            return Question((Group("", "list", tuple(_draw(each, sight) for each in legal)),))
        groups = [throws(sight.hand, legal), *_put_downs(legal, sight)]
        going_out = GoingOut(sight, bool(company.options.may_discard_taken))
        if going_out.is_possible:
            groups = [_warned(group, going_out) for group in groups]
        shortcut = say("put down all your cards, and go out") if going_out.is_possible else ""
        asked = tuple(group for group in groups if group.choices)
        return Question(asked, begins_turn=False, shortcut=shortcut)

    def refusal(self, view: View, action: str, legal: Sequence[str], company: Company) -> str:
        """Why an action is not allowed now."""
        sight = look(view)
        verb, _, rest = action.partition(" ")
        if sight.phase == Phase.DRAW:
            return _why_no_draw(verb, sight)
        if verb == "discard":
            return why_not_thrown(rest, held(sight.hand))
        if verb == "meld":
            return _why_not_put_down(tuple(rest.split()), sight)
        if verb == "lay" and not _target(action, sight):
            card, _, target = rest.partition(" on ")
            return say(
                "there is no such meld on the table to lay {card} on {target}",
                card=card,
                target=name_target(target),
            )
        if verb == "lay":
            return _why_not_put_down((rest.split()[0],), sight)
        return say("you have drawn already: put cards down, or throw one")

    def seen(self, action: Action, before: View, after: View, seat: Seat) -> str:
        """An action as one who looked on saw it."""
        return format_seen(action, before, after, seat)

    def phrase(self, action: str, is_you: bool) -> str:
        """An action as part of a sentence."""
        if action.startswith("turn over"):
            card = action.split()[-1]
            yours = say_as("you", "turn the pile over and draw {card}", card=card)
            return yours if is_you else say("turns the pile over and draws {card}", card=card)
        if action.startswith("meld "):
            cards = action.removeprefix("meld ")
            yours = say_as("you", "put down {cards}", cards=cards)
            return yours if is_you else say("puts down {cards}", cards=cards)
        return phrase_action(action, is_you)

    def summary(self, view: View, points: Sequence[int], company: Company) -> Summary:
        """The melds on the table, both hands, how the deal ended, and where the points come from."""
        return summarise(look(view), company)

    def read(self, text: str, view: View, choices: Sequence[str]) -> str:
        """The action that was typed; melds are called by their numbers too."""
        return words.read_action(text, choices, [meld.cards for meld in look(view).melds])


DESCRIPTION = RummyDescription(rules, text)


def _piles(sight: Sight) -> Area:
    """The upcard, and what lies on the pile and in the stock."""
    turned = say("the pile turned over {times}", times=rulebook.times(sight.turnovers))
    note = f" ({turned})" if sight.turnovers else ""
    return piles_area(sight, note)


def _opponent(sight: Sight) -> Area:
    """How many cards the other one holds, and which of them are known."""
    hidden = sight.held - len(sight.known)
    told = say_count("holds {count} card", "holds {count} cards", sight.held)
    if sight.known:
        told = among(told, hidden)
    part = Part(sight.known, told, face_down=hidden, seat=1 - sight.me)
    return Area("players", say("Opponent"), (part,))


def _draw(action: str, sight: Sight) -> Choice:
    """A choice at the beginning of a turn."""
    if action == "take":
        assert sight.upcard is not None, "only a card that lies open is taken"
        return Choice(action, say("take {card}", card=sight.upcard), (sight.upcard,), "t")
    if action == "turn over":
        words = say("turn the pile over and draw {card}", card=sight.next_card)
        return Choice(action, words, key="o")
    known = say("draw {card}, which is next in the stock", card=sight.next_card)
    return Choice(action, known if sight.next_card else say("draw from the stock"), key="d")


def _put_downs(legal: Sequence[str], sight: Sight) -> list[Group]:
    """Melds as large as can be, then lay-offs; a part of such a meld has to be named."""
    melds = [action for action in legal if action.startswith("meld ")]
    parts = [one for one in melds if any({*one.split()} < {*other.split()} for other in melds)]
    layoffs = sorted(
        (action for action in legal if action.startswith("lay ")),
        key=lambda action: _target(action, sight),
    )
    whole = [meld_choice(action) for action in melds if action not in parts]
    offered = (*whole, *(_layoff(action, sight) for action in layoffs))
    return [
        Group(say("Or first put down cards, as often as you like:"), "list", offered),
        Group(say("Or only some of them:"), "named", tuple(map(meld_choice, parts))),
    ]


def _warned(group: Group, going_out: GoingOut) -> Group:
    """Choices after which one can no longer go out warn, and come last."""
    warning = say("You can go out in this turn. After this choice you cannot.")
    choices = [
        replace(choice, warning=warning if going_out.is_given_away(choice.action) else "")
        for choice in group.choices
    ]
    return replace(group, choices=tuple(sorted(choices, key=lambda choice: bool(choice.warning))))


def _layoff(action: str, sight: Sight) -> Choice:
    number, card = _target(action, sight), action.split()[1]
    onto = sight.melds[number - 1].cards
    cards = " ".join(onto)
    words = say("lay off {card} on {number}: {cards}", card=card, number=number, cards=cards)
    return Choice(action, words, (card,), onto=onto)


def _target(layoff: str, sight: Sight) -> int:
    """The number of the meld that a lay-off names, 0 if it is not there."""
    return words.number_of(layoff, [meld.cards for meld in sight.melds])


def _why_no_draw(verb: str, sight: Sight) -> str:
    if verb == "draw":
        return say("the stock is empty: take {card}, or turn the pile over", card=sight.upcard)
    if verb == "turn":
        return say("the pile is turned over only when the stock is empty")
    return say("a turn begins with a card: draw, or take the upcard")


def _why_not_put_down(cards: Cards, sight: Sight) -> str:
    missing = [card for card in cards if card not in held(sight.hand)]
    if missing:
        return say("you do not hold {cards}", cards=" ".join(missing))
    return say(
        "that would leave only {card}, which may not be thrown back at once", card=sight.taken
    )
