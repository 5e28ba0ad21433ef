"""Every option of a game and every setting of an agent is declared once, with limits and help."""

import re
from pathlib import Path
from typing import Any

import pytest

from rulesets import SHIPPED
from undercut.games.families import all_families, find_family
from undercut.players.catalog import agent_names, find_agent
from undercut.text.spec import Option, options_of

PAGES = Path(__file__).parents[2] / "docs" / "rules"
RULES = {family.name: family.rules for family in all_families()}
AGENTS = [(family.name, name) for family in all_families() for name in agent_names(family)]


def _check(declared: dict[str, Option], defaults: Any) -> None:
    helps = [option.help for option in declared.values()]
    assert len(set(helps)) == len(helps)
    for name, option in declared.items():
        assert option.low <= getattr(defaults, name) <= option.high, name
        assert len(option.help) > 8, name
        assert not option.help.endswith((".", ",")), f"{name}: help is part of a line"


@pytest.mark.parametrize("family", RULES)
def test_every_option_of_a_game_has_limits_and_help(family: str) -> None:
    rules = RULES[family]
    declared = options_of(rules.Options)
    assert list(declared) == list(rules.Options._fields)
    for options in rules.PRESETS.values():
        _check(declared, options)


@pytest.mark.parametrize("family", SHIPPED)
def test_every_option_of_a_game_stands_on_its_page(family: str) -> None:
    rules, declared = RULES[family], options_of(RULES[family].Options)
    page = (PAGES / f"{family}.md").read_text(encoding="utf-8")
    presets = rf"((?:-?\d+ \| ){{{len(rules.PRESETS)}}})"  # a column each
    rows = re.findall(rf"^\| `(\w+)` \| (.+?) \| {presets}\[", page, re.M)
    assert [row[0] for row in rows] == list(declared)
    for name, values, columns in rows:
        defaults = columns.split(" | ")[:-1]
        assert [getattr(preset, name) for preset in rules.PRESETS.values()] == [*map(int, defaults)]
        numbers = [int(number) for number in re.findall(r"-?\d+", values)]
        assert (numbers[0], numbers[-1]) == (declared[name].low, declared[name].high), name
        for rule in declared[name].rule.split(", "):
            assert re.fullmatch(r"[A-Z] \d+", rule), f"{name} names no rule"


@pytest.mark.parametrize(("family", "name"), AGENTS)
def test_every_setting_of_an_agent_has_limits_and_help(family: str, name: str) -> None:
    entry = find_agent(find_family(family), name)
    fields = entry.settings._asdict()
    assert set(entry.options) == {each for each in fields if isinstance(fields[each], int | float)}
    for settings in (entry.settings, *entry.presets.values()):
        _check(entry.options, settings)
