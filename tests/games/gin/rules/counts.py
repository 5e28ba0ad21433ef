"""The positions of Gin from which action sequences are counted, and their totals."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from counting import dealt
from games.gin.positions import gin_table
from positions import Table
from undercut.games.families import rule_sets

TOTALS: dict[str, list[int]] = json.loads((Path(__file__).parent / "totals.json").read_text())


def _rich(game: str) -> Table:
    """Both players can knock at once, or nearly so."""
    return gin_table(
        seat0="3c 3d 3h 4c 4d 4h 5c 5d 5h As",
        seat1="8s 8h 9s 9h Ts Th Js Jh 2d 2c",
        upcard="6c",
        stock="Ks 2s Ad",
        game=game,
    )


def _knocked(game: str) -> Table:
    """A knock with a choice of melds; the other's melds and lay-offs compete."""
    table = gin_table(
        seat0="5d 6d 7d 8c 8h 8s Jc Qc Kc 2h",
        seat1="8d 9d 4d 5h 6h 7h 9h 9s Tc 3s",
        upcard="Ah",
        stock="Ks",
        game=game,
    )
    return table.play("pass", "pass", "draw", "knock Ks")


RICH = ["gin", "gin:knock_limit=99", "oklahoma", "straight", "distilled+knock", "distilled+upcard"]
KNOCKS = [
    "gin",
    "gin:knock_limit=30",
    "gin:eaai_auto_layoff=1",
    "gin:layoffs=0",
    "gin:face_points=13,knock_limit=13",
    "distilled+upcard+knock",
]

CASES: dict[str, Callable[[], Table]] = (
    {f"{game} #{seed}": partial(dealt, game, seed) for game in rule_sets("gin") for seed in (1, 2)}
    | {f"{game}, rich hands": partial(_rich, game) for game in RICH}
    | {f"{game}, after a knock": partial(_knocked, game) for game in KNOCKS}
)
