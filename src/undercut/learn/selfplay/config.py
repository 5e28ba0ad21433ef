"""Everything that a self-play run depends on, in one place."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from undercut.text.errors import OptionsError
from undercut.text.spec import one_of


@dataclass(frozen=True)
class Config:
    """The settings of a run. One that is continued keeps the shape of its network."""

    game: str = "gin"
    also: str = ""  # further rule sets of that game, with a space between
    also_share: float = 0.25  # of the rows, for all of them together
    seed: int = 0

    # The network
    width: int = 768
    blocks: int = 2
    begin: str = ""  # an agent that is such a network, to begin with; none: it knows nothing
    unseen: str = ""  # words of the encoding that it does not see, by number, with a space between

    # How much is played: after a piece the network is measured, and everything is saved
    rows: int = 65536  # games side by side
    steps: int = 32  # decisions of each between two updates
    piece: int = 256  # rounds of so many steps

    # Against whom: itself, and in these shares of the rows others
    past_share: float = 0.2  # earlier selves
    past_kept: int = 8  # one for each piece, these many in all
    rivals: str = ""  # agents of the game, with a space between
    rival_share: float = 0.0  # of the rows, for all of them together

    # What is learned
    reward: str = "match"  # the chance to win the match, where two play; or points
    scale: float = 6.0  # what a whole match, or 60 points, is worth
    trail: float = 0.95  # how far a surprise goes back: lambda
    discount: float = 1.0  # what is left of a win that comes a decision of its own later
    cost: float = 0.0  # that every decision of its own takes off the reward: hoarding does not pay
    clip: float = 0.2
    epochs: int = 1  # how often it learns from each decision
    magnet: float = 0.0  # what it costs to play otherwise than its average does
    value_weight: float = 0.5
    hidden_weight: float = 0.3
    entropy: float = 0.03
    last_entropy: float = 0.004
    rate: float = 4e-4
    last_rate: float = 4e-5
    planned: float = 6e9  # decisions after which rate and entropy have reached their last values
    most_gradient: float = 0.5
    averaging: float = 0.9995  # share of the averaged weights that stays at each update
    compiled: bool = (
        False  # whether torch compiles the losses: quicker on a GPU after half a minute
    )

    # How it is measured
    measured: str = ""  # agents, with a space between; none: the game's reference
    games: int = 4096  # with each of them

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
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
    kinds: dict[str, type] = {
        each.name: type(getattr(config, each.name)) for each in fields(config)
    }
    values: dict[str, Any] = {}
    for name, text in changes.items():
        if name not in kinds:
            raise OptionsError(f"unknown setting {name!r} of selfplay: {one_of(kinds)}")
        try:
            kind = kinds[name]
            values[name] = bool(int(text)) if kind is bool else kind(text)
        except ValueError:
            raise OptionsError(f"{name}={text}: must be {kinds[name].__name__}") from None
    return check(replace(config, **values))


def check(config: Config) -> Config:
    """A configuration that can be run, or an error that says what is wrong with it."""
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
