"""The table at the end of a deal of Gin: both hands lie open, melds apart from the rest."""

from collections.abc import Sequence

from undercut.cards.card import Cards
from undercut.games.gin.table.readable import GinView
from undercut.games.table.description import Area, Company, Part, Table
from undercut.games.table.melding import description as melding
from undercut.games.table.melding.hand import Layout
from undercut.games.table.melding.open_hand import meld_part, rest_part
from undercut.text.translation import say


def open_table(view: GinView, company: Company) -> Table:
    """The melds that were laid down, and each hand with the rest of its cards."""
    mine, theirs = (_hand(view, seat) for seat in (view.me, 1 - view.me))
    hands = view.hands
    own = hands[view.me]
    assert own is not None, "a seat always sees its own hand"
    note = say("deadwood {count}", count=own.deadwood)
    areas = (
        *laid_areas(view, company),
        Area("players", say("Known"), theirs),
        Area("hand", say("Your hand"), mine, note, view.me),
    )
    return Table(areas, melding.orders_of(own if not view.melds[view.me] else _rest(own)))


def laid_areas(view: GinView, company: Company) -> list[Area]:
    """The melds on the table, by the seat that laid them down; lay-offs are marked."""
    areas = []
    for seat, melds in enumerate(view.melds):
        if melds:
            label = say("{name} laid down", name=company.names[seat])
            if company.is_you(seat):
                label = say("You laid down")
            parts = tuple(meld_part(meld, _added(meld, view, seat)) for meld in melds)
            areas.append(Area("laid", label, parts, seat=seat))
    return areas


def _added(meld: Cards, view: GinView, seat: int) -> Sequence[str]:
    """The cards of a meld that the other player has laid off there."""
    hand = view.hands[seat]
    if hand is None:
        return ()
    own = {card for group in hand.groups for card in group}
    return [card for card in meld.texts if card not in own]


def _hand(view: GinView, seat: int) -> tuple[Part, ...]:
    """The cards of a seat that are not on the table, in melds if it has laid none down."""
    hand = view.hands[seat]
    assert hand is not None, "hands lie open when a deal has ended with a knock"
    melds = () if view.melds[seat] else hand.melds
    parts = [*(meld_part(meld, (), seat) for meld in melds)]
    if hand.loose or not parts:
        parts.append(rest_part(hand.loose, say("deadwood {count}", count=hand.deadwood), seat))
    return tuple(parts)


def _rest(hand: Layout) -> Layout:
    return Layout((), hand.loose, hand.deadwood, hand.laid_off)
