"""Arguments and options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

SEED_LIMIT = 2**63  # as in core.rng, which is too heavy to import for --help


class WholeNumber(click.ParamType):
    """A whole number between two limits, or a line that says so."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that was given."""
        try:
            number = int(value)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            option = param.opts[0] if param is not None else ""
            raise click.UsageError(
                f"{option} {value}: must be a whole number from {self.low} to {self.high}"
            )
        return number


class TwoNumbers(click.ParamType):
    """Two numbers with a comma between them."""

    name = "low,high"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """The numbers that were given."""
        try:
            low, high = (float(part) for part in str(value).split(","))
        except ValueError:
            option = param.opts[0] if param is not None else ""
            raise click.UsageError(
                f"{option} {value}: must be two numbers with a comma, as in 0.5,0.55"
            ) from None
        return low, high


def games_option(default: int, most: int) -> Callable[[Command], Command]:
    """How many games to play."""
    return click.option(
        "-n",
        "--games",
        type=WholeNumber(1, most),
        default=default,
        show_default=True,
        metavar="N",
        help="How many games; rounded up so that every deal is played in every seating.",
    )


seed_option = click.option(
    "--seed",
    type=WholeNumber(0, SEED_LIMIT - 1),
    default=0,
    show_default=True,
    metavar="S",
    help="Names the cards and all chance: the same seed gives the same games.",
)

device_option = click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    default="cpu",
    show_default=True,
    help="Where whole games are played; cuda needs an NVIDIA GPU and the extra 'cuda'.",
)

workers_option = click.option(
    "--workers",
    type=WholeNumber(1, 1024),
    metavar="W",
    help="CPU threads; by default all there are.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def say_rounded(asked: int, played: int, seatings: int) -> None:
    """Tell about games that were added to fill the last round."""
    if asked != played:
        games = "pairs, seats exchanged" if seatings == 2 else f"rounds of {seatings} seatings"
        click.echo(f"note: games come in {games}: playing {played}, not {asked}", err=True)
