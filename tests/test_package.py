"""What a user imports from undercut: a short list, filled when it is used."""

from importlib import import_module

import pytest

import undercut
from rulesets import SHIPPED
from undercut.games.families import find_family
from undercut.games.table.readable import View
from undercut.text.errors import OptionsError


@pytest.mark.parametrize("name", undercut.__all__)
def test_every_name_can_be_imported(name: str) -> None:
    found = getattr(undercut, name)
    assert callable(found)
    assert found is getattr(undercut, name)
    assert name in dir(undercut)


@pytest.mark.parametrize("game", SHIPPED)
def test_the_view_of_a_game_is_found_by_its_name(game: str) -> None:
    """In the game's folder, where type checkers know it, and beside the other names."""
    family = find_family(game)
    name = family.view.__name__
    assert getattr(import_module(family.package), name) is getattr(undercut, name) is family.view
    preset = next(iter(family.rules.PRESETS))
    assert undercut.load(preset, view=family.view) == undercut.load(preset)


def test_views_of_another_game_are_refused() -> None:
    class OtherView(View):
        pass

    with pytest.raises(OptionsError, match="a view of gin is a GinView, not a OtherView"):
        undercut.load("gin", view=OtherView)


def test_the_list_and_its_rooms_agree() -> None:
    assert sorted(undercut.__all__) == sorted([*undercut._ROOMS, "load"])
    with pytest.raises(AttributeError, match="no attribute 'whist'"):
        undercut.__getattr__("whist")
    with pytest.raises(AttributeError, match="no attribute 'WhistView'"):
        undercut.__getattr__("WhistView")
