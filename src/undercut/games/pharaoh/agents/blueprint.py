"""The player that learned Pharaoh by playing itself: docs/selfplay.md says how, and how strong it is."""

from pathlib import Path

from undercut.games.pharaoh import rules, text
from undercut.games.pharaoh.encoding import ENCODING
from undercut.games.policy.entry import policy_entry

AGENT = policy_entry(
    "Learned by playing itself, with two to four players; model=FILE plays another network.",
    ENCODING,
    rules,
    text,
    Path(__file__).parent / "blueprint.safetensors",
    temperature=0.3,  # at 0 two of them may draw and draw, and never end
)
