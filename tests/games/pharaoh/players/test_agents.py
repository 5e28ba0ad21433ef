"""Pharaoh's agents: what they go by, beside slow twins, and that each does as it says."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from games.pharaoh.positions import Table, dealt, generator, placed, scaled, shuffled, walk
from games.pharaoh.reference import agents as slow
from undercut.cards.french import each
from undercut.cards.german import format_card, parse_cards
from undercut.games.families import parse_game
from undercut.games.pharaoh.players import heuristic as pharaoh_heuristic
from undercut.games.pharaoh.players import mcts as pharaoh_mcts
from undercut.games.pharaoh.players.strategy.answer import answer_chance, answers, next_seat
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.view import unseen_fresh, unseen_old
from undercut.kernels.records import pack
from undercut.play.agent import Random as Chance
from undercut.play.agent import Turn
from undercut.play.batch import play_batch
from undercut.players.catalog import parse_agent

GAMES = ["pharaoh", "pharaoh:players=4", "prsi:players=3", "pharaoh:quad_effects=1,aces_stack=0"]


def tables(name: str, count: int, seed: int) -> Iterator[Table]:
    """Positions of random deals in which there is something to choose."""
    random = Random(seed)
    for _ in range(count):
        table = dealt(shuffled(random), name)
        for moves, _ in enumerate(walk(table, random, eager=moves_are_eager(random))):
            if not table.is_over and len(table.actions()) > 1 and random.randrange(6) == 0:
                yield table
            if moves == 120:
                break


def moves_are_eager(random: Random) -> bool:
    return random.random() < 0.5


def names(cards: int) -> set[str]:
    return {format_card(card) for card in each(cards)}


def plays(table: Table) -> list[list[str]]:
    return [text.partition(" suit")[0].split() for text in sorted(table.plays())]


def choice(table: Table, spec: str, seed: int = 1) -> str:
    agent = parse_agent(spec, table.game)
    action = agent.act(table.view(), table.actions(), Chance(generator(seed)))
    return str(table.game.notation.format_action(action))


@pytest.mark.parametrize("name", GAMES)
def test_answers_are_what_the_rules_let_the_next_player_put_first(name: str) -> None:
    for table in tables(name, scaled(40, 4), 1):
        for action in table.actions()[1:]:
            after = table.copy()
            after.apply(action)
            if not after.is_over:
                expected = pharaoh.first_cards(after.state, after.options)
                assert answers(table.view(), table.options, action) == expected


@pytest.mark.parametrize("name", GAMES)
def test_the_next_seat_is_the_one_that_moves_after_a_draw(name: str) -> None:
    for table in tables(name, scaled(20, 3), 2):
        after = table.copy()
        after.apply(table.actions()[0])
        if not after.is_over:
            assert next_seat(table.view(), table.options) == after.seat


def test_the_chance_of_an_answer_counts_hands() -> None:
    table = placed("7H 8H", "KC KL XC", pile="9B 9H", stock="8B 8C 8L XB XH")
    view, sought = table.view(0), parse_cards("KC 8B")
    fresh, old = unseen_fresh(view), unseen_old(view)
    assert (names(fresh) | names(old)) >= {"KC", "KL", "XC", "8B"}
    held = int(view.fresh[1])
    pools = [(names(fresh), held, names(sought)), (names(old), 3 - held, names(sought))]
    assert answer_chance(view, 1, sought) == pytest.approx(float(slow.chance_of_any(pools)))


def test_who_drew_had_nothing_to_put_first() -> None:
    table = placed("7H 8B", "KC XL XC", pile="9B 9H", stock="8H 8C 8L XB XH", seat=1).play("draw")
    view, hearts = table.view(0), parse_cards("8H XH KH")
    assert int(view.gained[1]) == 1
    pool = names(unseen_fresh(view))
    expected = slow.chance_of_any([(pool, 1, names(hearts))])
    assert answer_chance(view, 1, hearts) == pytest.approx(float(expected))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("spec", "twin"), [("biggest", slow.biggest), ("smallest", slow.smallest)])
def test_tuples_are_chosen_by_length(name: str, spec: str, twin: Any) -> None:
    seen = set()
    for number, table in enumerate(tables(name, scaled(30, 5), 3)):
        chosen = choice(table, spec, number)
        cards = chosen.removeprefix("play ").partition(" suit")[0].split()
        assert cards in twin(plays(table))
        seen.add(chosen)
    assert len(seen) > 5


def test_hands_are_worth_what_the_slow_twin_says() -> None:
    random, settings = Random(4), pharaoh_heuristic.Settings()
    for _ in range(scaled(300, 60)):
        hand = sum(1 << card for card in random.sample(range(32), random.randrange(12)))
        expected = slow.hand_worth(names(hand), settings._asdict())
        assert pharaoh_heuristic.hand_worth(hand, pack(settings)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("spec", "mine", "pile", "expected"),
    [
        ("biggest", "9H 8H 8B 8C", "7H", "play 8H 8"),
        ("smallest", "9H 8H 8B 8C", "7H", "play 9H"),
        ("heuristic", "9H OB KC", "7H", "play 9H"),  # an over goes onto anything later on
        ("heuristic", "9H UL KC", "8H", "play 9H"),  # and so does leaves-under
        ("heuristic", "9H 9B", "8H", "play 9H 9B"),  # out
        ("mcts:iterations=20", "9H 9B", "8H", "play 9H 9B"),
        ("annoying", "9H 9B XC", "8H", "play 9H 9B"),  # no bells are left to match it
    ],
)
def test_agents_choose_as_they_say(spec: str, mine: str, pile: str, expected: str) -> None:
    others = "8B XB KB AB 7B UB OC"
    table = placed(mine, "KH XH", pile=f"{others} {pile}" if spec == "annoying" else pile)
    assert choice(table, spec).startswith(expected)


def test_the_heuristic_draws_only_if_it_must() -> None:
    for table in tables("pharaoh", scaled(20, 3), 5):
        assert choice(table, "heuristic").startswith("play")


def test_a_search_keeps_within_its_workspace_and_answers_legally() -> None:
    guard = 64
    settings = pack(pharaoh_mcts.Settings(iterations=scaled(400, 2), depth=3, width=15))
    for table in islice(tables("pharaoh:players=4", 6, 6), scaled(40, 3)):
        workspace = np.full(pharaoh_mcts.WORKSPACE + guard, 99, dtype=np.int64)
        legal = np.array(table.actions(), dtype=np.int64)
        words = workspace[: pharaoh_mcts.WORKSPACE]
        turn = Turn(legal, table.options, settings, generator(7), words)
        action = pharaoh_mcts.choose(table.view(), turn)
        assert action in legal
        assert (workspace[-guard:] == 99).all()


@pytest.mark.compiled
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("better", "worse", "share"),
    [
        ("biggest", "random", 0.80),
        ("smallest", "biggest", 0.52),
        ("annoying", "random", 0.80),
        ("heuristic", "smallest", 0.56),
        ("mcts:iterations=100", "smallest", 0.54),
    ],
)
def test_better_agents_leave_worse_ones_behind(
    better: str, worse: str, share: float, seats: int
) -> None:
    """The share of the other players left behind."""
    game = parse_game("pharaoh", seats)
    agents = [parse_agent(spec, game) for spec in [better, *[worse] * (seats - 1)]]
    is_search = better.startswith("mcts")
    batch = play_batch(game, agents, 100 if is_search else 1200, seed=11)
    behind = batch.scores[:, 0].mean() / (2 * (seats - 1))
    assert behind >= share
