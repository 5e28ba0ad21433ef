"""The waste of choices after a knock, against a twin that plays every continuation."""

from collections.abc import Iterator
from random import Random

import pytest

from games.gin.positions import gin_table
from positions import Table, fresh_tables, lively_walk
from undercut.cards.french import points
from undercut.games.families import parse_game
from undercut.games.gin.rules.deal import Phase

pytestmark = pytest.mark.compiled  # plain Python around kernels that others test
RULES = ["gin", "gin:layoffs=0", "gin:face_points=13", "gin:knock_limit=30", "distilled+knock"]


def left_over(table: Table, seat: int) -> int:
    """The cards that a seat has not laid down."""
    cards = int(table.state.hands[seat]) & ~int(table.state.melded[seat])
    return int(points(cards, table.game.options.face_points))


def least(table: Table, seat: int, known: dict[bytes, int]) -> int:
    """The least that a seat can have left over, every way tried."""
    if table.is_over or table.seat != seat:
        return left_over(table, seat)
    key = table.state.tobytes()
    if key not in known:
        known[key] = min(least(table.copy().play(each), seat, known) for each in table.legal())
    return known[key]


def laying(spec: str, seed: int) -> Iterator[Table]:
    """Positions in which somebody lays cards down."""
    random = Random(seed)
    for table in fresh_tables(parse_game(spec), 60, random):
        for _ in lively_walk(table, random):
            if table.state.phase in (Phase.SPREAD, Phase.DEFEND):
                yield table


@pytest.mark.parametrize("spec", RULES)
def test_a_choice_warns_of_exactly_what_it_gives_away(spec: str) -> None:
    warned = 0
    for table in laying(spec, 3):
        question, seat = table.question(), table.seat
        best = least(table, seat, {})
        assert question.shortcut.endswith(f"({best} left)")
        wasted = []
        for choice in question.choices:
            wasted.append(least(table.copy().play(choice.action), seat, {}) - best)
            assert bool(choice.warning) == bool(wasted[-1])
            assert not wasted[-1] or f"That leaves {wasted[-1]} point" in choice.warning
        assert wasted == sorted(wasted), "the best comes first"
        assert wasted[0] == 0
        warned += any(wasted)
    assert warned > 10


def test_what_is_proposed_again_and_again_leaves_the_least() -> None:
    for table in laying("gin", 4):
        seat, twin = table.seat, table.copy()
        while not twin.is_over and twin.seat == seat:
            twin.play(twin.question().best)
        assert left_over(twin, seat) == least(table, seat, {})


def test_where_the_rules_lay_off_nothing_is_certain() -> None:
    for table in laying("gin:eaai_auto_layoff=1", 5):
        question = table.question()
        if table.state.phase == Phase.DEFEND and left_over(table, int(table.state.knocker)):
            assert not any(choice.warning for choice in question.choices)
            assert question.shortcut.endswith("the best way")
    assert question.choices


def test_the_trap_that_was_found() -> None:
    """After a knock `done` stood beside lay-offs, and took the points of all that was not laid."""
    table = gin_table("Ac 2c 3c 4d 5d 6d 7h 8h 9h Ks", "Th Jh Qh Tc Td Ts 4c 7d 2s 3s", "As")
    for action in ("take", "knock Ks", "meld Ac 2c 3c", "meld 4d 5d 6d", "meld 7h 8h 9h", "done"):
        table.play(action)
    question = table.question()
    done = next(choice for choice in question.choices if choice.action == "done")
    assert done.words == "done, with 76 points of deadwood"
    assert done.warning == "That leaves 71 points more deadwood than you need."
    assert question.choices[-1] == done
    assert question.shortcut == "lay down the best way (5 left)"
