"""The agent with a network: what it believes is what the network says of its view."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from cards.reference.cards import number
from games.gin.players.belief.test_network import random_tensors
from games.gin.positions import features_of, gin_table, gin_view_in_words
from games.gin.reference.belief import marginals
from positions import Table, random_table, scaled
from undercut.games.families import parse_game
from undercut.games.gin.players import estimator
from undercut.games.gin.players.belief.estimate import WORDS, estimate
from undercut.games.gin.players.belief.marginals import marginals_of
from undercut.games.gin.players.belief.network import (
    Network,
    NetworkError,
    load_network,
    save_network,
)
from undercut.games.gin.players.strategy.reasoning import explain
from undercut.kernels.records import new, pack
from undercut.play.agent import Random as Chance
from undercut.play.batch import distinct_agents
from undercut.players.catalog import parse_agent
from undercut.text.errors import OptionsError

GAME = parse_game("gin")


def believed(network: Network, table: Table, remember: int) -> tuple[Any, Any]:
    """The chances inside the agent, and the same from the parts it is made of."""
    inside = np.zeros(52)
    settings = pack(estimator.Settings(remember=remember)._replace(weights=network.weights))
    workspace = np.zeros(WORDS, dtype=np.int64)
    estimate(table.view(), pack(GAME.options), settings, workspace, inside, 0, 1)
    views = new(GAME.rules.VIEW, 1)
    views[0] = table.view()
    return inside, marginals_of(views, network.predict(features_of(views)), bool(remember))[0]


@pytest.mark.parametrize("remember", [0, 1])
def test_it_believes_what_the_network_says(remember: int) -> None:
    random, network = Random(4), Network(random_tensors(2), {})
    table = random_table(GAME, random)
    for _ in range(scaled(12, 3)):
        inside, outside = believed(network, table, remember)
        assert inside == pytest.approx(outside, abs=1e-5)
        if not table.is_over:
            table.play_any(random)


def seen_to_take() -> Table:
    """Seat 0 has seen the other player take the jack of clubs."""
    table = gin_table(
        seat0="Kh Qd 9c 9s 4d 5d 7c 8h 2s 2h", seat1="Jd Js 3c", upcard="Jc", starter=1
    )
    return table.play("take", "discard 3c")


@pytest.mark.parametrize("name", ["heuristic", "estimator"])
def test_only_one_that_remembers_knows_what_was_taken(name: str) -> None:
    """The same word means the same to both: the cards that the other player was seen taking."""
    table, jack = seen_to_take(), number("Jc")
    told = [
        explain(
            parse_agent(f"{name}:samples=1,remember={remember}", GAME),  # type: ignore[arg-type]
            table.view(),
            table.actions(),
            Chance.from_seed(1),
        )
        for remember in (0, 1)
    ]
    forgetful, remembering = (each.chances for each in told)
    assert remembering[jack] == 1
    assert forgetful[jack] < 1
    assert sum(forgetful) == pytest.approx(10) == pytest.approx(sum(remembering))


def test_what_is_not_remembered_the_network_says_itself() -> None:
    """Not 1, but its own output for such a card, fitted to ten cards like any other."""
    table, jack, network = seen_to_take(), number("Jc"), load_network("paper")
    inside, _ = believed(network, table, 0)
    views = new(GAME.rules.VIEW, 1)
    views[0] = table.view()
    said = network.predict(features_of(views))[0].astype(float)
    view = gin_view_in_words(table.view())
    expected = marginals(list(said), view["hand"], view["pile"], (), 10)
    assert inside == pytest.approx(expected, abs=1e-5)
    assert 0.9 < inside[jack] < 1  # it has learnt from its inputs that the card is there


def test_models_are_named_in_the_spec(tmp_path: Path) -> None:
    for seed in (1, 2):
        save_network(tmp_path / f"{seed}.safetensors", random_tensors(seed), {})
    agents = [
        parse_agent(f"estimator:model={tmp_path}/{seed}.safetensors", GAME) for seed in (1, 2)
    ]
    assert distinct_agents(agents)[1] == [0, 1]  # type: ignore[arg-type]
    expected = load_network(tmp_path / "2.safetensors").weights
    assert np.array_equal(agents[1].settings.weights, expected)  # type: ignore[union-attr]
    with pytest.raises(NetworkError, match="no model 'nobody'"):
        parse_agent("estimator:model=nobody", GAME)
    with pytest.raises(OptionsError, match="unknown option 'model' of heuristic"):
        parse_agent("heuristic:model=paper", GAME)
