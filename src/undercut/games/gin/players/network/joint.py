"""The joint belief of Gin: docs/belief.md has its training."""

from pathlib import Path

from undercut.players.network_files import Shipped

JOINT = Shipped(
    Path(__file__).parent / "joint.safetensors",
    "6f3e5af2561521f2d39a4520c2cfa14e21d7d6f70aabe73fecc95d7b6943e266",
)
