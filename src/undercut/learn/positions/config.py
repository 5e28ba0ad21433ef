"""The settings of a run that learns from positions: a joint belief, or a smaller network."""

from dataclasses import asdict, dataclass, replace

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.learn.selfplay.rivals import SELF, is_network, rival_agent
from undercut.learn.settings import read_changes
from undercut.text.errors import OptionsError

PRECISIONS = ("float32", "bfloat16")
DRAWN = "drawn"  # the network agent at every seat, as SELF, but with actions drawn from its policy


@dataclass(frozen=True)
class Config:
    """The settings of a run. A continued run keeps the shape of its network."""

    game: str = "gin"
    also: str = ""  # further rule sets of that game, with a space between
    also_share: float = 0.25  # of the rows, for all of them together
    seed: int = 0

    # The network
    width: int = 1024
    blocks: int = 3
    precision: str = ""  # bfloat16: faster on CPUs that multiply it; default: the device's

    # The play
    player: str = "blueprint"  # the network agent whose views are the positions
    opponents: str = ""  # NAME=SHARE with a space between; default: half itself, half a plain one
    rows: int = 32768  # games side by side, each with one position in every step
    mixing: int = 96  # steps without learning, until rows are in different turns
    piece: int = 1024  # steps; after each piece the network is measured, and everything is saved

    # A memory of positions, for devices that learn faster than they play
    kept: int = 0  # steps; 0: a step is an update from its own positions
    batch: int = 1024  # positions of an update, drawn from the memory
    repeats: int = 1  # how often a position is learned from, on average

    # Learning
    rate: float = 1e-3
    warm_up: int = 200  # updates in which the rate rises from 0
    last_rate: float = 2e-5
    planned: float = 6e8  # positions after which the rate has reached its last value
    most_gradient: float = 1.0
    averaging: float = 0.999  # decay of the averaged weights at each update

    # Measurement
    measured: int = 16  # steps

    @property
    def updates(self) -> int:
        """Updates of a step."""
        return max(1, self.rows * self.repeats // self.batch) if self.kept else 1

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


SIZES = {
    "small": Config(
        width=128,
        blocks=1,
        rows=256,
        piece=256,
        warm_up=20,
        planned=4e5,
        averaging=0.99,
        measured=32,
    ),
    "full": Config(),
}


def change(config: Config, changes: dict[str, str]) -> Config:
    """A configuration with some settings given as text.

    >>> change(Config(), {"rows": "1024", "rate": "1e-2"}).rows
    1024
    """
    return check(replace(config, **read_changes(config.as_dict(), changes, "the run")))


def check(config: Config) -> Config:
    """The configuration itself, or an error if it is invalid."""
    for name in (
        "width",
        "blocks",
        "rows",
        "mixing",
        "piece",
        "batch",
        "repeats",
        "warm_up",
        "measured",
    ):
        if getattr(config, name) < 1:
            raise OptionsError(f"{name}={getattr(config, name)}: must be at least 1")
    if not 0 <= config.kept <= config.mixing:
        raise OptionsError(
            f"kept={config.kept}: must be from 0 to mixing={config.mixing}, the steps that fill it"
        )
    if not 0 <= config.also_share < 1:
        raise OptionsError(f"also_share={config.also_share:g}: must be at least 0 and below 1")
    if not 0 < config.averaging < 1:
        raise OptionsError(f"averaging={config.averaging:g}: must lie between 0 and 1")
    if config.precision not in ("", *PRECISIONS):
        allowed = ", ".join(PRECISIONS)
        raise OptionsError(f"precision={config.precision}: must be one of {allowed}")
    shares(config, parse_game(config.game))
    return config


def shares(config: Config, game: Game) -> dict[str, float]:
    """The share of the rows of each kind of opponent; together 1.

    >>> shares(Config(opponents="self=2 simple=1 patient=1"), parse_game("gin"))
    {'self': 0.5, 'simple': 0.25, 'patient': 0.25}
    """
    text = config.opponents or f"{SELF}=0.35 {DRAWN}=0.15 {game.family.opponent}=0.5"
    found: dict[str, float] = {}
    for each in text.split():
        name, _, number = each.rpartition("=")
        if name in found:
            raise OptionsError(f"opponents: {name} has two shares")
        try:
            found[name] = float(number)
        except ValueError:
            found[name] = 0.0
        if not name or not 0 < found[name] < float("inf"):
            raise OptionsError(f"opponents: {each!r} must be NAME=SHARE, with a share above 0")
        if name not in (SELF, DRAWN):
            _check_opponent(name, game)
    total = sum(found.values())
    return {name: share / total for name, share in found.items()}


def _check_opponent(name: str, game: Game) -> None:
    rival_agent(name, game)
    if is_network(name, game):
        raise OptionsError(f"opponents: {name} is a network; {SELF} and {DRAWN} play by one")
