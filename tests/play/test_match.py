"""Matches through the checked door, and fair deals."""

import pickle
from copy import copy, deepcopy
from typing import Any

import pytest

from play.line_up import line_up
from positions import scaled
from undercut.play import commitment as fairness
from undercut.play.agent import Random
from undercut.play.ask import ask
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.match import Match, play_match
from undercut.play.records.events import Ended
from undercut.text.errors import AgentError, IllegalAction, OptionsError


def test_a_match_equals_the_batch_s() -> None:
    game, agents = line_up("gin", "patient", "simple")
    batch = play_batch(game, agents, 2, 21, max_deals=3)
    straight = play_match(game, agents, 21, number=0, pair=0, max_deals=3)
    exchanged = play_match(game, agents[::-1], 21, number=1, pair=0, max_deals=3)
    assert straight.scores == batch.results.scores[0, :2].tolist()
    assert exchanged.scores == batch.results.scores[1, :2].tolist()


def test_a_match_ends_at_the_target_and_then_takes_no_action() -> None:
    game, agents = line_up("distilled+knock", "simple", "simple")
    match = play_match(game, agents, 3)
    assert max(match.scores) >= 50 > min(match.scores)
    assert sorted(match.shares) == [0.0, 1.0]
    with pytest.raises(IllegalAction, match="the match is over"):
        match.apply(0)


class Wrong:
    name = "wrong"

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        return -5


def test_a_wrong_answer_names_the_agent_and_what_is_legal() -> None:
    game, _ = line_up("gin", "simple", "simple")
    with pytest.raises(AgentError, match="wrong answered -5, which is not legal: take, pass"):
        play_match(game, [Wrong(), Wrong()], 1)


def test_deals_refuse_impossible_seeds_and_starters() -> None:
    game, _ = line_up("gin", "simple", "simple")
    with pytest.raises(OptionsError, match="seed -3"):
        Deal(game, -3)
    with pytest.raises(OptionsError, match="starter 2"):
        Deal(game, 1, starter=2)


def test_points_only_when_over() -> None:
    game, _ = line_up("gin", "simple", "simple")
    with pytest.raises(IllegalAction, match="not over"):
        Deal(game, 1).points()


def test_a_commitment_can_be_checked_and_betrays_nothing() -> None:
    seed, salt = 7, "5a17"
    commitment = fairness.commit(seed, salt)
    assert fairness.check(commitment, seed, salt)
    assert not fairness.check(commitment, seed + 1, salt)
    assert not fairness.check(commitment, seed, salt + "0")
    assert commitment != fairness.commit(seed, "5a18")


def test_the_commitment_of_a_deal_is_known_before_and_holds_after() -> None:
    game, agents = line_up("gin", "simple", "simple")
    events: list[Any] = []
    match = Match.from_seed(game, 17, max_deals=1, note=events.append)
    before = match.commitment
    play_match(game, agents, 17, max_deals=1, note=events.append)
    end = next(event for event in events if isinstance(event, Ended))
    assert fairness.check(before, end.seed, end.salt)


def test_known_statistics_of_simple_against_simple() -> None:
    """RULES: 10.2 hands a game, 12.4 draws a hand, 93.1 % knocks, 2.2 % gin, 4.6 % undercut."""
    game, agents = line_up("gin", "simple", "simple")
    batch = play_batch(game, agents, scaled(4000, 4), 1)
    deals = batch.results.deals.sum()
    rates = dict(zip(game.rules.TALLY, batch.results.tally.sum(axis=0) / deals, strict=False))
    assert rates["voids"] < 0.02
    if scaled(1, 0):
        assert 10.0 < deals / 4000 < 10.5
        assert 12.2 < rates["draws"] < 12.8
        assert 0.925 < rates["knocks"] < 0.940
        assert 0.018 < rates["gins"] < 0.025
        assert 0.040 < rates["undercuts"] < 0.048
        assert 14.8 < rates["knock_points"] / rates["knocks"] < 15.4
        assert 25.8 < rates["undercut_points"] / rates["undercuts"] < 27.2
        assert 45.5 < rates["gin_points"] / rates["gins"] < 49.0


def test_patience_pays() -> None:
    """RULES: patient wins about 68.2 ± 1.7 % of games against simple."""
    game, agents = line_up("gin", "patient", "simple")
    batch = play_batch(game, agents, scaled(4000, 2), 1)
    share = batch.shares[:, 0].mean()
    assert not scaled(1, 0) or 0.655 < share < 0.705


def test_the_next_deal_is_dealt_when_it_is_asked_for() -> None:
    game, _ = line_up("gin", "simple", "simple")
    match = Match.from_seed(game, 3)
    with pytest.raises(IllegalAction, match="the deal is not over"):
        match.next_deal()
    first = match.deal
    while not first.is_over:
        match.apply(first.actions[-1])
    assert match.deal is first, "it stays on the table"
    assert match.scores == first.points()
    with pytest.raises(IllegalAction, match="the next one has to be dealt first"):
        match.apply(0)
    assert match.next_deal() is match.deal is not first
    assert match.deals == 1


@pytest.mark.parametrize("rules", ["gin:target=50", "rummy", "pharaoh:players=3"])
def test_games_and_deals_can_be_pickled_copied_and_printed(rules: str) -> None:
    game, agents = line_up(rules)
    again = pickle.loads(pickle.dumps(game))
    assert (again.name, again.options, again.seats) == (game.name, game.options, game.seats)
    assert repr(game) == f"Game({rules!r})"
    deal, chance = Deal(game, 5), Random.from_seed(1)
    for _ in range(6):
        deal.apply(ask(game, agents[deal.seat], deal.observe(), deal.actions, chance))
    assert f"seat {deal.seat} to play" in repr(deal)
    for twin in (pickle.loads(pickle.dumps(deal)), copy(deal), deepcopy(deal)):
        assert repr(twin) == repr(deal)
        while not twin.is_over:
            twin.apply(twin.actions[0])
        assert "over" in repr(twin)
        assert not deal.is_over
