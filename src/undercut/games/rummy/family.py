"""Rummy for two, as the rest of the program knows it."""

from undercut.games.contract import Family
from undercut.games.rummy import rules, text
from undercut.games.rummy.describe import format_seen

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="heuristic",
    reference="greedy",
    measured_at="rummy",
    screen="undercut.app.terminal.rummy.screen:RummyScreen",
    format_seen=format_seen,
)
