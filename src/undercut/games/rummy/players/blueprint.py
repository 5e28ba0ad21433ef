"""A Rummy player trained by self-play: docs/selfplay.md has its training and its strength."""

from pathlib import Path

from undercut.games.rummy.players.network.encoding import ENCODING
from undercut.games.rummy.rules import deal as rules
from undercut.games.rummy.table import text
from undercut.players.network_files import Shipped
from undercut.players.policy.entry import policy_entry

AGENT = policy_entry(
    "Learned by playing itself; model=FILE plays another network.",
    ENCODING,
    rules,
    text,
    Shipped(
        Path(__file__).parent / "blueprint.safetensors",
        "90d3ee39d34efd4e6c371270804d68aaf51f6d506682ae7b7cab406ad1cf0a56",
    ),
)
