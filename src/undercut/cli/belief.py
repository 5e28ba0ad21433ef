"""`undercut belief`: train a network that guesses hidden hands card by card."""

from typing import TYPE_CHECKING, Any

import click

from undercut.cli.positions import Lesson, position_options, teach

if TYPE_CHECKING:
    from undercut.learn.positions.run import Scores


@click.command(short_help="Train a network that guesses the hidden hands.")
@position_options
def belief(**given: Any) -> None:
    """Train a network that guesses the hidden hands of GAME card by card; FOLDER stores the run.

    The shipped network plays against opponents of various kinds. In every position a random part of
    the hidden hands is given, and the network learns the rest. After each piece the command measures
    it next to counting, for each kind of opponent, and saves it as FOLDER/belief.safetensors. After an
    interruption the same command continues with the saved settings; options override them.

    \b
    undercut belief gin runs/belief
    undercut belief gin runs/belief --minutes 10
    undercut belief rummy runs/rummy --set opponents="self=0.5 heuristic=0.5"
    undercut belief gin runs/big --size full --device cuda --minutes 5
    """
    teach(LESSON, **given)


def _line(scores: "Scores") -> str:
    line = f"log-loss {scores['log_loss']:.3f} (counting {scores['counting_log_loss']:.3f})"
    if "recall@10" in scores:
        recall, counting = scores["recall@10"], scores["counting_recall@10"]
        line += f", recall@10 {100 * recall:.1f} % ({100 * counting:.1f} %)"
    return line


LESSON = Lesson("belief", "belief", "undercut.learn.belief.run:BeliefRun", _line)
