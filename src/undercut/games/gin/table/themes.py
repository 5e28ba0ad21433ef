"""Themes of errors in Gin."""

from typing import Any

from undercut.games.gin.table.readable import GinView
from undercut.games.gin.table.waste import Waste
from undercut.games.table.melding.themes import MELDING_THEMES, are_throws
from undercut.games.table.themes import Decision, Theme
from undercut.text.translation import mark

Gin = Decision[GinView]


def _knocked_too_early(decision: Gin) -> bool:
    return decision.verbs == ("knock", "discard")


def _knocked_too_late(decision: Gin) -> bool:
    return decision.verbs == ("discard", "knock")


def _knocked_with_the_wrong_card(decision: Gin) -> bool:
    return decision.verbs == ("knock", "knock") and are_throws(decision)


def _laid_down_badly(decision: Gin) -> bool:
    if decision.view.phase not in ("spread", "defend"):
        return False
    waste = Waste(decision.view)
    return waste.of(decision.played) > waste.of(decision.better)


THEMES: tuple[Theme[Any], ...] = (
    Theme(mark("knocked too early"), _knocked_too_early),
    Theme(mark("knocked too late"), _knocked_too_late),
    Theme(mark("knocked with the wrong card"), _knocked_with_the_wrong_card),
    Theme(mark("left points in the hand"), _laid_down_badly),
    *MELDING_THEMES,
)
