"""The settings of a self-play run."""

from dataclasses import asdict, dataclass, replace

from undercut.learn.settings import read_changes
from undercut.text.errors import OptionsError


@dataclass(frozen=True)
class Config:
    """The settings of a run. A continued run keeps the shape of its network."""

    game: str = "gin"
    also: str = ""  # further rule sets of that game, with a space between
    also_share: float = 0.25  # of the rows, for all of them together
    seed: int = 0

    # The network
    width: int = 768
    blocks: int = 2
    begin: str = ""  # an agent with such a network, for the initial weights; default: random ones
    unseen: str = ""  # words of the encoding that it does not see, by number, with a space between

    # The amount of play: after each piece the network is measured, and everything is saved
    rows: int = 65536  # games side by side
    steps: int = 32  # decisions of each between two updates
    piece: int = 256  # rounds of `steps` steps

    # The opponents: itself, and in these shares of the rows others
    past_share: float = 0.2  # earlier selves
    past_kept: int = 8  # at most, one for each piece
    rivals: str = ""  # agents of the game, with a space between
    rival_share: float = 0.0  # of the rows, for all of them together

    # Learning
    reward: str = "match"  # match: the chance to win, for two players; or points
    scale: float = 6.0  # the reward of a whole match, or of 60 points
    trail: float = 0.95  # lambda of generalised advantage estimation
    discount: float = 1.0  # for each decision of its own
    cost: float = 0.0  # of each decision of its own, against hoarding
    clip: float = 0.2
    epochs: int = 1  # of training on each decision
    magnet: float = 0.0  # weight of the divergence from the averaged policy
    value_weight: float = 0.5
    hidden_weight: float = 0.3
    entropy: float = 0.03
    last_entropy: float = 0.004
    rate: float = 4e-4
    last_rate: float = 4e-5
    planned: float = 6e9  # decisions after which rate and entropy have reached their last values
    most_gradient: float = 0.5
    averaging: float = 0.9995  # decay of the averaged weights at each update
    compiled: bool = False  # torch compiles the losses: faster on a GPU after half a minute

    # Measurement
    measured: str = ""  # agents, with a space between; default: the game's reference
    games: int = 4096  # with each of them

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


SIZES = {
    "small": Config(
        width=128,
        blocks=1,
        rows=512,
        steps=16,
        piece=40,
        rate=1e-3,
        last_rate=2e-4,
        averaging=0.99,
        planned=2.5e6,
        games=512,
    ),
    "full": Config(),
}


def change(config: Config, changes: dict[str, str]) -> Config:
    """A configuration with some settings given as text.

    >>> change(Config(), {"rows": "1024", "rate": "1e-3"}).rows
    1024
    """
    return check(replace(config, **read_changes(config.as_dict(), changes, "selfplay")))


def check(config: Config) -> Config:
    """The configuration itself, or an error if it is invalid."""
    wholes = ("width", "blocks", "rows", "steps", "piece", "games", "past_kept", "epochs")
    for name in wholes:
        if getattr(config, name) < 1:
            raise OptionsError(f"{name}={getattr(config, name)}: must be at least 1")
    shares = config.past_share + (config.rival_share if config.rivals else 0.0)
    shares += config.also_share if config.also else 0.0
    if not 0 <= shares <= 1 or min(config.past_share, config.rival_share, config.also_share) < 0:
        raise OptionsError(
            "past_share, rival_share and also_share: from 0 to 1, and no more than 1 together"
        )
    if config.reward not in ("match", "points"):
        raise OptionsError(f"unknown reward {config.reward!r}: one of match, points")
    if not 0 < config.averaging < 1 or not 0 <= config.trail <= 1 or not 0 < config.discount <= 1:
        raise OptionsError("averaging, trail and discount: must lie between 0 and 1")
    for name in ("cost", "magnet"):
        if getattr(config, name) < 0:
            raise OptionsError(f"{name}={getattr(config, name):g}: must be at least 0")
    return config
