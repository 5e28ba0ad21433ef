"""What a player is told about the own way of ending deals."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Feat:
    """A sentence about a share of deals.

    Its value is the share of the deals that the player won with the outcome `won`: of all deals, or
    of those deals and the ones that were lost with the outcome `lost`.
    """

    words: str  # with {share}
    won: str
    lost: str = ""
