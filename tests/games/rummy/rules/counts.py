"""The positions of Rummy from which action sequences are counted, and their totals."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from cards.reference.cards import PACK
from counting import dealt
from positions import Table
from undercut.games.families import parse_game, rule_sets
from undercut.games.rummy.rules import deal as rummy

TOTALS: dict[str, list[int]] = json.loads((Path(__file__).parent / "totals.json").read_text())


def _rich(game: str) -> Table:
    """Two melds in the first hand, one in the other, and lay-offs between them."""
    first, second = "5h 6h 7h 7c 7d 7s 2c 9d Jd Kh", "8h 9h Th 3c 4c 5c 3s Ks Qd Ad"
    named = [*first.split(), *second.split(), "4h"]
    return Table(parse_game(game), [*named, *(card for card in PACK if card not in named)])


def _last_of_stock(game: str) -> Table:
    """One card is left in the stock; there are melds on the table."""
    table = _rich(game)
    table.play("take", "meld 5h 6h 7h", "lay 4h on 5h", "discard Kh")
    table.play("draw", "meld 3c 4c 5c", "lay 8h on 7h", "discard Ks")
    while table.state["stock"] > 1:
        table.play("draw")
        table.apply(max(action for action in table.actions() if action < rummy.DRAW))
    return table


GAMES = rule_sets("rummy")
ENDS = [*GAMES, "rummy:turnovers=0"]

CASES: dict[str, Callable[[], Table]] = (
    {f"{game} #{seed}": partial(dealt, game, seed) for game in GAMES for seed in (1, 2)}
    | {f"{game}, rich hands": partial(_rich, game) for game in GAMES}
    | {f"{game}, last of the stock": partial(_last_of_stock, game) for game in ENDS}
)
