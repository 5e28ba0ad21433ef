"""Observations of every game: named pieces, the bits of networks, nothing hidden."""

from random import Random
from typing import Any

import numpy as np
import pytest

import observations
from contract.redeal import redealt
from positions import fresh_tables, lively_walk, scaled
from rulesets import each_of
from undercut.cards.french import each
from undercut.cards.melds import is_run
from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.games.gin.rules.layout import Phase
from undercut.kernels.records import pack
from undercut.players.bits import bit_places
from undercut.players.encoding import encoding_of
from undercut.players.observation import Observation

PRESETS = [name for family in all_families() if family.encoding for name in family.rules.PRESETS]
every_preset = each_of([*PRESETS, "pharaoh:players=5"])


def _views(game: Game, count: int = 2) -> list[Any]:
    views = []
    for table in fresh_tables(game, count, Random(5)):
        for _ in lively_walk(table, Random(6)):
            views += [table.view(seat) for seat in range(game.seats)]
    return views


@every_preset
def test_pieces_name_every_bit_once(game: Game) -> None:
    encoding, seen = encoding_of(game), Observation(game)
    assert sum(piece.width for piece in encoding.pieces) == sum(encoding.words) == seen.size
    assert [span.first for span in seen.pieces[1:]] == [span.end for span in seen.pieces[:-1]]
    assert len({span.name for span in seen.pieces}) == len(seen.pieces)
    ends = {span.end for span in seen.pieces}
    assert set(np.cumsum(encoding.words).tolist()) <= ends, "a piece lies in one word"


@every_preset
def test_an_observation_is_what_networks_read(game: Game) -> None:
    encoding, short, seen = encoding_of(game), Observation(game, short=True), Observation(game)
    views = _views(game, 1)
    rows = seen.of_many(np.array(views, dtype=views[0].dtype))
    words = np.zeros(len(encoding.planes), dtype=np.int64)
    places = bit_places(encoding.planes)
    options = pack(game.options)
    for view, row in zip(views, rows, strict=True):
        encoding.encode(view, options, words)
        expected = words[places >> 6] >> (places & 63) & 1
        assert row[: short.size].tolist() == expected.tolist() == short.of(view).tolist()
        assert row.tolist() == seen.of(view).tolist()


@pytest.mark.compiled
@every_preset
def test_hidden_cards_change_no_number(game: Game) -> None:
    seen, found = Observation(game), 0
    for table in fresh_tables(game, 1, Random(7)):
        for _ in lively_walk(table, Random(8)):
            twin = redealt(table, 0, Random(9))
            if twin is not None and not table.is_over:
                found += 1
                assert seen.of(table.view(0)).tolist() == seen.of(twin.view(0)).tolist()
    assert found > 5


def test_what_is_laid_down_is_seen() -> None:
    """Against a slow twin: what lies on the table of Gin, in the pieces that come last."""
    game = parse_game("gin")
    seen, phases = Observation(game), set()
    for view in _views(game, scaled(12, 5)):
        row, me = seen.of(view), int(view["me"])
        melds = [int(meld) for seat in view["melds"] for meld in seat if meld]
        expected = {
            "my_laid": set(each(int(view["melded"][me]))),
            "his_laid": set(each(int(view["melded"][1 - me]))),
            "sets": {card for meld in melds if not is_run(meld) for card in each(meld)},
            "starts": {min(each(meld)) for meld in melds if is_run(meld)},
            "laying": {int(view["phase"]) - Phase.SPREAD} - {-3, -2, -1},
            "knocker": {[me, 1 - me].index(seat) for seat in [int(view["knocker"])] if seat >= 0},
        }
        for name, bits in expected.items():
            assert set(np.flatnonzero(row[seen.piece(name)]).tolist()) == bits, name
        phases.add(int(view["phase"]))
    assert {Phase.SPREAD, Phase.DEFEND, Phase.OVER} <= phases


@pytest.mark.compiled
def test_the_page_has_the_layouts() -> None:
    assert observations.PAGE.read_text(encoding="utf-8") == observations.page(), (
        "write it with: python tools/observations.py"
    )
