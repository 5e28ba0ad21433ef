"""The last words on a rummy deal."""

import pytest

from games.rummy.positions import placed
from undercut.cards.french import NONE
from undercut.games.rummy.table.summary import verdict


@pytest.mark.parametrize(
    ("viewer", "opened", "spec", "told"),
    [
        (0, (0, 1), "rummy", "You are out: 20 points for you."),
        (1, (0, 1), "rummy", "heuristic is out: 20 points for heuristic."),
        (0, (NONE, 1), "rummy", "Rummy! You are out at once: 2 x 20 = 40 points for you."),
        (
            1,
            (NONE, 1),
            "rummy-classic",
            "Rummy! heuristic is out at once: 2 x 20 = 40 points for heuristic.",
        ),
        (0, (NONE, 1), "rummy:rummy_doubles=0", "You are out: 20 points for you."),
    ],
)
def test_who_is_out(viewer: int, opened: tuple[int, int], spec: str, told: str) -> None:
    table = placed("2c 2d 2s", "Ks Th", pile="3h", stock="9c 5d", opened=opened, game=spec)
    table.play("draw", "meld 2c 2d 2s", "discard 9c")
    assert verdict(table.readable(viewer), "heuristic") == told


def tied(spec: str, turnovers: int) -> str:
    """Say how a deal ended whose last card of the stock was drawn by seat 0, who looks."""
    table = placed("2c 4d", "Ks", pile="3h", stock="9c", turnovers=turnovers, game=spec)
    table.play("draw", "discard 9c")
    assert table.is_over
    return verdict(table.readable(0), "heuristic")


@pytest.mark.parametrize(
    ("spec", "turnovers", "told"),
    [
        (
            "rummy",
            2,
            "The stock is empty and the pile was turned over twice: a tie, 5 points for each.",
        ),
        (
            "rummy:turnovers=1,tie_points=1",
            1,
            "The stock is empty and the pile was turned over once: a tie, 1 point for each.",
        ),
        ("rummy:turnovers=0,tie_points=0", 0, "The stock is empty: a tie, nobody scores."),
        ("rummy:max_turns=11", 1, "11 turns played: a tie, 5 points for each."),
        ("rummy-classic:max_turns=11", 0, "11 turns played: a tie, nobody scores."),
    ],
)
def test_why_a_deal_is_tied(spec: str, turnovers: int, told: str) -> None:
    assert tied(spec, turnovers) == told
    assert len(told) <= 80


def test_one_point_is_a_point() -> None:
    table = placed("2c", "As", pile="3h", melds=["2d 2h 2s"], stock="9c")
    table.play("draw", "lay 2c on twos", "discard 9c")
    assert verdict(table.readable(0), "x") == "You are out: 1 point for you."
