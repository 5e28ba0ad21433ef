"""Eights, as the rest of the program knows it."""

from eights import rules
from eights.describe import DESCRIPTION
from eights.readable import EightsView
from eights.text import TEXT
from undercut.games.contract import Family

FAMILY = Family(
    rules=rules,
    notation=TEXT,
    package=__package__,
    opponent="saver",
    reference="random",
    measured_at="eights",
    description=DESCRIPTION,
    view=EightsView,
)
