"""The sentence under which the measured parts of an evaluation are shown."""

from undercut.players.search.evaluate import Evaluation, MoveValue, explain


def _move(text: str, behind: float, *, win: float | None, answered: float = 0.0) -> MoveValue:
    return MoveValue(
        action=0,
        text=text,
        samples=400,
        points=-3.25,
        points_error=1.5,
        win=win,
        win_error=None if win is None else 0.005,
        behind=behind,
        behind_error=0.005,
        endings=(0.25, 0.75),
        answered=answered,
        answer_cost=None,
        answer_cost_error=None,
    )


def _sentence(unit: str, *moves: MoveValue) -> str:
    found = Evaluation(
        game="gin",
        moves=moves,
        unit=unit,
        endings=("own gin", "own knock"),
        answer="the thrown card is taken",
        belief="even",
        player="simple",
        guide="simple",
        samples=400,
        seed=0,
    )
    return explain(found).reason


def test_the_best_move_with_the_chance_to_win_and_the_reply() -> None:
    moves = (_move("throw Ks", 0.0, win=0.5462, answered=0.12), _move("throw 4c", 0.029, win=0.5))
    assert _sentence("win", *moves) == (
        "wins 54.6 % of matches, -3.2 points a deal; throw 4c is 2.9 ± 1.0 % behind; "
        "most often: own knock (75 %); the thrown card is taken: 12 %"
    )


def test_moves_that_are_equal_as_far_as_the_samples_tell() -> None:
    moves = (_move("draw", 0.0, win=None), _move("take", 0.009, win=None))
    assert _sentence("points", *moves) == (
        "-3.2 points a deal; take is as good, as far as 400 samples tell; "
        "most often: own knock (75 %)"
    )


def test_points_behind_and_the_only_move() -> None:
    moves = (_move("draw", 0.0, win=None), _move("take", 1.25, win=None))
    assert "take is 1.2 ± 0.0 points behind" in _sentence("points", *moves)
    assert _sentence("points", moves[0]) == "-3.2 points a deal; most often: own knock (75 %)"
