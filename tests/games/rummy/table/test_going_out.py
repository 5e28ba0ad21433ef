"""Going out in a turn, against a twin that tries every order of put-downs."""

from collections.abc import Iterator
from random import Random

import pytest

from games.rummy.positions import RummyTable, dealt, eager_walk, placed, shuffled
from positions import Table
from undercut.games.rummy.rules.deal import Phase

pytestmark = pytest.mark.compiled  # plain Python around kernels that others test
WARNING = "You can go out in this turn. After this choice you cannot."


def can_go_out(table: Table, seat: int, known: dict[bytes, bool]) -> bool:
    """Whether some way of putting cards down and throwing one leaves no card."""
    if table.is_over or table.seat != seat:
        return not table.state.hands[seat]
    key = table.state.tobytes()
    if key not in known:
        known[key] = any(can_go_out(table.copy().play(each), seat, known) for each in table.legal())
    return known[key]


def playing(game: str) -> Iterator[RummyTable]:
    """Positions after a draw, most of them with few cards in hand."""
    random = Random(5)
    for _ in range(20):
        for table in eager_walk(dealt(shuffled(random), game), random):
            few = int(table.state.hands[table.seat]).bit_count() < 8
            if table.state.phase == Phase.PLAY and (few or random.random() < 0.1):
                yield table


@pytest.mark.parametrize("game", ["rummy", "rummy-classic"])
def test_a_choice_warns_where_one_could_go_out_and_then_no_longer_can(game: str) -> None:
    seen = {True: 0, False: 0}
    for table in playing(game):
        question, seat, known = table.question(), table.seat, dict[bytes, bool]()
        is_possible = can_go_out(table, seat, known)
        if game == "rummy-classic" and table.state.taken >= 0 and not question.shortcut:
            continue  # one way out is not looked for
        assert bool(question.shortcut) == is_possible
        seen[is_possible] += 1
        for choice in question.choices:
            still = not is_possible or can_go_out(table.copy().play(choice.action), seat, known)
            assert choice.warning == ("" if still else WARNING)
    assert min(seen.values()) > 20


def test_what_is_proposed_goes_out() -> None:
    table = placed("5h 6h 7h 2c 9s Ks", "Ad", melds=["3c 4c 5c", "9c 9d 9h"], pile="8h")
    table.play("take")
    question = table.question()
    assert question.shortcut == "put down all your cards, and go out"
    unwarned = [choice.action for choice in question.choices if not choice.warning]
    assert unwarned == [
        "meld 5h 6h 7h 8h",
        "lay 2c on 3c",
        "lay 9s on nines",
        "meld 5h 6h 7h",
        "meld 6h 7h 8h",
    ]
    while not table.is_over:
        table.play(table.question().best)
    assert table.state.winner == 0


def test_who_cannot_go_out_is_not_warned() -> None:
    table = placed("5h 6h 7h 2c 9s Ks", "Ad", melds=["9c 9d 9h"], pile="8d")
    table.play("take")
    assert table.question().shortcut == ""
    assert not any(choice.warning for choice in table.question().choices)
