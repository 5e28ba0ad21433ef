"""A Pharaoh player that plays its rarest values first."""

from undercut.games.pharaoh.players.strategy.tuples import choose_smallest
from undercut.players.entry import Entry

AGENT = Entry(
    "Of the values it can play, plays all of the one it has fewest cards of.",
    choose_smallest,
    looks=False,
)
