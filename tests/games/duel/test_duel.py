"""A game that nothing in the package knows plays in every command and on the simulated GPU."""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from positions import Table, changed_positions, random_table, scaled, walk
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.play.agent import Random as Chance
from undercut.play.batch import play_batch
from undercut.players.catalog import parse_agent

ROOT = Path(__file__).parents[3]
GAME = parse_game("duel")


def duel(*arguments: object, typed: str = "", **environment: str) -> str:
    """The output of the program with the game registered."""
    done = subprocess.run(
        [sys.executable, "-m", "duel", *map(str, arguments)],
        cwd=ROOT / "examples",
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")} | environment,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.compiled
def test_it_is_listed_with_its_options_and_agents() -> None:
    assert "duel" in duel("rules").split()
    assert "cards that each player gets [D 1]" in duel("rules", "duel")
    told = json.loads(duel("agents", "duel", "--json"))
    assert list(told["agents"]) == ["miser", "random"]
    assert told["strengths"] == {}


@pytest.mark.compiled
def test_it_plays_in_matches_and_tournaments() -> None:
    match = json.loads(duel("match", "duel", "miser", "random", "-n", 200, "--json"))
    assert match["win_rate"] > 0.8
    table = json.loads(duel("tournament", "duel", "miser", "random", "-n", "4", "--json"))
    assert table["games"] == 4


@pytest.mark.compiled
def test_a_person_plays_it_and_the_record_can_be_replayed(tmp_path: Path) -> None:
    record = tmp_path / "duel.jsonl"
    shown = duel("play", "duel:target=3", "--record", record, typed="1\n" * 400)
    assert "Duel (duel:target=3): you against Miser, first to 3" in shown
    assert "The match is over" in shown
    assert duel("replay", record).startswith("duel:target=3: you v miser\n")


@pytest.mark.compiled
def test_a_hint_is_the_agent_s_action() -> None:
    table = random_table(GAME, Random(1))
    table.play_any(Random(2))
    position = format_position(GAME, table.view())
    agent = parse_agent("miser", GAME)
    action = agent.act(table.view(), table.actions(), Chance.from_seed(0))  # type: ignore[union-attr]
    text = GAME.notation.format_action(action)
    assert duel("hint", position, "--agent", "miser") == f"miser: {text}\n"
    assert duel("hint", position).startswith("evaluator: play ")
    assert duel("hint", position, "--agent", "random").startswith("random: play ")


def test_positions_that_cannot_be_are_refused() -> None:
    """Whatever is changed in a position, it is read as another one that can be, or refused."""
    views = changed_positions(GAME, random_table(GAME, Random(3)))
    assert max(int(view.hand).bit_count() for view in views) <= GAME.options.hand


def test_it_is_small() -> None:
    """A game is complete in less than 275 lines, text and description included."""
    files = (ROOT / "examples" / "duel").rglob("*.py")
    assert sum(len(file.read_text().splitlines()) for file in files) < 275


@pytest.mark.compiled
def test_the_simulated_gpu_plays_the_same_matches() -> None:
    command = ["match", "duel", "miser", "random", "-n", "4", "--seed", "3", "--json"]
    simulated = {"NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"}
    here = json.loads(duel(*command))
    there = json.loads(duel(*command, "--device", "cuda", **simulated))
    assert {**here, "deals_per_second": 0} == {**there, "deals_per_second": 0}


def _slow_points(table: Table, random: Random) -> list[int]:
    """A deal by the rules in words, with lists."""
    deck, hand = [*table.deck], GAME.options.hand
    hands = [deck[:hand], deck[hand : 2 * hand]]
    seat, led = table.starter, None
    for _ in walk(table, random):
        if not table.played:
            continue
        card = table.played[-1]
        hands[seat].remove(card)
        if led is None:
            led, seat = card, 1 - seat
        else:
            seat, led = 1 - seat if led % 13 >= card % 13 else seat, None
        assert table.seat == seat
        assert table.actions() == sorted(hands[seat])
    return [int(seat == 0), int(seat == 1)]


def test_a_deal_goes_by_its_rules() -> None:
    random = Random(5)
    for _ in range(scaled(50, 5)):
        table = random_table(GAME, random)
        assert _slow_points(table, random) == table.points()


def test_the_miser_beats_what_it_can_as_cheaply_as_it_can() -> None:
    agent, random = parse_agent("miser", GAME), Random(6)
    for table in walk(random_table(GAME, random), random):
        if table.is_over:
            break
        view, legal = table.view(), table.actions()
        action = agent.act(view, legal, Chance.from_seed(1))  # type: ignore[union-attr]
        higher = [card % 13 for card in legal if view.card >= 0 and card % 13 > view.card % 13]
        assert action % 13 == min(higher or [card % 13 for card in legal])


def test_matches_end_at_the_target() -> None:
    agents = [parse_agent(name, GAME) for name in ("miser", "random")]
    batch = play_batch(GAME, agents, scaled(40, 4), seed=1)
    assert (batch.scores.max(axis=1) >= GAME.options.target).all()
