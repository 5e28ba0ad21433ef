"""Everything that a self-play run depends on, in one place."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Config:
    """The settings of a run. A run that is continued keeps the shape of its network."""

    game: str = "gin"
    seed: int = 1

    # The network
    width: int = 768
    blocks: int = 2

    # How much is played between two updates
    rows: int = 65536  # games side by side
    steps: int = 32  # decisions of each

    # Against whom: itself, and in these shares of the rows others
    past_share: float = 0.2  # earlier selves
    past_every: float = 40.0  # seconds between two of them
    past_kept: int = 16
    rivals: tuple[str, ...] = ()  # agents of the game
    rival_share: float = 0.0  # of the rows, for all of them together

    # What is learned
    reward: str = "match"  # chances to win the match, or points
    scale: float = 6.0  # what a whole match, or 60 points, is worth
    trail: float = 0.95  # lambda
    clip: float = 0.2
    value_weight: float = 0.5
    hidden_weight: float = 0.3
    entropy: float = 0.03
    last_entropy: float = 0.004
    rate: float = 4e-4
    last_rate: float = 4e-5
    planned: float = 2e9  # decisions after which rate and entropy have reached their last values
    most_gradient: float = 0.5
    averaging: float = 0.9995  # share of the averaged weights that stays at each update

    compiled: bool = False  # whether torch compiles the losses

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)
