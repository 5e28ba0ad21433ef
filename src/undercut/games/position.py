"""Position strings: a rule set and one seat's view, short, canonical and fit for a link.

`gin~target-50.01.0-0.Ac2c….8hp.-` is Gin to 50 points seen from seat 0. Only letters, digits and
`-._~` occur, which need no escaping in an address.
"""

from undercut.core.errors import NotationError
from undercut.core.records import View
from undercut.core.spec import split_spec
from undercut.games.contract import Game
from undercut.games.families import parse_game


def format_position(game: Game, view: View) -> str:
    """The position string of a view."""
    head, fields = split_spec(game.name)
    words = head.split("+") + [f"{field}-{value}" for field, value in fields.items()]
    return "~".join(words) + "." + game.notation.format_view(view)


def parse_position(text: str) -> tuple[Game, View]:
    """The rule set and the view that a position string names."""
    head, dot, rest = text.strip().partition(".")
    if not dot:
        raise NotationError(f"not a position: {text!r} (it starts with a game and a dot: gin. …)")
    preset, *words = head.split("~")
    variants = [word for word in words if "-" not in word]
    fields = [word.replace("-", "=", 1) for word in words if "-" in word]
    game = parse_game("+".join([preset, *variants]) + (":" + ",".join(fields) if fields else ""))
    return game, game.notation.parse_view(rest, game.options)
