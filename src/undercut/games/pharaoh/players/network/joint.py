"""The joint belief of Pharaoh: docs/belief.md has its training."""

from pathlib import Path

from undercut.players.network_files import Shipped

JOINT = Shipped(
    Path(__file__).parent / "joint.safetensors",
    "78c5ba3206d325e9e4d332f404e19f7ab47fefa6a610ae0451f5c6f526e9c057",
)
