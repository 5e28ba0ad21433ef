"""The paper's steps, taken with a quick player in the place of the slow ones."""

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from undercut.cli import main
from undercut.games.contract import Game
from undercut.games.gin.players.strategy import thinking
from undercut.lab.compare import Comparison, play_match
from undercut.learn.shards import DataError
from undercut.paper import report as paper_report
from undercut.paper import reproduce
from undercut.paper.matches import APPENDIX_B, with_fields
from undercut.paper.report import HYPER_PARAMETERS, write_report
from undercut.paper.reproduce import SCALES, Reproduction
from undercut.play.agent import AnyAgent, KernelAgent
from undercut.text.errors import OptionsError
from undercut.text.spec import split_spec


class Quick(Reproduction):
    """`simple` is tuned and makes the data: it is quick, and has a setting to tune."""

    def _tuned_agent(self, phase: int) -> str:
        return "simple"

    def _sampling(self, spec: str, samples: int) -> str:
        return spec

    def _final_tuned(self) -> str:
        return self._final()


class Asked:
    """An agent that is asked choice by choice: a match of two games is not worth compiling for."""

    def __init__(self, agent: AnyAgent) -> None:
        assert isinstance(agent, KernelAgent)
        self.name, self.act = agent.name, agent.act


def _asked(game: Game, agents: Sequence[AnyAgent], *more: Any, **options: Any) -> Comparison:
    return play_match(game, [Asked(agent) for agent in agents], *more, **options)


@pytest.fixture
def _one_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "RANGES", {"knock_at": (0, 10)})
    monkeypatch.setattr(paper_report, "RANGES", {"knock_at": (0, 10)})
    monkeypatch.setitem(HYPER_PARAMETERS, "knock_at", ("KNOCK AT", 10.0))


@pytest.mark.usefixtures("_one_setting")
@pytest.mark.compiled
def test_every_step_is_taken_once_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reproduce, "play_match", _asked)
    announced: list[str] = []
    Quick(tmp_path, "tiny", workers=1).run(announced.append, upto="train1")
    assert [text.split(",")[0] for text in announced] == [
        "1 of 33: tune1",
        "2 of 33: generate1",
        "3 of 33: train1",
    ]
    run = Quick(tmp_path, "tiny", workers=1)
    told: list[str] = []
    run.run(announced.append, tell=told.append)
    assert {text.split()[-1] for text in told} == {"trials", "decisions", "games", "discards"}
    assert "2 of 2 games" in told
    assert len(announced) == len(run.steps()) == 33
    run.run(announced.append)
    assert len(announced) == 33
    write_report(run, tmp_path / "paper.md")
    report = (tmp_path / "paper.md").read_text()
    for printed in ("37.75%", "61.47%", "79.61%", "90.68%", "57.0 %", "69.5 %", "50 million"):
        assert printed in report
    for label, _ in HYPER_PARAMETERS.values():
        assert f"| {label} |" in report
    for about in APPENDIX_B.values():
        assert f"| {about} |" in report
    assert not re.search(r"\bnan\b|None|not measured", report)
    assert "(paper.png)" in report
    count = run.result("score")["decisions_by_choice"]["discard"]
    assert f"| discards alone ({count:,}) |" in report
    assert "| the same, which remembers the cards it saw being taken |" in report
    assert (tmp_path / "paper.png").exists()
    assert run.result("score")["decisions"] >= 150
    assert run.seconds()["cpu"] > 0
    for step in run.steps():
        for command in step.command().splitlines():
            assert_can_be_typed(command)
            assert command in report


def assert_can_be_typed(command: str) -> None:
    """The command line knows every option of a command in the report."""
    program, name, *words = shlex.split(command)
    assert program == "undercut"
    found = main.get_command(click.Context(main), name)
    assert found is not None
    found.make_context(name, words)


@pytest.mark.usefixtures("_one_setting")
def test_the_mix_is_the_paper_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Quick(tmp_path, "small")
    monkeypatch.setattr(run, "_agents", lambda: ("one", "other"))
    monkeypatch.setattr(run, "_estimator", lambda tuning: "new")
    first = {pairing.agents: pairing.decisions for pairing in run._pairings(1, 1)}
    about = {
        agent: sum(count for agents, count in first.items() if agent in agents) / 2
        for agent in ("simple", "one", "other")
    }
    assert about == {"simple": 4e6, "one": 14e6, "other": 14e6}
    second = run._pairings(2, 1)
    assert [pairing.agents[1] for pairing in second] == ["new", "one", "other"]
    assert sum(pairing.decisions for pairing in second) == 9_000_000


def test_tuning_samples_fewer_hands_than_what_comes_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Reproduction(tmp_path, "full")
    monkeypatch.setattr(run, "_model", lambda number: "paper")

    def sampled(specs: Iterable[str]) -> set[int]:
        return {int(split_spec(spec)[1]["samples"]) for spec in specs if spec != "simple"}

    for phase in (1, 2, 3):
        task = run._task(phase)
        assert sampled([task.agent, *task.opponents]) == {SCALES["full"].tune_samples} == {25}
        found = [
            {"spec": with_fields(task.agent, dict.fromkeys(reproduce.RANGES, number))}
            for number in (2, 3)
        ]
        path = run._result_path(f"tune{phase}")
        path.write_text(json.dumps({"strategies": found}))
        pairings = run._pairings(phase, 1)
        assert sampled(spec for each in pairings for spec in each.agents) == {100}
    assert sampled([run._final(), run._final_tuned()]) == {SCALES["full"].samples} == {100}
    assert split_spec(run._agents()[1])[1]["meld_bonus"] == "3"


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    Reproduction(tmp_path, "tiny", 1)
    with pytest.raises(DataError, match="holds another run"):
        Reproduction(tmp_path, "tiny", 2)
    with pytest.raises(OptionsError, match="unknown scale 'huge': one of small, full, tiny"):
        Reproduction(tmp_path, "huge")
    assert SCALES["full"].divisor == 1


def test_the_heuristic_agent_has_the_printed_settings() -> None:
    for name, (_, printed) in HYPER_PARAMETERS.items():
        assert getattr(thinking.Settings(), name) == printed
        low, high = reproduce.RANGES[name]
        assert low <= printed <= high
