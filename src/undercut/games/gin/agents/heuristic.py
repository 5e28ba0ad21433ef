"""The paper's player, with what can be counted as its belief about the other hand."""

from undercut.core.jit import specialise
from undercut.games.entry import Entry
from undercut.games.gin.belief import counting
from undercut.games.gin.strategy.parts import COUNTING
from undercut.games.gin.strategy.reasoning import give_reasons
from undercut.games.gin.strategy.thinking import PUBLISHED, WORKSPACE, Settings, template

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
