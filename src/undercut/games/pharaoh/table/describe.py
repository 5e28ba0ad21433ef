"""The description of Pharaoh and Prší: table, choices, refusals and events."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from undercut.cards.german import SUIT_NAMES, VALUES
from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.rules.layout import Options
from undercut.games.pharaoh.table import house, rulebook, words
from undercut.games.pharaoh.table.events import name_cards, phrase, see
from undercut.games.pharaoh.table.places import name_place
from undercut.games.pharaoh.table.readable import PharaohView
from undercut.games.pharaoh.table.summary import summarise
from undercut.games.table.description import (
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
    Table,
    among,
    either,
)
from undercut.games.table.plain_description import Plain
from undercut.games.table.sentences import tell_events
from undercut.kernels.records import Seat
from undercut.text.translation import mark, say, say_as, say_count

_ANY = (
    *(mark("any seven"), mark("any eight"), mark("any nine"), mark("any ten")),
    *(mark("any under"), mark("any over"), mark("any king"), mark("any ace")),
)


class PharaohDescription(Plain[PharaohView]):
    """Pharaoh and Prší as people see them, and the parser for their input."""

    pack = GERMAN
    titles: ClassVar = {"pharaoh": mark("Pharaoh"), "prsi": "Prší"}
    about = house.ABOUT
    house = house.HOUSE
    help = words.HELP
    aim = staticmethod(rulebook.aim)
    rules = staticmethod(rulebook.rules)
    seen = staticmethod(see)
    summary = staticmethod(summarise)

    def goal(self, options: Options) -> str:
        """The length of the match."""
        if options.deals == 1:
            return say("a single deal")
        return say_count("{count} deal", "{count} deals", options.deals)

    def table(self, view: PharaohView, company: Company) -> Table:
        """The other players, the pile, the cards that fit on it, and the hand."""
        others = tuple(_player(seat, view, company) for seat in view.others)
        cards = view.hand.texts
        areas = (
            Area("players", say("Others"), others),
            _piles(view, company),
            _need(view),
            Area("hand", say("Your hand"), (Part(cards),), seat=view.me),
        )
        return Table(areas, (Order(say("by values"), (cards,)), _by_suits(cards)))

    def question(self, view: PharaohView, company: Company) -> Question:
        """Plays of one card or of several, and actions without cards."""
        legal = view.choices
        single, several, others = _sorted(_plays(legal))
        without = [action for action in legal if not action.startswith("play ")]
        groups = (
            Group(say("Play which card?"), "hand", single),
            Group(say("Or several at once, the last of them on top:"), "row", several),
            Group(say("Or some of them, or in another order:"), "named", others),
            Group("", "list", tuple(_without_cards(action, view) for action in without)),
        )
        return Question(tuple(group for group in groups if group.choices))

    def refusal(self, view: PharaohView, action: str) -> str:
        """The reason why an action is not legal now."""
        cards, most, instead = _cards(action), view.options.most_cards, _instead(view)
        if not cards:
            word = say_as("typed", action)
            return say("you cannot {word} now: {instead}", word=word, instead=instead)
        missing = [card for card in cards if card not in view.hand]
        if missing:
            return say("you do not hold {cards}", cards=" ".join(missing))
        if len(cards) > most:
            return say_count(
                "{count} card at once: {most} at most",
                "{count} cards at once: {most} at most",
                len(cards),
                most=most,
            )
        return say("{card} cannot come first now: {instead}", card=cards[0], instead=instead)

    def tell(self, events: Sequence[Event], view: PharaohView, company: Company) -> Sentences:
        """The events; once the viewer is out, only those with which others go out or return."""
        if view.places[view.me] is not None:
            own = [number for number, event in enumerate(events) if company.is_you(event.seat)]
            last = own[-1] + 1 if own else 0
            told = {"out", "back"}
            after = [each for each in events[last:] if told & {it.kind for it in each.effects}]
            events = [*events[:last], *after]
        return tell_events(events, partial(phrase, company=company), company)

    def read(self, text: str, view: PharaohView, choices: Sequence[str]) -> str:
        """The typed action."""
        return words.read_action(text)


DESCRIPTION = PharaohDescription()


def fitting(view: PharaohView) -> list[str]:
    """The cards that fit on the pile, in words."""
    options = view.options
    overs = [say("any over")] if options.over_on_active else []
    leaves_under = ["UL"] if options.leaves_under else []
    if view.skips:
        return [*([say("any ace")] if options.aces_stack else []), *overs]
    if view.penalty:
        return [say("any seven"), *leaves_under, *overs]
    if leaves_under == [view.top]:
        return [say("any card")]
    suit, value = GERMAN.name_suit(view.suit), say(_ANY[VALUES.index(view.top[0])])
    return [*dict.fromkeys([suit, value, say("any over"), *leaves_under])]


def _player(seat: Seat, view: PharaohView, company: Company) -> Part:
    """Another player's number of cards, or the place of a player who is out."""
    name, place = company.names[seat], view.places[seat]
    if place is not None:
        told = say("{name} out {place}", name=name, place=name_place(place))
        return Part(before=told, seat=seat, is_out=True)
    known, held = view.known(seat).texts, view.held[seat]
    hidden = held - len(known)
    told = say_count("{name} {count} card", "{name} {count} cards", held, name=name)
    if known:
        told = among(told, hidden)
    return Part(known, told, face_down=hidden, seat=seat)


def _piles(view: PharaohView, company: Company) -> Area:
    """The top of the pile, the suit to match, and the sizes of pile and stock."""
    pile, stock = view.pile.texts, view.stock
    after = name_cards(pile[-1:], company)
    if pile[-1].startswith("O"):
        after += ", " + say("{suit} asked for", suit=GERMAN.name_suit(view.suit))
    parts = (
        Part(pile[-1:], after=after),
        Part(before=say("pile {count}", count=len(pile)), below=pile),
        Part(before=say("stock {count}", count=stock), face_down=stock),
    )
    return Area("piles", say("On top"), parts)


def _need(view: PharaohView) -> Area:
    """The cards that fit, or the penalty."""
    words = either(fitting(view))
    if view.skips:
        told = Part(before=_skipped(view.skips - 1, words))
        return Area("need", say("Skipped"), (told,), is_urgent=True)
    if view.penalty:
        penalty = say_count(
            "{count} card, or answer with {cards}",
            "{count} cards, or answer with {cards}",
            view.penalty,
            cards=words,
        )
        return Area("need", say("To take"), (Part(before=penalty),), is_urgent=True)
    return Area("need", say("Fits"), (Part(before=words),))


def _skipped(more: int, answers: str) -> str:
    """The skipped players, and the cards that prevent it."""
    who = say("you")
    if more:
        who = say_count(
            "you and {count} player after you", "you and {count} players after you", more
        )
    return say("{who}, unless you answer with {cards}", who=who, cards=answers) if answers else who


def _by_suits(hand: Cards) -> Order:
    letters = [suit.letter for suit in GERMAN.suits]
    groups = (tuple(card for card in hand if card[1] == letter) for letter in letters)
    return Order(say("by suits"), tuple(group for group in groups if group))


def _plays(legal: Sequence[str]) -> list[Choice]:
    """The legal plays; overs are one choice, which leaves the suit open."""
    plays: dict[str, list[str]] = {}
    for action in legal:
        if action.startswith("play "):
            start, _, suit = action.partition(" suit ")
            plays.setdefault(start, []).extend([suit] if suit else [])
    return [_play(start, suits) for start, suits in plays.items()]


def _play(start: str, suits: Sequence[str]) -> Choice:
    cards = _cards(start)
    words = say_as("offered", "play {cards}", cards=" ".join(cards))
    if not suits:
        return Choice(start, words, cards)
    more = tuple(
        Choice(f"{start} suit {suit}", GERMAN.name_suit(suit))
        for suit in SUIT_NAMES
        if suit in suits
    )
    return Choice(start, words, cards, asks=say("Overs name a suit"), more=more)


def _sorted(
    plays: Iterable[Choice],
) -> tuple[tuple[Choice, ...], tuple[Choice, ...], tuple[Choice, ...]]:
    """Plays of one card; the largest plays, one for each possible top card; the other plays."""
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


def _without_cards(action: str, view: PharaohView) -> Choice:
    if action == "pass":
        words = say("pass, and be skipped") if view.skips else say("pass, no card is left")
        return Choice(action, words, key="p")
    return Choice(action, _draw(view.penalty), key="d")


def _draw(penalty: int) -> str:
    """The draw, in words."""
    if not penalty:
        return say("draw a card")
    return say_count("draw {count} card", "draw {count} cards", penalty)


def _instead(view: PharaohView) -> str:
    """The legal actions, in words."""
    without = _draw(view.penalty) if view.penalty else say_as("typed", view.choices[0])
    fits = either(fitting(view))
    return say("play {cards}, or {without}", cards=fits, without=without) if fits else without


def _cards(action: str) -> Cards:
    """The cards of a play; none for any other action."""
    verb, *cards = action.partition(" suit ")[0].split()
    return tuple(cards) if verb == "play" else ()
