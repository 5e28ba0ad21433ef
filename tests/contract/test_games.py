"""What every rule set must satisfy, whichever game it belongs to."""

from collections.abc import Iterator
from functools import cache
from itertools import islice, zip_longest
from random import Random
from typing import Any

import numpy as np
import pytest

import accounts
from contract.redeal import redealt
from helpers import helpers_for
from positions import (
    Table,
    fresh_tables,
    generator,
    lively_walk,
    random_table,
    same_record,
    scaled,
    walk,
)
from rulesets import (
    at_least,
    chance_of,
    every_game,
    every_option,
    quick_agents,
    quick_specs,
    sample,
)
from undercut.games.contract import Game
from undercut.games.rules.pace import LATE, pace_of
from undercut.kernels.records import new
from undercut.play.agent import Random as Chance
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.job import Backend
from undercut.play.records.event_log import EventLog
from undercut.play.records.events import Event, format_event
from undercut.players.catalog import parse_agent
from undercut.text.errors import IllegalAction, NotationError


@every_option
def test_no_card_is_lost_or_doubled_and_every_walk_ends(game: Game) -> None:
    random = Random(1)
    for number, table in enumerate(fresh_tables(game, sample(game, 40, 6), chance_of(game, 2))):
        for _ in (walk if number % 4 == 0 else lively_walk)(table, random):
            accounts.check(game.rules, table.state)
            assert table.is_over == (table.actions() == [])
            assert len(table.played) <= 10_000


@every_option
def test_legal_actions_are_different_and_fit_the_buffer(game: Game) -> None:
    random = Random(3)
    for table in fresh_tables(game, sample(game, 20, 6), chance_of(game, 4)):
        for _ in lively_walk(table, random):
            actions = table.actions()
            assert len(set(actions)) == len(actions) <= game.rules.LEGAL
            assert all(0 <= action < game.rules.ACTIONS for action in actions)
            parse, write = game.notation.parse_action, game.notation.format_action
            assert [parse(write(action)) for action in actions] == actions


@every_game
def test_points_are_what_they_can_be(game: Game) -> None:
    random = Random(5)
    for table in fresh_tables(game, sample(game, 30, 6), chance_of(game, 6)):
        for _ in lively_walk(table, random):
            pass
        accounts.check_points(game, table.points())
        assert table.next_starter() in range(game.seats)


def _held(deal: Deal) -> bytes:
    """Everything a deal keeps in memory, and whose turn it is."""
    kept = [value.tobytes() for value in vars(deal).values() if isinstance(value, np.ndarray)]
    assert kept
    return b"".join(kept) + bytes([deal.seat, *np.array(deal.actions).tobytes()])


@every_game
def test_the_same_seed_gives_the_same_deal(game: Game) -> None:
    first, again, other = (Deal(game, seed) for seed in (7, 7, 8))
    assert _held(first) == _held(again)
    assert _held(first) != _held(other)


@every_game
def test_a_deal_knows_the_points_so_far_of_every_seat(game: Game) -> None:
    scores = tuple(11 + 7 * seat for seat in range(game.seats))
    for starter in range(game.seats):
        table = Table(game, range(len(random_table(game, Random(1)).deck)), starter, scores)
        for seat in range(game.seats):
            assert tuple(table.view(seat)["scores"][: game.seats]) == scores
            completed = _completed(table, seat, generator(2))
            assert tuple(completed.state["scores"][: game.seats]) == scores


@every_option
def test_a_deal_in_used_memory_goes_as_in_fresh_memory(game: Game) -> None:
    """A match deals into the same state again and again: nothing of the last deal may stay."""
    random = Random(10)
    for table in fresh_tables(game, sample(game, 20, 2), chance_of(game, 12)):
        used = _begun_over(77, table)
        for seat in range(game.seats):
            same_record(used.view(seat), table.view(seat))
        for _ in lively_walk(table, random):
            for action in table.played[len(used.played) :]:
                used.apply(action)
            same_record(used.view(), table.view())
        assert used.points() == table.points()
        assert _counted(used) == _counted(table)


def _begun_over(filling: int, table: Table) -> Table:
    """The same deal, in memory that holds something else."""
    states = new(table.rules.STATE, 1)
    states.view(np.uint8)[:] = filling
    states[0]["deck"][:] = table.deck
    scores = np.array(table.scores, dtype=np.int64)
    table.rules.begin(states[0], table.options, table.starter, scores)
    twin = table.copy()
    twin.state = states[0]
    return twin


def _counted(table: Table) -> list[int]:
    counts = np.zeros(16, dtype=np.int64)
    gained = np.array(table.points(), dtype=np.int64)
    table.rules.tally(table.state, table.options, gained, counts)
    return counts.tolist()


@every_game
def test_a_copy_is_independent(game: Game) -> None:
    random = Random(9)
    deal = Deal(game, seed=11)
    for _ in range(12):
        deal.apply(random.choice(deal.actions))
        before, twin = _held(deal), deal.copy()
        assert _held(twin) == before
        while not twin.is_over:
            twin.apply(random.choice(twin.actions))
        assert _held(deal) == before
        kept = _held(twin)
        deal.apply(random.choice(deal.actions))
        assert _held(twin) == kept


@every_game
def test_an_illegal_action_is_refused_and_changes_nothing(game: Game) -> None:
    random = Random(13)
    deal = Deal(game, seed=14)
    while not deal.is_over:
        before, legal = _held(deal), deal.actions
        illegal = sorted(set(range(game.rules.ACTIONS)) - set(legal))
        for action in [*random.sample(illegal, 12), -1, game.rules.ACTIONS, 2**40, 2**70]:
            with pytest.raises(IllegalAction) as caught:
                deal.apply(action)
            assert deal.legal[0] in str(caught.value)
            assert "\n" not in str(caught.value)
        assert _held(deal) == before
        deal.apply(random.choice(legal))
    before = _held(deal)
    with pytest.raises(IllegalAction, match="the deal is over"):
        deal.apply(legal[0])
    assert _held(deal) == before


@every_option
def test_a_used_view_is_filled_just_as_a_fresh_one(game: Game) -> None:
    """The view of one seat, then of another and of other deals: nothing is left behind."""
    random = Random(15)
    used = new(game.rules.VIEW, 1)[0]
    for table in fresh_tables(game, sample(game, 20, 4), chance_of(game, 16)):
        for _ in lively_walk(table, random):
            seat = random.randrange(game.seats)
            game.rules.observe(table.state, table.options, seat, used)
            same_record(used, table.view(seat))


@every_game
def test_clear_view_makes_any_memory_fit(game: Game) -> None:
    table = random_table(game, Random(17))
    view = new(game.rules.VIEW, 1)
    view.view(np.uint8)[:] = 0xAB
    game.rules.clear_view(view[0])
    game.rules.observe(table.state, table.options, 0, view[0])
    fields = view.dtype.names
    assert all((view[0][name] == table.view(0)[name]).all() for name in fields)


# Hidden information


def _decisions(game: Game, table: Table) -> dict[str, int]:
    """What every agent would do here, each with the same chance."""
    return {spec: _decide(game, spec, table) for spec in quick_specs(game)}


@cache
def _agent(game: Game, spec: str) -> Any:
    return parse_agent(spec, game)


def _decide(game: Game, spec: str, table: Table) -> int:
    action = _agent(game, spec).act(table.view(), table.actions(), Chance(generator(99)))
    assert action in table.actions()
    return int(action)


def _looks_the_same_to(seat: int, table: Table, twin: Table) -> None:
    same_record(twin.view(seat), table.view(seat))
    if table.seat == seat:
        assert twin.is_over == table.is_over
        assert twin.actions() == table.actions()


def _sampled_positions(game: Game, count: int, seed: int) -> Any:
    """Random positions of lively deals: early ones, late ones, and laying down."""
    random = chance_of(game, seed)
    for table in fresh_tables(game, count, random):
        for _ in lively_walk(table, random):
            is_rare = pace_of(table.rules)(table.state) == LATE
            if random.random() < (0.4 if is_rare else 0.06):
                yield table


@every_option
def test_a_seat_knows_nothing_of_hidden_cards(game: Game) -> None:
    """The same play from other decks that this seat cannot tell apart."""
    random, moved = Random(21), 0
    positions = _sampled_positions(game, scaled(24, 4), 22)

    def is_enough() -> bool:
        return moved > scaled(12, 3)

    for table in at_least(positions, sample(game, 60, 12), is_enough):
        for seat in range(game.seats):
            twin = redealt(table, seat, random)
            if twin is not None:
                _looks_the_same_to(seat, table, twin)
                if table.seat == seat and not table.is_over:
                    assert _decisions(game, twin) == _decisions(game, table)
                moved += twin.state.tobytes() != table.state.tobytes()
    assert is_enough(), moved


@every_option
def test_a_seat_s_record_knows_nothing_of_hidden_cards(game: Game) -> None:
    """The same play from other decks, so far and on from here: the seat is told the same of it."""
    random, moved, went_on = Random(23), 0, 0
    positions = _sampled_positions(game, scaled(24, 8), 24)

    def is_enough() -> bool:
        return moved > scaled(5, 2) and went_on > scaled(10, 2)

    for table in at_least(positions, sample(game, 30, 12), is_enough):
        for seat in range(game.seats):
            twin = redealt(table, seat, random)
            if twin is None:
                continue
            moved += twin.state.tobytes() != table.state.tobytes()
            if helpers_for(game).redealt is None:
                assert _told(twin, seat) == _told(table, seat)
            went_on += _go_on(table.copy(), twin, seat, random)
    assert is_enough(), (moved, went_on)


def _told(table: Table, seat: int) -> str:
    """What a seat is told of a deal up to here, which is played again from its deck."""
    events: list[Event] = []
    log = EventLog(table.game, events.append, seat)
    again = Table(table.game, table.deck, table.starter, table.scores)
    log.dealt(again, 0, table.starter, table.scores, "")
    for action in table.played:
        _play_noted(again, action, log)
    return "".join(map(format_event, events))


def _play_noted(table: Table, action: int, log: EventLog) -> None:
    seat, before = table.seat, table.view()
    table.apply(action)
    log.played(table, seat, action, before)


def _go_on(table: Table, twin: Table, seat: int, random: Random) -> int:
    """Play on at both tables as long as they look the same to a seat; return for how long."""
    events: tuple[list[Event], list[Event]] = ([], [])
    log, twin_log = (EventLog(table.game, each.append, seat) for each in events)
    for count in range(6):
        if table.is_over:
            return count
        action = random.choice(table.actions())
        choices = _alike(table.game, action, twin.actions())
        _play_noted(table, action, log)
        if not choices:
            return count
        _play_noted(twin, random.choice(choices), twin_log)
        if twin.view(seat).tobytes() != table.view(seat).tobytes():
            return count
        assert [*map(format_event, events[1])] == [*map(format_event, events[0])]
    return 6


def _alike(game: Game, action: int, legal: list[int]) -> list[int]:
    """The action itself, or where it cannot be played those that begin with the same word."""
    write = game.notation.format_action
    word = write(action).split()[0]
    return (
        [action] if action in legal else [each for each in legal if write(each).split()[0] == word]
    )


@every_option
def test_what_is_told_in_part_is_no_action(game: Game) -> None:
    """So that a reader knows that the rest of it is still to be revealed."""
    random = Random(25)
    for table in fresh_tables(game, sample(game, 20, 4), chance_of(game, 26)):
        for _ in lively_walk(table, random):
            if table.is_over:
                break
            twin, action = table.copy(), random.choice(table.actions())
            twin.apply(action)
            text = game.notation.format_action(action)
            for seat in range(game.seats):
                told = game.notation.format_public(action, twin.view(seat))
                assert told == text or (seat != table.seat and not _is_action(game, told))


def _is_action(game: Game, text: str) -> bool:
    try:
        game.notation.parse_action(text)
    except NotationError:
        return False
    return True


@every_option
def test_completing_a_view_gives_a_position_that_looks_like_it(game: Game) -> None:
    chance = generator(31)
    for table in _sampled_positions(game, scaled(24, 2), 32):
        for seat in range(game.seats):
            twin = _completed(table, seat, chance)
            accounts.check(game.rules, twin.state)
            _looks_the_same_to(seat, table, twin)


def _completed(table: Table, seat: int, chance: Any) -> Table:
    twin = random_table(table.game, Random(1))
    view = table.view(seat)
    before = view.tobytes()
    table.rules.complete(view, table.options, chance, twin.state)
    assert view.tobytes() == before
    return twin


@every_option
def test_play_goes_on_from_a_completed_view(game: Game) -> None:
    chance, random = generator(41), Random(42)
    for table in islice(_sampled_positions(game, sample(game, 20, 4), 43), sample(game, 40, 16)):
        if not table.is_over:
            twin = _completed(table, table.seat, chance)
            for _ in lively_walk(twin, random):
                accounts.check(game.rules, twin.state)
            accounts.check_points(game, twin.points())


@every_game
def test_completing_deals_every_hidden_card_equally_often(game: Game) -> None:
    table, random = random_table(game, Random(51)), Random(52)
    for _ in range(9):
        table.play_any(random)
    chance, count, seat = generator(53), sample(game, 4_000, 300), table.seat
    other = (seat + 1) % game.seats
    held = np.zeros(len(table.deck))
    for _ in range(count):
        state = _completed(table, seat, chance).state
        held += (int(state["hands"][other]) >> np.arange(len(table.deck))) & 1
    assert sum(held) == int(table.state["hands"][other]).bit_count() * count
    free = table.unseen(seat)
    share = sum(held[free]) / len(free)
    # Four and a half standard errors for each of some forty cards; the seed is fixed.
    error = (share * (1 - share / count)) ** 0.5
    assert np.abs(held[free] - share).max() < 4.5 * error


@every_game
def test_completing_lays_every_hidden_card_equally_often_in_each_place_of_the_stock(
    game: Game,
) -> None:
    table, random = random_table(game, Random(54)), Random(55)
    for _ in range(9):
        table.play_any(random)
    chance, count = generator(56), sample(game, 4_000, 400)
    stocks = np.array(
        [
            accounts.stock(game.rules, _completed(table, table.seat, chance).state)
            for _ in range(count)
        ]
    )
    assert stocks.shape[1] == len(accounts.stock(game.rules, table.state)) > 2
    free = table.unseen(table.seat)
    share = count / len(free)
    for place in (0, 1, stocks.shape[1] // 2, stocks.shape[1] - 1):
        found = np.bincount(stocks[:, place], minlength=len(table.deck))
        assert found[free].sum() == count
        error = (share * (1 - 1 / len(free))) ** 0.5
        assert np.abs(found[free] - share).max() < 4.5 * error
    # Neighbours are as often in one order as in the other.
    rising = (np.diff(stocks, axis=1) > 0).mean(axis=0)
    assert np.abs(rising - 0.5).max() < 4.5 * 0.5 / count**0.5


@every_option
def test_what_follows_a_completed_view_comes_from_the_view_and_the_generator_alone(
    game: Game,
) -> None:
    """Nothing of what the memory held before, not even chance that is used much later."""
    random = Random(57)
    for table in islice(_sampled_positions(game, sample(game, 20, 2), 58), sample(game, 40, 3)):
        first, second = (_completed_over(filling, table) for filling in (0, 77))
        for _ in lively_walk(first, random):
            for action in first.played[len(second.played) :]:
                second.apply(action)
            same_record(first.view(), second.view())
        assert second.is_over
        assert first.points() == second.points()


def _completed_over(filling: int, table: Table) -> Table:
    """The view of the seat on turn completed in memory that holds something else."""
    states = new(table.rules.STATE, 1)
    states.view(np.uint8)[:] = filling
    table.rules.complete(table.view(), table.options, generator(59), states[0])
    twin = table.copy()
    twin.state = states[0]
    return twin


# Agents


@every_option
def test_every_agent_answers_legally(game: Game) -> None:
    """Each against the others in turn, and compiled against itself."""
    specs = quick_specs(game)
    for first in range(len(specs)):
        for shift in (1, 0)[: scaled(2, 1)]:
            players = [
                _agent(game, specs[(first + shift * seat) % len(specs)])
                for seat in range(game.seats)
            ]
            for seed in range(sample(game, 6, 1)):
                starter, chance = seed % game.seats, Chance(generator(seed))
                deal = Deal(game, seed, starter=starter)
                while not deal.is_over:
                    deal.apply(players[deal.seat].act(deal.observe(), deal.actions, chance))


@pytest.mark.compiled
@every_option
def test_every_agent_answers_legally_in_fused_play(game: Game) -> None:
    """Two different ones at a time: the first matches of a series stop at an illegal answer.

    Those that search, sample or are networks take long to compile once more, and are asked one by
    one above.
    Interpreted there is nothing to fuse: the agents are asked above, the loop is tried in play.
    """
    for pair in _two_by_two(game):
        players = [pair[seat % 2] for seat in range(game.seats)]
        play_batch(game, players, sample(game, 24, 1), max_deals=1, backend=Backend(workers=1))


def _two_by_two(game: Game) -> Iterator[tuple[Any, Any]]:
    """All quick agents in pairs of different kernels: a loop is compiled for every two of these."""
    kernels: dict[Any, list[Any]] = {}
    for spec in quick_agents(game):
        agent = _agent(game, spec)
        if agent.parts is None:
            kernels.setdefault(agent.choose, []).append(agent)
    groups = list(kernels.values())
    for one, other in zip_longest(groups[::2], groups[1::2], fillvalue=groups[-1]):
        for place in range(max(len(one), len(other))):
            yield one[place % len(one)], other[place % len(other)]
