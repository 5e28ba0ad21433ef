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
"""The games there are: each is loaded when it is asked for."""


def register(name: str, family: str | Family) -> None:
    """Add a game of your own: its family, or the module that has it as FAMILY."""
    FAMILIES[name] = family


def find_family(name: str) -> Family:
    """A game by its name.

    >>> find_family("pharaoh").reference
    'smallest'
    """
    if name not in FAMILIES:
        raise OptionsError(f"unknown game {name!r}: {one_of(FAMILIES)}")
    found = FAMILIES[name]
    return found if isinstance(found, Family) else importlib.import_module(found).FAMILY


def all_families() -> Iterator[Family]:
    """Every game, loaded one after the other."""
    return map(find_family, FAMILIES)


def _family_with(preset: str) -> Family:
    """The game that has a preset; no other is loaded if the preset has its name."""
    for name in sorted(FAMILIES, key=lambda name: name != preset):
        if preset in find_family(name).rules.PRESETS:
            return find_family(name)
    presets = one_of(each for family in all_families() for each in family.rules.PRESETS)
    raise OptionsError(f"unknown game {preset!r}: {presets}")


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
                f"unknown variant {variant!r} of {preset}: {one_of(known) or 'it has none'}"
            )
    for variant, change in known.items():
        if variant in variants:
            options = change(options)
    options = replace_fields(options, fields, preset)
    chosen = [variant for variant in known if variant in variants]
    return Game(
        name=_name([preset, *chosen], fields),
        family=family,
        options=_check(rules, options, spec),
        seats=_seats(rules, options, seats, spec),
    )


def rule_sets(family: str | None = None) -> list[str]:
    """The name of every preset with every combination of its variants, or those of one family.

    >>> len(rule_sets("gin"))
    9
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


def _check(rules: Rules, options: Options, spec: str) -> Options:
    problem = rules.find_problem(options)
    if problem:
        raise OptionsError(f"{spec!r}: {problem}")
    return options


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
