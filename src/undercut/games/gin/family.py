"""Gin Rummy and Distilled Gin, as the rest of the program knows them."""

from undercut.games.contract import Family, Level
from undercut.games.gin.rules import deal as rules
from undercut.games.gin.table import text
from undercut.games.gin.table.describe import DESCRIPTION
from undercut.games.gin.table.readable import GinView

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="simple",
    reference="simple",
    measured_at="gin",
    also_measured=("estimator:settings=printed",),
    levels=(
        Level(
            "beginner",
            "blueprint:forgets=1,temperature=10",
            "Goes by what lies open, forgets the rest, and often keeps the wrong card.",
        ),
        Level(
            "casual",
            "blueprint:forgets=1,temperature=7",
            "Goes by what lies open, and is not too particular.",
        ),
        Level("regular", "simple", "Keeps its melds together, and knocks as soon as it can."),
        Level(
            "skilled",
            "blueprint:forgets=1",
            "Plays its own hand well, but forgets what you took and threw.",
        ),
        Level(
            "expert",
            "blueprint:temperature=3",
            "Remembers everything, and plays the second-best card now and then.",
        ),
        Level("master", "blueprint", "The best there is here."),
    ),
    description=DESCRIPTION,
    view=GinView,
    adviser="heuristic",
    bench=f"{__package__}.lab.bench",
    chance=f"{__package__}.rules.chance",
    encoding=f"{__package__}.players.network.encoding:ENCODING",
    belief=f"{__package__}.players.belief.learned:BELIEF",
    histories=f"{__package__}.play.histories",
    luck=f"{__package__}.players.network.luck:LUCK",
)
