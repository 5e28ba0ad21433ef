"""Rule sets by name: "gin", "distilled+knock+long", "pharaoh:players=4,deal=3"."""

from typing import Any

from undercut.core.errors import OptionsError
from undercut.core.spec import one_of, replace_fields, split_spec
from undercut.games.contract import Game, Notation, Rules
from undercut.games.gin import rules as gin
from undercut.games.gin import text as gin_text
from undercut.games.pharaoh import rules as pharaoh
from undercut.games.pharaoh import text as pharaoh_text
from undercut.games.rummy import rules as rummy
from undercut.games.rummy import text as rummy_text

_GIN: tuple[Any, Any] = (gin, gin_text)
_RUMMY: tuple[Any, Any] = (rummy, rummy_text)
_PHARAOH: tuple[Any, Any] = (pharaoh, pharaoh_text)
GAMES: dict[str, tuple[Rules, Notation]] = {
    **dict.fromkeys(gin.PRESETS, _GIN),
    **dict.fromkeys(rummy.PRESETS, _RUMMY),
    **dict.fromkeys(pharaoh.PRESETS, _PHARAOH),
}


def parse_game(spec: str, seats: int | None = None) -> Game:
    """The rule set a spec names, for this many seats, by default as few as can play.

    A game for various numbers of players has the option `players`, so its name says how many.

    >>> parse_game("distilled+knock").options.gin_bonus
    10
    >>> parse_game("pharaoh", seats=3).name
    'pharaoh:players=3'
    """
    head, fields = split_spec(spec)
    preset, *variants = head.split("+")
    if preset not in GAMES:
        raise OptionsError(f"unknown game {preset!r}: {one_of(GAMES)}")
    rules, notation = GAMES[preset]
    if seats is not None:
        _check_seats(rules, seats, preset)
        if seats != rules.SEATS[0]:
            fields = {"players": str(seats), **fields}
    options = rules.PRESETS[preset]
    known = rules.VARIANTS.get(preset, {})
    for variant in variants:
        if variant not in known:
            raise OptionsError(
                f"unknown variant {variant!r} of {preset}: {one_of(known) or 'it has none'}"
            )
    for variant, change in known.items():
        if variant in variants:
            options = change(options)
    options = replace_fields(options, fields, dict(rules.LIMITS), preset)
    chosen = [variant for variant in known if variant in variants]
    return Game(
        name=_name([preset, *chosen], fields),
        rules=rules,
        notation=notation,
        options=_check(rules, options, spec),
        seats=_seats(rules, options, seats, spec),
    )


def rule_sets(family: str | None = None) -> list[str]:
    """The name of every preset with every combination of its variants, or those of one family.

    >>> len(rule_sets("gin"))
    9
    """
    names = []
    for preset, (rules, _) in GAMES.items():
        if family not in (None, rules.NAME):
            continue
        variants = list(rules.VARIANTS.get(preset, {}))
        for choice in range(1 << len(variants)):
            chosen = [variant for i, variant in enumerate(variants) if choice >> i & 1]
            names.append("+".join([preset, *chosen]))
    return names


def _name(words: list[str], fields: dict[str, str]) -> str:
    name = "+".join(words)
    if fields:
        name += ":" + ",".join(f"{field}={value}" for field, value in sorted(fields.items()))
    return name


def _check(rules: Rules, options: Any, spec: str) -> Any:
    problem = rules.find_problem(options)
    if problem:
        raise OptionsError(f"{spec!r}: {problem}")
    return options


def _check_seats(rules: Rules, seats: int, preset: str) -> None:
    low, high = rules.SEATS
    if not low <= seats <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        raise OptionsError(f"{seats} players: {preset} is for {allowed}")


def _seats(rules: Rules, options: Any, asked: int | None, spec: str) -> int:
    seats = int(getattr(options, "players", rules.SEATS[0]))
    if asked not in (None, seats):
        raise OptionsError(f"{asked} players: {spec!r} is for {seats}")
    return seats
