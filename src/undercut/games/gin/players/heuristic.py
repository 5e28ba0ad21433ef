"""The paper's player with a belief that only counts cards."""

from undercut.games.gin.players.belief import counting
from undercut.games.gin.players.strategy.parts import COUNTING
from undercut.games.gin.players.strategy.reasoning import give_reasons
from undercut.games.gin.players.strategy.thinking import PUBLISHED, WORKSPACE, Settings, template
from undercut.kernels.jit import specialise
from undercut.players.entry import Entry

choose = specialise(template, "counting", estimate=counting.estimate)

AGENT = Entry(
    "The paper's player: keeps cards that may still become melds, throws what its "
    "opponent has least use for, knocks at once.",
    choose,
    Settings(),
    WORKSPACE,
    COUNTING,
    presets={"printed": Settings(), "published": PUBLISHED},
    reasons=give_reasons,
)
