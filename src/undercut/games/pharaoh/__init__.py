"""Pharaoh and Prší."""

from undercut.games.pharaoh.table.readable import PharaohView as PharaohView
