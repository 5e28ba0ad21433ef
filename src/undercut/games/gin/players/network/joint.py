"""The joint belief of Gin: docs/belief.md has its training."""

from pathlib import Path

from undercut.players.network_files import Shipped

JOINT = Shipped(
    Path(__file__).parent / "joint.safetensors",
    "cf5576a05216d4701838bfbd250ed49394d31e58cd45fd6c62328c0de8c32ebb",
)
