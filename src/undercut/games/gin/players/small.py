"""A small network that plays like `blueprint`: it plays the rollouts of evaluations."""

from pathlib import Path

from undercut.games.gin.players.network.encoding import ENCODING
from undercut.games.gin.rules import deal as rules
from undercut.games.gin.table import text
from undercut.players.network_files import Shipped
from undercut.players.policy.entry import policy_entry

AGENT = policy_entry(
    "Plays nearly as blueprint does, with a network of an eighth of its size.",
    ENCODING,
    rules,
    text,
    Shipped(
        Path(__file__).parent / "small.safetensors",
        "62e70e7676004805cee9ef43f7a659318756d609402b7592df9fd4d2416e7c9b",
    ),
    size="small",
)
