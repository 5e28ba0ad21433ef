"""Rule sets by name: "gin", "distilled+knock+long", "pharaoh:players=4,deal=3"."""

import importlib
from collections.abc import Iterator

from undercut.games.contract import Family, Game, Rules
from undercut.kernels.records import Options
from undercut.text.errors import OptionsError
from undercut.text.spec import one_of, replace_fields, split_spec

FAMILIES: dict[str, str | Family] = {
    "gin": "undercut.games.gin.family",
    "rummy": "undercut.games.rummy.family",
    "pharaoh": "undercut.games.pharaoh.family",
}
"""All games; `find_family` loads a game on first use."""


def register(name: str, family: str | Family) -> None:
    """Add a game of your own: its family, or the module that has it as FAMILY."""
    FAMILIES[name] = family


def find_family(name: str) -> Family:
    """A game by its name.

    >>> find_family("pharaoh").reference
    'smallest'
    """
    if name not in FAMILIES:
        raise OptionsError(f"unknown game {name!r}: {one_of(FAMILIES, name)}")
    found = FAMILIES[name]
    return found if isinstance(found, Family) else importlib.import_module(found).FAMILY


def all_families() -> Iterator[Family]:
    """Every game; each is loaded when the iterator reaches it."""
    return map(find_family, FAMILIES)


def _family_with(preset: str) -> Family:
    """The game that has a preset. If the preset has the game's name, no other game is loaded."""
    for name in sorted(FAMILIES, key=lambda name: name != preset):
        if preset in find_family(name).rules.PRESETS:
            return find_family(name)
    known = (each for family in all_families() for each in family.rules.PRESETS)
    presets = one_of(known, preset)
    raise OptionsError(f"unknown game {preset!r}: {presets}")


def parse_game(spec: str, seats: int | None = None) -> Game:
    """The rule set that a spec names. The default for `seats` is the game's fewest.

    A game for various numbers of players has the option `players`, which becomes part of the name.

    >>> parse_game("distilled+knock").options.gin_bonus
    10
    >>> parse_game("pharaoh", seats=3).name
    'pharaoh:players=3'
    """
    head, fields = split_spec(spec)
    preset, *variants = head.split("+")
    family = _family_with(preset)
    rules = family.rules
    if seats is not None:
        _check_seats(rules, seats, preset)
        if seats != rules.SEATS[0]:
            fields = {"players": str(seats), **fields}
    options = rules.PRESETS[preset]
    known = rules.VARIANTS.get(preset, {})
    for variant in variants:
        if variant not in known:
            raise OptionsError(
                f"unknown variant {variant!r} of {preset}: {one_of(known, variant) or 'it has none'}"
            )
    chosen = [variant for variant in known if variant in variants]
    for variant in chosen:
        options = known[variant](options)
    options = replace_fields(options, fields, preset)
    if problem := rules.find_problem(options):
        raise OptionsError(f"{spec!r}: {problem}")
    name = _name([preset, *chosen], fields)
    return Game(name, family, options, _seats(rules, options, seats, spec))


def rule_sets(family: str | None = None) -> list[str]:
    """The names of every preset with every combination of its variants, of all games or one.

    >>> len(rule_sets("gin"))
    12
    """
    families = all_families() if family is None else [find_family(family)]
    return [name for each in families for name in _rule_sets(each.rules)]


def _rule_sets(rules: Rules) -> Iterator[str]:
    for preset in rules.PRESETS:
        variants = list(rules.VARIANTS.get(preset, {}))
        for choice in range(1 << len(variants)):
            chosen = [variant for i, variant in enumerate(variants) if choice >> i & 1]
            yield "+".join([preset, *chosen])


def _name(words: list[str], fields: dict[str, str]) -> str:
    name = "+".join(words)
    if fields:
        name += ":" + ",".join(f"{field}={value}" for field, value in sorted(fields.items()))
    return name


def _check_seats(rules: Rules, seats: int, preset: str) -> None:
    low, high = rules.SEATS
    if not low <= seats <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        players = "1 player" if seats == 1 else f"{seats} players"
        raise OptionsError(f"{players}: {preset} is for {allowed}")


def _seats(rules: Rules, options: Options, asked: int | None, spec: str) -> int:
    seats = int(getattr(options, "players", rules.SEATS[0]))
    if asked not in (None, seats):
        raise OptionsError(f"{asked} players: {spec!r} is for {seats}")
    return seats
