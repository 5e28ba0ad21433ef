"""The competition's SimpleGinRummyPlayer with the patience to wait for gin."""

from undercut.games.entry import Entry
from undercut.games.gin.agents.simple import WORKSPACE, Settings, choose

AGENT = Entry("As simple, but goes out only with gin.", choose, Settings(knock_at=0), WORKSPACE)
