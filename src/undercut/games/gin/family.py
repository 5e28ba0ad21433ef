"""Gin Rummy and Distilled Gin, as the rest of the program knows them."""

from undercut.games import levels
from undercut.games.contract import Family, Level
from undercut.games.gin.rules import deal as rules
from undercut.games.gin.table import text
from undercut.games.gin.table.describe import DESCRIPTION
from undercut.games.gin.table.readable import GinView
from undercut.games.gin.table.themes import THEMES

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="simple",
    reference="simple",
    measured_at="gin",
    also_measured=("estimator:settings=printed",),
    levels=(
        levels.beginner("blueprint:forgets=1,temperature=10"),
        levels.casual("blueprint:forgets=1,temperature=7"),
        Level("regular", "simple", "Keeps melds together, and knocks at the first chance."),
        Level(
            "skilled",
            "blueprint:forgets=1",
            "Plays a good hand well, but forgets what you took and threw.",
        ),
        levels.expert("blueprint:temperature=3"),
        levels.MASTER,
        levels.GRANDMASTER,
    ),
    description=DESCRIPTION,
    view=GinView,
    themes=THEMES,
    bench=f"{__package__}.lab.bench",
    chance=f"{__package__}.rules.chance",
    encoding=f"{__package__}.players.network.encoding:ENCODING",
    guide="blueprint",
    rollouts="small",
    joint=f"{__package__}.players.network.joint:JOINT",
    endings=f"{__package__}.players.strategy.endings:ENDINGS",
    belief=f"{__package__}.players.belief.learned:BELIEF",
    histories=f"{__package__}.play.histories",
    luck=f"{__package__}.players.network.luck:LUCK",
)
