"""The coach: a function of the person's view, in words, for every game."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from cards.reference.melds import is_meld
from games.gin.positions import gin_table
from undercut.app import coach
from undercut.app.session import Session
from undercut.games.families import parse_game
from undercut.lab.review.judgement import THRESHOLDS
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent
from undercut.players.search.evaluate import FEWEST_REPLIES, _answer_cost, evaluator_of
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


def naive_outs(hand: list[str], unseen: list[str], card: str) -> set[str]:
    """The unseen cards that lie in some meld with a card and other cards of the hand."""
    others = [each for each in hand if each != card]
    return {
        out
        for out in unseen
        for size in range(1, 5)  # a longer run has a shorter one with both cards, or one of six
        for chosen in combinations(others, size)
        if is_meld(frozenset([card, out, *chosen]))
    }


@pytest.mark.parametrize("hand", ["8h 8s 9h Th Kc 2s 6s Ts Js Ks", "2c 3c 4c 4d 4h 6h 7h Jd Qd Ah"])
def test_outs_are_the_unseen_cards_that_make_a_meld(hand: str) -> None:
    view = gin_table(hand, upcard="8d", game="gin").readable(0)
    unseen = list(view.unseen)
    assert len(unseen) == 52 - 10 - 1, "the upcard is seen"
    for card in hand.split():
        assert {*view.outs(card)} == naive_outs(hand.split(), unseen, card)


def test_the_coach_lists_the_outs_of_the_hand_those_with_most_first() -> None:
    session = session_of("gin")
    view, found = session.view(), coach.outs(session)
    assert {each.card: each.cards for each in found} == {
        str(card): view.outs(card).texts for card in view.hand if view.outs(card)
    }
    counts = [len(each.cards) for each in found]
    assert counts == sorted(counts, reverse=True)
    assert counts
    assert coach.outs(session_of("pharaoh:players=3")) == ()


def test_the_danger_of_a_throw_is_that_of_the_evaluation() -> None:
    deal = Deal(parse_game("gin"), seed=4)
    deal.play("take")
    found = evaluator_of("gin").evaluate(deal.observe(), deal.actions, 256)
    told = [move for move in found.moves if move.answer_cost is not None]
    assert told, "some throw is taken in some samples"
    for move in found.moves:
        assert (move.answer_cost is None) == (move.answer_cost_error is None)
        rounded = move.answered * move.samples
        if min(rounded, move.samples - rounded) < FEWEST_REPLIES - 0.5:
            assert move.answer_cost is None


def test_what_a_reply_costs_is_the_difference_of_two_means() -> None:
    values = np.array([0.9, 0.7, 0.8, 0.6, 0.1, 0.3, 0.2, 0.4])
    answered = np.array([False] * 4 + [True] * 4)
    cost = _answer_cost(values, answered)
    assert cost is not None
    spread = values[:4].std(ddof=1) / 2
    assert cost == (pytest.approx(0.5), pytest.approx(np.hypot(spread, spread)))
    assert _answer_cost(values, np.arange(8) > 4) is None


def test_there_is_no_advice_without_a_choice() -> None:
    session = session_of("gin")
    session.leave()
    with pytest.raises(IllegalAction, match="nothing to choose"):
        coach.advise(session, 2)
