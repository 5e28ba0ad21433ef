"""Duel, as the rest of the program knows it."""

from duel import rules
from duel.describe import DESCRIPTION
from duel.readable import DuelView
from duel.text import TEXT
from undercut.games.contract import Family

FAMILY = Family(
    rules=rules,
    notation=TEXT,
    package=__package__,
    opponent="miser",
    reference="random",
    measured_at="duel",
    description=DESCRIPTION,
    view=DuelView,
)
