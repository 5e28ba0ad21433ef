"""What may be played again: never so that somebody sees a hand that is still in play."""

from pathlib import Path
from typing import get_args

import pytest

from undercut.app.again import How, begin_again
from undercut.app.store import OVER, Store, Stored
from undercut.core.errors import IllegalAction
from undercut.games.description import YOU
from undercut.games.families import parse_game

ONE, TWO = [YOU, "simple"], [YOU, YOU]


def allowed(store: Store, stored: Stored) -> set[str]:
    """The ways in which a game may be played again."""
    found = set()
    for how in get_args(How):
        try:
            begin_again(store, stored, how)
        except IllegalAction:
            continue
        found.add(how)
    return found


@pytest.mark.parametrize(
    ("players", "training", "expected"),
    [(ONE, False, set()), (ONE, True, {"rematch", "same"}), (TWO, True, set())],
)
def test_while_it_is_in_play(
    tmp_path: Path, players: list[str], training: bool, expected: set[str]
) -> None:
    store = Store(tmp_path)
    stored = store.begin(parse_game("gin"), players, 5, training)
    assert allowed(store, stored) == expected
    store.note(stored.number, OVER, (100, 0), [])
    assert allowed(store, store.find(stored.number)) == {"rematch", "same", "seats"}
    store.close()
