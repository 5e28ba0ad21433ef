"""Rummy in plain data and sentences: the table, the choices, why not, what happened, the end."""

from collections.abc import Sequence
from typing import Any, ClassVar

from undercut.core.records import Action, Seat, View
from undercut.games.description import (
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
    counted,
)
from undercut.games.melding.description import (
    MeldingDescription,
    hand_area,
    orders_of,
    phrase_action,
    piles_area,
    throws,
    why_not_thrown,
)
from undercut.games.melding.hand import held, worth
from undercut.games.rummy import rulebook, rules, text, words
from undercut.games.rummy.rules import Phase
from undercut.games.rummy.sight import Sight, format_seen, look
from undercut.games.rummy.summary import melds_areas, summarise


class RummyDescription(MeldingDescription):
    """What a person sees of rummy, and what the words typed mean."""

    titles: ClassVar = {"rummy": "Rummy", "rummy-classic": "Classic Rummy"}
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
        hand = hand_area(sight.hand, counted(worth(held(sight.hand)), "point"), sight.me)
        areas = (*melds_areas(sight, company), _piles(sight), _opponent(sight), hand)
        return Table(areas, orders_of(sight.hand))

    def question(self, view: View, legal: Sequence[str], company: Company) -> Question:
        """A draw; or a throw, and before it whatever can be put down."""
        sight = look(view)
        if sight.phase == Phase.DRAW:
            return Question((Group("", "list", tuple(_draw(each, sight) for each in legal)),))
        groups = (throws(sight.hand, legal), *_put_downs(legal, sight))
        return Question(tuple(group for group in groups if group.choices), begins_turn=False)

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
            return f"there is no such meld on the table to lay {rest}"
        if verb == "lay":
            return _why_not_put_down((rest.split()[0],), sight)
        return "you have drawn already: put cards down, or throw one"

    def seen(self, action: Action, before: View, after: View, seat: Seat) -> str:
        """An action as one who looked on saw it."""
        return format_seen(action, before, after, seat)

    def phrase(self, action: str, is_you: bool) -> str:
        """An action as part of a sentence."""
        ending = "" if is_you else "s"
        if action.startswith("turn over"):
            return f"turn{ending} the pile over and draw{ending} {action.split()[-1]}"
        if action.startswith("meld "):
            return f"put{ending} down {action.removeprefix('meld ')}"
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
    turned = f" (the pile turned over {rulebook.times(sight.turnovers)})" if sight.turnovers else ""
    return piles_area(sight, turned)


def _opponent(sight: Sight) -> Area:
    """How many cards the other one holds, and which of them are known."""
    told = f"holds {counted(sight.held, 'card')}"
    if sight.known:
        told += ":" if len(sight.known) == sight.held else ", among them"
    hidden = sight.held - len(sight.known)
    part = Part(sight.known, told, face_down=hidden, seat=1 - sight.me)
    return Area("players", "Opponent", (part,))


def _draw(action: str, sight: Sight) -> Choice:
    """A choice at the beginning of a turn."""
    if action == "take":
        assert sight.upcard is not None, "only a card that lies open is taken"
        return Choice(action, f"take {sight.upcard}", (sight.upcard,), "t")
    if action == "turn over":
        return Choice(action, f"turn the pile over and draw {sight.next_card}", key="o")
    known = f"draw {sight.next_card}, which is next in the stock"
    return Choice(action, known if sight.next_card else "draw from the stock", key="d")


def _put_downs(legal: Sequence[str], sight: Sight) -> list[Group]:
    """Melds as large as can be, then lay-offs; a part of such a meld has to be named."""
    melds = [action for action in legal if action.startswith("meld ")]
    parts = [one for one in melds if any({*one.split()} < {*other.split()} for other in melds)]
    layoffs = sorted(
        (action for action in legal if action.startswith("lay ")),
        key=lambda action: _target(action, sight),
    )
    whole = [_meld(action) for action in melds if action not in parts]
    offered = (*whole, *(_layoff(action, sight) for action in layoffs))
    return [
        Group("Or first put down cards, as often as you like:", "list", offered),
        Group("Or only some of them:", "named", tuple(map(_meld, parts))),
    ]


def _meld(action: str) -> Choice:
    return Choice(action, action, tuple(action.split()[1:]))


def _layoff(action: str, sight: Sight) -> Choice:
    number, card = _target(action, sight), action.split()[1]
    onto = sight.melds[number - 1].cards
    return Choice(action, f"lay off {card} on {number}: {' '.join(onto)}", (card,), onto=onto)


def _target(layoff: str, sight: Sight) -> int:
    """The number of the meld that a lay-off names, 0 if it is not there."""
    return words.number_of(layoff, [meld.cards for meld in sight.melds])


def _why_no_draw(verb: str, sight: Sight) -> str:
    if verb == "draw":
        return f"the stock is empty: take {sight.upcard}, or turn the pile over"
    if verb == "turn":
        return "the pile is turned over only when the stock is empty"
    return "a turn begins with a card: draw, or take the upcard"


def _why_not_put_down(cards: Cards, sight: Sight) -> str:
    missing = [card for card in cards if card not in held(sight.hand)]
    if missing:
        return f"you do not hold {' '.join(missing)}"
    return f"that would leave only {sight.taken}, which may not be thrown back at once"
