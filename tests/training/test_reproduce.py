"""The paper's steps, taken with a quick player in the place of the slow ones."""

import re
from pathlib import Path

import pytest

from undercut.agents import heuristic
from undercut.core.errors import OptionsError
from undercut.core.jit import COMPILED
from undercut.training import paper_report, reproduce
from undercut.training.paper_report import HYPER_PARAMETERS, write_report
from undercut.training.reproduce import SCALES, Reproduction
from undercut.training.shards import DataError


class Quick(Reproduction):
    """`simple` plays all parts: it is quick, and has a setting to tune."""

    def _with_paper_settings(self, name: str, number: int | None = None) -> str:
        return "simple"


@pytest.fixture
def _one_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "RANGES", {"knock_at": (0, 10)})
    monkeypatch.setattr(paper_report, "RANGES", {"knock_at": (0, 10)})
    monkeypatch.setitem(HYPER_PARAMETERS, "knock_at", ("KNOCK AT", 10.0))


@pytest.mark.usefixtures("_one_setting")
@pytest.mark.skipif(not COMPILED, reason="a minute when interpreted")
def test_every_step_is_taken_once_and_reported(tmp_path: Path) -> None:
    announced: list[str] = []
    Quick(tmp_path, "tiny", workers=1).run(announced.append, upto="train1")
    assert [text.split(",")[0] for text in announced] == [
        "1 of 12: tune1",
        "2 of 12: generate1",
        "3 of 12: train1",
    ]
    run = Quick(tmp_path, "tiny", workers=1)
    run.run(announced.append)
    assert len(announced) == len(run.steps()) == 12
    run.run(announced.append)
    assert len(announced) == 12
    report = write_report(run)
    for printed in ("37.75%", "61.47%", "79.61%", "90.68%", "57.0 %", "69.5 %", "50 million"):
        assert printed in report
    assert not re.search(r"\bnan\b|None", report)
    assert (tmp_path / "evaluation.png").exists()
    assert run.result("evaluate")["decisions"] >= 150


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


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    Reproduction(tmp_path, "tiny", 1)
    with pytest.raises(DataError, match="holds another run"):
        Reproduction(tmp_path, "tiny", 2)
    with pytest.raises(OptionsError, match="unknown scale 'huge': one of small, full, tiny"):
        Reproduction(tmp_path, "huge")
    assert SCALES["full"].divisor == 1


def test_the_heuristic_agent_has_the_printed_settings() -> None:
    for name, (_, printed) in HYPER_PARAMETERS.items():
        assert getattr(heuristic.Settings(), name) == printed
        low, high = reproduce.RANGES[name]
        assert low <= printed <= high
