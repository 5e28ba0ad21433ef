"""The profile of a person: reviewed games without help, by game, opponent and time."""

from pathlib import Path

import pytest

from undercut.app.host import Entry, Kind
from undercut.app.kept_reviews import DealKept, ErrorKept, ReviewKept, keep_review
from undercut.app.profile import profiles
from undercut.app.store import Store
from undercut.games.families import parse_game

ERROR = ErrorKept(3, "mistake", ("broke a meld",), 6.0, "draw")


def reviewed(store: Store, spec: str, opponent: str, deals: int, training: bool = False) -> int:
    number = store.begin(parse_game(spec), ["you", opponent], 1, training).number
    clean, erring = DealKept(10, 4.0, 1.0, ()), DealKept(20, -8.0, -2.0, (ERROR,))
    keep_review(store, number, ReviewKept(8, (erring, *[clean] * (deals - 1))))
    return number


def test_games_without_help_count_by_game_and_opponent(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert profiles(store) == ()
    reviewed(store, "gin", "beginner", 2)
    reviewed(store, "gin", "simple", 4)
    reviewed(store, "rummy", "beginner", 7)
    reviewed(store, "gin", "beginner", 50, training=True)
    coached = reviewed(store, "gin", "beginner", 50)
    store.append(coached, 0, Entry(Kind.COACH, 0))
    store.begin(parse_game("gin"), ["you", "simple"], 1)
    rummy, gin = profiles(store)
    assert (rummy.game, rummy.deals, gin.game, gin.deals) == ("rummy", 7, "gin", 6)
    assert gin.decisions == 80
    assert gin.error_rate.value == pytest.approx(12 / 80)
    assert gin.luck.value == pytest.approx(0.0)
    assert [(each.words, each.count, each.points) for each in gin.themes] == [
        ("broke a meld", 2, 12.0)
    ]
    met = {each.opponents: (each.deals, each.error_rate.value) for each in gin.against}
    assert met == {
        ("Nina (beginner)",): (2, pytest.approx(6 / 30)),
        ("Simple",): (4, pytest.approx(6 / 50)),
    }


def test_time_goes_by_the_games_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for _ in range(3):
        reviewed(store, "gin", "beginner", 4)
    (gin,) = profiles(store)
    assert [each.luck.value for each in gin.over_time] == [pytest.approx(0.25)] * 3
    store.append(1, 0, Entry(Kind.PLAY, 0, "draw"))  # the first one was played last
    keep_review(store, 1, ReviewKept(8, (DealKept(10, 9.0, 9.0, ()),) * 4))
    (gin,) = profiles(store)
    assert [each.luck.value for each in gin.over_time] == pytest.approx([9.0, 0.25, 0.25])
