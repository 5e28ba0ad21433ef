"""Distillation: a small network learns the policy and the value of the shipped one."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from undercut.cli import main
from undercut.games.families import parse_game
from undercut.learn.distil.run import VALUE_WEIGHT, DistilRun
from undercut.learn.positions.config import SIZES
from undercut.learn.positions.training import train
from undercut.learn.selfplay.rivals import begin_with
from undercut.players.catalog import parse_agent
from undercut.players.policy.entry import find_policy

TINY = replace(
    SIZES["small"], width=32, rows=64, piece=4, mixing=6, measured=2, opponents="self=1 drawn=1"
)


def test_it_learns_to_play_the_same(tmp_path: Path) -> None:
    run = DistilRun(replace(TINY, width=64), "cpu")
    before = run.look_back()["opponents"]["gin self"]
    config = replace(TINY, width=64, rows=128, piece=200, mixing=40, rate=3e-3)
    after = train(DistilRun, config, tmp_path, "cpu", seconds=1e-6).curve[-1]["opponents"]
    for scores in after.values():
        assert scores["agreement"] > before["agreement"] + 0.15
        assert scores["divergence"] < before["divergence"] - 0.3
        assert scores["explained"] > before["explained"] + 0.3
    game = parse_game("gin")
    agent = parse_agent(f"blueprint:model={tmp_path / DistilRun.FILE}", game)
    assert agent.settings.width == 64  # type: ignore[union-attr]


@torch.no_grad()
def test_the_loss_is_that_of_a_slow_twin() -> None:
    run = DistilRun(TINY, "cpu")
    tables, outputs = run.tables, run.tables.encoding.outputs
    for each in run.weights:
        each.copy_(torch.randn_like(each) / max(each.shape) ** 0.5)
    tables.look()
    heads = run.network(tables.now.bits).double()
    teacher = tables.policy(tables.now.bits).double()
    legal = [
        [tables.encoding.output_of(int(action)) for action in row[:count]]
        for each in tables.sittings
        for row, count in zip(each.table.legal, each.table.counts, strict=True)
    ]
    total = 0.0
    for mine, theirs, allowed in zip(heads, teacher, legal, strict=True):
        ours, wanted = (torch.softmax(row[allowed], 0) for row in (mine, theirs))
        total += float((wanted * (wanted / ours).log()).sum())
        total += VALUE_WEIGHT * float((mine[outputs] - theirs[outputs]) ** 2)
    tables.play()
    assert float(run.loss(tables.now)) == pytest.approx(total / tables.rows, rel=1e-4)


@torch.no_grad()
def test_a_run_in_bfloat16_answers_nearly_the_same_and_learns() -> None:
    runs = [DistilRun(replace(TINY, precision=each), "cpu") for each in ("float32", "bfloat16")]
    exact, rough = (run.tables for run in runs)
    for tables in (exact, rough):
        tables.restart(1)
        tables.look()
        tables.play()
    wanted, found = exact.now.answers, rough.now.answers
    assert 0 < float((wanted - found).abs().mean()) < 0.02 * float(wanted.abs().mean())


def test_a_network_agrees_with_itself() -> None:
    policy = find_policy("blueprint", parse_game("gin"))
    assert policy is not None
    run = DistilRun(replace(TINY, width=policy.width, blocks=policy.blocks), "cpu")
    begin_with("blueprint", run.game, run.network)  # type: ignore[arg-type]
    for mine, theirs in zip(run.average, run.weights, strict=True):
        mine.copy_(theirs.detach())
    for scores in run.look_back()["opponents"].values():
        assert scores["agreement"] == 1
        assert scores["divergence"] == pytest.approx(0, abs=1e-5)
        assert scores["explained"] == pytest.approx(1, abs=1e-5)


def test_the_command_says_how_often_both_play_the_same(tmp_path: Path) -> None:
    words = ["distil", "gin", str(tmp_path), "--positions", "192", "--seed", "3"]
    for each in ("rows=64", "piece=3", "width=32", "mixing=4", "measured=2", "opponents=simple=1"):
        words += ["--set", each]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "gin simple: plays the same in " in done.output
    more = CliRunner().invoke(
        main, ["distil", "gin", str(tmp_path), "--positions", "300", "--seed", "3", "--json"]
    )
    printed = json.loads(more.stdout)
    assert (printed["positions"], printed["seed"]) == (384, 3)
    assert Path(printed["policy"]).is_file()
