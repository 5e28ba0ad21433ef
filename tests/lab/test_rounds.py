"""Rounds: every deal once in every seating."""

import numpy as np
import pytest

from lab.tables import GAMES, batch_of, quick_agents
from undercut.lab.rounds import joined, parts, play_rounds, rounds_of, whole_rounds
from undercut.play.batch import play_batch


def test_a_round_is_the_same_however_the_series_is_divided() -> None:
    game, agents = quick_agents("simple", "random")
    whole = play_rounds(game, agents, range(GAMES // 2), seed=3)
    cut = GAMES // 6
    before = play_rounds(game, agents, range(cut), seed=3)
    after = play_rounds(game, agents, range(cut, GAMES // 2), seed=3)
    for name in ("shares", "places", "points", "dealt", "beats", "games", "deals", "tally"):
        joined = np.concatenate([getattr(before, name), getattr(after, name)])
        assert (getattr(whole, name) == joined).all(), name


def test_rounds_add_up_to_the_batch() -> None:
    game, agents = quick_agents("simple", "random")
    batch = play_batch(game, agents, GAMES, seed=3)
    rounds = rounds_of(batch)
    assert len(rounds) == GAMES // 2
    assert rounds.shares.sum() * 2 == pytest.approx(GAMES)
    assert rounds.points.sum(axis=0).tolist() == batch.scores.sum(axis=0).tolist()
    assert rounds.deals.sum() == batch.results.deals.sum()
    assert rounds.tally.sum(axis=0)[0] == batch.results.tally[:, 0].sum()


def test_ties_are_split_and_beats_are_counted_twice() -> None:
    rounds = rounds_of(batch_of([[10, 0], [5, 5], [0, 3], [0, 9]]))
    assert rounds.shares.tolist() == [[0.75, 0.25], [0.0, 1.0]]
    assert rounds.points.tolist() == [[15, 5], [0, 12]]
    assert rounds.beats.tolist() == [[3], [0]]


def test_three_players_meet_in_six_seatings() -> None:
    rounds = rounds_of(batch_of([[10, 0, 10]] * 3 + [[0, 1, 2]] * 3))
    assert len(rounds) == 1
    assert rounds.shares.tolist() == [[0.25, 0.0, 0.75]]
    # a v b, a v c, b v c, in halves of games
    assert rounds.beats.tolist() == [[6, 3, 0]]


def test_half_a_round_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError):
        rounds_of(batch_of([[1, 0], [0, 1], [1, 0]]))


@pytest.mark.parametrize(("games", "rounds"), [(1, 1), (2, 1), (3, 2), (1000, 500), (1001, 501)])
def test_games_are_rounded_up_to_pairs(games: int, rounds: int) -> None:
    assert whole_rounds(games, ["simple", "random"]) == rounds


def test_parts_are_gapless() -> None:
    for total in (1, 7, 128, 1000):
        numbers = [number for part in parts(total, 5, 64) for number in part]
        assert numbers == list(range(total))


def test_the_first_rounds_of_some() -> None:
    game, agents = quick_agents("simple", "random")
    rounds = play_rounds(game, agents, range(8), seed=1)
    first = rounds.first(3)
    assert len(first) == 3
    assert (first.points == rounds.points[:3]).all()
    assert first.seconds == pytest.approx(rounds.seconds * 3 / 8)


def test_places_are_shared_by_those_who_tie() -> None:
    rounds = rounds_of(batch_of([[10, 0, 10]] * 6 + [[5, 5, 5]] * 3 + [[1, 2, 3]] * 3))
    assert rounds.places.tolist() == [[1.5, 3.0, 1.5], [2.5, 2.0, 1.5]]
    assert rounds.places.sum(axis=1).tolist() == [6.0, 6.0]


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_places_of_a_round_are_the_ranks_of_its_games(seats: int) -> None:
    chance = np.random.default_rng(seats)
    size = 24 if seats == 4 else {2: 2, 3: 6}.get(seats, seats)
    scores = chance.integers(0, 4, (3 * size, seats))
    rounds = rounds_of(batch_of(scores.tolist()))
    better = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    equal = (scores[:, None, :] == scores[:, :, None]).sum(axis=2)
    places = 1 + better + (equal - 1) / 2
    assert rounds.places == pytest.approx(places.reshape(3, size, seats).mean(axis=1))


def test_rounds_that_follow_each_other_are_joined() -> None:
    game, agents = quick_agents("simple", "random")
    whole = play_rounds(game, agents, range(8), seed=3)
    again = joined([whole.first(3), play_rounds(game, agents, range(3, 8), seed=3)])
    assert (again.tally == whole.tally).all()
    assert (again.places == whole.places).all()
