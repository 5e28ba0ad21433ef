"""The trace: the place of each choice among the legal ones, and the match comes out the same."""

from typing import Any

import numpy as np
import pytest

from play.line_up import line_up
from positions import scaled
from rulesets import NAMES, some_of
from undercut.games.gin.rules.deal import Phase
from undercut.play.batch import FIRST_ROOM, Batch, play_batch
from undercut.play.match import Match, play_match
from undercut.play.records.record import parse_record, verify
from undercut.play.records.trace import count_decisions, record_of, replay_decisions, replay_match
from undercut.play.series import make_series
from undercut.text.errors import RecordError


def played(rules: str, *agents: str, first: int = 0) -> Batch:
    game, players = line_up(rules, *agents)
    return play_batch(game, players, scaled(6, 2), 5, max_deals=3, trace=None, first=first)


def packed(batch: Batch) -> tuple[Any, Any]:
    lengths = batch.results.choices.astype(np.int64)
    rows = zip(batch.traces, lengths, strict=True)
    codes = np.concatenate([row[:length] for row, length in rows])
    return codes, np.stack([np.cumsum(lengths), np.cumsum(count_decisions(batch))], axis=1)


def is_concealed(batch: Batch, match: Match) -> bool:
    """Gin's hands lie open after a knock; other games never show them before the end."""
    view = match.deal.observe()
    return batch.game.rules.NAME != "gin" or int(view.knocker) < 0


def slow_decisions(batch: Batch, index: int) -> list[tuple[bytes, list[str], str, int]]:
    """What each decision of a match knew, played and gained, one checked action at a time."""
    match = Match.from_seed(
        batch.game, batch.seed, (batch.first + index) // batch.games_in_round, 3
    )
    found: list[tuple[bytes, list[str], str, int]] = []
    waiting: list[tuple[bytes, list[str], str, int]] = []
    places = iter(batch.traces[index].tolist())
    seats = range(batch.game.seats)
    while not match.is_over:
        if match.deal.is_over:
            match.next_deal()
        deal, legal = match.deal, match.deal.actions
        action = legal[0] if len(legal) == 1 else legal[next(places)]
        if len(legal) > 1 and is_concealed(batch, match):
            hands = [batch.game.notation.format_hand(deal.observe(seat)) for seat in seats]
            text = batch.game.notation.format_action(action)
            waiting.append((deal.observe().tobytes(), hands, text, deal.seat))
        match.apply(action)
        if deal.is_over:
            points = deal.points()
            found += [(view, hands, text, points[seat]) for view, hands, text, seat in waiting]
            waiting.clear()
    return found


@pytest.mark.parametrize("rules", some_of([*NAMES, "gin:eaai_auto_layoff=1", "pharaoh:players=4"]))
def test_a_match_is_played_again_from_its_trace(rules: str) -> None:
    batch = played(rules, first=len(line_up(rules)[1]) * 2)
    codes, ends = packed(batch)
    numbers = batch.first + np.arange(len(batch))
    found = replay_decisions(batch.game, batch.series, numbers, codes, ends)
    expected = [each for i in range(len(batch)) for each in slow_decisions(batch, i)]
    assert [view.tobytes() for view in found.views] == [each[0] for each in expected]
    texts = [batch.game.notation.format_action(action) for action in found.actions]
    assert texts == [each[2] for each in expected]
    assert found.points.tolist() == [each[3] for each in expected]
    sizes = [[int(hand).bit_count() for hand in row] for row in found.hands]
    assert sizes == [[len(hand.split()) for hand in each[1]] for each in expected]
    own = [int(row[view.me]) for row, view in zip(found.hands, found.views, strict=True)]
    assert own == [int(view.hand) for view in found.views]


@pytest.mark.parametrize("rules", some_of(NAMES))
def test_records_come_from_the_trace_and_verify(rules: str) -> None:
    batch = played(rules)
    for index in range(len(batch)):
        match = verify(parse_record(record_of(batch, index)))
        assert match.scores == batch.results.scores[index, : batch.game.seats].tolist()


def test_what_was_traced_is_what_the_agents_played() -> None:
    game, agents = line_up("gin", "thrifty", "simple")
    batch = play_batch(game, agents, 2, 9, max_deals=2, trace=None)
    told: list[Any] = []
    again: list[Any] = []
    play_match(game, agents, 9, number=0, pair=0, max_deals=2, note=told.append)
    replay_match(batch, 0, again.append)
    assert told == again


class Slow:
    """Refuses to lay down or knock, so that matches are long."""

    name = "slow"

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        return legal[0]


@pytest.mark.compiled
def test_a_long_match_is_traced_whole() -> None:
    game, agents = line_up("rummy:target=1000", "random", "random")
    batch = play_batch(game, agents, 2, 1, trace=None, first=4)
    assert int(batch.results.choices.max()) > FIRST_ROOM
    assert batch.is_traced
    slowly = play_batch(game, [Slow(), agents[1]], 2, 1, trace=None, first=4)
    assert int(slowly.results.choices.max()) > FIRST_ROOM
    for each in (batch, slowly):
        match = replay_match(each, 1)
        assert match.scores == each.results.scores[1].tolist()


def test_a_trace_that_was_cut_short_is_refused() -> None:
    game, agents = line_up("gin", "simple", "random")
    batch = play_batch(game, agents, 2, 1, max_deals=1, trace=3)
    with pytest.raises(RecordError, match="but only 3 were traced"):
        record_of(batch, 0)


@pytest.mark.parametrize("change", ["cut", "added", "larger", "other seed"])
def test_codes_that_are_not_the_match_are_refused(change: str) -> None:
    batch = played("gin", "simple", "random")
    codes, ends = packed(batch)
    codes, ends, series = codes.copy(), ends.copy(), batch.series.copy()
    if change == "cut":
        codes, ends[-1, 0] = codes[:-1], ends[-1, 0] - 1
    elif change == "added":
        codes, ends[-1, 0] = np.append(codes, np.uint8(0)), ends[-1, 0] + 1
    elif change == "larger":
        codes[len(codes) // 2] = 200
    else:
        series.seed = 6
    with pytest.raises(RecordError, match="does not replay"):
        replay_decisions(batch.game, series, np.arange(len(batch)), codes, ends)


@pytest.mark.parametrize("place", [0, 9, 10, 11])
def test_a_code_is_a_place_among_the_legal_actions(place: int) -> None:
    """The first upcard is taken, and any of ten throws ends the deal; an eleventh there is not."""
    game, agents = line_up("gin:max_discard_takes=1,knock_limit=0", "random", "random")
    series = make_series(game, agents, 5, max_deals=1)
    codes, ends = np.array([0, place], dtype=np.uint8), np.array([[2, 2]])
    if place < 10:
        found = replay_decisions(game, series, np.array([0]), codes, ends)
        assert found.views.phase.tolist() == [Phase.OFFER, Phase.DISCARD]
    else:
        with pytest.raises(RecordError, match="does not replay"):
            replay_decisions(game, series, np.array([0]), codes, ends)
