"""The joint belief of Rummy: docs/belief.md has its training."""

from pathlib import Path

from undercut.players.network_files import Shipped

JOINT = Shipped(
    Path(__file__).parent / "joint.safetensors",
    "0e1a1097a7562b33f734104d1a360d950883ae0599b5c1b7dff15b910165be53",
)
