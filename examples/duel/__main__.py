"""Undercut with one more game. In the folder `examples`: `python -m duel play duel`."""

from undercut.__main__ import main
from undercut.games.families import register

register("duel", "duel.family")
main()
