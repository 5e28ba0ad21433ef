"""`python -m undercut.cli` is the command `undercut`."""

from undercut.cli import main

main(prog_name="undercut")
