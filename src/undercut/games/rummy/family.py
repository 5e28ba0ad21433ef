"""Rummy for two, as the rest of the program knows it."""

from undercut.games.contract import Family
from undercut.games.rummy import rules, text
from undercut.games.rummy.describe import DESCRIPTION

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="heuristic",
    reference="greedy",
    measured_at="rummy",
    description=DESCRIPTION,
    encoding=f"{__package__}.encoding:ENCODING",
)
