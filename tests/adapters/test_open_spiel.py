"""OpenSpiel's own tests pass for every preset, its algorithms run, nothing hidden shows."""

import pickle
import runpy
import unittest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts

from undercut.adapters.open_spiel import AgentBot, spiel_names
from undercut.cards.french import each
from undercut.games.families import parse_game
from undercut.play.chance_nodes import ChanceDeal
from undercut.play.deal import Deal
from undercut.text.errors import IllegalAction, OptionsError

GAMES = [*spiel_names(), "python_undercut_pharaoh(players=4)"]
EXAMPLE = Path(__file__).parents[2] / "examples" / "their_gin.py"
every_game = pytest.mark.parametrize("name", GAMES)


def _walk(game: Any, random: Random, steps: int) -> Any:
    """A state after the hands are dealt and so many choices; chance is not counted."""
    state = game.new_initial_state()
    while not state.is_terminal() and (steps or state.is_chance_node()):
        steps -= not state.is_chance_node()
        state.apply_action(random.choice(state.legal_actions()))
    return state


@every_game
def test_random_play_passes_their_test(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@every_game
def test_their_tests_of_the_interface_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def some(game: Any, max_states: int) -> Any:
        walks = [_walk(game, Random(steps), steps) for steps in (0, 3, 12, 400)]
        return [game.new_initial_state(), *walks]

    monkeypatch.setattr(api_test.sample_some_states, "sample_some_states", some)
    fields = {"game_name": name, "game": pyspiel.load_game(name)}
    case: Any = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), fields)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.failures + result.errors, result


@every_game
def test_what_looks_the_same_reads_the_same(name: str) -> None:
    """Deal again what a player cannot know: no string and no number that it is given changes."""
    game, random = pyspiel.load_game(name), Random(3)
    changed = 0
    for steps in (0, 3, 8, 15):
        state = _walk(game, random, steps)
        for player in range(game.num_players() if not state.is_terminal() else 0):
            twin = state.resample_from_infostate(player, random.random)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.observation_string(player) == state.observation_string(player)
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            assert player != state.current_player() or twin.legal_actions() == state.legal_actions()
            others = [other for other in range(game.num_players()) if other != player]
            changed += any(
                twin.information_state_string(other) != state.information_state_string(other)
                for other in others
            )
    assert changed > 3


def test_the_same_cards_and_actions_are_the_same_deal() -> None:
    """Chance that is named card by card deals as a deck does."""
    for name in ("gin", "rummy", "pharaoh:players=3"):
        game, random = parse_game(name), Random(5)
        deal = Deal(game, seed=6)
        true = deal._state
        deck = true["deck"].tolist()
        table = ChanceDeal(game, starter=0)
        for card in deck:
            if table.needs_card:
                table.draw(card)
        for _ in range(25):
            if deal.is_over:
                break
            assert [table.deal.observe(seat).tobytes() for seat in range(game.seats)] == [
                deal.observe(seat).tobytes() for seat in range(game.seats)
            ]
            action = random.choice(deal.actions)
            before = int(deal._state["hands"][deal.seat])
            seat = deal.seat
            deal.apply(action)
            table.apply(action)
            come = int(deal._state["hands"][seat]) & ~before
            while table.needs_card:
                card = next(card for card in table.next_cards() if come >> card & 1)
                come ^= 1 << card
                table.draw(card)
        with pytest.raises(IllegalAction):
            table.draw(0)


def test_parameters_are_house_rules() -> None:
    game = pyspiel.load_game("python_undercut_gin(knock_limit=5,gin_bonus=20)")
    assert game.rule_set.options.knock_limit == 5
    assert game.max_utility() == 125
    assert str(pyspiel.load_game(str(game))) == str(game)
    with pytest.raises(OptionsError, match="heart_seven_returns"):
        pyspiel.load_game("python_undercut_pharaoh(heart_seven_returns=1)")


def test_states_are_copied_and_pickled() -> None:
    state = _walk(pyspiel.load_game("python_undercut_rummy"), Random(1), 6)
    twin, again = state.clone(), pickle.loads(pickle.dumps(state))
    for other in (twin, again):
        assert str(other) == str(state)
        assert other.history() == state.history()
    twin.apply_action(twin.legal_actions()[0])
    assert str(twin) != str(state) == str(again)


def test_their_algorithms_run_on_ours() -> None:
    """A short Distilled: one discard each, and one draw or take between them."""
    game = pyspiel.load_game("python_undercut_distilled(void_stock=30,max_discard_takes=1)")
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    solver.iteration()
    state = _walk(game, Random(2), 0)
    chances = solver.average_policy().action_probabilities(state)
    assert set(chances) == set(state.legal_actions())
    searcher = ismcts.ISMCTSBot(
        game=game,
        uct_c=20.0,
        max_simulations=12,
        max_world_samples=-1,
        random_state=np.random.RandomState(1),
        evaluator=mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(2)),
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )
    assert searcher.step(state) in state.legal_actions()


def test_our_agents_play_there() -> None:
    game = pyspiel.load_game("python_undercut_gin")
    state, random = game.new_initial_state(), Random(4)
    bots = [
        AgentBot(game, player, spec, seed=1) for player, spec in enumerate(["simple", "random"])
    ]
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0


def test_a_state_in_words_before_all_cards_are_dealt() -> None:
    state = pyspiel.load_game("python_undercut_gin").new_initial_state()
    assert str(state) == "dealt: "
    for card in (0, 14, 51):
        state.apply_action(card)
    assert str(state) == "dealt: Ac 2d Ks"
    assert state.information_state_string(1) == "seat 1: 3 cards are dealt"


def test_a_bot_has_the_chance_of_its_seed_and_player() -> None:
    state = _walk(pyspiel.load_game("python_undercut_gin"), Random(2), 1)
    while len(state.legal_actions()) < 9:
        state.apply_action(Random(1).choice(state.legal_actions()))
    player = state.current_player()

    def choices(**given: int) -> list[int]:
        bot = AgentBot(state.get_game(), player, "random", **given)
        return [bot.step(state) for _ in range(20)]

    assert choices() == choices(seed=0) != choices(seed=1)


@pytest.mark.parametrize("name", ["python_undercut_gin", "python_undercut_pharaoh(players=4)"])
def test_returns_are_the_points_beyond_those_of_the_others(name: str) -> None:
    game, random = pyspiel.load_game(name), Random(7)
    found = 0
    while found < 3:
        state = _walk(game, random, 1_000)
        points = state._table.deal.points()
        if len({*points}) > 1:
            others = [np.mean([*points[:seat], *points[seat + 1 :]]) for seat in range(len(points))]
            assert state.returns() == pytest.approx(np.array(points) - others)
            found += 1
    assert _walk(game, random, 3).returns() == [0] * game.num_players()


def test_a_state_that_looks_different_to_the_player_is_no_twin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every action would be legal there too, but the player would have been dealt another card."""
    state = _walk(pyspiel.load_game("python_undercut_rummy"), Random(1), 0)
    hands = [list(each(int(hand))) for hand in state._table.deal._state["hands"]]
    places = {hands[0][0]: hands[1][0], hands[1][0]: hands[0][0]}
    monkeypatch.setattr(ChanceDeal, "exchanged", lambda *_: places)
    assert state._redealt(0, 1) is None
    assert state.resample_from_infostate(0, Random(1).random).history() == state.history()


def test_our_agents_play_their_gin() -> None:
    gained, guest = runpy.run_path(str(EXAMPLE))["play"]("simple", 6)
    assert len(gained) == 6
    assert guest.asked > 40
    assert guest.lost < guest.asked // 10, "the rules agree nearly everywhere"
