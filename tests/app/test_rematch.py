"""What may be played again: never so that somebody sees a hand that is still in play."""

from pathlib import Path
from typing import get_args

import pytest

from undercut.app.rematch import How, begin_again, other_levels
from undercut.app.store import Store
from undercut.app.stored_games import OVER, Pledge, Stored
from undercut.games.families import parse_game
from undercut.games.table.description import YOU
from undercut.text.errors import IllegalAction

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


def test_with_the_same_cards_it_is_training_and_the_pledge_and_the_seats_are_kept(
    tmp_path: Path,
) -> None:
    store, game = Store(tmp_path), parse_game("pharaoh:players=3")
    pledge = Pledge(7, "salt", "words")
    stored = store.begin(game, [YOU, "smallest", "biggest"], pledge.mixed, pledge=pledge)
    store.note(stored.number, OVER, (1, 0, 0), [])
    stored = store.find(stored.number)
    ways: tuple[How, ...] = ("rematch", "same", "seats")
    rematch, same, seats = (begin_again(store, stored, how) for how in ways)
    assert (rematch.players, rematch.training, rematch.pledge) == (stored.players, False, None)
    assert rematch.seed != stored.seed
    for found in (same, seats):
        assert (found.seed, found.training, found.pledge) == (stored.seed, True, pledge)
    assert same.players == stored.players
    assert seats.players == ("biggest", YOU, "smallest"), (
        "everybody has the cards of the seat before"
    )
    store.close()


def test_against_another_level(tmp_path: Path) -> None:
    store, game = Store(tmp_path), parse_game("pharaoh:players=3")
    stored = store.begin(game, [YOU, "beginner", "casual"], 5)
    store.note(stored.number, OVER, (1, 0, 0), [])
    assert other_levels(game, stored.players) == ("stronger",), "no level is below a beginner"
    stronger = begin_again(store, store.find(stored.number), "stronger")
    assert stronger.players == (YOU, "casual", game.family.levels[2].name)
    assert (stronger.training, stronger.seed != stored.seed) == (False, True)
    with pytest.raises(IllegalAction, match="there is no other level"):
        begin_again(store, store.find(stored.number), "weaker")
    assert other_levels(game, [YOU, "simple", "simple"]) == ()
    assert other_levels(game, [YOU, YOU, YOU]) == ()
    store.close()
