"""Themes of errors in Rummy."""

from typing import Any

from undercut.games.rummy.table.readable import RummyView
from undercut.games.table.melding.themes import MELDING_THEMES, are_throws
from undercut.games.table.themes import Decision, Theme
from undercut.text.translation import mark

Rummy = Decision[RummyView]
_DOWN = ("meld", "lay")


def _laid_down_too_early(decision: Rummy) -> bool:
    played, better = decision.verbs
    return played in _DOWN and better == "discard"


def _laid_down_too_late(decision: Rummy) -> bool:
    played, better = decision.verbs
    return played == "discard" and better in _DOWN


def _laid_down_the_wrong_cards(decision: Rummy) -> bool:
    played, better = decision.verbs
    return {played, better} <= {*_DOWN} and decision.played != decision.better


def _threw_what_fits(decision: Rummy) -> bool:
    """The thrown card can be laid off on the table, and that of the better move cannot."""
    if not are_throws(decision):
        return False
    fitting = {
        card for each in decision.view.legal if each.verb == "lay" for card in each.cards[:1]
    }
    (thrown,), (better,) = decision.played.cards, decision.better.cards
    return thrown in fitting and better not in fitting


THEMES: tuple[Theme[Any], ...] = (
    Theme(mark("laid down too early"), _laid_down_too_early),
    Theme(mark("laid down too late"), _laid_down_too_late),
    Theme(mark("laid down the wrong cards"), _laid_down_the_wrong_cards),
    Theme(mark("threw a card that fits the table"), _threw_what_fits),
    *MELDING_THEMES,
)
