"""Rummy agents: what they see in a hand, what they may not know, and that each beats the last."""

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

import accounts
from cards.reference.cards import from_mask
from games.rummy import reference as slow
from games.rummy.positions import dealt, eager_walk, placed, shuffled
from positions import Table, generator, scaled
from undercut.cards.french import parse_cards, points
from undercut.games.families import parse_game
from undercut.games.rummy.players import mcts as rummy_mcts
from undercut.games.rummy.players.strategy import hand as rummy_hand
from undercut.games.rummy.players.strategy.guess import guess
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.table.text import format_action
from undercut.kernels.jit import kernel
from undercut.kernels.records import new, pack, record_in, words_for
from undercut.play import agent as agents
from undercut.play.agent import Turn
from undercut.play.batch import play_batch
from undercut.play.job import Backend
from undercut.players.catalog import parse_agent

SPECS = [
    "random",
    "restricted",
    "restricted:as_coded=1",
    "greedy",
    "greedy:as_coded=1",
    "heuristic",
    "heuristic:meld_everything=1,prefer_new=1,longest=1,prefer_runs=1",
    f"mcts:iterations={scaled(12, 3)}",
    f"mcts:iterations={scaled(12, 3)},draws_only=1",
    f"mcts:iterations={scaled(12, 3)},as_coded=1",
]


def any_hand(random: Random, count: int) -> list[str]:
    """A hand in which melds are likely: cards of two suits and few ranks."""
    return random.sample([card for card in slow.PACK if card[1] in "ch" or card[0] in "567"], count)


def mask(cards: Any) -> int:
    return parse_cards(" ".join(cards))


def slow_least_left(hand: set[str]) -> int:
    """The fewest points that can be left of a hand by making melds."""
    least = sum(slow.value(card) for card in hand)
    for meld in slow.melds_in(hand):
        least = min(least, slow_least_left(hand - set(meld)))
    return least


def test_unmelded_leaves_the_fewest_points() -> None:
    random = Random(1)
    for _ in range(scaled(200, 60)):
        hand = any_hand(random, random.randint(3, 9))
        left = rummy_hand.unmelded(mask(hand))
        assert points(left, 10) == slow_least_left(set(hand))
        assert from_mask(left) <= set(hand)


def test_meld_outs_are_the_cards_that_make_a_new_meld_with_two_of_the_hand() -> None:
    random = Random(2)
    for _ in range(scaled(200, 60)):
        hand = random.sample(slow.PACK, random.randint(2, 10))
        expected = {
            card
            for card in set(slow.PACK) - set(hand)
            if any(
                slow.is_set([*two, card]) or slow.is_run([*two, card])
                for two in combinations(hand, 2)
            )
        }
        assert from_mask(rummy_hand.meld_outs(mask(hand))) == expected


@pytest.mark.parametrize(
    ("hand", "melds", "left"),
    [
        ("8h 9h Jh", ["5h 6h 7h"], "Jh"),
        ("3h 4h 2h Kh", ["5h 6h 7h"], "Kh"),
        ("Ah Kh", ["2h 3h 4h", "Tc Jc Qc"], "Kh"),
        ("7h 8h", ["7c 7d 7s", "4h 5h 6h"], ""),
        ("6h", ["3h 4h 5h", "7h 8h 9h"], ""),
        ("Ac", ["Jc Qc Kc"], "Ac"),
    ],
)
def test_lay_offs_carry_further_ones_on_runs(hand: str, melds: list[str], left: str) -> None:
    view = placed(hand, "2c", melds, pile="9d").view(0)
    assert from_mask(rummy_hand.loose_cards(view, int(view.hand))) == set(left.split())


def test_the_best_put_down_looks_beyond_the_longest_meld() -> None:
    # Four sevens at once would leave the eight; three of them let the others go on the run.
    table = placed("7c 7d 7h 7s 8h Kd", "2c", ["4h 5h 6h"], pile="9d", stock="2s").play("draw")
    legal = np.array(table.actions(), dtype=np.int64)
    best = rummy_hand.best_put_down(table.view(0), legal)
    assert format_action(best) in ("meld 7c 7d 7s", "lay 7h on 6h")


def decide(spec: str, table: Table, seed: int = 1) -> str:
    agent = parse_agent(spec, table.game)
    view = table.view(int(table.state.seat))
    return format_action(agent.act(view, table.actions(), agents.Random.from_seed(seed)))


@pytest.mark.compiled
@pytest.mark.parametrize("game", ["rummy-classic", "rummy"])
@pytest.mark.parametrize("spec", SPECS)
def test_agents_play_legal_actions_to_the_end(spec: str, game: str) -> None:
    """Interpreted, the contract's test of all agents does."""
    chance = [agents.Random.from_seed(seed) for seed in (1, 2)]
    for seed in range(6):
        table = dealt(shuffled(Random(seed)), game)
        agent = parse_agent(spec, table.game)
        while not table.is_over:
            seat = int(table.state.seat)
            legal = table.actions()
            action = agent.act(table.view(seat), legal, chance[seat])
            assert action in legal
            rummy.apply(table.state, table.options, action)


@pytest.mark.parametrize("spec", ["greedy", "heuristic", "mcts:iterations=30"])
def test_agents_go_out_when_they_can(spec: str) -> None:
    table = placed("5h 6h 9c 9d 9s", "Kc Kd", pile="7h")
    for _ in range(3):
        table.play(decide(spec, table))
    assert table.is_over
    assert table.state.winner == 0


def test_greedy_throws_its_highest_card() -> None:
    table = placed("5h 2c Kd", "3c", pile="9d", stock="8s").play("draw")
    assert decide("greedy", table) == "discard Kd"


def test_the_heuristic_holds_melds_back_until_the_other_player_is_close() -> None:
    hand, other = "5h 6h 7h 2c Kd Js", "3c 4d 8s 9s Qc"
    far = placed(hand, other, pile="9d", stock="Td", turn=4).play("draw")
    assert decide("heuristic", far).startswith("discard")
    near = placed(hand, "3c 4d", pile="9d", stock="Td", turn=4).play("draw")
    assert decide("heuristic", near) == "meld 5h 6h 7h"
    late = placed(hand, other, pile="9d", stock="Td", turn=40).play("draw")
    assert decide("heuristic", late).startswith("discard")
    late.state.opened[:] = -1
    assert decide("heuristic", late) == "meld 5h 6h 7h"


def test_the_heuristic_counts_cards() -> None:
    # Two pairs of ten-point cards: the one whose other cards lie on the pile can go.
    other = "2c 3d 4h 8s 9s"
    queens = placed("Qc Qd Jh Js", other, pile="Qh Qs 5d", stock="Ah 6c").play("draw")
    assert decide("heuristic", queens) in ("discard Qc", "discard Qd")
    jacks = placed("Qc Qd Jh Js", other, pile="Jc Jd 5d", stock="Ah 6c").play("draw")
    assert decide("heuristic", jacks) in ("discard Jh", "discard Js")


def test_no_agent_throws_what_the_other_player_is_known_to_wait_for() -> None:
    # The other hand is known, since the stock has been drawn to its end: it waits for the nine.
    table = placed("9h 9d 2s 4c", "7h 8h Kc Kd Ac", pile="3s Qc", stock="", turnovers=1)
    table.play("turn over")
    for spec in ("heuristic", "mcts:iterations=60"):
        assert decide(spec, table) != "discard 9h"


@pytest.mark.parametrize("craft", [0, 4])
def test_a_guessed_position_looks_the_same_to_its_seat(craft: int) -> None:
    chance, state = generator(3), new(rummy.STATE, 1)[0]
    for seed in range(scaled(10, 3)):
        random = Random(seed)
        table = dealt(shuffled(random))
        for _ in eager_walk(table, random):
            guess(table.view(), table.options, craft, chance, state)
            accounts.check(rummy, state)
            guessed = table.copy()
            guessed.state = state
            assert guessed.view().tobytes() == table.view().tobytes()


def test_a_guessed_hand_is_less_loose_than_one_by_chance() -> None:
    table = dealt(shuffled(Random(5)))
    table.state.turn = 12
    view, state, chance = table.view(0), new(rummy.STATE, 1)[0], generator(4)
    means = []
    for craft in (0, 4):
        total = 0
        for _ in range(scaled(300, 40)):
            guess(view, table.options, craft, chance, state)
            total += points(rummy_hand.loose_cards(view, int(state.hands[1])), 10)
        means.append(total / scaled(300, 40))
    assert means[1] < 0.7 * means[0]


def test_a_search_beyond_its_nodes_keeps_within_its_workspace() -> None:
    table = dealt(shuffled(Random(6))).play("draw")
    settings = rummy_mcts.Settings(iterations=scaled(9000, 60), depth=6, width=11)
    guard = 64
    workspace = np.full(rummy_mcts.WORKSPACE + guard, 99, dtype=np.int64)
    legal = np.array(table.actions(), dtype=np.int64)
    words = workspace[: rummy_mcts.WORKSPACE]
    turn = Turn(legal, table.options, pack(settings), generator(1), words)
    action = rummy_mcts.choose(table.view(0), turn)
    assert action in legal
    assert (workspace[-guard:] == 99).all()


@kernel
def write_in(words: Any) -> None:
    record = record_in(words, rummy.STATE)
    record.hands[1] = 77


def test_records_lie_in_a_workspace() -> None:
    words = np.zeros(words_for(rummy.STATE), dtype=np.int64)
    write_in(words)
    assert words.tolist().count(77) == 1
    assert 8 * len(words) >= rummy.STATE.itemsize


@pytest.mark.parametrize(
    ("better", "worse", "share"),
    [("restricted", "random", 0.9), ("greedy", "restricted", 0.97), ("heuristic", "greedy", 0.9)],
)
def test_each_agent_beats_the_one_before(better: str, worse: str, share: float) -> None:
    game = parse_game("rummy")
    pair = [parse_agent(better, game), parse_agent(worse, game)]
    batch = play_batch(game, pair, scaled(400, 2), seed=2, backend=Backend(workers=1))
    if scaled(1, 0):
        assert batch.shares[:, 0].mean() > share
    else:
        assert batch.results.deals.min() >= 1


def test_compiled_and_interpreted_agents_play_the_same_game() -> None:
    # The suite runs both ways; both must come to this one result.
    game = parse_game("rummy")
    pair = [parse_agent("heuristic", game), parse_agent("greedy", game)]
    batch = play_batch(game, pair, 2, seed=5, backend=Backend(workers=1))
    assert batch.results.scores[:, :2].tolist() == [[102, 0], [0, 100]]
    assert batch.results.actions.tolist() == [125, 92]
