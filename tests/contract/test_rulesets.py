"""Which rule sets the contract tests go through: no game decides that for another."""

import pytest

from rulesets import EVERY, _family, some_of
from undercut.games.families import all_families


@pytest.mark.interpreted  # compiled, all of them are
def test_a_game_more_or_less_changes_nothing_for_the_others() -> None:
    chosen = some_of(EVERY)
    for family in all_families():
        others = [name for name in EVERY if _family(name) != family.name]
        assert some_of(others) == [name for name in chosen if name in others]
        assert family.rules.NAME in chosen
