"""The paper's player against its slow twin, number by number, and the hands it is known for."""

from collections import namedtuple
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from cards.hands import rich_deck
from cards.reference.cards import PACK, Hand, from_mask, number, points
from cards.reference.melds import cheapest_layouts, deadwood, deadwood_after_layoffs, melded
from games.gin.positions import gin_table, gin_view_in_words
from games.gin.reference import heuristic as slow
from positions import Table, generator, random_table, scaled
from undercut.games.families import parse_game
from undercut.games.gin.players.belief.marginals import fit_marginals
from undercut.games.gin.players.belief.sample import SAMPLER, draw_numbered, prepare
from undercut.games.gin.players.strategy import outlook as gin_outlook
from undercut.games.gin.players.strategy import thinking
from undercut.games.gin.players.strategy.reasoning import Reasoning, explain
from undercut.games.gin.rules import deal as gin
from undercut.kernels import rng
from undercut.kernels.jit import kernel, specialise
from undercut.kernels.records import new, pack
from undercut.play.agent import KernelAgent
from undercut.play.agent import Random as Chance
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent
from undercut.text.errors import OptionsError
from undercut.text.spec import options_of

GAMES = ["gin", "distilled", "distilled+upcard+knock", "gin:face_points=13", "oklahoma"]
SPECS = [
    "heuristic:samples=2",
    "published:samples=2,remember=1",
    "heuristic:samples=2,count_once=1,low_card_bonus=3,emergency_booster=0.5",
    "heuristic:samples=2,knock_carefully=1,close_deadwood=60",
    "heuristic:samples=2,force_carefully=1,close_deadwood=60",
]
# Every fourth pair, which has each game and each spec; interpreted, each of them once.
PAIRS = list(product(GAMES, SPECS))[:: scaled(4, len(SPECS) + 1)]


def _as_played(table: Table) -> gin.Options:
    """The options of a deal for the slow twin, with the limit that the first upcard sets."""
    options: gin.Options = table.game.options
    limit = gin.knock_limit(pack(options), int(table.view()["first_upcard"]))
    return options._replace(knock_limit=limit, oklahoma=0)


def _agent(spec: str, game: str = "gin") -> KernelAgent:
    made = parse_agent(spec, parse_game(game))
    assert isinstance(made, KernelAgent)
    return made


def _positions(game: str, count: int, seed: int) -> Iterator[Table]:
    """Positions before the end of deals between simple players, some from rich hands."""
    random = Random(seed)
    simple = _agent("simple", game)
    found = 0
    while found < count:
        table = random_table(parse_game(game), random)
        if random.random() < 0.5:
            table = Table(parse_game(game), rich_deck(random), random.randrange(2))
        while not table.is_over and table.state["phase"] <= gin.Phase.DISCARD:
            if random.random() < 0.15 and len(table.actions()) > 1:
                yield table
                found += 1
            action = simple.act(table.view(), table.actions(), Chance(generator(found)))
            if action >= gin.KNOCK and action < gin.DRAW and random.random() < 0.7:
                action -= gin.KNOCK
            table.apply(action)


def _explain(spec: str, table: Table, seed: int = 5) -> Reasoning:
    agent = parse_agent(spec, table.game)
    assert isinstance(agent, KernelAgent)
    return explain(agent, table.view(), table.actions(), Chance(generator(seed)))


def _chances(reasoning: Reasoning) -> dict[str, float]:
    return dict(zip(PACK, reasoning.chances, strict=True))


def _sampled(reasoning: Reasoning, samples: int, seed: int = 5) -> list[Hand]:
    """The hands that the player has drawn: the first use it makes of chance."""
    sampler, chance = new(SAMPLER, 1)[0], generator(seed)
    prepare(np.array(reasoning.chances), sampler, 0, 1)
    first = rng.next_seed(chance)
    return [from_mask(draw_numbered(sampler, first, i, chance)) for i in range(samples)]


def _compare_throw(table: Table, spec: str) -> None:
    view, options = gin_view_in_words(table.view()), _as_played(table)
    settings, reasoning = _agent(spec).settings, _explain(spec, table)
    hands, chances = _sampled(reasoning, settings.samples), _chances(reasoning)
    outlook = slow.own_outlook(view, chances, options, settings)
    _, _, utilities = slow.candidates(view, outlook)
    assert {PACK[each.card] for each in reasoning.discards} == set(utilities)
    for each in reasoning.discards:
        assert each.utility == pytest.approx(utilities[PACK[each.card]])
    if reasoning.their_deadwood is not None:
        gained = slow.gains(view, set(utilities), hands, options, settings)
        for each in reasoning.discards:
            assert each.gain == pytest.approx(gained[PACK[each.card]], abs=1e-9)
    card = PACK[reasoning.action % gin.KNOCK]
    assert card in slow.throws(view, chances, hands, options, settings)
    if reasoning.action >= gin.KNOCK:
        assert slow.knocks(view, card, hands, options, settings)
    elif gin.KNOCK + reasoning.action in table.actions():
        assert not slow.knocks(view, card, hands, options, settings)


def _compare_draw(table: Table, spec: str) -> None:
    view, options = gin_view_in_words(table.view()), _as_played(table)
    settings, reasoning = _agent(spec).settings, _explain(spec, table)
    chances = _chances(reasoning)
    take, stock = slow.draw_utilities(view, chances, options, settings)
    assert reasoning.take == pytest.approx(take)
    assert reasoning.stock == pytest.approx(stock)
    assert (reasoning.action == gin.TAKE) in slow.takes(view, chances, options, settings)


@pytest.mark.parametrize(("game", "spec"), PAIRS)
def test_every_number_is_that_of_the_slow_twin(game: str, spec: str) -> None:
    seed = 10 * GAMES.index(game) + SPECS.index(spec)
    for table in _positions(game, 1, seed):
        if table.state["phase"] == gin.Phase.DISCARD:
            _compare_throw(table, spec)
        else:
            _compare_draw(table, spec)


def test_a_hand_all_in_melds_takes_no_card_that_breaks_one() -> None:
    """Taking the king would leave it the only loose card, which may not be thrown back."""
    table = gin_table(seat0="Ac 2c 3c 5d 6d 7d 9c 9d 9h 9s", upcard="Kh")
    _compare_draw(table, "heuristic:samples=2")
    assert _explain("heuristic:samples=2", table).action == gin.PASS
    _compare_throw(table.play("take"), "heuristic:samples=2")


def _choose(spec: str, table: Table, seed: int = 1) -> str:
    agent = parse_agent(spec, table.game)
    action = agent.act(table.view(), table.actions(), Chance(generator(seed)))  # type: ignore[union-attr]
    return table.game.notation.format_action(action)


KNOCKING = "Ac 2c 3c 5d 6d 7d 9h 9s 9c 8h"


def test_it_knocks_at_once_and_throws_its_highest_loose_card_for_it() -> None:
    table = gin_table(seat0=KNOCKING, stock="Kh").play("pass", "pass", "draw")
    assert _choose("heuristic:samples=2", table) == "knock Kh"
    table = gin_table(seat0=KNOCKING, stock="4h").play("pass", "pass", "draw")
    assert _choose("heuristic:samples=2", table) == "knock 8h"


def test_with_eleven_cards_in_melds_it_goes_gin() -> None:
    table = gin_table(seat0="Ac 2c 3c 5d 6d 7d 9h 9s 9c 8d", stock="9d")
    table.play("pass", "pass", "draw")
    thrown = {_choose("heuristic:samples=2", table, seed) for seed in range(60)}
    assert thrown == {f"knock {card}" for card in ("5d", "8d", "9c", "9d", "9h", "9s")}


@pytest.mark.parametrize(
    ("switches", "action"),
    [
        ("close_deadwood=100", "knock Kh"),
        ("knock_carefully=1,close_deadwood=0", "knock Kh"),
        ("knock_carefully=1,close_deadwood=100", "discard Kh"),
        ("knock_carefully=1,close_deadwood=100,low_deadwood=8", "knock Kh"),
        ("competition=1,close_deadwood=0", "knock Kh"),
    ],
)
def test_it_can_be_told_to_knock_carefully(switches: str, action: str) -> None:
    """With eight points left, if the other player may have fewer."""
    table = gin_table(seat0=KNOCKING, stock="Kh").play("pass", "pass", "draw")
    assert _choose(f"heuristic:samples=20,{switches}", table) == action


@pytest.mark.parametrize(
    ("switches", "action"),
    [
        ("close_deadwood=100", "knock Ks"),
        ("force_carefully=1,close_deadwood=0", "knock Ks"),
        ("force_carefully=1,close_deadwood=100", "discard As"),
        ("force_carefully=1,close_deadwood=100,low_deadwood=8", "knock Ks"),
    ],
)
def test_it_need_not_throw_its_highest_card_for_a_poor_knock(switches: str, action: str) -> None:
    """A player who cannot stand low cards throws its ace when nothing forces the king."""
    table = gin_table(seat0="9c Tc Jc 6d 7d 8d 2h As 3d 2s", stock="Ks")
    table.play("pass", "pass", "draw")
    bonuses = "meld_bonus=0,combination_bonus=0,deadwood_bonus=0,knock_bonus=0,low_card_bonus=-100"
    assert _choose(f"heuristic:samples=2,opponent=0,{bonuses},{switches}", table) == action


def test_it_takes_what_lowers_deadwood_and_extensions_only_if_told() -> None:
    hand = "Tc Jc Qc 4d 6h 8s 2d 3h 5s Ah"
    table = gin_table(seat0="Tc Jc 4d 6h 8s 2d 3h 5s Ah 9h", upcard="Qc")
    assert (
        _explain("heuristic", table).reason == "the upcard lowers its deadwood or joins its melds"
    )
    table = gin_table(seat0=hand, upcard="Kc")
    assert _explain("heuristic:samples=1", table).reason == "the draw with the higher utility"
    reasoning = _explain("heuristic:samples=1,take_extensions=1", table)
    assert (reasoning.action, reasoning.reason) == (
        gin.TAKE,
        "the upcard lowers its deadwood or joins its melds",
    )


def _knocked(random: Random) -> Table | None:
    """A table at which the first player has knocked and laid his melds."""
    table = Table(parse_game("gin"), rich_deck(random)).play("pass", "pass", "draw")
    knocking = [action for action in table.legal() if action.startswith("knock")]
    if not knocking:
        return None
    table.play(random.choice(knocking))
    return table


@pytest.mark.parametrize("spec", ["heuristic:samples=3", "heuristic:samples=3,competition=1"])
def test_it_lays_down_a_cheapest_melding(spec: str) -> None:
    random, knocks, choices = Random(8), 0, 0
    while knocks < scaled(40, 6):
        table = _knocked(random)
        if table is None:
            continue
        held = from_mask(table.state["hands"][0])
        while table.seat == 0:
            table.play(_choose(spec, table))
        laid = [from_mask(meld) for meld in table.state["melds"][0] if meld]
        left = points(held - melded(laid))
        assert left == deadwood(held)
        knocks += 1
        choices += len(cheapest_layouts(held)) > 1
    assert choices > 0


def test_as_the_defender_it_can_look_for_layoffs() -> None:
    """Of the cheapest meldings the one that leaves least when all that fits is laid off."""
    random, knocks = Random(9), 0
    while knocks < scaled(40, 6):
        table = _knocked(random)
        if table is None:
            continue
        while table.seat == 0:
            table.play_any(random)
        opposing = [from_mask(meld) for meld in table.state["melds"][0] if meld]
        held = from_mask(table.state["hands"][1])
        if from_mask(table.state["hands"][0]) == melded(opposing):
            continue
        while not table.is_over:
            table.play(_choose("heuristic:samples=1,meld_for_layoffs=1", table))
        left = points(held - from_mask(table.state["melded"][1]))
        expected = min(
            deadwood_after_layoffs(held - melded(layout), opposing)
            for layout in cheapest_layouts(held)
        )
        assert left == expected
        knocks += 1


def test_as_the_knocker_it_can_guard_against_layoffs() -> None:
    """Nine cards are three sets or three runs: on the runs twice as many cards fit."""
    for hand in ("3c 3d 3h 4c 4d 4h 5c 5d 5h As", "9c 9d 9h Tc Td Th Jc Jd Jh As"):
        table = gin_table(seat0=hand, stock="Kh").play("pass", "pass", "draw", "knock Kh")
        meld = "meld " + " ".join(hand.split()[:3])
        assert _choose("heuristic:meld_against_layoffs=1", table) == meld
        assert _choose("heuristic:competition=1", table) == meld


# Another model of the other hand


Told: Any = namedtuple("Told", (*thinking.Settings._fields, "told"))


@kernel
def _tell(
    view: Any, options: Any, settings: Any, workspace: Any, chances: Any, lane: int, lanes: int
) -> None:
    """Believe what the settings say."""
    for card in range(52):
        chances[card] = settings.told[card]
    fit_marginals(view, settings.remember != 0, chances)


choose_as_told = specialise(thinking.template, "told", estimate=_tell)


def _told(table: Table, held: str) -> KernelAgent:
    likely = np.array([1.0 if card in held.split() else 0.001 for card in PACK])
    settings = Told(*thinking.Settings(samples=20), likely)
    return KernelAgent("told", choose_as_told, table.game.options, settings, thinking.WORKSPACE)


def test_it_goes_by_whatever_model_it_is_given() -> None:
    """It throws a king, but not to somebody who has two of them."""
    table = gin_table(seat0="Kh Qd 9c 9s 4d 5d 7c 8h 2s 2h", stock="Jc")
    table.play("pass", "pass", "draw")
    view, legal = table.view(), table.actions()
    safe = explain(_told(table, "2c 3s 4c 5s 6h 7d 8s Tc Ad Ac"), view, legal, Chance(generator(1)))
    kings = explain(
        _told(table, "Kc Kd 4c 5s 6h 7d 8s Tc Ad Ac"), view, legal, Chance(generator(1))
    )
    king = number("Kh")
    assert safe.chances[number("Kc")] < 0.1
    assert kings.chances[number("Kc")] > 0.9
    gains: list[Any] = [
        next(each.gain for each in told.discards if each.card == king) for told in (safe, kings)
    ]
    assert gains[0] < 1 < gains[1]
    assert safe.action == king != kings.action


def test_one_seed_one_deal() -> None:
    """Interpreted and compiled runs choose these fixed actions."""
    deal, chance = Deal(parse_game("gin"), seed=3), Chance(generator(4))
    agent = _agent("published:samples=3")
    played = []
    while not deal.is_over:
        played.append(agent.act(deal.observe(), deal.actions, chance))
        deal.apply(played[-1])
    assert " ".join(map(str, played)) == (
        "106 106 104 34 104 35 104 6 104 25 104 12 104 47 104 16 105 46 104 50 104 49 104 11 104 "
        "23 104 15 105 19 104 33 104 7 104 36 104 96 251 316 107 382 571 515 107"
    )


def test_only_the_paper_s_player_can_explain_itself() -> None:
    table = gin_table()
    with pytest.raises(OptionsError, match="simple has no reasons to show"):
        _explain("simple", table)


def test_the_presets_are_those_of_the_paper_and_of_its_authors() -> None:
    paper = thinking.Settings()
    assert paper[:8] == (1.5, 4.0, 1.0, 10.0, 20.0, 0.77, 0.2, 2.5)
    assert paper.samples == 100
    assert not any(paper[9:16])
    assert list(options_of(thinking.Settings)) == list(thinking.Settings._fields)
    assert (thinking.PUBLISHED.meld_bonus, thinking.PUBLISHED.combination_bonus) == (0.8, 1.5)


def test_every_setting_reaches_the_kernels() -> None:
    given = thinking.Settings(*(i + 1 for i in range(len(thinking.Settings._fields))))
    copied = pack(thinking.Settings())
    thinking.copy_settings(pack(given), copied)
    assert tuple(copied) == given


def test_melded_chance_is_exact_for_independent_cards() -> None:
    random = Random(3)
    for _ in range(scaled(300, 30)):
        chances = {card: random.choice([0.0, 0.2, random.random(), 1.0]) for card in PACK}
        values = np.array([chances[card] for card in PACK])
        card = random.choice(PACK)
        found = gin_outlook.melded_chance(values, number(card))
        assert found == pytest.approx(slow.melded_chance(card, chances), abs=1e-12)


@pytest.mark.parametrize("face_points", [10, 13])
def test_the_highest_cards_are_those_that_count_most(face_points: int) -> None:
    random, options = Random(8), parse_game(f"gin:face_points={face_points}").options
    view = new(gin.VIEW, 1)[0]
    terms = gin_outlook.terms_of(view, pack(thinking.Settings()), pack(options))
    for _ in range(scaled(500, 50)):
        hand = random.sample(PACK, random.randint(1, 11))
        most = max(points({card}, face_points) for card in hand)
        expected = sum(1 << number(card) for card in hand if points({card}, face_points) == most)
        assert gin_outlook.highest(sum(1 << number(card) for card in hand), terms) == expected
