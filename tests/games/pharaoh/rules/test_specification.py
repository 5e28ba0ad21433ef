"""Pharaoh beside its specification, and what the other contract tests do not see of it."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from games.pharaoh.compare import RULE_SETS, compare
from games.pharaoh.positions import Table, dealt, generator, scaled, shuffled, walk
from rulesets import EVERY, each_of
from undercut.cards.french import size
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.view import unseen_fresh, unseen_old
from undercut.games.table.position import format_position, parse_position
from undercut.kernels.records import new

PAGE = (Path(__file__).parents[4] / "docs" / "rules" / "pharaoh.md").read_text(encoding="utf-8")


def test_the_page_has_the_numbers_of_actions() -> None:
    assert f"{pharaoh.ACTIONS} in all, never more than {pharaoh.LEGAL} at once" in PAGE
    assert f"{pharaoh.VERSION}. " in PAGE.split("## Versions")[1]


def test_each_line_of_the_specification_has_its_code_and_its_test() -> None:
    source = Path(__file__).with_name("test_deal.py").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+)` \| `(\w+)` \| `(\w+)` \|$", PAGE, re.M)
    assert len(rows) > 20
    for text, code, test in rows:
        assert f"def {test}(" in source
        assert _plain(text) in _plain(inspect.getsource(getattr(pharaoh, code))), code


def _plain(text: str) -> str:
    return " ".join(text.split())


NAMES = [name for name in EVERY if parse_game(name).rules is pharaoh]
every_game = each_of(NAMES)


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
        assert set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789XUOKAHBCL-._~")
        again, read = parse_position(text)
        assert again == game
        assert read.tobytes() == view.tobytes()
