"""How many action sequences there are to each depth, by kernels and by the slow engine.

totals.json holds for each case the number of sequences of 1, 2, 3 ... actions. A deal that ends
sooner has no longer ones.
"""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from positions import Table, gin_table, scaled
from reference.cards import PACK
from reference.gin import Deal as SlowDeal
from reference.rng import shuffled

from undercut.core.game import new
from undercut.core.jit import UNBOUND, specialise
from undercut.games.catalog import parse_game, rule_sets

TOTALS: dict[str, list[int]] = json.loads((Path(__file__).parent / "totals.json").read_text())
SLOW_DEPTH = 4

legal: Any = UNBOUND
apply: Any = UNBOUND


def _dealt(game: str, seed: int) -> Table:
    """The deal that a seed names."""
    return Table(parse_game(game), [PACK[card] for card in shuffled(list(range(52)), seed)])


def _knocked(game: str) -> Table:
    """A knocker with a choice of melds; the other has melds and lay-offs that compete."""
    table = gin_table(
        seat0="5d 6d 7d 8c 8h 8s Jc Qc Kc 2h",
        seat1="8d 9d 4d 5h 6h 7h 9h 9s Tc 3s",
        upcard="Ah",
        stock="Ks",
        game=game,
    )
    opening = ["pass", "pass", "draw"] if table.game.options.upcard else ["discard Ah", "draw"]
    if table.game.options.upcard:
        return table.play(*opening, "knock Ks")
    return table


KNOCKS = [
    "gin",
    "gin:knock_limit=30",
    "gin:eaai_auto_layoff=1",
    "gin:layoffs=0",
    "gin:face_points=13,knock_limit=13",
    "distilled+upcard+knock",
]
CASES: dict[str, Any] = {
    f"{game}, deal {seed}": (_dealt, game, seed) for game in rule_sets() for seed in (1, 2)
}
CASES |= {
    f"{game}, rich hands": (_rich, game) for game in ("gin", "distilled+knock") for _rich in ()
}
CASES |= {f"{game}, after a knock": (_knocked, game) for game in KNOCKS}
