"""generate, train, score and tune as commands."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from undercut.cli import main
from undercut.text.errors import UndercutError


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_from_decisions_to_a_score(trained_on: Path, tested_on: Path, tmp_path: Path) -> None:
    model, plot = tmp_path / "model.safetensors", tmp_path / "plot.png"
    options = ["--epochs", 1, "--batch", 256, "--workers", 1, "--test", tested_on]
    done = run("train", trained_on, "--out", model, *options, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["decisions"] > 0
    done = run("score", tested_on, "--model", model, "--plot", plot, "--json")
    assert done.exit_code == 0, done.output
    score = json.loads(done.stdout)
    assert list(score["beliefs"]) == ["model", "counting"]
    assert set(score["beliefs"]["model"]) == set(score["beliefs"]["counting"])
    assert plot.exists()
    shown = run("score", tested_on, "--model", model).stdout
    assert "recall@25" in shown
    assert "counting" in shown
    assert "knows (--remember) the cards seen being taken" in shown
    assert f"discards alone ({score['decisions_by_choice']['discard']:,})" in shown
    shown = run("score", tested_on, "--model", model, "--forget").stdout
    assert "guesses (--forget) the cards seen being taken" in shown
    assert run("score", trained_on, "--model", model).exit_code == 2


def test_all_shipped_beliefs_are_scored_side_by_side(tested_on: Path) -> None:
    done = run("score", tested_on, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert list(told["beliefs"]) == ["paper", "joint", "counting"]
    pairs = [(lift["belief"], lift["over"]) for lift in told["lifts"]]
    assert pairs == [("paper", "counting"), ("joint", "counting"), ("joint", "paper")]
    for lift in told["lifts"]:
        one, other = (told["beliefs"][lift[side]] for side in ("belief", "over"))
        gained = one["recall@10"]["mean"] - other["recall@10"]["mean"]
        assert lift["figures"]["recall@10"]["mean"] == pytest.approx(gained)
    shown = run("score", tested_on).stdout
    assert all(name in shown for name in told["beliefs"])


def test_generate_tells_what_it_made(tmp_path: Path) -> None:
    pair = ["--pair", "simple", "thrifty", 30, "--pair", "simple", "simple", 20]
    done = run("generate", tmp_path / "d", "gin:target=1", *pair, "--json")
    assert done.exit_code == 0, done.output
    made = json.loads(done.stdout)
    assert made["decisions"] >= 50
    assert "bytes (" in run("generate", tmp_path / "d", "gin:target=1", *pair).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["generate", "d", "gin"], "either some AGENTs or some --pair"),
        (["generate", "d", "gin", "simple", "--decisions", "0"], "--decisions 0"),
        (["generate", "d", "gin", "nobody"], "unknown agent 'nobody'"),
        (["train", "nowhere", "--out", "m"], "no decisions in 'nowhere'"),
        (["score", "nowhere"], "no decisions in 'nowhere'"),
        (["tune", "gin", "thrifty", "--study", "s.db"], "Missing option '--against'"),
        (["reproduce", "--scale", "huge"], "huge"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.output
    assert done.output.count("\n") == 1


def test_missing_extras_are_named(
    trained_on: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from undercut.lab import extras

    def no_such_package(name: str) -> None:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(extras.importlib, "import_module", no_such_package)
    done = run("train", trained_on, "--out", tmp_path / "m.safetensors")
    assert done.exit_code == 2
    assert "pip install 'undercut[train]'" in done.output
    with pytest.raises(UndercutError, match=r"undercut\[tune\]"):
        extras.need("optuna", "tune")
