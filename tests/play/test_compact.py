"""The compact form: a byte for each choice, and the match comes out the same."""

from typing import Any

import numpy as np
import pytest
from play_helpers import line_up, scaled

from undercut.core.errors import RecordError
from undercut.core.records import new
from undercut.games.contract import LATE
from undercut.games.gin import rules as gin
from undercut.play.batch import Batch, play_batch
from undercut.play.compact import encode_batch, replay_matches
from undercut.play.match import Match

RULES = ["gin", "distilled", "distilled+upcard+knock", "gin:eaai_auto_layoff=1"]


def played(rules: str, agents: tuple[str, str] = ("simple", "random"), first: int = 0) -> Batch:
    game, players = line_up(rules, *agents)
    return play_batch(game, players, scaled(6, 2), 5, max_deals=3, trace=20_000, first=first)


def packed(batch: Batch) -> tuple[Any, Any]:
    rows, decisions = encode_batch(batch)
    lengths = [len(row) for row in rows]
    codes = np.frombuffer(b"".join(rows), dtype=np.uint8)
    return codes, np.stack([np.cumsum(lengths), np.cumsum(decisions)], axis=1)


def slow_decisions(batch: Batch, index: int) -> list[tuple[bytes, int]]:
    """The views and the other hands of a match's decisions, one checked action at a time."""
    row = batch.matches[index]
    match = Match.from_seed(batch.game, batch.seed, int(row.pair), 3)
    found = []
    for action in batch.traces[index][: row.actions]:
        deal = match.deal
        if len(deal.legal) > 1 and deal.view().phase < gin.Phase.SPREAD:
            found.append((deal.view().tobytes(), int(deal.view(1 - deal.seat).hand)))
        match.apply(int(action))
    return found


@pytest.mark.parametrize("rules", RULES)
def test_a_match_is_played_again_from_its_bytes(rules: str) -> None:
    batch = played(rules, first=4)
    codes, ends = packed(batch)
    views, hands = replay_matches(batch.game, 5, batch.matches.number, codes, ends, max_deals=3)
    expected = [each for i in range(len(batch.matches)) for each in slow_decisions(batch, i)]
    assert [
        (view.tobytes(), int(hand)) for view, hand in zip(views, hands, strict=True)
    ] == expected
    assert all(gin.pace(state_like(view)) < LATE for view in views[:3])
    assert len(codes) <= batch.matches.actions.sum()


def state_like(view: Any) -> Any:
    """A state with the turn and the phase of a view, which is all that `pace` reads."""
    state = new(gin.STATE, 1)[0]
    state.turn, state.phase = view.turn, view.phase
    return state


@pytest.mark.parametrize("change", ["cut", "added", "larger", "other seed"])
def test_bytes_that_are_not_the_match_are_refused(change: str) -> None:
    batch = played("gin")
    codes, ends = packed(batch)
    codes, ends, seed = codes.copy(), ends.copy(), 5
    if change == "cut":
        codes, ends[-1, 0] = codes[:-1], ends[-1, 0] - 1
    elif change == "added":
        codes, ends[-1, 0] = np.append(codes, np.uint8(0)), ends[-1, 0] + 1
    elif change == "larger":
        codes[len(codes) // 2] = 200
    else:
        seed = 6
    with pytest.raises(RecordError, match="does not replay"):
        replay_matches(batch.game, seed, batch.matches.number, codes, ends, max_deals=3)


@pytest.mark.parametrize("place", [0, 9, 10, 11])
def test_a_byte_is_a_place_among_the_legal_actions(place: int) -> None:
    """The first upcard is taken, and any of ten throws ends the deal; an eleventh there is not."""
    game, _ = line_up("gin:max_discard_takes=1,knock_limit=0", "random", "random")
    codes, ends = np.array([0, place], dtype=np.uint8), np.array([[2, 2]])
    if place < 10:
        views, _ = replay_matches(game, 5, np.array([0]), codes, ends, max_deals=1)
        assert views.phase.tolist() == [gin.Phase.OFFER, gin.Phase.DISCARD]
    else:
        with pytest.raises(RecordError, match="does not replay"):
            replay_matches(game, 5, np.array([0]), codes, ends, max_deals=1)
