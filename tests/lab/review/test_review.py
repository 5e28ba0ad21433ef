"""The review of a match: the account adds up, costs are significant, words are true."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import undercut
from undercut.cards.french import NONE
from undercut.cli import main
from undercut.games.families import parse_game
from undercut.games.table.themes import themes_of
from undercut.lab.review import words
from undercut.lab.review.account import account_of
from undercut.lab.review.data import decision_rows, review_data
from undercut.lab.review.judgement import SIGNIFICANT, THRESHOLDS, Judge, Judgement
from undercut.lab.review.page import page
from undercut.lab.review.review import Review, Reviewer
from undercut.lab.review.worth import POINTS, WIN, Appraiser
from undercut.play.chance_nodes import find_source
from undercut.play.deal import Deal
from undercut.play.hindsight import Moment, played_deals
from undercut.play.match import Match
from undercut.play.records.events import Event
from undercut.play.records.record import (
    Record,
    format_record,
    header,
    parse_record,
    read_record,
    replayed,
)
from undercut.players.search.evaluate import evaluator_of
from undercut.text.errors import RecordError

RECORDS = Path(__file__).parents[3] / "examples" / "records"
GAMES = ["gin", "rummy", "pharaoh", "prsi", "distilled"]
SAMPLES = 8


@cache
def record_of(name: str) -> Record:
    return read_record(RECORDS / f"{name}.jsonl")


@cache
def review_of(name: str) -> Review:
    """The review of the first deal of a sample record, of Gin of two."""
    record = record_of(name)
    reviewer = Reviewer(record.game, SAMPLES, seed=3)
    deals = [
        deal for deal, _ in zip(played_deals(record), range(1 + (name == "gin")), strict=False)
    ]
    found = tuple(reviewer.review_deal(deal) for deal in deals)
    return Review(record.game, tuple(record.header.players), found, SAMPLES, 3)


@pytest.mark.parametrize("name", GAMES)
def test_the_account_adds_up_for_every_seat_and_luck_is_nobodys_gain(name: str) -> None:
    assert_adds_up(review_of(name))


def test_the_account_of_four_players_adds_up() -> None:
    game, events = parse_game("pharaoh:players=4,max_moves=60"), list[Event]()
    match, random = Match(game, lambda deal: (deal, "salt"), 0, note=events.append), Random(3)
    while not match.is_over:
        match.apply(random.choice(match.deal.actions))
    record = parse_record(format_record([header(game, list("abcd")), *events]))
    review = Reviewer(game, SAMPLES, seed=3).review(record)
    assert_adds_up(review)
    (deal,) = review.deals
    account = deal.accounts[POINTS]
    assert len(account.result) == 4
    assert {side.seat for side in review.errors} == {0, 1, 2, 3}, "chance errs"
    errors = account.errors
    assert all(errors[seat, seat] < 0 for seat in range(4))
    for seat in range(4):
        others = [errors[seat, other] for other in range(4) if other != seat]
        assert others == pytest.approx([-errors[seat, seat] / 3] * 3)


def assert_adds_up(review: Review) -> None:
    for deal in review.deals:
        for account in deal.accounts.values():
            for seat in range(review.game.seats):
                side = account.share(seat)
                parts = side.luck - side.own_errors + side.other_errors
                assert side.result - side.expectation == pytest.approx(parts, abs=1e-9)
            luck = account.deal + account.draws.sum(axis=0) + account.unseen
            assert luck.sum() == pytest.approx(0, abs=1e-9)
            assert np.allclose(account.errors.sum(axis=1), 0, atol=1e-9)


@pytest.mark.parametrize("name", ["gin", "pharaoh"])
def test_an_error_costs_its_seat_what_the_others_gain_and_the_rest_stays(name: str) -> None:
    deal = review_of(name).deals[0]
    assert deal.course is not None
    moments, unit = deal.deal.moments, POINTS
    plain = account_of(moments, deal.course, unit, {})
    erring = account_of(moments, deal.course, unit, {3: 6.0})
    seats, seat = len(plain.result), moments[3].seat
    for each in range(seats):
        before, after = plain.share(each), erring.share(each)
        gained = -6.0 if each == seat else 6.0 / (seats - 1)
        assert after.other_errors - after.own_errors == pytest.approx(gained)
        assert after.unseen == pytest.approx(before.unseen - gained)
        assert (after.result, after.deal, after.own_draws) == (
            before.result,
            before.deal,
            before.own_draws,
        )
    assert erring.share(seat).own_errors == pytest.approx(6.0)


@pytest.mark.parametrize("name", GAMES)
def test_the_result_is_that_of_the_record(name: str) -> None:
    review = review_of(name)
    for deal in review.deals:
        points = np.array(deal.deal.points)
        others = (points.sum() - points) / (len(points) - 1)
        assert deal.accounts[POINTS].result.tolist() == (points - others).tolist()
        assert len(deal.chances()) == len(deal.deal.moments) + 1


def test_chances_to_win_go_on_where_the_deal_before_ended() -> None:
    one, two = (deal.accounts[WIN] for deal in review_of("gin").deals)
    assert one.expectation.tolist() == pytest.approx([0.5, 0.5])
    assert two.expectation.tolist() == pytest.approx(one.result.tolist())
    whole = review_of("gin").account(WIN)
    assert whole is not None
    assert whole.result.tolist() == pytest.approx(two.result.tolist())
    assert np.allclose(whole.draws, one.draws + two.draws)


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_a_moment_with_the_hands_that_were_hidden(name: str) -> None:
    record = record_of(name)
    deals = list(played_deals(record))
    moments = [moment for deal in deals for moment in deal.moments]
    assert [moment.action for moment in moments] == record.actions
    assert [moment.ply for moment in moments] == list(range(len(moments)))
    for moment in moments:
        own = int(moment.view.hand)
        assert all(own & hand == 0 for hand in moment.hands)
        assert len(moment.hands) == record.game.seats - 1
        assert moment.action in moment.legal
    assert any(moment.draws for moment in moments)
    assert not all(moment.draws for moment in moments)


def moment_at(deal: Deal[Any], action: int) -> Moment:
    """A moment of a deal in play."""
    hands, seats = deal._state["hands"], deal.game.seats
    others = tuple(int(hands[(deal.seat + each) % seats]) for each in range(1, seats))
    return Moment(0, 7, deal.seat, deal.observe(), deal.actions, action, others, draws=False)


def test_a_drawn_card_is_luck_that_evens_out() -> None:
    """The worth before a card is drawn is the mean over all cards that may be drawn."""
    record = record_of("gin")
    source, evaluator = find_source(record.game), evaluator_of(record.game.name)
    draw = record.game.notation.parse_action("draw")
    deal = next(
        match.deal.copy()
        for match, action in zip(replayed(record), record.actions, strict=False)
        if action == draw
    )
    unknown = Appraiser(evaluator, 4000, 1).now(moment_at(deal, draw), [0, 0], draw)
    known = []
    for card in source.next_cards(deal._state, ()):
        twin = deal.copy()
        source.put(twin._state, [card])
        twin.apply(draw)
        known.append(Appraiser(evaluator, 400, card).now(moment_at(twin, NONE), [0, 0]))
    mean = np.mean([each.points for each in known], axis=0)
    error = np.sqrt(sum(each.error**2 for each in known)) / len(known)
    assert np.abs(mean - unknown.points).max() < 4 * np.hypot(error, unknown.error)
    assert np.ptp([each.points[0] for each in known]) > 10 * unknown.error, "cards do matter"


@cache
def judged(name: str, samples: int = 24) -> list[tuple[Moment, Judgement | None]]:
    record = record_of(name)
    judge = Judge(evaluator_of(record.game.name), samples, 5)
    deal = next(played_deals(record))
    return [(moment, judge.judge(moment, deal.scores)) for moment in deal.moments]


@pytest.mark.parametrize("name", GAMES)
def test_only_a_cost_beyond_its_noise_is_an_error(name: str) -> None:
    found = [each for _, each in judged(name) if each is not None]
    assert found
    whole = 1.0 if found[0].evaluation.unit == "win" else 6.0  # points of three places
    for each in found:
        least = THRESHOLDS[each.kind] * whole if each.kind else 0.0
        if each.kind:
            assert each.cost >= least
            assert each.cost > SIGNIFICANT * each.cost_error
        else:
            is_small = each.cost < min(THRESHOLDS.values()) * whole
            assert is_small or each.cost <= SIGNIFICANT * each.cost_error
        if each.played == each.best:
            assert (each.cost, each.kind) == (0.0, "")


@pytest.mark.parametrize("name", GAMES)
def test_errors_have_the_themes_of_their_moves_and_others_none(name: str) -> None:
    game, with_themes = record_of(name).game, 0
    for moment, found in judged(name):
        if found is None:
            continue
        if not found.kind:
            assert found.themes == ()
            continue
        seen = game.family.view(game, moment.view, moment.legal)
        answered = found.played.answered, found.best.answered
        moves = found.played.action, found.best.action
        assert found.themes == themes_of(game, seen, moves, answered)
        with_themes += bool(found.themes)
    assert with_themes or name not in ("rummy", "prsi")


def test_forced_and_obvious_moves_are_not_judged() -> None:
    forced = [found for moment, found in judged("gin") if len(moment.legal) == 1]
    assert forced
    assert not any(forced)
    free = [found for moment, found in judged("gin") if len(moment.legal) > 1]
    assert None in free


def test_a_gift_is_a_blunder() -> None:
    """To throw a king of three away, and to keep a lonely eight."""
    deal = Deal.from_position("gin.00.0-0.4c5c6cKc8d5h7hKhAsQsKs.Jhp.tTc-s5h")
    throw = deal.game.notation.parse_action("discard Kh")
    judge = Judge(evaluator_of("gin"), 256, 1)
    found = judge.judge(moment_at(deal, throw), [0, 0])
    assert found is not None
    assert found.kind == "blunder"
    assert "K" not in found.best.text
    assert "broke a meld" in found.themes
    assert "broke a meld" in words.themes(found)


def test_the_same_seed_gives_the_same_review() -> None:
    record = record_of("gin")
    deal = next(played_deals(record))
    again = Reviewer(record.game, SAMPLES, seed=3).review_deal(deal)
    first = review_of("gin").deals[0]
    assert again.judgements == first.judgements
    assert again.chances() == first.chances()


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_a_sentence_was_measured(name: str) -> None:
    review = review_of(name)
    for each in review.judgements:
        told = words.verdict(each)
        assert f"{each.points:.1f}" in told
        if each.evaluation.unit == "win":
            assert f"{100 * each.cost:.1f} ± {200 * each.cost_error:.1f} %" in told
        else:
            assert f"{each.cost:.1f} ± {2 * each.cost_error:.1f} points" in told
        shares = {
            f"{100 * share:.0f}" for move in (each.best, each.played) for share in move.endings
        }
        shares |= {f"{100 * move.answered:.0f}" for move in (each.best, each.played)}
        named = re.findall(r"(\d+) %", words.comparison(each))
        assert {*named} <= shares


def with_error(review: Review) -> Review:
    """The same review with one more error."""
    first, *rest = review.deals
    judgement = replace(first.judgements[0], kind="blunder", cost=0.1, themes=("broke a meld",))
    deal = replace(first, judgements=(judgement, *first.judgements[1:]))
    return replace(review, deals=(deal, *rest))


def test_the_page_needs_no_network_and_escapes_names() -> None:
    review = replace(with_error(review_of("gin")), players=("<b>Eve</b>", "Bob"))
    html = page([review])
    assert "<b>Eve" not in html
    assert "&lt;b&gt;Eve" in html
    assert not re.search(r"https?://|<script|<link|@import|url\(", html)
    assert html.count("<circle") == len(review.errors)
    for each in review.errors:
        assert each.played.text in html
        assert all(theme in html for theme in each.themes)
    assert any("broke a meld" in each.themes for each in review.errors)


def test_data_have_every_decision() -> None:
    review = review_of("rummy")
    told = json.loads(json.dumps(review_data(review)))
    assert sum(len(deal["decisions"]) for deal in told["deals"]) == len(review.judgements)
    assert [seat["player"] for seat in told["seats"]] == list(review.players)
    themes = [row["themes"] for row in decision_rows(review)]
    assert themes == [list(each.themes) for each in review.judgements]
    assert [row["ply"] for row in decision_rows(review)] == [each.ply for each in review.judgements]


def unfinished(name: str, actions: int) -> str:
    """The record of a match that somebody leaves."""
    record, events = record_of(name), list[Event]()
    match = Match(record.game, lambda deal: (deal, "salt"), 0, note=events.append)
    for _ in range(actions):
        match.apply(match.deal.actions[0])
    match.leave(0)
    return format_record([header(record.game, record.header.players, left=True), *events])


def test_a_deal_that_was_left_has_errors_but_no_account() -> None:
    record = parse_record(unfinished("gin", 6))
    review = Reviewer(record.game, SAMPLES).review(record)
    (deal,) = review.deals
    assert deal.accounts == {}
    assert review.account() is None
    assert "No deal was finished." in page([review])
    nobody = parse_record(unfinished("gin", 0))
    with pytest.raises(RecordError, match="nobody has played"):
        Reviewer(nobody.game, SAMPLES).review(nobody)


def test_ctrl_c_keeps_the_deals_that_are_finished() -> None:
    record = record_of("gin")
    first = len(next(played_deals(record)).moments)
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if steps > first + 2:
            raise KeyboardInterrupt

    review = Reviewer(record.game, 8).review(record, step)
    assert not review.complete
    assert len(review.deals) == 1


def test_the_command_prints_a_table_a_page_and_json(tmp_path: Path) -> None:
    path, out = str(RECORDS / "prsi.jsonl"), tmp_path / "review.html"
    shown = CliRunner().invoke(main, ["review", path, "--samples", "16", "--html", str(out)])
    assert shown.exit_code == 0, shown.output
    assert "points lost a decision" in shown.stdout
    assert "luck of the deal" in shown.stdout
    record = record_of("prsi")
    review = Reviewer(record.game, 16).review(record)
    for seat in range(2):
        assert words.story(review, seat) in shown.stdout
    place = "The errors that cost most:"
    assert (place in shown.stdout) == bool(review.errors)
    assert all(words.verdict(each) in shown.stdout for each in review.errors[:10])
    assert out.read_text().startswith("<!doctype html>")
    told = CliRunner().invoke(main, ["review", path, "--samples", "16", "--json"])
    (review,) = json.loads(told.stdout)["reviews"]
    assert review["game"] == "prsi"
    assert review["complete"] is True
    missing = CliRunner().invoke(main, ["review", str(tmp_path / "none.jsonl")])
    assert missing.exit_code == 2
    assert "cannot read the record" in missing.stderr


def test_python_has_it_as_objects_and_as_a_table() -> None:
    review = undercut.review(record_of("prsi"), samples=16)
    assert "points lost a decision" in str(review)
    assert "<table" in review._repr_html_()
    frame = review.to_dataframe()
    assert len(frame) == len(review.judgements)
    assert {"played", "best", "cost", "kind", "position"} <= set(frame.columns)
