"""Pharaoh and Prší in plain data and sentences: the table, the choices, why not, what happened."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from undercut.core.german import SUIT_NAMES
from undercut.core.records import Action, Seat, View
from undercut.games.description import (
    Area,
    Cards,
    Choice,
    Company,
    Event,
    Group,
    Order,
    Part,
    Question,
    Sentences,
    Summary,
    Table,
    counted,
    either,
)
from undercut.games.packs import GERMAN
from undercut.games.pharaoh import rulebook, rules, text, words
from undercut.games.pharaoh.sight import Player, Sight, fitting, format_seen, look
from undercut.games.pharaoh.summary import PLACES, summarise
from undercut.games.pharaoh.telling import name_cards, phrase
from undercut.games.plain import Plain
from undercut.games.telling import tell_events


class PharaohDescription(Plain):
    """What a person sees of Pharaoh and Prší, and what the words typed mean."""

    pack = GERMAN
    titles: ClassVar = {"pharaoh": "Pharaoh", "prsi": "Prší"}
    help = words.HELP

    def goal(self, options: Any) -> str:
        """How long the match is."""
        return counted(options.deals, "deal")

    def aim(self, options: Any) -> Sentences:
        """What a newcomer has to know."""
        return rulebook.aim(options)

    def rules(self, options: Any) -> Sentences:
        """The rules, as the options have them."""
        return rulebook.rules(options)

    def table(self, view: View, company: Company) -> Table:
        """The others, the pile, what fits on it, and the hand."""
        sight = look(view)
        others = Area("players", "Others", tuple(_player(each, company) for each in sight.others))
        hand = Area("hand", "Your hand", (Part(sight.hand),), seat=sight.me)
        areas = (others, _piles(sight, company), _need(sight, company.options), hand)
        return Table(areas, (Order("values", (sight.hand,)), _by_suits(sight.hand)))

    def question(self, view: View, legal: Sequence[str], company: Company) -> Question:
        """A card, several at once, or none."""
        single, several, others = _sorted(_plays(legal))
        without = [action for action in legal if not action.startswith("play ")]
        groups = (
            Group("Play which card?", "hand", single),
            Group("Or several at once, the last of them on top:", "row", several),
            Group("Or some of them, or in another order:", "named", others),
            Group("", "list", tuple(_without_cards(action, look(view)) for action in without)),
        )
        return Question(tuple(group for group in groups if group.choices))

    def refusal(self, view: View, action: str, legal: Sequence[str], company: Company) -> str:
        """Why an action is not allowed now."""
        sight, cards, most = look(view), _cards(action), company.options.most_cards
        instead = _instead(sight, legal, company.options)
        if not cards:
            return f"you cannot {action} now: {instead}"
        missing = [card for card in cards if card not in sight.hand]
        if missing:
            return f"you do not hold {' '.join(missing)}"
        if len(cards) > most:
            return f"{counted(len(cards), 'card')} at once: {most} at most"
        return f"{cards[0]} cannot come first now: {instead}"

    def seen(self, action: Action, before: View, after: View, seat: Seat) -> str:
        """An action as one who looked on saw it, and what came of it."""
        return format_seen(action, before, after, seat)

    def tell(self, events: Sequence[Event], view: View, company: Company) -> Sentences:
        """What was done; once the one who looks is out, only who else goes out or comes back."""
        if look(view).is_out:
            own = [number for number, event in enumerate(events) if company.is_you(event.seat)]
            last = own[-1] + 1 if own else 0
            after = [
                each for each in events[last:] if "; out" in each.text or "; back" in each.text
            ]
            events = [*events[:last], *after]
        said = partial(phrase, names=company.names, language=company.language)
        return tell_events(events, said, company)

    def summary(self, view: View, points: Sequence[int], company: Company) -> Summary:
        """How the deal ended: places, points and the cards that were left."""
        return summarise(view, points, company)

    def read(self, text: str, view: View, choices: Sequence[str]) -> str:
        """The action that was typed."""
        return words.read_action(text)


DESCRIPTION = PharaohDescription(rules, text)


def _player(player: Player, company: Company) -> Part:
    """How many cards another holds; who is out has a place."""
    name = company.names[player.seat]
    if player.place is not None:
        told = f"{name} out {PLACES[player.place - 1]}"
        return Part(before=told, seat=player.seat, is_out=True)
    told = f"{name} {counted(player.held, 'card')}"
    if player.known:
        told += ":" if len(player.known) == player.held else ", among them"
    hidden = player.held - len(player.known)
    return Part(player.known, told, face_down=hidden, seat=player.seat)


def _piles(sight: Sight, company: Company) -> Area:
    """The top of the pile, the suit that was asked for, and how many cards are left."""
    after = name_cards([sight.top], company.language)
    if sight.top.startswith("O"):
        after += f", {sight.suit} asked for"
    stock = Part(before=f"stock {sight.stock}", face_down=sight.stock)
    top = Part((sight.top,), after=after)
    pile = Part(before=f"pile {sight.pile}", below=sight.piled)
    return Area("piles", "On top", (top, pile, stock))


def _need(sight: Sight, options: Any) -> Area:
    """What a player on turn may play, or must suffer."""
    words = either(fitting(sight, options))
    if sight.skips:
        more = sight.skips - 1
        others = f" and {counted(more, 'player')} after you" if more else ""
        unless = f", unless you answer with {words}" if words else ""
        told = Part(before=f"you{others}{unless}")
        return Area("need", "Skipped", (told,), is_urgent=True)
    if sight.penalty:
        told = Part(before=f"{counted(sight.penalty, 'card')}, or answer with {words}")
        return Area("need", "To take", (told,), is_urgent=True)
    return Area("need", "Fits", (Part(before=words),))


def _by_suits(hand: Cards) -> Order:
    letters = [suit.letter for suit in GERMAN.suits]
    groups = (tuple(card for card in hand if card[1] == letter) for letter in letters)
    return Order("suits", tuple(group for group in groups if group))


def _plays(legal: Sequence[str]) -> list[Choice]:
    """The plays there are; those with overs stand there once, and leave open which suit."""
    plays: dict[str, list[str]] = {}
    for action in legal:
        if action.startswith("play "):
            start, _, suit = action.partition(" suit ")
            plays.setdefault(start, []).extend([suit] if suit else [])
    return [_play(start, suits) for start, suits in plays.items()]


def _play(start: str, suits: Sequence[str]) -> Choice:
    cards = _cards(start)
    if not suits:
        return Choice(start, start, cards)
    more = tuple(Choice(f"{start} suit {suit}", suit) for suit in SUIT_NAMES if suit in suits)
    return Choice(start, start, cards, asks="Overs name a suit", more=more)


def _sorted(
    plays: Iterable[Choice],
) -> tuple[tuple[Choice, ...], tuple[Choice, ...], tuple[Choice, ...]]:
    """Plays of one card; of as many as can be, one for each card that can lie on top; the others."""
    several = [play for play in plays if len(play.cards) > 1]
    sets = {frozenset(play.cards) for play in several}
    shown: dict[tuple[frozenset[str], str], Choice] = {}
    for play in several:
        cards = frozenset(play.cards)
        if not any(cards < other for other in sets):
            shown.setdefault((cards, "" if play.more else play.cards[-1]), play)
    single = tuple(play for play in plays if len(play.cards) == 1)
    others = tuple(play for play in several if play not in shown.values())
    return single, tuple(shown.values()), others


def _without_cards(action: str, sight: Sight) -> Choice:
    if action == "pass":
        why = "and be skipped" if sight.skips else "no card is left"
        return Choice(action, f"pass, {why}", key="p")
    number = counted(sight.penalty, "card") if sight.penalty else "a card"
    return Choice(action, f"draw {number}", key="d")


def _instead(sight: Sight, legal: Sequence[str], options: Any) -> str:
    """What is allowed now."""
    without = f"draw {counted(sight.penalty, 'card')}" if sight.penalty else legal[0]
    fits = either(fitting(sight, options))
    return f"play {fits}, or {without}" if fits else without


def _cards(action: str) -> Cards:
    """The cards of a play; none of any other action."""
    verb, *cards = action.partition(" suit ")[0].split()
    return tuple(cards) if verb == "play" else ()
