"""A Pharaoh player that gets rid of as many cards as it can."""

from undercut.games.entry import Entry
from undercut.games.pharaoh.strategy.tuples import choose_biggest

AGENT = Entry("Plays the most cards it can.", choose_biggest, looks=False)
