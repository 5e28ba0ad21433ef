"""The competition's SimpleGinRummyPlayer, but it goes out only with gin."""

from undercut.games.gin.players.simple import WORKSPACE, Settings, choose
from undercut.players.entry import Entry

AGENT = Entry("As simple, but goes out only with gin.", choose, Settings(knock_at=0), WORKSPACE)
