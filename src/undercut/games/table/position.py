"""Position strings: a rule set and one seat's view, short, canonical and fit for a link.

`gin~target-50.01.0-0.Ac2c….8hp.-` is Gin to 50 points seen from seat 0. Only letters, digits and
`-._~` occur, which need no escaping in an address.
"""

import re

import numpy as np

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.position_fields import require
from undercut.kernels import rng
from undercut.kernels.records import View, new, pack
from undercut.text.errors import NotationError
from undercut.text.spec import split_spec

_SIGNS = re.compile(r"[A-Za-z0-9._~-]*")


def format_position(game: Game, view: View) -> str:
    """The position string of a view."""
    head, fields = split_spec(game.name)
    values = [f"{field}-{getattr(game.options, field)}" for field in fields]
    return "~".join([*head.split("+"), *values]) + "." + game.notation.format_view(view)


def parse_position(text: str) -> tuple[Game, View]:
    """The rule set and the view of a position string.

    The string must be exactly as `format_position` writes it or wrote it in an earlier version, a
    state must exist for the view, and the viewing seat must have a legal action if it is on turn.
    """
    if not _SIGNS.fullmatch(text):
        raise NotationError(f"not a position: {text!r} (it has only letters, digits and -._~)")
    head, dot, rest = text.partition(".")
    if not dot:
        raise NotationError(f"not a position: {text!r} (it starts with a game and a dot: gin. …)")
    game = _parse_head(head)
    try:
        view = game.notation.parse_view(rest, game.options)
        again = format_position(game, view)
        renewed = game.family.renew(text) if game.family.renew else text
        require(again == renewed, f"its canonical form is {again!r}")
        _check(game, view)
    except NotationError as error:
        raise NotationError(f"not a position: {text!r}: {error}") from None
    return game, view


def _parse_head(head: str) -> Game:
    preset, *words = head.split("~")
    variants = [word for word in words if "-" not in word]
    fields = [word.replace("-", "=", 1) for word in words if "-" in word]
    return parse_game("+".join([preset, *variants]) + (":" + ",".join(fields) if fields else ""))


def _check(game: Game, view: View) -> None:
    """Sample a determinization: its view must be the same, and the seat must have an action."""
    rules, options = game.rules, pack(game.options)
    state, seen, generator = new(rules.STATE, 1)[0], new(rules.VIEW, 1)[0], new(rng.GENERATOR, 1)[0]
    rng.start(generator, 0)
    rules.complete(view, options, generator, state)
    rules.observe(state, options, int(view["me"]), seen)
    require(seen.tobytes() == view.tobytes(), "no state has this view")
    if view["seat"] == view["me"] and not rules.is_over(state):
        out = np.zeros(rules.LEGAL, dtype=np.int64)
        require(rules.legal(state, options, out) > 0, "the seat on turn has no legal action")
