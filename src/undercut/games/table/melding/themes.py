"""Themes of errors in games in which players draw a card, meld and throw a card."""

from undercut.cards.card import Card
from undercut.cards.french import card_points
from undercut.cards.melds import deadwood, in_melds, melds_with
from undercut.games.table.actions import Action
from undercut.games.table.melding.view import MeldingView
from undercut.games.table.themes import Decision, Theme
from undercut.text.translation import mark

HIGH = 4  # points by which a card is high beside another one
THROWS = ("discard", "knock")
Melding = Decision[MeldingView]


def are_throws(decision: Melding) -> bool:
    """Whether both moves throw a card, and not the same one."""
    played, better = decision.played, decision.better
    is_throw = played.verb in THROWS and better.verb in THROWS
    return is_throw and played.cards != better.cards


def _thrown(action: Action) -> Card:
    (card,) = action.cards
    return card


def _breaks(view: MeldingView, card: Card) -> bool:
    """Whether a meld needs a card: without it there is more deadwood."""
    hand, points = view.hand.mask, view.face_points
    return bool(deadwood(hand & ~(1 << card.number), points) > deadwood(hand, points))


def _broke_a_meld(decision: Melding) -> bool:
    view = decision.view
    if not are_throws(decision):
        return False
    return _breaks(view, _thrown(decision.played)) and not _breaks(view, _thrown(decision.better))


def _are_loose(decision: Melding) -> bool:
    """Whether both moves throw cards that are in no meld."""
    melded = in_melds(decision.view.hand.mask)
    moves = decision.played, decision.better
    return are_throws(decision) and not any(melded >> _thrown(each).number & 1 for each in moves)


def _broke_a_pair(decision: Melding) -> bool:
    if not _are_loose(decision):
        return False
    view = decision.view
    lost, kept = view.outs(_thrown(decision.played)), view.outs(_thrown(decision.better))
    return len(lost) > len(kept)


def _waited_in_vain(decision: Melding) -> bool:
    """The better move gives up a card whose missing cards are all gone."""
    if not _are_loose(decision):
        return False
    view, card = decision.view, _thrown(decision.better)
    others = view.hand.mask & ~(1 << card.number)
    hoped = any((meld & others).bit_count() >= 2 for meld in melds_with(card.number))
    return hoped and not view.outs(card)


def _kept_a_high_card(decision: Melding) -> bool:
    if not _are_loose(decision):
        return False
    kept, thrown = (
        card_points(_thrown(each).number, decision.view.face_points)
        for each in (decision.better, decision.played)
    )
    return bool(kept - thrown >= HIGH)


def _helps(view: MeldingView, card: Card) -> bool:
    """Whether a card and one that the other hand is known to hold can lie in one meld."""
    known = view.known.mask
    free = known | view.unseen.mask | 1 << card.number
    return any(meld & known and not meld & ~free for meld in melds_with(card.number))


def _ignored_a_known_card(decision: Melding) -> bool:
    view = decision.view
    if not are_throws(decision):
        return False
    return _helps(view, _thrown(decision.played)) and not _helps(view, _thrown(decision.better))


def _fed_the_other(decision: Melding) -> bool:
    return are_throws(decision) and decision.is_answered_more


def _took_for_no_gain(decision: Melding) -> bool:
    played, better = decision.verbs
    view = decision.view
    if played != "take" or better == "take" or view.upcard is None:
        return False
    card = 1 << view.upcard.number
    return in_melds(view.hand.mask | card) & card == 0


def _left_a_card(decision: Melding) -> bool:
    played, better = decision.verbs
    return played != "take" and better == "take"


MELDING_THEMES: tuple[Theme[MeldingView], ...] = (
    Theme(mark("took for no gain"), _took_for_no_gain),
    Theme(mark("left a useful card"), _left_a_card),
    Theme(mark("broke a meld"), _broke_a_meld),
    Theme(mark("broke a pair or a run"), _broke_a_pair),
    Theme(mark("waited for cards that are gone"), _waited_in_vain),
    Theme(mark("kept a high card"), _kept_a_high_card),
    Theme(mark("ignored a known card"), _ignored_a_known_card),
    Theme(mark("fed the other hand"), _fed_the_other),
)
