"""How strong the agents are: measured, written in one file, and the same wherever it is shown."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from rulesets import SHIPPED
from strengths import (
    BEGIN,
    END,
    Ladders,
    is_slow,
    measure,
    put_between_marks,
    save_ladders,
    settings_of,
    to_markdown,
)
from undercut.cli import main
from undercut.games.families import find_family
from undercut.players.catalog import agent_names
from undercut.players.strengths import Ladder, load_ladders, measured_specs, ranked, strength_of

PAGE = Path(__file__).parents[2] / "docs" / "results.md"


def test_every_agent_has_a_row_measured_as_it_plays_now() -> None:
    ladders = load_ladders()
    assert set(ladders) == set(SHIPPED)
    for rules, ladder in ladders.items():
        family = find_family(rules)
        assert (ladder.game, ladder.reference) == (family.measured_at, family.reference)
        lacking = {*measured_specs(rules)} - {*ladder.strengths}
        assert not lacking, f"measure them: python benchmarks/strengths.py {' '.join(lacking)}"
        assert list(ladder.strengths) == measured_specs(rules)
        for spec, found in ladder.strengths.items():
            assert found.settings == settings_of(rules, spec), f"measure {spec} again"
            assert found.ci95[0] <= found.win_rate <= found.ci95[1]
            assert found.games >= 100
            assert found.microseconds > 0
            assert (
                f" {spec} {ladder.reference} -n {found.games} --seed {found.seed}" in found.command
            )


def test_the_reference_is_as_strong_as_itself() -> None:
    for ladder in load_ladders().values():
        low, high = ladder.strengths[ladder.reference].ci95
        assert low - 0.005 < 0.5 < high + 0.005


def test_every_level_is_stronger_than_the_one_before() -> None:
    """As far as the interval of a level that searches tells: few games are measured of it."""
    for rules, ladder in load_ladders().items():
        levels = find_family(rules).levels
        found = [each for level in levels if (each := strength_of(level, ladder)) is not None]
        assert len(found) == len(levels) >= 5
        for level, below, above in zip(levels[1:], found[:-1], found[1:], strict=True):
            is_search = is_slow(rules, level.spec)
            assert (above.ci95[1] if is_search else above.win_rate) > below.win_rate


def test_the_page_has_the_same_numbers() -> None:
    page = PAGE.read_text()
    assert page == put_between_marks(page, to_markdown(load_ladders()))
    with pytest.raises(AssertionError, match="the page lacks"):
        put_between_marks("nothing", "table")
    assert put_between_marks(f"a {BEGIN} old {END} z", "new") == f"a {BEGIN}\n\nnew\n\n{END} z"


def few(rules: str, spec: str) -> int:
    return 2


def test_only_what_is_lacking_is_measured(tmp_path: Path) -> None:
    file, ladders, announced = tmp_path / "strengths.json", Ladders(), list[str]()
    for agents in (["biggest"], ["biggest", "random"]):
        for found in measure(
            ladders, ["pharaoh"], few, 5, only=agents, workers=1, announce=announced.append
        ):
            save_ladders(found, file)
            ladders = load_ladders(file)
            assert ladders == found
    assert [text.split()[1] for text in announced] == ["biggest", "random"]
    assert list(ladders["pharaoh"].strengths) == ["biggest", "random"]
    row = ladders["pharaoh"].strengths["biggest"]
    assert row.command == "undercut match pharaoh:players=2 biggest smallest -n 2 --seed 5"
    again = list(measure(ladders, ["pharaoh"], few, 6, only=["biggest"], workers=1))
    assert again[0]["pharaoh"].strengths["biggest"].seed == 6
    more = list(measure(ladders, ["pharaoh"], lambda *_: 4, 5, only=["biggest"], workers=1))
    assert more[0]["pharaoh"].strengths["biggest"].games == 4


def test_with_another_reference_everything_is_measured_again() -> None:
    old = Ladders(pharaoh=Ladder("pharaoh:players=2", "biggest", {}))
    measured = next(measure(old, ["pharaoh"], few, 5, only=["random"], workers=1))
    known = Ladders(pharaoh=structs.replace(measured["pharaoh"], reference="biggest"))
    again = next(measure(known, ["pharaoh"], few, 5, only=["random"], workers=1))
    assert again["pharaoh"].reference == "smallest"


def test_who_is_slow() -> None:
    assert is_slow("gin", "estimator:settings=printed")
    assert is_slow("rummy", "mcts")
    assert not is_slow("gin", "simple")


def test_agents_are_listed_with_their_strength() -> None:
    ladder = load_ladders()["gin"]
    shown = CliRunner().invoke(main, ["agents"]).stdout
    for name in agent_names(find_family("gin")):
        assert f"{100 * ladder.strengths[name].win_rate:.1f} %" in shown
    assert "games won against simple at gin" in " ".join(shown.split())
    shown = CliRunner().invoke(main, ["agents", "gin", "estimator"]).stdout
    printed = ladder.strengths["estimator:settings=printed"].win_rate
    assert f"({100 * printed:.1f} % against simple)" in " ".join(shown.split())


def test_programs_get_it_as_json() -> None:
    for game, rules in (("distilled", "gin"), ("pharaoh", "pharaoh")):
        told = json.loads(CliRunner().invoke(main, ["agents", game, "--json"]).stdout)
        assert told["rules"] == rules
        names = ranked(agent_names(find_family(rules)), load_ladders()[rules])
        assert list(told["agents"]) == names
        found = load_ladders()[rules].strengths[told["reference"]]
        assert told["strengths"][told["reference"]]["win_rate"] == found.win_rate
    told = json.loads(CliRunner().invoke(main, ["agents", "--json"]).stdout)
    player = told["agents"]["estimator"]
    assert player["settings"] == player["presets"]["published"] != player["presets"]["printed"]
    assert "weights" not in player["settings"]
    assert player["limits"]["opponent"] == [0.0, 100.0]


def test_the_strongest_agents_come_first_and_the_unmeasured_last() -> None:
    ladder = load_ladders()["gin"]
    names = ["zealous", "random", "able", "estimator", "simple"]
    assert ranked(names, ladder) == ["estimator", "simple", "random", "able", "zealous"]
    assert ranked(names, None) == sorted(names)
