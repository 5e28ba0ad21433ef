"""The player that learned Rummy by playing itself: docs/selfplay.md says how, and how strong it is."""

from pathlib import Path

from undercut.games.policy.entry import policy_entry
from undercut.games.rummy import rules, text
from undercut.games.rummy.encoding import ENCODING

AGENT = policy_entry(
    "Learned by playing itself; model=FILE plays another network.",
    ENCODING,
    rules,
    text,
    Path(__file__).parent / "blueprint.safetensors",
)
