"""The joint belief of Gin: docs/belief.md has its training."""

from pathlib import Path

from undercut.players.network_files import Shipped

JOINT = Shipped(
    Path(__file__).parent / "joint.safetensors",
    "913c5ef498470bc7a04b5cae3f9e626f0023cc65b7508d1d7a2c687fe5ebe716",
)
