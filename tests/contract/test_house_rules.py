"""House rules as screens offer them: every option once, in words, with its usual value."""

import re

import pytest

from undercut.games.contract import Family
from undercut.games.families import all_families
from undercut.games.table.house_rules import LENGTH, SEATS, offered
from undercut.games.table.plain_description import description_of
from undercut.text.spec import options_of

FAMILIES = [family for family in all_families() if description_of(family).house]
every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


@every_family
def test_every_option_is_offered_once(family: Family) -> None:
    house = description_of(family).house
    declared = {*options_of(family.rules.Options)} - {*LENGTH, SEATS}
    assert sorted(offered(house)) == sorted(declared)


@every_family
def test_choices_are_within_the_limits_and_have_every_usual_value(family: Family) -> None:
    limits = options_of(family.rules.Options)
    for rule in (rule for group in description_of(family).house for rule in group.rules):
        option, values = limits[rule.option], [value for value, _ in rule.choices]
        assert all(option.low <= value <= option.high for value in values)
        if values:
            usual = {getattr(preset, rule.option) for preset in family.rules.PRESETS.values()}
            assert usual <= {*values}
        else:
            assert option.low >= 0, f"{rule.option}: say what {option.low} means"


@every_family
def test_what_a_rule_needs_makes_rules_that_can_be_played(family: Family) -> None:
    """Every switch alone, with what it needs, from every preset."""
    rules = family.rules
    limits = options_of(rules.Options)
    for preset in rules.PRESETS.values():
        for rule in (rule for group in description_of(family).house for rule in group.rules):
            values = [value for value, _ in rule.choices]
            if (limits[rule.option].low, limits[rule.option].high) == (0, 1):
                values = [0, 1]
            for value in values:
                needed = {need.option: need.then for need in rule.needs if need.value == value}
                options = preset._replace(**{rule.option: value}, **needed)
                assert rules.find_problem(options) == "", (rule.option, value)


@every_family
def test_no_word_of_an_example_looks_like_a_card(family: Family) -> None:
    """A page draws `As` as the ace of spades."""
    for rule in (rule for group in description_of(family).house for rule in group.rules):
        assert not re.search(r"\b(As|Ah|Ad|Th)\b", rule.example), rule.option


@every_family
def test_every_preset_and_variant_has_a_sentence(family: Family) -> None:
    describe, rules = description_of(family), family.rules
    assert {*describe.about} == {*rules.PRESETS}
    assert {*describe.variants} == {name for each in rules.VARIANTS.values() for name in each}
