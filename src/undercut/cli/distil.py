"""`undercut distil`: train a small network that plays like a large one."""

from typing import TYPE_CHECKING, Any

import click

from undercut.cli.positions import Lesson, position_options, teach

if TYPE_CHECKING:
    from undercut.learn.positions.run import Scores


@click.command(short_help="Train a small network that plays like a large one.")
@position_options
def distil(**given: Any) -> None:
    """Train a small network that plays GAME like the shipped one at a lower cost; FOLDER stores the run.

    The shipped network plays against opponents of various kinds. In every position the small one
    learns its policy and its value. After each piece the command measures how often both would play
    the same action and which share of the value the small one explains, for each kind of opponent,
    and saves FOLDER/policy.safetensors. After an interruption the same command continues with the
    saved settings; options override them.

    \b
    undercut distil gin runs/small --minutes 20 --set width=256 --set blocks=2
    undercut match gin blueprint:model=runs/small/policy.safetensors blueprint
    undercut distil rummy runs/rummy --device cuda --size full --set width=256
    """
    teach(LESSON, **given)


def _line(scores: "Scores") -> str:
    return (
        f"plays the same in {100 * scores['agreement']:.1f} %, explains "
        f"{100 * scores['explained']:.1f} % of the value, divergence {scores['divergence']:.4f}"
    )


LESSON = Lesson("distil", "policy", "undercut.learn.distil.run:DistilRun", _line)
