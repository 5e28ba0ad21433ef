"""A Pharaoh player trained by self-play: docs/selfplay.md has its training and its strength."""

from pathlib import Path

from undercut.games.pharaoh.players.network.encoding import ENCODING
from undercut.games.pharaoh.rules import deal as rules
from undercut.games.pharaoh.table import text
from undercut.players.network_files import Shipped
from undercut.players.policy.entry import policy_entry

AGENT = policy_entry(
    "Learned by playing itself, with two to four players; model=FILE plays another network.",
    ENCODING,
    rules,
    text,
    Shipped(
        Path(__file__).parent / "blueprint.safetensors",
        "e06a421fb5c7cce422d74ab32020ffb610ed83be13e7bc1189efdf50928416b2",
    ),
    temperature=1.0,  # below it two of them may draw and draw, and hardly ever end
)
