"""Each gin agent against a slow twin that lists what it might do, and the hands it is known for."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from cards.hands import rich_deck
from cards.reference.cards import PACK, Hand, card_points, mask
from cards.reference.melds import defended_deadwood
from games.gin.positions import gin_table
from games.gin.reference import agents as gin_agents
from positions import Table, generator, random_table, scaled
from undercut.games.families import find_family, parse_game
from undercut.games.gin.players import thrifty
from undercut.games.gin.rules import deal as gin
from undercut.play import agent as core_agent
from undercut.play.agent import KernelAgent
from undercut.players.catalog import all_agents, parse_agent

# Those that sample have their twins in test_heuristic.py and test_montecarlo.py, networks in
# policy/test_policy.py.
GIN_AGENTS = [
    name
    for name, entry in all_agents(find_family("gin")).items()
    if not {"samples", "temperature"} & {*entry.settings._fields}
]
GAMES = [
    "gin",
    "distilled",
    "distilled+upcard+knock",
    "gin:face_points=13",
    "gin:eaai_auto_layoff=1",
    "gin:layoffs=0",
    "gin:knock_face_down=1",
    "gin:knock_limit=3",
    "oklahoma",
]


def _agent(name: str, table: Table) -> KernelAgent:
    made = parse_agent(name, table.game)
    assert isinstance(made, KernelAgent)
    return made


def _choose(agent: KernelAgent, table: Table, seed: int) -> str:
    random = core_agent.Random(generator(seed))
    return table.game.notation.format_action(agent.act(table.view(), table.actions(), random))


def _possible(name: str, table: Table) -> set[str]:
    slow = table.slow_twin()
    return gin_agents.PLAYERS[name](slow.view(slow.seat), slow.legal(), table.game.options)


def test_every_gin_agent_has_a_slow_twin() -> None:
    assert set(gin_agents.PLAYERS) == set(GIN_AGENTS)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", GIN_AGENTS)
def test_agents_choose_what_their_twins_allow(name: str, game: str) -> None:
    """Whole deals of an agent against itself, half of them from hands that are rich in melds."""
    random = Random(GAMES.index(game))
    for number in range(scaled(8, 2)):
        table = random_table(parse_game(game), random)
        if number % 2:
            table = Table(parse_game(game), rich_deck(random), random.randrange(2))
        agent = _agent(name, table)
        slow = table.slow_twin()
        while not table.is_over:
            chosen = _choose(agent, table, random.randrange(2**31))
            twin = gin_agents.PLAYERS[name]
            allowed = twin(slow.view(slow.seat), slow.legal(), table.game.options)
            assert chosen in allowed, (table.played, allowed)
            table.play(chosen)
            slow.apply(chosen)


@pytest.mark.parametrize("name", GIN_AGENTS)
def test_chance_decides_between_equal_choices(name: str) -> None:
    random = Random(5)
    for _ in range(scaled(12, 4)):
        table = Table(parse_game("gin"), rich_deck(random))
        for _ in range(random.randrange(6)):
            if not table.is_over:
                table.play_any(random)
        if table.is_over or table.state["phase"] >= 3:
            continue
        possible = _possible(name, table)
        tries = 40 * len(possible)
        agent = _agent(name, table)
        assert {_choose(agent, table, seed) for seed in range(tries)} == possible


@pytest.mark.parametrize(
    ("hand", "upcard", "takes"),
    [
        ("5h 6h 9c Jc Kd 2s 4s 8d Ts Qc", "7h", True),  # makes a run
        ("5h 5d 9c Jc Kd 2s 4s 8d Ts Qc", "5s", True),  # makes a set
        ("5h 6h 7h Jc Kd 2s 4s 9d Ts Qc", "8h", True),  # makes a run longer
        ("5h 7d 9c Jc Kd 2s 4s 8d Ts Qc", "As", False),  # would only lower deadwood
    ],
)
def test_simple_takes_what_is_in_a_meld(hand: str, upcard: str, takes: bool) -> None:
    table = gin_table(seat0=hand, upcard=upcard)
    assert _choose(_agent("simple", table), table, 1) == ("take" if takes else "pass")


def test_simple_throws_what_leaves_least_and_breaks_ties_by_chance() -> None:
    table = gin_table(seat0="5h 6h 7h Jc Kd 2s 4s 9d Ts 3c", upcard="8h").play("take")
    thrown = Counter(_choose(_agent("simple", table), table, seed) for seed in range(300))
    assert set(thrown) == {"discard Jc", "discard Kd", "discard Ts"}
    assert min(thrown.values()) > 60


def test_simple_never_makes_the_same_exchange_twice() -> None:
    """It once took 2c for Kd; when it takes 2c again, Kd stays, and the eight goes."""
    table = gin_table(
        seat0="5h 6h 7h 4s 3d 8c Ah 6s 2d Kd",
        seat1="3s 5s 9c Qs 9d Td Jd 6c Tc Jh",
        upcard="2c",
        stock="Ac Th",
    )
    table.play("take", "discard Kd", "take", "discard Qs", "draw", "discard 2c")
    table.play("take", "discard Kd", "take", "discard Ah", "draw", "discard 2c", "take")
    agent = _agent("simple", table)
    assert {_choose(agent, table, seed) for seed in range(20)} == {"discard 8c"}


def _exchanging_deal(table: Table, random: Random) -> Iterator[Table]:
    """Both take every upcard and mostly throw high cards, which so come back again and again.

    Stops before each throw of a deal.
    """
    while not table.is_over:
        legal = table.legal()
        if legal[0] in ("take", "draw"):
            table.play("take" if "take" in legal else "draw")
        else:
            yield table
            throws = [action for action in legal if action.startswith("discard")]
            throws.sort(key=lambda action: -card_points(action[-2:]))
            table.play(random.choice(throws[: random.choice((3, 3, 3, 11))]))


@pytest.mark.parametrize("game", ["gin", "straight", "oklahoma", "distilled"])
def test_simple_remembers_all_its_exchanges_as_its_twin_does(game: str) -> None:
    random, bound = Random(6), 0
    for _ in range(scaled(12, 2)):
        table = random_table(parse_game(game), random)
        agent = _agent("simple", table)
        for _ in _exchanging_deal(table, random):
            slow = table.slow_twin()
            view, options = slow.view(slow.seat), table.game.options
            allowed = gin_agents.simple(view, slow.legal(), options)
            forgetful = {**view, "history": view["history"][-1:]}
            bound += allowed != gin_agents.simple(forgetful, slow.legal(), options)
            assert _choose(agent, table, random.randrange(2**31)) in allowed, table.played
    assert bound > scaled(100, 20), "the memory must matter"


LOW_HAND = "5h 6h 7h 4s 3d 8c Ah 6s 2d"  # and a high card
HIGH_HAND = "3s 5s 9c Qs 9d Td Jd 6c Tc Jh"


def _thrown(table: Table) -> set[str]:
    return {_choose(_agent("simple", table), table, seed) for seed in range(30)}


def _throw_what_is_drawn(table: Table, *cards: str) -> None:
    for card in cards:
        table.play("draw", f"discard {card}")


@pytest.mark.parametrize("begin", [("take",), ("pass", "pass", "draw")])
@pytest.mark.parametrize("idle", [["Ac"], ["Ac", "2h", "3h", "Th", "4c"]])
def test_simple_does_not_undo_an_exchange(begin: tuple[str, ...], idle: list[str]) -> None:
    """It gave Kd for Qc, from the pile or the stock; taking Kd again it would give Qc for it."""
    from_pile = begin == ("take",)
    stock = idle if from_pile else ["Qc", *idle]
    table = gin_table(
        seat0=LOW_HAND + " Kd",
        seat1=HIGH_HAND,
        upcard="Qc" if from_pile else "Kh",
        stock=" ".join([*stock, "Ks"]),
    )
    table.play(*begin, "discard Kd", "take", "discard 9c")
    _throw_what_is_drawn(table, *idle)
    table.play("draw", "discard Kd", "take")
    assert _thrown(table) == {"discard 8c"}


def test_simple_is_not_bound_by_what_the_other_player_exchanged() -> None:
    """Seat 1 gave Kd for Qc. Seat 0 took the Kd for its ten, and may give it for the Qc."""
    table = gin_table(seat0=LOW_HAND + " Tc", seat1="3s 5s 9c Qs 9d Td Jd 6c Kd Jh", upcard="Qc")
    table.play("pass", "take", "discard Kd", "take", "discard Tc", "draw", "discard Qc", "take")
    assert _thrown(table) == {"discard Kd"}


def test_the_first_throw_of_a_deal_without_upcard_is_no_exchange() -> None:
    table = gin_table(seat0=LOW_HAND + " Qc Kd", seat1=HIGH_HAND, stock="Ac Ks", game="distilled")
    table.play("discard Kd", "take", "discard 9c")
    _throw_what_is_drawn(table, "Ac")
    table.play("draw", "discard Kd", "take")
    assert _thrown(table) == {"discard Qc"}


@pytest.mark.parametrize("name", GIN_AGENTS)
def test_with_one_legal_action_there_is_nothing_to_think_about(name: str) -> None:
    """Both have passed the 7h, which simple would like: it must draw, and uses no chance for it."""
    table = gin_table(seat0="5h 6h 9c Jc Kd 2s 4s 8d Ts Qc", upcard="7h").play("pass", "pass")
    random = core_agent.Random(generator(1))
    assert _agent(name, table).act(table.view(), table.actions(), random) == gin.DRAW
    assert random.generator["position"] == 0


KNOCKING = "Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h"


def test_simple_knocks_at_once_and_patient_waits_for_gin() -> None:
    table = gin_table(seat0=KNOCKING, stock="Kh").play("pass", "pass", "draw")
    assert _choose(_agent("simple", table), table, 1) == "knock Kh"
    assert _choose(_agent("patient", table), table, 1) == "discard Kh"
    assert _choose(_agent("thrifty", table), table, 1) == "knock Kh"
    table = gin_table(seat0=KNOCKING, stock="8d").play("pass", "pass", "draw")
    assert _choose(_agent("patient", table), table, 1) == "knock 4h"


def test_simple_can_be_told_when_to_knock() -> None:
    table = gin_table(seat0=KNOCKING, stock="Kh").play("pass", "pass", "draw")
    assert _choose(_agent("simple:knock_at=4", table), table, 1) == "knock Kh"
    assert _choose(_agent("simple:knock_at=3", table), table, 1) == "discard Kh"


def test_thrifty_takes_what_lowers_deadwood_and_not_what_only_lengthens() -> None:
    hand = "5h 6h 7h Jc Kd 2s 4s 9d Ts Qc"
    for upcard, takes in (("As", True), ("Ks", False), ("8h", True)):
        table = gin_table(seat0=hand, upcard=upcard)
        assert _choose(_agent("thrifty", table), table, 1) == ("take" if takes else "pass")


def test_thrifty_throws_high_cards_without_friends() -> None:
    table = gin_table(seat0="Kc Kd Qh Ts 2c 2d 5h 6h 7h 8h", stock="Jc")
    table.play("pass", "pass", "draw")
    assert _choose(_agent("thrifty", table), table, 1) == "discard Qh"
    table = gin_table(seat0="Kc 9d Qh 4s 2c 6d 5h 7s Th Ad", stock="Js")
    table.play("pass", "pass", "draw")
    assert _choose(_agent("thrifty:link=0", table), table, 1) == "discard Kc"


def test_links_are_pairs_and_near_neighbours() -> None:
    random = Random(3)
    for _ in range(scaled(2_000, 300)):
        cards: Hand = frozenset(random.sample(PACK, 11))
        assert thrifty.links(mask(cards)) == gin_agents.links(cards)


def test_simple_lays_each_cheapest_layout_equally_often() -> None:
    """Nine cards that are three sets or three runs; the choice of the first meld decides."""
    laid: Counter[str] = Counter()
    for seed in range(200):
        table = gin_table(seat0="3c 3d 3h 4c 4d 4h 5c 5d 5h As", stock="Kh")
        table.play("pass", "pass", "draw", "knock Kh")
        laid[_choose(_agent("simple", table), table, seed)] += 1
    assert set(laid) == {"meld 3c 3d 3h", "meld 3c 4c 5c"}
    assert min(laid.values()) > 70


def _knocked(random: Random) -> Iterator[Table]:
    """Deals of rich hands after a random knock in the first turn."""
    while True:
        table = Table(parse_game("gin"), rich_deck(random)).play("pass", "pass", "draw")
        knocks = [action for action in table.legal() if action.startswith("knock")]
        if knocks:
            yield table.play(random.choice(knocks))


@pytest.mark.parametrize("name", ["simple", "patient", "thrifty"])
def test_a_knocker_lays_a_cheapest_layout(name: str) -> None:
    random = Random(8)
    for table in islice(_knocked(random), scaled(40, 8)):
        agent = _agent(name, table)
        while table.seat == 0:
            table.play(_choose(agent, table, random.randrange(99)))
        slow = table.slow_twin()
        hand = frozenset(slow.hands[0])
        assert gin_agents.is_cheapest(slow.melds[0], hand, table.game.options)


def test_thrifty_defends_with_melds_and_layoffs_weighed_together() -> None:
    random, knocks = Random(9), 0
    tables = _knocked(random)
    while knocks < scaled(40, 8):
        table = next(tables)
        while table.seat == 0:
            table.play_any(random)
        slow = table.slow_twin()
        opposing, hand = list(slow.melds[0]), frozenset(slow.hands[1])
        if not slow.loose(0):
            continue
        agent = _agent("thrifty", table)
        while not table.is_over:
            table.play(_choose(agent, table, 1))
        left = gin_agents.unmelded_points(table.slow_twin().view(1), table.game.options)
        assert left == defended_deadwood(hand, opposing)
        knocks += 1


def test_random_plays_every_legal_action_about_equally() -> None:
    table = gin_table(seat0=KNOCKING, stock="Kh").play("pass", "pass", "draw")
    agent, legal = _agent("random", table), table.legal()
    count = 60 * len(legal)
    chosen = Counter(_choose(agent, table, seed) for seed in range(count))
    assert set(chosen) == set(legal)
    assert min(chosen.values()) > 25
