"""What a knock would bring at best and at worst, as far as the knocker's view tells."""

from collections.abc import Iterator

import numpy as np

from undercut.cards.french import Cards, each, points, size
from undercut.cards.melds import (
    LAYOUT,
    MELD_BUFFER,
    MELDS,
    defended_deadwood,
    fitting,
    in_melds,
    list_melds,
    meld_cards,
)
from undercut.games.gin.table.readable import GinView

HAND = 10
ALL: Cards = (1 << 52) - 1
Points = int


def prospects(view: GinView, thrown: str) -> tuple[Points, Points]:
    """The most and the least points of a knock with a card thrown; losses are negative.

    The other hand has the cards that it is known to hold, and any of the cards not seen. For the
    worst case it is melded and laid off as well as can be. For the best case it has high cards that
    fit nowhere: no search is made for the very last points.
    """
    return _Knock(view, thrown).prospects()


class _Knock:
    """A knock, and the hands that it may meet."""

    def __init__(self, view: GinView, thrown: str) -> None:
        kept = view.lay_out(view.hand - thrown)
        self._deadwood, self._options = kept.deadwood, view.options
        self._known = int(view.record.theirs)
        self._unseen = ALL & ~(view.hand.mask | int(view.record.pile) | self._known)
        self._face_points = view.face_points
        self._melds = np.zeros(LAYOUT, dtype=np.int64)
        self._fitting = 0  # the cards that can be laid off
        if view.options.layoffs and self._deadwood:
            for place, meld in enumerate(kept.melds):
                self._melds[place] = meld.mask
                self._fitting |= int(fitting(meld.mask))

    def prospects(self) -> tuple[Points, Points]:
        """The most and the least points."""
        most, least = (self._award(self._left(hand)) for hand in (self._heavy(), self._light()))
        return most, least

    def _award(self, other: Points) -> Points:
        """The points against a hand with some deadwood."""
        if not self._deadwood:
            return other + self._options.gin_bonus
        if other <= self._deadwood:
            return other - self._deadwood - self._options.undercut_bonus
        return other - self._deadwood

    def _left(self, hand: Cards) -> Points:
        """The deadwood of the other hand after its melds and lay-offs."""
        room = np.zeros(MELD_BUFFER, dtype=np.int64)
        return int(defended_deadwood(hand, self._melds, self._face_points, room))

    def _worth(self, card: int) -> Points:
        return int(points(1 << card, self._face_points))

    def _heavy(self) -> Cards:
        """A hand of high cards that fit nowhere, as far as there are such cards."""
        hand = self._known
        falling = sorted(each(self._unseen), key=self._worth, reverse=True)
        for is_picky in (True, False):
            for card in falling:
                is_useful = bool((self._fitting | int(in_melds(hand | 1 << card))) >> card & 1)
                if size(hand) < HAND and not hand >> card & 1 and not (is_picky and is_useful):
                    hand |= 1 << card
        return hand

    def _light(self) -> Cards:
        """A hand that leaves as little as possible."""
        found = np.zeros(MELDS, dtype=np.int64)
        count = list_melds(self._known | self._unseen, found, 0)
        melds = [int(meld_cards(int(meld))) for meld in found[:count]]
        lightest, least = self._known, -1
        for melded in self._choices_of(melds, 0):
            hand = self._filled(self._known | melded)
            left = int(points(hand & ~melded & ~self._fitting, self._face_points))
            if least < 0 or left < least:
                lightest, least = hand, left
            if least == 0:
                break
        return lightest

    def _choices_of(self, melds: list[Cards], chosen: Cards, most: int = LAYOUT) -> Iterator[Cards]:
        """The cards of up to three melds that the other hand may have at once."""
        yield chosen
        for place, meld in enumerate(melds if most else []):
            if not meld & chosen and size(self._known | chosen | meld) <= HAND:
                yield from self._choices_of(melds[place + 1 :], chosen | meld, most - 1)

    def _filled(self, hand: Cards) -> Cards:
        """A hand of ten: with cards that can be laid off, then with low ones."""
        rising = sorted(
            each(self._unseen & ~hand),
            key=lambda card: (not self._fitting >> card & 1, self._worth(card)),
        )
        for card in rising[: HAND - size(hand)]:
            hand |= 1 << card
        return hand
