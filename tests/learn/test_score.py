"""Scores of an estimator: computed slowly, beside counting, and never on trained deals."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.gin.positions import features_of
from undercut.cards.french import each, format_cards, parse_cards
from undercut.games.gin.players.belief.learned import BELIEF
from undercut.games.gin.players.belief.marginals import counting_marginals, marginals_of
from undercut.games.gin.players.belief.network import Network
from undercut.games.gin.players.network.joint import JOINT
from undercut.games.gin.rules.deal import Phase
from undercut.learn.candidates import check_unseen, load, of_network, shipped
from undercut.learn.decisions import Decisions
from undercut.learn.model import build, export
from undercut.learn.score import KS, NAMES, ORDERS, Score, first_cards, log_losses, recall, score
from undercut.learn.shards import DataError
from undercut.paper.plots import plot_scores
from undercut.players.joint.belief import joint_belief


@pytest.fixture(scope="module")
def network() -> Network:
    return Network(export(build(BELIEF, 1, "cpu")), {})


def scored(network: Network, folder: Path, remember: bool = True) -> Score:
    """A network of the paper, next to counting."""
    return score({"network": of_network(BELIEF, network, remember)}, [folder], remember=remember)


def slow_recall(chances: list[float], hand: set[int], k: int) -> float:
    """The mean over many orders of equally likely cards."""
    random = np.random.default_rng(0)
    found = 0
    for _ in range(400):
        order = sorted(range(52), key=lambda card: (-chances[card], random.random()))
        found += len(hand & set(order[:k]))
    return found / 400 / len(hand)


def test_recall_breaks_ties_at_random() -> None:
    chances = np.zeros((2, 52))
    chances[0, :4] = 0.9  # four cards above, the rest alike
    chances[1, :26] = np.arange(26, 0, -1) / 26
    hands = np.array([0b11_0000_0000_0011, 0b1010101010])
    for k in (4, 10, 25):
        fast = recall(chances, hands, k)
        for row in (0, 1):
            slow = slow_recall(chances[row].tolist(), set(each(hands[row])), k)
            assert fast[row] == pytest.approx(slow, abs=0.03)
    assert recall(chances, hands, 52).tolist() == [1, 1]


def test_tkca_looks_for_the_first_card_alone(tested_on: Path, network: Network) -> None:
    hands = [parse_cards("Kc 3d 2s"), parse_cards("2s 2h Qc"), parse_cards("Ks")]
    for order, firsts in (("tkca", ["2s", "2h", "Ks"]), ("tkca-suits", ["Kc", "Qc", "Ks"])):
        found = first_cards(hands, ORDERS[order])
        assert [format_cards(int(cards)) for cards in found] == firsts
    result = scored(network, tested_on)
    data = Decisions([tested_on])
    block = data.replay(np.arange(data.matches))
    total, by_suit = 0.0, 0.0
    for chances, hand in zip(counting_marginals(block.views), block.hands.tolist(), strict=True):
        total += found_among(10, min(each(hand), key=lambda card: (card % 13, card)), chances)
        by_suit += found_among(10, min(each(hand)), chances)
    assert result.mean("counting", "tkca@10")[0] == pytest.approx(total / len(block))
    assert result.mean("counting", "tkca-suits@10")[0] == pytest.approx(by_suit / len(block))


def found_among(k: int, card: int, chances: Any) -> float:
    places = k - sum(chances > chances[card])
    return min(max(places / sum(chances == chances[card]), 0), 1)


def test_log_loss_is_over_unknown_cards() -> None:
    chances = np.full((1, 52), 0.25)
    losses = log_losses(chances, np.array([0b1]), np.array([0b11]))
    assert losses[0] == pytest.approx(-(np.log(0.25) + np.log(0.75)) / 2)


def test_the_figures_are_means_over_decisions(tested_on: Path, network: Network) -> None:
    result = scored(network, tested_on)
    data = Decisions([tested_on])
    block = data.replay(np.arange(data.matches))
    counting = counting_marginals(block.views)
    guessed = marginals_of(block.views, network.predict(features_of(block.views)))
    for name, k in zip(NAMES, KS, strict=False):
        expected = recall(counting, block.hands, k).mean()
        value, (low, high) = result.mean("counting", name)
        assert value == pytest.approx(expected)
        assert low < value < high
        lift, _ = result.lift("network", name)
        assert lift == pytest.approx(recall(guessed, block.hands, k).mean() - expected)
    assert result.decisions == len(data) == sum(result.to_json()["decisions_by_turn"])
    turns = result.turn_counts[1:]
    by_turn = [0 if value is None else value for value in result.by_turn("network", "log_loss")]
    assert (turns * by_turn).sum() / turns.sum() == pytest.approx(
        result.mean("network", "log_loss")[0]
    )
    assert result.calibration_error("counting") < 0.02
    cards = sum(count for _, _, count in result.calibration("network"))
    assert cards == sum(count for _, _, count in result.calibration("counting"))


def test_draws_and_discards_make_up_the_whole(tested_on: Path, network: Network) -> None:
    result, data = scored(network, tested_on), Decisions([tested_on])
    block = data.replay(np.arange(data.matches))
    counting = counting_marginals(block.views)
    is_discard = block.views.phase == Phase.DISCARD
    told = result.to_json()
    for choice, chosen in (("draw", ~is_discard), ("discard", is_discard)):
        found = recall(counting, block.hands, 15)[chosen].mean()
        figure = told["beliefs"]["counting"]["by_choice"][choice]["recall@15"]
        assert figure["mean"] == pytest.approx(found)
        assert figure["ci95"][0] < found < figure["ci95"][1]
        assert told["decisions_by_choice"][choice] == chosen.sum() > 0


def test_what_the_network_forgets_counting_still_knows(tested_on: Path, network: Network) -> None:
    data = Decisions([tested_on])
    block = data.replay(np.arange(data.matches))
    said = network.predict(features_of(block.views))
    found = {remember: scored(network, tested_on, remember=remember) for remember in (False, True)}
    for remember, result in found.items():
        guessed = recall(marginals_of(block.views, said, remember), block.hands, 10)
        assert result.mean("network", "recall@10")[0] == pytest.approx(guessed.mean())
        assert result.to_json()["remember"] == remember
    forgetful, remembering = (found[each].mean("network", "recall@10")[0] for each in (False, True))
    assert forgetful < remembering  # an untrained network knows nothing by itself
    assert found[0].mean("counting", "recall@10") == found[1].mean("counting", "recall@10")


def test_a_joint_belief_is_scored_by_its_marginals(tested_on: Path, tmp_path: Path) -> None:
    data = Decisions([tested_on])
    block = data.replay(np.arange(data.matches))
    views, hands = block.views[::7], block.hands[::7]
    assert shipped(data.game) == ["paper", "joint"]
    joint = joint_belief(data.game, JOINT)
    one_by_one = np.array([joint.marginals(view)[0] for view in views])
    found = load(data.game, "joint").marginals(views)
    assert found == pytest.approx(one_by_one, abs=1e-5)
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(JOINT.path.read_bytes())
    assert (load(data.game, str(copy)).marginals(views) == found).all()
    assert recall(found, hands, 10).mean() > recall(counting_marginals(views), hands, 10).mean()


def test_plots_are_drawn(tested_on: Path, network: Network, tmp_path: Path) -> None:
    found = scored(network, tested_on).to_json()
    plot_scores(found, tmp_path / "plot.svg", {"thrifty": "the thrifty one"})
    drawn = (tmp_path / "plot.svg").read_text()
    for text in ("Calibration", "By opponent", "simple", "the thrifty one"):
        assert text in drawn


def test_deals_that_were_trained_on_are_refused(trained_on: Path, tested_on: Path) -> None:
    described: list[dict[str, Any]] = Decisions([trained_on]).describe()
    with pytest.raises(DataError, match="another --seed"):
        check_unseen(described, Decisions([trained_on]))
    check_unseen(described, Decisions([tested_on]))
