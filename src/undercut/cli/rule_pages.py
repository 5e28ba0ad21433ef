"""The rules of each game as pages, from the wheel or the repository."""

from pathlib import Path
from typing import TYPE_CHECKING

import undercut

if TYPE_CHECKING:
    from undercut.games.contract import Game

_PACKAGE = Path(undercut.__file__).parent
_FOLDERS = (_PACKAGE / "rules", _PACKAGE.parents[1] / "docs" / "rules")


def rules_page(game: "Game") -> str:
    """The rules of a game as Markdown; "" for a game without a page."""
    preset = game.name.partition(":")[0].partition("+")[0]
    for name in (preset, game.family.name):
        for folder in _FOLDERS:
            path = folder / f"{name}.md"
            if path.is_file():
                return path.read_text(encoding="utf-8")
    return ""
