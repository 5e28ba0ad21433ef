"""Training a belief as a whole: it learns, and goes on after a stop as if there had been none."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from undercut.cli import main
from undercut.games.families import parse_game
from undercut.learn.belief.run import BeliefRun
from undercut.learn.checkpoint import load_tensors, save_tensors
from undercut.learn.positions.config import SIZES, Config, change, shares
from undercut.learn.positions.run import Point
from undercut.learn.positions.training import CHECKPOINT, saved_config, train
from undercut.learn.shards import DataError
from undercut.play.deal import Deal
from undercut.players.encoding import encoding_of
from undercut.players.joint.belief import JointBelief, joint_belief
from undercut.players.joint.weights import joint_weights_of
from undercut.text.errors import OptionsError

TINY = replace(
    SIZES["small"], width=32, rows=64, piece=4, mixing=6, measured=2, opponents="simple=1"
)
PIECE = TINY.rows * TINY.piece  # positions


def _without_time(curve: list[Point]) -> list[object]:
    return [(each["positions"], each["opponents"]) for each in curve]


def test_a_run_that_was_stopped_goes_on_the_same(tmp_path: Path) -> None:
    config = replace(TINY, opponents="")
    first = train(BeliefRun, config, tmp_path / "whole", "cpu", decisions=3 * PIECE)
    for count in (1, 3):
        second = train(BeliefRun, config, tmp_path / "parts", "cpu", decisions=count * PIECE)
    assert first.positions == second.positions == 3 * PIECE
    assert _without_time(first.curve) == _without_time(second.curve)
    whole, parts = (load_tensors(tmp_path / name / CHECKPOINT)[0] for name in ("whole", "parts"))
    assert set(whole) == set(parts)
    assert all(torch.equal(whole[name], parts[name]) for name in whole)
    assert any(name.startswith("exp_avg_sq/") for name in whole)
    again = train(BeliefRun, config, tmp_path / "again", "cpu", decisions=3 * PIECE)
    assert _without_time(again.curve) == _without_time(first.curve), "the same seed, the same run"
    other = train(BeliefRun, replace(config, seed=1), tmp_path / "other", "cpu", decisions=PIECE)
    assert _without_time(other.curve) != _without_time(first.curve[:1])


def test_it_learns_more_than_counting(tmp_path: Path) -> None:
    config = replace(SIZES["small"], width=64, piece=160, opponents="simple=1", mixing=40)
    run = train(BeliefRun, config, tmp_path, "cpu", seconds=1e-6)
    scores = run.curve[-1]["opponents"]["gin simple"]
    assert scores["log_loss"] < scores["counting_log_loss"] - 0.03
    for k in (10, 15, 20, 25):
        assert scores[f"recall@{k}"] > scores[f"counting_recall@{k}"] + 0.02
    belief = joint_belief(parse_game("gin"), tmp_path / BeliefRun.FILE)
    view = Deal(belief.game, seed=1).observe()
    hands = belief.sample(view, 30)
    assert {int(hand).bit_count() for hand in hands[:, 0]} == {10}


def test_several_hands_and_rule_sets(tmp_path: Path) -> None:
    changes = {"game": "pharaoh:players=3", "also": "pharaoh", "opponents": "self=1 smallest=1"}
    run = train(BeliefRun, replace(TINY, **changes), tmp_path, "cpu", seconds=1e-6)  # type: ignore[arg-type]
    widths = {each.name: each.end - each.first for each in run.tables.sittings}
    assert widths == {
        "pharaoh:players=3 self": 24,
        "pharaoh:players=3 smallest": 24,
        "pharaoh self": 8,
        "pharaoh smallest": 8,
    }
    assert set(run.curve[-1]["opponents"]) == set(widths)
    assert set(run.curve[-1]["opponents"]["pharaoh self"]) == {
        "positions",
        "log_loss",
        "counting_log_loss",
    }
    assert joint_belief(run.game, tmp_path / BeliefRun.FILE).hands == 2


@torch.no_grad()
def test_the_network_that_is_saved_is_the_one_that_was_trained() -> None:
    """NumPy and torch give the same logits, with and without given cards."""
    run = BeliefRun(TINY, "cpu")
    tables, encoding = run.tables, encoding_of(run.game)
    tables.look()
    masking = run.masking(tables.now)
    masking.fill(tables.now)
    for each in run.weights:
        each.copy_(torch.randn_like(each) / max(each.shape) ** 0.5)
    named = {name: each.numpy() for name, each in zip(run.names, run.weights, strict=True)}
    belief = JointBelief(run.game, joint_weights_of(named, encoding, TINY.width, {}))
    logits = run.network(tables.now.bits, masking.given)[:, :52]
    for row, (given, expected) in enumerate(zip(masking.words[0].numpy(), logits, strict=True)):
        sight = belief.look(tables.sittings[0].table.views[row])
        found = torch.from_numpy(belief._logits(sight, given[None])[0, 0])
        assert torch.allclose(found, expected, atol=1e-4)


def test_the_network_at_the_start_is_nearly_that_of_counting() -> None:
    run = BeliefRun(TINY, "cpu")
    point = run.look_back()
    scores = point["opponents"]["gin simple"]
    assert scores["log_loss"] == pytest.approx(scores["counting_log_loss"], abs=0.05)
    assert 0.25 < scores["counting_recall@10"] < 0.4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"opponents": "simple"}, "'simple' must be NAME=SHARE, with a share above 0"),
        ({"opponents": "simple=0"}, "'simple=0' must be NAME=SHARE, with a share above 0"),
        ({"opponents": "simple=1 simple=2"}, "simple has two shares"),
        ({"opponents": "nobody=1"}, "unknown agent 'nobody'"),
        ({"opponents": "blueprint=1"}, "blueprint is a network; self and drawn play by one"),
        ({"width": "0"}, "width=0: must be at least 1"),
        ({"also_share": "1"}, "also_share=1: must be at least 0 and below 1"),
        ({"averaging": "1"}, "averaging=1: must lie between 0 and 1"),
        ({"precision": "float16"}, "precision=float16: must be one of float32, bfloat16"),
        ({"rows": "many"}, "rows=many: must be int"),
        ({"kept": "97"}, "kept=97: must be from 0 to mixing=96, the steps that fill it"),
        ({"batch": "0"}, "batch=0: must be at least 1"),
        ({"courage": "1"}, "unknown setting 'courage' of the run"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, str], message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        change(Config(), changes)


def test_other_games_and_other_runs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionsError, match="also=rummy: no rule set of the game gin"):
        BeliefRun(replace(TINY, also="rummy"), "cpu")
    train(BeliefRun, TINY, tmp_path, "cpu", seconds=1e-6)
    with pytest.raises(DataError, match="has width=32, not 64"):
        train(BeliefRun, replace(TINY, width=64), tmp_path, "cpu")
    assert saved_config(tmp_path) == TINY
    assert saved_config(tmp_path / "nowhere") is None
    save_tensors(tmp_path / CHECKPOINT, {"a": torch.zeros(1)}, {"config": {}})
    with pytest.raises(DataError, match="it is none of such a run"):
        saved_config(tmp_path)


def test_shares_add_up_to_one() -> None:
    game = parse_game("rummy")
    assert shares(Config(), game) == pytest.approx({"self": 0.35, "drawn": 0.15, "heuristic": 0.5})


def test_a_run_that_is_stopped_early_keeps_what_it_has_learned(tmp_path: Path) -> None:
    told: list[int] = []
    config = replace(TINY, piece=64)
    stopped = train(
        BeliefRun,
        config,
        tmp_path,
        "cpu",
        progress=lambda positions, _: told.append(positions),
        stops=lambda: bool(told),
    )
    assert told == [16 * config.rows], "16 steps of 64"
    assert (stopped.pieces, stopped.positions, stopped.curve) == (1, told[0], [])
    assert (tmp_path / BeliefRun.FILE).is_file()
    more = train(BeliefRun, config, tmp_path, "cpu", decisions=told[0] + 1)
    assert (more.pieces, len(more.curve)) == (2, 1)


def test_the_command_trains_goes_on_and_says_what_it_did(tmp_path: Path) -> None:
    sets = ["rows=64", "piece=3", "width=32", "mixing=4", "measured=2", "opponents=simple=1"]
    words = ["belief", "gin", str(tmp_path), "--positions", "192"]
    words += [word for each in sets for word in ("--set", each)]
    done = CliRunner().invoke(main, [*words, "--seed", "3"])
    assert done.exit_code == 0, done.output
    assert "gin simple: log-loss" in done.output
    assert "recall@10" in done.output
    again = CliRunner().invoke(main, [*words, "--seed", "3"])
    assert "it has already lasted" in again.output
    more = CliRunner().invoke(
        main, ["belief", "gin", str(tmp_path), "--positions", "300", "--seed", "3", "--json"]
    )
    printed = json.loads(more.stdout)
    assert (printed["positions"], printed["seed"]) == (384, 3)
    assert Path(printed["belief"]).is_file()
    assert [point["positions"] for point in printed["curve"]] == [192, 384]
