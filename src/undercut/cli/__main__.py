"""`python -m undercut.cli` is the command `undercut`."""

from undercut.__main__ import main

main()
