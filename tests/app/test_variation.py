"""Another move in a finished deal: the same cards, and strong players to the end."""

import pytest

from undercut.app.history import Moment
from undercut.app.session import Session
from undercut.app.variation import varied
from undercut.games.families import parse_game
from undercut.play.agent import Random
from undercut.play.ask import ask
from undercut.players.search.evaluate import evaluator_of
from undercut.text.errors import IllegalAction

GAMES = ["gin", "prsi", "rummy"]


def finished(spec: str) -> tuple[Session, list[tuple[int, str]]]:
    """A deal that the guide plays for every seat, and the choices of seat 0 with their plies."""
    game, guide = parse_game(spec), evaluator_of(spec).guide
    session, chosen = Session(game, [guide], seed=5), list[tuple[int, str]]()
    while not session.is_deal_over:
        view = session.view()
        number = ask(game, guide, view.record, view.actions, Random.from_seed(0))
        chosen.append((session.acted, game.notation.format_action(number)))
        session.play(chosen[-1][1])
    return session, chosen


@pytest.mark.parametrize("spec", ["gin", "rummy"])  # in Prší the guide decides ties by chance
def test_the_move_that_was_played_goes_on_as_the_deal_did(spec: str) -> None:
    session, chosen = finished(spec)
    moment = Moment.of(session._host)
    for ply, action in chosen[:: max(1, len(chosen) // 3)]:
        other, result = varied(moment, 0, ply, 0, action)
        assert result is not None
        assert result.points == session.results[0].points
        assert other.events == session.events


@pytest.mark.parametrize("spec", GAMES)
def test_another_move_goes_on_with_the_same_cards(spec: str) -> None:
    session, chosen = finished(spec)
    moment, differing = Moment.of(session._host), 0
    for ply, action in chosen:
        past = session.past(ply, 0)
        for each in past.choices()[:2]:
            other, result = varied(moment, 0, ply, 0, each)
            assert result is not None
            assert other.events[: len(past.events)] == past.events
            assert result.commitment == session.results[0].commitment
            differing += each != action
    assert differing
    assert moment == Moment.of(session._host), "the match itself stays"


def test_a_deal_in_play_is_not_varied() -> None:
    session = Session(parse_game("prsi"), [evaluator_of("prsi").guide], seed=5)
    moment = Moment.of(session._host)
    with pytest.raises(IllegalAction, match="the deal is not over"):
        varied(moment, 0, session.acted, 0, session.choices()[0])
