"""The paper's player as its authors published it."""

from dataclasses import replace

from undercut.games.gin.players import heuristic
from undercut.games.gin.players.strategy.thinking import PUBLISHED

AGENT = replace(
    heuristic.AGENT,
    about="The same with the numbers and rules of the agent that the paper's authors published.",
    settings=PUBLISHED,
)
