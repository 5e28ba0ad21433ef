"""What every rule set must satisfy, for Pharaoh and Prší at two, three, four and eight seats."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from compare_pharaoh import RULE_SETS, compare
from pharaoh_positions import Table, dealt, generator, redealt, scaled, shuffled, walk
from undercut.agents.catalog import ENTRIES, parse_agent
from undercut.core.agent import Random as Chance
from undercut.core.cards import size
from undercut.core.errors import IllegalAction
from undercut.core.game import Game, new
from undercut.games import pharaoh
from undercut.games.catalog import parse_game
from undercut.games.pharaoh_view import unseen_fresh, unseen_old
from undercut.games.position import format_position, parse_position
from undercut.play.deal import Deal

SEATS = [2, 3, 4, 8]
ODD = [
    "pharaoh:players=2,deal=13,upcard_effects=1,quad_effects=1",
    "pharaoh:players=3,heart_seven_returns=1,aces_stack=0",
    "pharaoh:players=5,over_on_active=1,quads=0,seven_cards=2",
    "pharaoh:players=6,leaves_under=0,most_cards=2,stop_rounds=1,max_moves=60",
    "prsi:players=4,deal=5,heart_seven_returns=1",
]
NAMES = [parse_game(name, seats).name for name in ("pharaoh", "prsi") for seats in SEATS] + ODD
every_game = pytest.mark.parametrize("game", [parse_game(name) for name in NAMES], ids=NAMES)


def _tables(game: Game, count: int, seed: int) -> Iterator[Table]:
    random = Random(seed)
    for _ in range(count):
        yield dealt(shuffled(random), game.name, random.randrange(game.seats))


def _positions(game: Game, count: int, seed: int, every: int = 9) -> Iterator[Table]:
    """Some positions of random deals, of which every second is played to go out soon."""
    random = Random(seed)
    for number, table in enumerate(_tables(game, count, seed + 1)):
        for moves, _ in enumerate(walk(table, random, eager=number % 2 == 0)):
            if table.is_over or random.randrange(every) == 0:
                yield table
            if moves == 300:
                break


@pytest.mark.parametrize("players", range(2, 9))
def test_the_specification_agrees(players: int) -> None:
    for seed, name in enumerate(RULE_SETS):
        assert compare(parse_game(name, players), scaled(500, 30), 100 * players + seed) >= 0


def test_every_house_rule_is_compared() -> None:
    games = [parse_game(name) for name in RULE_SETS]
    of_a_match = {"players", "first_starter", "deals"}
    for field in set(pharaoh.Options._fields) - of_a_match:
        assert len({getattr(game.options, field) for game in games}) > 1, field


@every_game
def test_no_card_is_lost_or_doubled(game: Game) -> None:
    for table in _positions(game, scaled(20, 3), 1, every=2):
        assert sorted(table.accounts()) == list(range(32))
        state = table.state
        holding = [seat for seat, held in enumerate(table.sizes()) if held]
        assert state.left == len(holding)
        assert all((state.out_at[seat] == -1) == (seat in holding) for seat in range(game.seats))
        assert table.is_over == (table.actions() == [])
        assert table.is_over or table.seat in holding
        assert (state.pile[int(state.piled) :] == -1).all()


@every_game
def test_legal_actions_are_different_and_fit_the_buffer(game: Game) -> None:
    parse, write = game.notation.parse_action, game.notation.format_action
    for table in _positions(game, scaled(10, 3), 3):
        actions = table.actions()
        assert actions == sorted(set(actions))
        assert len(actions) <= pharaoh.LEGAL
        assert all(0 <= action < pharaoh.ACTIONS for action in actions)
        assert [parse(write(action)) for action in actions] == actions


@every_game
def test_places_and_points_fit(game: Game) -> None:
    for table in _tables(game, scaled(20, 3), 5):
        for _ in walk(table, Random(6)):
            pass
        points = table.points()
        assert sum(points) == game.seats * (game.seats - 1)
        places = table.places()
        by_place = sorted(range(game.seats), key=places.__getitem__)
        assert [points[seat] for seat in by_place] == sorted(points, reverse=True)
        assert table.next_starter() in range(game.seats)


@every_game
def test_an_illegal_action_is_refused_and_changes_nothing(game: Game) -> None:
    random, deal = Random(13), Deal(game, seed=14)
    for _ in range(scaled(60, 15)):
        if deal.is_over:
            break
        before, legal = deal.view(0).tobytes(), deal.legal
        illegal = sorted(set(range(pharaoh.ACTIONS)) - set(legal))
        for action in [*random.sample(illegal, 5), -1, pharaoh.ACTIONS, 2**70]:
            with pytest.raises(IllegalAction):
                deal.apply(action)
        assert (deal.view(0).tobytes(), deal.legal) == (before, legal)
        deal.apply(random.choice(legal))


@every_game
def test_a_used_view_is_filled_just_as_a_fresh_one(game: Game) -> None:
    random = Random(15)
    used = new(pharaoh.VIEW, 1)[0]
    for table in _positions(game, scaled(10, 3), 16):
        seat = random.randrange(game.seats)
        pharaoh.observe(table.state, table.options, seat, used)
        assert used.tobytes() == table.view(seat).tobytes()
    dirty = new(pharaoh.VIEW, 1)
    dirty.view(np.uint8)[:] = 0xAB
    pharaoh.clear_view(dirty[0])
    pharaoh.observe(table.state, table.options, 0, dirty[0])
    assert all((dirty[0][name] == table.view(0)[name]).all() for name in pharaoh.VIEW.names)


def _decisions(table: Table) -> list[int]:
    """What every agent would do here, each with the same chance."""
    agents = [parse_agent(name, table.game) for name in ENTRIES["pharaoh"]]
    return [a.act(table.view(), table.actions(), Chance(generator(99))) for a in agents]


@every_game
def test_a_seat_knows_nothing_of_hidden_cards(game: Game) -> None:
    random, moved = Random(21), 0
    for table in _positions(game, scaled(10, 3), 22, every=16):
        seat = random.randrange(game.seats)
        twin = redealt(table, seat, random)
        assert sorted(twin.accounts()) == list(range(32))
        assert twin.view(seat).tobytes() == table.view(seat).tobytes()
        if table.seat == seat and not table.is_over:
            assert twin.actions() == table.actions()
            assert _decisions(twin) == _decisions(table)
        moved += twin.state.hands.tobytes() != table.state.hands.tobytes()
    assert moved > 3


@every_game
def test_a_completed_view_looks_the_same_and_can_be_played_on(game: Game) -> None:
    chance, random = generator(31), Random(32)
    for table in _positions(game, scaled(10, 3), 33, every=16):
        seat = random.randrange(game.seats)
        twin = table.copy()
        states = new(pharaoh.STATE, 1)
        states.view("i1")[:] = 77  # whatever was there before
        twin.state = states[0]
        view = table.view(seat)
        before = view.tobytes()
        pharaoh.complete(view, table.options, chance, twin.state)
        assert view.tobytes() == before
        assert twin.view(seat).tobytes() == before
        assert sorted(twin.accounts()) == list(range(32))
        assert twin.actions() == table.actions() or table.seat != seat
        for moves, _ in enumerate(walk(twin, random)):
            assert moves < 3 or sorted(twin.accounts()) == list(range(32))
            if moves == 40:
                break


@every_game
def test_the_two_sets_of_unseen_cards_add_up(game: Game) -> None:
    for table in _positions(game, scaled(10, 3), 41):
        for seat in range(game.seats):
            view = table.view(seat)
            others = [other for other in range(game.seats) if other != seat]
            fresh = sum(int(view.fresh[other]) for other in others)
            held = sum(int(view.held[other]) for other in others)
            assert size(unseen_fresh(view)) == fresh + view.stock
            assert size(unseen_old(view)) == held - fresh


def _pools(view: Any) -> list[tuple[int, int]]:
    """Both sets of unseen cards, and how many cards of each seat 1 holds."""
    fresh = int(view.fresh[1])
    return [(unseen_fresh(view), fresh), (unseen_old(view), int(view.held[1]) - fresh)]


def test_completing_deals_every_hidden_card_equally_often() -> None:
    table = next(
        table
        for table in _positions(parse_game("pharaoh:players=3"), 40, 51)
        if all(0 < drawn < size(cards) for cards, drawn in _pools(table.view(0)))
    )
    pools = _pools(table.view(0))
    view, chance, state = table.view(0), generator(53), new(pharaoh.STATE, 1)[0]
    count = scaled(4_000, 400)
    held = np.zeros(32)
    for _ in range(count):
        pharaoh.complete(view, table.options, chance, state)
        held += (int(state.hands[1]) >> np.arange(32)) & 1
    for cards, drawn in pools:
        share = drawn / size(cards)
        found = [held[card] / count for card in range(32) if cards >> card & 1]
        error = 4.5 * (share * (1 - share) / count) ** 0.5
        assert 0 < share < 1
        assert max(abs(each - share) for each in found) < error


@every_game
def test_positions_read_back(game: Game) -> None:
    random = Random(61)
    for table in _positions(game, scaled(10, 3), 62, every=16):
        view = table.view(random.randrange(game.seats))
        text = format_position(game, view)
        assert set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789XUOKAHBL-._~")
        again, read = parse_position(text)
        assert again == game
        assert read.tobytes() == view.tobytes()


@every_game
def test_every_agent_answers_legally(game: Game) -> None:
    for name in ENTRIES["pharaoh"]:
        agent = parse_agent(name, game)
        for seed in range(scaled(3, 1)):
            deal, chance = Deal(game, seed, starter=seed % game.seats), Chance(generator(seed))
            for _ in range(300):
                if not deal.is_over:
                    deal.apply(agent.act(deal.view(), deal.legal, chance))
