"""Gin Rummy and Distilled Gin."""

from undercut.games.gin.table.readable import GinView as GinView
