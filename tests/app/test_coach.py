"""The coach: a function of the person's view, in words, for every game."""

from typing import Any

import numpy as np
import pytest

from undercut.app import coach
from undercut.app.session import Session
from undercut.games.families import parse_game
from undercut.lab.review.judgement import THRESHOLDS
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent
from undercut.players.search.evaluate import evaluator_of
from undercut.players.search.marginals import marginals
from undercut.text.errors import IllegalAction

GAMES = ["gin", "rummy", "pharaoh:players=3"]


def session_of(spec: str) -> Session:
    game = parse_game(spec)
    return Session(game, [parse_agent("random", game)] * (game.seats - 1), seed=11)


@pytest.mark.parametrize("spec", GAMES)
def test_every_move_has_its_value_the_best_first(spec: str) -> None:
    session = session_of(spec)
    advice = coach.advise(session, 32)
    assert {move.action for move in advice.moves} == {*session.choices()}
    assert advice.moves[0].behind == 0
    assert [move.behind for move in advice.moves] == sorted(move.behind for move in advice.moves)
    assert advice.sentence.startswith(advice.moves[0].words)
    view = session.view()
    found = evaluator_of(spec).evaluate(view.record, view.actions, 32).moves
    assert [(move.action, move.points, move.noise) for move in advice.moves] == [
        (each.text, each.points, 2 * each.behind_error) for each in found
    ]
    has_answer = bool(advice.answer)
    assert all((move.answered is not None) == has_answer for move in advice.moves)


@pytest.mark.parametrize("spec", GAMES)
def test_cards_of_others_add_up_and_never_are_those_of_the_person(spec: str) -> None:
    session = session_of(spec)
    game, view = session.game, session.view()
    own = {str(card) for card in view.hand}
    for other in coach.believe(session):
        assert other.seat != session.person
        chances = dict(other.cards)
        assert not own & {*chances}
        assert all(0 < chance <= 1 for chance in chances.values())
        state: Any = session._host.match.deal._state
        assert sum(chances.values()) == pytest.approx(int(state["hands"][other.seat]).bit_count())
    assert len(coach.believe(session)) == game.seats - 1


@pytest.mark.parametrize("spec", GAMES)
def test_chances_of_cards_do_not_depend_on_hidden_cards(spec: str) -> None:
    game = parse_game(spec)
    deal = Deal(game, seed=4)
    evaluator, view = evaluator_of(spec), deal.observe()
    twin = Deal._of_view(game, view, Random.from_seed(9).generator).observe(int(view.me))
    assert twin.tobytes() == view.tobytes()
    assert np.array_equal(marginals(evaluator, view), marginals(evaluator, twin))


@pytest.mark.parametrize("spec", GAMES)
def test_the_tutor_calls_errors_what_the_review_would(spec: str) -> None:
    session = session_of(spec)
    kinds = {action: coach.judge(session, action) for action in session.choices()}
    assert set(kinds.values()) <= {"", *THRESHOLDS}
    assert "" in kinds.values(), "the best move is no error"
    again = {action: coach.judge(session, action) for action in session.choices()}
    assert kinds == again
    legal = session.view().actions
    other = next(each for each in range(session.game.rules.ACTIONS) if each not in legal)
    with pytest.raises(IllegalAction, match="cannot be played now"):
        coach.judge(session, session.game.notation.format_action(other))


def test_there_is_no_advice_without_a_choice() -> None:
    session = session_of("gin")
    session.leave()
    with pytest.raises(IllegalAction, match="nothing to choose"):
        coach.advise(session, 2)
