"""The agent with a network: what it believes is what the network says of its view."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from test_network import random_tensors

from positions import Table, random_table, scaled
from undercut.agents import estimator
from undercut.agents.catalog import parse_agent
from undercut.belief.features import features_of
from undercut.belief.marginals import marginals_of
from undercut.belief.network import ModelError, Network, load_network, save_network
from undercut.core.errors import OptionsError
from undercut.core.game import new, pack
from undercut.games.catalog import parse_game
from undercut.play.batch import agents_by_play

GAME = parse_game("gin")


def believed(network: Network, table: Table) -> tuple[Any, Any]:
    """The chances inside the agent, and the same from the parts it is made of."""
    inside = np.zeros(52)
    settings = pack(estimator.Settings()._replace(weights=network.weights))
    workspace = np.zeros(estimator.WORDS, dtype=np.int64)
    estimator.estimate(table.view(), pack(GAME.options), settings, workspace, inside, 0, 1)
    views = new(GAME.rules.VIEW, 1)
    views[0] = table.view()
    return inside, marginals_of(views, network.predict(features_of(views)))[0]


def test_it_believes_what_the_network_says() -> None:
    random, network = Random(4), Network(random_tensors(2), {})
    table = random_table(GAME, random)
    for _ in range(scaled(12, 3)):
        inside, outside = believed(network, table)
        assert inside == pytest.approx(outside, abs=1e-5)
        if not table.is_over:
            table.play_any(random)


def test_models_are_named_in_the_spec(tmp_path: Path) -> None:
    for seed in (1, 2):
        save_network(tmp_path / f"{seed}.safetensors", random_tensors(seed), {})
    agents = [
        parse_agent(f"estimator:model={tmp_path}/{seed}.safetensors", GAME) for seed in (1, 2)
    ]
    one, other = agents_by_play(agents)  # type: ignore[arg-type]
    assert one != other
    expected = load_network(tmp_path / "2.safetensors").weights
    assert np.array_equal(agents[1].settings.weights, expected)  # type: ignore[union-attr]
    with pytest.raises(ModelError, match="no model 'nobody'"):
        parse_agent("estimator:model=nobody", GAME)
    with pytest.raises(OptionsError, match="unknown option 'model' of heuristic"):
        parse_agent("heuristic:model=paper", GAME)
