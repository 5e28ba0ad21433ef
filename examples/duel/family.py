"""Duel, as the rest of the program knows it."""

from duel import rules, text
from undercut.games.contract import Family

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="miser",
    reference="random",
    measured_at="duel",
    screen="duel.screen:DuelScreen",
)
