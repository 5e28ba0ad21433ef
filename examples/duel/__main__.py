"""Undercut with one more game."""

from undercut.__main__ import main
from undercut.games.families import register

register("duel", "duel.family")
main()
