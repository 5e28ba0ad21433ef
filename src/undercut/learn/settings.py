"""The settings of training runs, as people give them: values as text, and further rule sets."""

from collections.abc import Mapping
from typing import Any

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.text.errors import OptionsError
from undercut.text.spec import one_of


def read_changes(
    settings: Mapping[str, object], changes: Mapping[str, str], command: str
) -> dict[str, Any]:
    """Values given as text, each in the type of its setting."""
    kinds: dict[str, type] = {name: type(value) for name, value in settings.items()}
    values: dict[str, Any] = {}
    for name, text in changes.items():
        if name not in kinds:
            raise OptionsError(f"unknown setting {name!r} of {command}: {one_of(kinds, name)}")
        kind = kinds[name]
        try:
            values[name] = bool(int(text)) if kind is bool else kind(text)
        except ValueError:
            raise OptionsError(f"{name}={text}: must be {kind.__name__}") from None
    return values


def other_rule_sets(main: Game, also: str) -> list[Game]:
    """The further rule sets of a run; they must be of the same game."""
    found = [parse_game(spec) for spec in also.split()]
    for game in found:
        if game.family is not main.family:
            raise OptionsError(f"also={game.name}: no rule set of the game {main.family.name}")
    return found
