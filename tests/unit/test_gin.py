"""games/gin.py: bounds of its buffers and fields, and what it counts of a match."""

import numpy as np

from positions import Table, generator, gin_table, scaled
from reference.cards import PACK
from undercut.core.game import pack
from undercut.core.melds import LAYOUT
from undercut.games import gin
from undercut.games.catalog import parse_game


def test_the_most_actions_that_can_be_legal_at_once() -> None:
    """Ten cards in a row hold 36 melds, no ten cards hold more than 10 sets.

    A defender may besides lay off at both ends of three runs, or be done.
    """
    most_melds = 9 * 8 // 2 + 5 + 5
    assert most_melds + 2 * LAYOUT + 1 <= gin.LEGAL
    assert gin.LEGAL >= 11 + 11
    row = " ".join(PACK[:10])
    table = gin_table(seat0=row, stock="Ks", game="gin:knock_limit=99").play("pass", "pass", "draw")
    assert len(table.legal()) == 22
    assert len(table.play("knock Ks").legal()) == 36 + 1


def test_the_history_has_room_for_the_longest_deal() -> None:
    """The first discard, 30 draws, 49 takes, and a turn that uses up the stock or the takes."""
    longest = 1 + 30 + 49 + 1
    assert longest <= gin.TURNS < 128  # a turn is stored in eight bits
    table = Table(parse_game("gin:upcard=0,void_stock=0"), PACK)
    table.play(table.legal()[0])
    while not table.is_over:
        view = table.view()
        takes = view["takes"] < 49 and (len(table.played) % 4 == 1 or view["stock"] == 1)
        table.play("take" if takes else "draw")
        table.play(table.legal()[0])
    view = table.view()
    assert (view["turn"], view["takes"], view["stock"]) == (longest, 49, 0)
    thrown = [gin.thrown(view, turn) for turn in range(longest)]
    assert thrown == [action for action in table.played if action < gin.KNOCK]


def test_tally_counts_what_its_names_say() -> None:
    table = gin_table(
        seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h",
        seat1="As Kd Qh Jd Tc 8s 6s 5c 3h 2d",
        upcard="Jh",
        stock="Ks",
    )
    table.play("pass", "pass", "draw", "knock Ks", "meld 9c 9h 9s", "meld Ac 2c 3c")
    table.play("meld 5d 6d 7d", "done", "done")
    counted = {"draws": 1, "knocks": 1, "knock_points": 61, "starter_wins": 1, "decided": 1}
    assert _tally(table) == counted


def test_tally_counts_takes_as_draws_and_a_void_deal_without_points() -> None:
    table = gin_table(upcard="Jh", game="gin:max_discard_takes=1").play("take")
    table.play(table.legal()[0])
    assert _tally(table) == {"draws": 1, "takes": 1, "voids": 1}


def _tally(table: Table) -> dict[str, int]:
    counts = np.zeros(16, dtype=np.int64)
    gained = np.array(table.points(), dtype=np.int64)
    gin.tally(table.state, pack(table.game.options), gained, counts)
    assert not counts[len(gin.TALLY) :].any()
    named = zip(gin.TALLY, counts.tolist(), strict=False)
    return {name: count for name, count in named if count}


def test_first_starters_are_even() -> None:
    options, chance = pack(parse_game("gin").options), generator(1)
    count = scaled(2_000, 400)
    found = sum(gin.first_starter(options, 2, chance) for _ in range(count))
    assert abs(found - count / 2) < 3 * count**0.5 / 2
