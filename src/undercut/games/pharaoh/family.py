"""Pharaoh and Prší, as the rest of the program knows them."""

from undercut.games.contract import Family
from undercut.games.pharaoh import rules, text
from undercut.games.pharaoh.describe import DESCRIPTION

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="heuristic",
    reference="smallest",
    measured_at="pharaoh:players=2",
    description=DESCRIPTION,
    encoding=f"{__package__}.encoding:ENCODING",
)
