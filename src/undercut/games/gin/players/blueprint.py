"""A Gin player trained by self-play: docs/selfplay.md has its training and its strength."""

from pathlib import Path

from undercut.games.gin.players.network.encoding import ENCODING
from undercut.games.gin.rules import deal as rules
from undercut.games.gin.table import text
from undercut.players.network_files import Shipped
from undercut.players.policy.entry import policy_entry

AGENT = policy_entry(
    "Learned by playing itself: a network knows what to draw, throw and knock with, and minds the "
    "score; model=FILE plays another one.",
    ENCODING,
    rules,
    text,
    Shipped(
        Path(__file__).parent / "blueprint.safetensors",
        "143f9566e2a3fd64dde01af23d76d8c10799386cd1bdf9850c954243d220fb8c",
    ),
)
