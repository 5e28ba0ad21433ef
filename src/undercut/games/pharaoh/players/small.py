"""A small network that plays like `blueprint`: it plays the rollouts of evaluations."""

from pathlib import Path

from undercut.games.pharaoh.players.network.encoding import ENCODING
from undercut.games.pharaoh.rules import deal as rules
from undercut.games.pharaoh.table import text
from undercut.players.network_files import Shipped
from undercut.players.policy.entry import policy_entry

AGENT = policy_entry(
    "Plays nearly as blueprint does, with a network of an eighth of its size.",
    ENCODING,
    rules,
    text,
    Shipped(
        Path(__file__).parent / "small.safetensors",
        "47f75d05ada3dcfeb8170b7167c6438e5154393a0eb04a76cdd4b62c7c639cd8",
    ),
    size="small",
    temperature=1.0,  # as blueprint
)
