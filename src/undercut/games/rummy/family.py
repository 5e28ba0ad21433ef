"""Rummy for two, as the rest of the program knows it."""

from undercut.games import levels
from undercut.games.contract import Family, Level
from undercut.games.rummy.rules import deal as rules
from undercut.games.rummy.table import text
from undercut.games.rummy.table.describe import DESCRIPTION
from undercut.games.rummy.table.readable import RummyView
from undercut.games.rummy.table.themes import THEMES

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="heuristic",
    reference="heuristic",
    measured_at="rummy",
    levels=(
        levels.beginner("blueprint:forgets=1,temperature=9"),
        levels.casual("blueprint:forgets=1,temperature=5"),
        Level(
            "regular",
            "blueprint:forgets=1,temperature=3.5",
            "Plays a good hand fairly well, but forgets what you took and threw.",
        ),
        Level("skilled", "heuristic", "Goes by rules of thumb, and knows which cards are gone."),
        levels.expert("blueprint:temperature=3.3"),
        levels.MASTER,
        levels.GRANDMASTER,
    ),
    description=DESCRIPTION,
    view=RummyView,
    themes=THEMES,
    bench=f"{__package__}.lab.bench",
    chance=f"{__package__}.rules.chance",
    encoding=f"{__package__}.players.network.encoding:ENCODING",
    guide="blueprint",
    rollouts="small",
    joint=f"{__package__}.players.network.joint:JOINT",
    endings=f"{__package__}.players.strategy.endings:ENDINGS",
)
