"""A Pharaoh player that plays as many cards as it can."""

from undercut.games.pharaoh.players.strategy.tuples import choose_biggest
from undercut.players.entry import Entry

AGENT = Entry("Plays the most cards it can.", choose_biggest, looks=False)
