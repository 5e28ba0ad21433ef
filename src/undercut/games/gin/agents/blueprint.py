"""The player that learned Gin by playing itself: docs/selfplay.md says how, and how strong it is."""

from pathlib import Path

from undercut.games.gin import rules, text
from undercut.games.gin.encoding import ENCODING
from undercut.games.policy.entry import policy_entry

AGENT = policy_entry(
    "Learned by playing itself: a network knows what to draw, throw and knock with, and minds the "
    "score; model=FILE plays another one.",
    ENCODING,
    rules,
    text,
    Path(__file__).parent / "blueprint.safetensors",
)
