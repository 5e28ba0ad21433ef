"""A small network that plays like `blueprint`: it plays the rollouts of evaluations."""

from pathlib import Path

from undercut.games.rummy.players.network.encoding import ENCODING
from undercut.games.rummy.rules import deal as rules
from undercut.games.rummy.table import text
from undercut.players.network_files import Shipped
from undercut.players.policy.entry import policy_entry

AGENT = policy_entry(
    "Plays nearly as blueprint does, with a network of an eighth of its size.",
    ENCODING,
    rules,
    text,
    Shipped(
        Path(__file__).parent / "small.safetensors",
        "e54bc523e54e8138590a1821205a0a2f9b369b0fb51ed06426e34d62985f6943",
    ),
    size="small",
)
