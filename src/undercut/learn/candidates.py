"""The beliefs that can be scored: the paper's networks, joint networks, and counting."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from undercut.games.contract import Game
from undercut.kernels.records import Columns, Floats
from undercut.learn.decisions import Decisions
from undercut.learn.shards import DataError
from undercut.players.belief import Belief, Network, belief_of
from undercut.players.joint.belief import JointBelief, joint_belief
from undercut.players.joint.weights import FORMAT
from undercut.players.network_files import NetworkError, format_name
from undercut.players.provided import provided

JOINT = "joint"  # the name of a game's joint belief
COUNTING = "counting"


@dataclass(frozen=True)
class Candidate:
    """A belief that is scored."""

    marginals: Callable[[Columns], Floats]  # for each view the chance of each card; thread-safe
    trained: Sequence[Mapping[str, object]] = ()  # the series of matches that it learned from


def counting(belief: Belief) -> Candidate:
    """Cards that were openly taken are held; all other unseen cards are equally likely."""
    return Candidate(belief.counting)


def of_network(belief: Belief, network: Network, remember: bool = True) -> Candidate:
    """A network of the paper; `remember` treats openly taken cards as known."""

    def marginals(views: Columns) -> Floats:
        features = np.zeros((len(views), belief.features), dtype=np.int8)
        belief.fill_features(views, features)
        return belief.marginals(views, network.predict(features), remember)

    return Candidate(marginals, trained_on(network.metadata))


def of_joint(joint: JointBelief) -> Candidate:
    """A joint belief by its marginals. It learned from matches that no folder holds."""
    return Candidate(lambda views: joint.marginals_of(views)[:, 0])


def shipped(game: Game) -> list[str]:
    """The names of the beliefs that come with a game."""
    return [*belief_of(game).shipped, *([JOINT] if game.family.joint else [])]


def load(game: Game, name: str, remember: bool = True) -> Candidate:
    """A shipped belief by its name, or one from a file of weights."""
    belief, names = belief_of(game), shipped(game)
    if name == JOINT and JOINT in names:
        return of_joint(joint_belief(game, provided(game, "joint", f"no {JOINT} for {game.name}")))
    if name not in names and not Path(name).is_file():
        raise NetworkError(f"no model {name!r}: give a file, or one of {', '.join(names)}")
    if name not in names and format_name(Path(name)) == FORMAT.name:
        return of_joint(joint_belief(game, Path(name)))
    return of_network(belief, belief.load_network(name), remember)


def short_names(models: Sequence[str]) -> dict[str, str]:
    """Models by the names of their files, or by their whole paths if two names are the same.

    >>> short_names(["paper", "runs/a.safetensors"])
    {'paper': 'paper', 'a': 'runs/a.safetensors'}
    >>> list(short_names(["runs/a.safetensors", "old/a.safetensors"]))
    ['runs/a.safetensors', 'old/a.safetensors']
    """
    stems = [*(Path(model).stem for model in models), COUNTING]
    return {
        stem if stems.count(stem) == 1 else model: model
        for stem, model in zip(stems[:-1], models, strict=True)
    }


def trained_on(metadata: Mapping[str, str]) -> list[dict[str, object]]:
    """The deals that a network was trained on, from the metadata of its file."""
    try:
        return msgspec.json.decode(metadata.get("data", "[]"), type=list[dict[str, object]])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DataError(f"the model does not list the deals of its training: {error}") from None


def check_unseen(trained: Sequence[Mapping[str, object]], data: Decisions) -> None:
    """Raise an error if the data has deals that a network was trained on."""
    seeds = [entry.get("seed") for entry in trained]
    for entry in data.describe():
        if entry["seed"] in seeds:
            raise DataError(
                f"the model was trained on these deals ({' v '.join(entry['agents'])}): "
                "test on decisions generated with another --seed"
            )
