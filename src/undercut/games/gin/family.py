"""Gin Rummy and Distilled Gin, as the rest of the program knows them."""

from undercut.games.contract import Family
from undercut.games.gin import rules, text
from undercut.games.gin.describe import DESCRIPTION

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="simple",
    reference="simple",
    measured_at="gin",
    also_measured=("estimator:settings=printed",),
    description=DESCRIPTION,
    adviser="heuristic",
    encoding=f"{__package__}.encoding:ENCODING",
    belief=f"{__package__}.belief.learned:BELIEF",
    luck=f"{__package__}.luck:LUCK",
)
