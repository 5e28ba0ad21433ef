"""Pharaoh and Prší, as the rest of the program knows them."""

from undercut.games import levels
from undercut.games.contract import Family, Level
from undercut.games.pharaoh.rules import deal as rules
from undercut.games.pharaoh.table import text
from undercut.games.pharaoh.table.describe import DESCRIPTION
from undercut.games.pharaoh.table.readable import PharaohView
from undercut.games.pharaoh.table.themes import THEMES

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="heuristic",
    reference="smallest",
    measured_at="pharaoh:players=2",
    levels=(
        Level(
            "beginner",
            "blueprint:forgets=1,temperature=6",
            "Goes by what lies open, forgets the rest, and often plays the wrong card.",
        ),
        Level("casual", "blueprint:forgets=1", "Goes by what lies open, and forgets the rest."),
        Level("regular", "heuristic", "Goes by rules of thumb, and counts cards."),
        Level(
            "skilled",
            "blueprint:temperature=3.6",
            "Remembers everything, but is not too particular.",
        ),
        levels.expert("blueprint:temperature=2.7"),
        levels.MASTER,
        levels.GRANDMASTER,
    ),
    description=DESCRIPTION,
    view=PharaohView,
    themes=THEMES,
    bench=f"{__package__}.lab.bench",
    chance=f"{__package__}.rules.chance",
    encoding=f"{__package__}.players.network.encoding:ENCODING",
    guide="blueprint",
    rollouts="small",
    joint=f"{__package__}.players.network.joint:JOINT",
    endings=f"{__package__}.players.strategy.endings:ENDINGS",
    renew=text.renew,
)
