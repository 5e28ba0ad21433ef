"""Rummy."""

from undercut.games.rummy.table.readable import RummyView as RummyView
