"""A Pharaoh player that gets rid of its rarest values first."""

from undercut.games.entry import Entry
from undercut.games.pharaoh.strategy.tuples import choose_smallest

AGENT = Entry(
    "Of the values it can play, plays all of the one it has fewest cards of.",
    choose_smallest,
    looks=False,
)
