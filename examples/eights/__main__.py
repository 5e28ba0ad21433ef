"""Undercut with one more game. In the folder `examples`: `python -m eights play eights`."""

from undercut.__main__ import main
from undercut.games.families import register

register("eights", "eights.family")
main()
