"""Pharaoh and Prší, as the rest of the program knows them."""

from undercut.core.german import LANGUAGES
from undercut.games.contract import Family
from undercut.games.pharaoh import rules, text
from undercut.games.pharaoh.describe import format_seen

FAMILY = Family(
    rules=rules,
    notation=text,
    package=__package__,
    opponent="heuristic",
    reference="smallest",
    measured_at="pharaoh:players=2",
    languages=LANGUAGES,
    screen="undercut.app.terminal.pharaoh.screen:PharaohScreen",
    format_seen=format_seen,
)
