"""games/families.py: which rule sets there are, and what each preset and variant changes."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from undercut.games import families as catalog
from undercut.games.families import parse_game, rule_sets
from undercut.games.gin.rules import deal as gin
from undercut.kernels.jit import kernel
from undercut.kernels.records import new, pack
from undercut.text.errors import OptionsError, UndercutError
from undercut.text.spec import options_of

DISTILLED = [
    "distilled",
    "distilled+upcard",
    "distilled+knock",
    "distilled+upcard+knock",
    "distilled+long",
    "distilled+upcard+long",
    "distilled+knock+long",
    "distilled+upcard+knock+long",
]


def test_the_gin_family_has_twelve_rule_sets() -> None:
    family = [name for name in rule_sets() if parse_game(name).rules is gin]
    assert sorted(family) == sorted(["gin", "gin-classic", "oklahoma", "straight", *DISTILLED])


def test_every_rule_set_has_its_own_name_and_rules() -> None:
    games = [parse_game(name) for name in rule_sets()]
    assert [game.name for game in games] == rule_sets()
    described = {(game.rules.NAME, str(game.options)) for game in games}
    assert len(described) == len(games)


@pytest.mark.parametrize("name", DISTILLED)
def test_variants_change_just_what_they_say(name: str) -> None:
    words = name.split("+")
    options = parse_game(name).options
    bonus = 10 * ("knock" in words) * (2 if "long" in words else 1)
    assert options == gin.Options(
        target=100 if "long" in words else 50,
        upcard=int("upcard" in words),
        knock=int("knock" in words),
        gin_bonus=bonus,
        undercut_bonus=bonus,
        automatic_gin=1,
    )


def test_gin_is_the_competition_s_game() -> None:
    options = parse_game("gin").options
    assert (options.target, options.knock_limit) == (100, 10)
    assert (options.gin_bonus, options.undercut_bonus) == (25, 25)
    assert (options.void_stock, options.max_discard_takes) == (2, 50)


def test_the_order_of_variants_does_not_matter() -> None:
    assert parse_game("distilled+long+knock") == parse_game("distilled+knock+long")
    assert parse_game("distilled+long+knock").name == "distilled+knock+long"


def test_fields_change_single_house_rules() -> None:
    game = parse_game("gin:target=50,knock_limit=5")
    assert game.options == gin.Options(target=50, knock_limit=5)
    assert game.name == "gin:knock_limit=5,target=50"
    assert parse_game(game.name) == game
    assert parse_game("distilled+knock:gin_bonus=7").options.gin_bonus == 7


def test_every_house_rule_can_be_set_within_its_limits() -> None:
    for field, option in options_of(gin.Options).items():
        limits = (int(option.low), int(option.high))
        for value in limits:
            if (field, value) != ("knock", 0):
                assert getattr(parse_game(f"gin:{field}={value}").options, field) == value
        for value in (limits[0] - 1, limits[1] + 1):
            with pytest.raises(OptionsError, match=f"{field}={value}: must be from"):
                parse_game(f"gin:{field}={value}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("whist", "unknown game 'whist': one of gin, distilled"),
        ("", "unknown game ''"),
        ("gin+knock", "unknown variant 'knock' of gin: it has none"),
        ("distilled+short", "unknown variant 'short' of distilled: one of upcard, knock, long"),
        ("distilled+", "unknown variant '' of distilled"),
        ("gin:knocks=1", "unknown option 'knocks' of gin: one of target"),
        ("gin:target=0", "target=0: must be from 1 to 10000"),
        ("gin:target=ten", "target=ten: not a whole number"),
        ("gin:face_points=11", "'gin:face_points=11': face_points=11 must be 10 or 13"),
        ("gin:target", "not a field: 'target' in 'gin:target'"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(spec: str, message: str) -> None:
    with pytest.raises(UndercutError) as caught:
        parse_game(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["gin:knock=0", "distilled:automatic_gin=0"])
def test_a_game_that_nobody_could_ever_win_is_refused(spec: str) -> None:
    """Without knocking and without automatic gin every deal is void, and no match ends."""
    with pytest.raises(OptionsError, match="knock=0 needs automatic_gin=1"):
        parse_game(spec)


def test_gin_is_for_two() -> None:
    assert parse_game("gin").seats == 2
    assert parse_game("gin", 2).seats == 2
    for seats, told in ((0, "0 players"), (1, "1 player"), (3, "3 players")):
        with pytest.raises(OptionsError, match=f"{told}: gin is for 2"):
            parse_game("gin", seats)


def test_every_game_provides_what_rules_must() -> None:
    for family in catalog.all_families():
        rules, notation = family.rules, family.notation
        assert catalog.find_family(rules.NAME) is family
        assert rules.VERSION >= 1
        assert len(rules.TALLY) <= 16
        for rate in rules.RATES:
            assert {rate.counted, rate.per} <= {"deals", *rules.TALLY}, rate.name
        reported = {name for rate in rules.RATES for name in (rate.counted, rate.per)}
        assert set(rules.TALLY) - {"rounds"} <= reported, "nothing is counted for nobody"
        assert len({rate.name for rate in rules.RATES}) == len(rules.RATES)
        assert notation.parse_action(notation.format_action(0)) == 0


def test_packed_options_read_like_the_tuple() -> None:
    options = parse_game("gin").options
    record = pack(options)
    assert [int(record[name]) for name in options._fields] == list(options)


class Weighted(NamedTuple):
    bias: float
    weights: Any
    count: int


@kernel
def _weighted_sum(settings: Any) -> float:
    total = settings.bias
    for i in range(settings.count):
        total += settings.weights[i, 0] * settings.weights[i, 1]
    return total


def test_settings_may_hold_arrays_that_kernels_read() -> None:
    """An odd number of narrow weights, with a wide field behind them."""
    weights = np.arange(6, dtype=np.float32).reshape(3, 2)
    record = pack(Weighted(0.5, weights, 3))
    assert (record["weights"] == weights).all()
    assert record["count"] == 3
    assert _weighted_sum(record) == 0.5 + 0 * 1 + 2 * 3 + 4 * 5
    weights[:] = 0
    assert _weighted_sum(record) == 26.5  # the record has its own copy


def test_new_records_are_cleared_and_have_attributes() -> None:
    states = new(gin.STATE, 3)
    assert states.tobytes() == bytes(3 * gin.STATE.itemsize)
    states[1].seat = 1
    assert states.seat.tolist() == [0, 1, 0]
