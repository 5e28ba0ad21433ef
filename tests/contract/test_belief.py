"""players/belief.py: what a family may provide for guessing the other hand."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from learn.data import make
from undercut.cli import main
from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.kernels.records import new
from undercut.play.deal import Deal
from undercut.players.belief import Belief, belief_of
from undercut.text.errors import OptionsError

GAMES = [parse_game(family.measured_at) for family in all_families()]
WITH = [game for game in GAMES if game.family.belief]
WITHOUT = [game for game in GAMES if not game.family.belief]


def _views(game: Game) -> np.recarray:  # type: ignore[type-arg]
    """The first view of some deals, each of the seat on turn."""
    views = new(game.rules.VIEW, 5)
    for seed in range(len(views)):
        views[seed] = Deal(game, seed=seed).observe()
    return views


@pytest.mark.parametrize("game", WITH, ids=repr)
def test_chances_are_those_of_a_hand(game: Game) -> None:
    belief, views = belief_of(game), _views(game)
    assert {field.name for field in fields(Belief)} == set(vars(belief))
    features = np.zeros((len(views), belief.features), dtype=np.int8)
    belief.fill_features(views, features)
    guessed = belief.load_network("paper").predict(features)
    assert guessed.shape == (len(views), belief.cards)
    unknown = belief.unknown(views)
    cards = (unknown[:, None] >> np.arange(belief.cards)) & 1 == 1
    for chances in (belief.counting(views), belief.marginals(views, guessed, True)):
        assert chances.sum(axis=1) == pytest.approx(10)
        assert (chances[~cards] == 0).all()
    assert belief.turns(views).tolist() == [1] * len(views)
    assert not belief.discards(views).any()


@pytest.mark.parametrize("game", WITHOUT, ids=repr)
def test_the_error_of_a_game_without_it_lists_those_that_have_it(game: Game) -> None:
    with pytest.raises(OptionsError) as caught:
        belief_of(game)
    assert str(caught.value) == (
        f"{game.name} has no network that guesses the other hand: "
        "one of gin, distilled, gin-classic, oklahoma, straight"
    )


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    make(tmp_path / "d", 1, 20)
    done = CliRunner().invoke(main, ["score", str(tmp_path / "d"), "--model", "nobody"])
    assert done.exit_code == 2
    assert "no model 'nobody': give a file, or one of paper, joint" in done.output
