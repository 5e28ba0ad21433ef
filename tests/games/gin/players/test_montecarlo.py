"""The Monte Carlo player: its worlds, what moves are worth on them, and when it leaves patient."""

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from typing import Any

import numpy as np
import pytest

from cards.hands import rich_deck
from cards.reference.cards import from_mask
from cards.reference.melds import deadwood
from games.gin.positions import gin_table
from positions import Table, generator, scaled
from undercut.games.families import parse_game
from undercut.games.gin.players import montecarlo
from undercut.games.gin.players.strategy.worlds import DEAL, deal_world, worth
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Phase
from undercut.kernels import rng
from undercut.kernels.records import new, pack, words_for
from undercut.play.agent import KernelAgent, Turn
from undercut.play.agent import Random as Chance
from undercut.players.catalog import parse_agent

GAMES = ["gin", "distilled", "distilled+upcard+knock", "gin:face_points=13", "gin:knock_limit=99"]


def _agent(spec: str, game: str = "gin") -> KernelAgent:
    made = parse_agent(spec, parse_game(game))
    assert isinstance(made, KernelAgent)
    return made


def _positions(game: str, count: int, seed: int) -> Iterator[Table]:
    """Choices before a knock, in deals between patient players; half from rich hands."""
    random, patient, found = Random(seed), _agent("patient", game), 0
    while found < count:
        scores = (random.randrange(100), random.randrange(100)) if random.random() < 0.5 else (0, 0)
        deck = rich_deck(random) if random.random() < 0.5 else random.sample(range(52), 52)
        table = Table(parse_game(game), deck, random.randrange(2), scores)
        while found < count and not table.is_over and table.state["phase"] < Phase.SPREAD:
            if random.random() < 0.15 and len(table.actions()) > 1:
                yield table.copy()
                found += 1
            table.apply(patient.act(table.view(), table.actions(), Chance(generator(found))))


def _world(table: Table, craft: float, seed: int, number: int) -> Table:
    twin = table.copy()
    deal = np.full(DEAL, -1, dtype=np.int64)
    deal_world(table.view(), table.options, craft, seed, number, deal)
    twin.state = deal[: words_for(gin.STATE)].view(gin.STATE).view(np.recarray)[0]
    return twin


# Worlds


@pytest.mark.parametrize("game", [*GAMES, "gin:knock_face_down=1"])
@pytest.mark.parametrize("craft", [0.0, 0.5])
def test_a_world_looks_to_its_seat_as_the_table_does(game: str, craft: float) -> None:
    for place, table in enumerate(_positions(game, scaled(40, 6), 1)):
        world = _world(table, craft, 5, place)
        assert world.view(table.seat).tobytes() == table.view().tobytes()
        assert world.actions() == table.actions()
        hands = [from_mask(hand) for hand in world.state["hands"]]
        stock = world.state["deck"][int(world.state["used"]) :].tolist()
        assert len(hands[0] & hands[1]) == 0
        assert {*world.unseen(table.seat)} >= {*stock}


def _held(table: Table, craft: float, count: int) -> Counter[str]:
    """How often the other player holds each card."""
    held: Counter[str] = Counter()
    for number in range(count):
        world = _world(table, craft, 9, number)
        held.update(from_mask(world.state["hands"][1 - table.seat]))
    return held


def test_every_unseen_card_is_held_equally_often_and_a_card_seen_taken_always() -> None:
    table = gin_table(seat0="5h 6h 9c Jc Kd 2s 4s 8d Ts Qc", upcard="7h", seat1="7d 7s Ac")
    table.play("pass", "take", "discard Ac")
    count = scaled(6000, 400)
    held = _held(table, 0.0, count)
    assert held.pop("7h") == count
    assert "Ac" not in held
    assert not {*held} & from_mask(table.view()["hand"])
    share = 9 / (52 - 10 - 2)
    assert len(held) == 40
    for card in held:
        assert abs(held[card] / count - share) < 5 * sqrt(share * (1 - share) / count), card


def test_the_order_of_the_stock_is_any() -> None:
    table = gin_table(upcard="7h")
    count = scaled(6000, 400)
    first = Counter(int(_world(table, 0.0, 9, i).state["deck"][21]) for i in range(count))
    share = 1 / 41
    assert len(first) == 41
    assert max(first.values()) < count * (share + 5 * sqrt(share / count))


def test_the_best_of_some_hands_counts() -> None:
    """A hand is dealt for every second card on the pile, and the cheapest is the world's."""
    for table in _positions("gin", scaled(40, 8), 3):
        pile, hands = int(table.state["pile"]).bit_count(), []
        for attempt in range(max(1, pile // 2)):
            state = new(gin.STATE, 1)[0]
            chance = generator(rng.derive(7, 0, 4, attempt))
            gin.complete(table.view(), table.options, chance, state)
            hands.append(from_mask(state["hands"][1 - table.seat]))
        world = _world(table, 0.5, 7, 4)
        expected = min(hands, key=deadwood)  # the first of equals
        assert from_mask(world.state["hands"][1 - table.seat]) == expected


# Decisions


def _decide(agent: KernelAgent, table: Table, seed: int) -> tuple[int, Any]:
    """The action, and the decision as it stands in the working space."""
    workspace = np.full(agent.workspace, -1, dtype=np.int64)
    legal, settings = np.array(table.actions()), pack(agent.settings)
    turn = Turn(legal, table.options, settings, generator(seed), workspace)
    action = agent.choose(table.view(), turn)
    return int(action), workspace[: words_for(montecarlo.TASK)].view(montecarlo.TASK)[0]


Players = tuple[KernelAgent, KernelAgent]  # who plays worlds to their end: for it, for the other


def _worth(world: Table, move: int, players: Players, seed: int, number: int) -> int:
    """The slow twin: make a move, let the rollout players make all others, and score the deal."""
    me, chance = world.seat, Chance(generator(rng.derive(seed, 1, number, 0)))
    played = world.copy()
    played.apply(move)
    while not played.is_over:
        player = players[played.seat != me]
        played.apply(player.act(played.view(), played.actions(), chance))
    points, target = played.points(), world.game.options.target
    for seat, sign in ((me, 1), (1 - me, -1)):
        if world.scores[seat] + points[seat] >= target:
            return sign * 2 * target
    return points[me] - points[1 - me]


def _expected(table: Table, task: Any, players: Players, craft: float, gate: float) -> int:
    """The move that its slow twin makes, after trying the same moves on the same worlds."""
    seed, moves = int(task["seed"]), task["moves"][: task["count"]].tolist()
    worlds = [_world(table, craft, seed, number) for number in range(int(task["samples"]))]
    worths = [
        [_worth(world, move, players, seed, number) for number, world in enumerate(worlds)]
        for move in moves
    ]
    best, most = moves[0], 0.0
    for place in range(1, len(moves)):
        leads = [each - plain for each, plain in zip(worths[place], worths[0], strict=True)]
        assert int(task["lead"][place]) == sum(leads)
        assert int(task["square"][place]) == sum(lead * lead for lead in leads)
        mean, error = fmean(leads), sqrt(pvariance(leads) / len(leads))
        if mean > max(most, gate * error):
            best, most = moves[place], mean
    return best


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "spec", ["samples=5,gate=0.7", "samples=3,gate=0,craft=0,knock_at=5,their_knock_at=3"]
)
def test_it_decides_as_its_slow_twin(game: str, spec: str) -> None:
    agent = _agent(f"montecarlo:{spec}", game)
    settings = agent.settings
    player = _agent(f"simple:knock_at={settings.knock_at}", game)
    other = _agent(f"simple:knock_at={settings.their_knock_at}", game)
    left = tried = 0
    for place, table in enumerate(_positions(game, scaled(30, 1), GAMES.index(game))):
        action, task = _decide(agent, table, place)
        plain = player.act(table.view(), table.actions(), Chance(generator(place)))
        if _is_gin(table, plain):
            assert action == plain
            continue
        assert int(task["moves"][0]) == plain
        assert action == _expected(table, task, (player, other), settings.craft, settings.gate)
        left += action != plain
        tried += 1
    assert tried > 0
    assert left >= scaled(1, 0), "some moves must be better than the plain player's"


def _is_gin(table: Table, action: int) -> bool:
    if action >= gin.DRAW:
        return False
    hand = int(table.view()["hand"]) & ~(1 << action % gin.KNOCK)
    return deadwood(from_mask(hand)) == 0


@pytest.mark.parametrize("width", [1, 4, 11])
def test_the_discards_that_leave_least_are_tried_and_the_best_knock(width: int) -> None:
    agent = _agent(f"montecarlo:samples=1,width={width}")
    knocks = 0
    for place, table in enumerate(_positions("gin", scaled(200, 12), 20 + width)):
        _, task = _decide(agent, table, place)
        legal = table.actions()
        plain, moves = int(task["moves"][0]), task["moves"][: task["count"]].tolist()
        if legal[-1] >= gin.DRAW:
            assert sorted(moves) == legal
        elif not _is_gin(table, plain) and task["count"] > 1:
            assert len({*moves}) == len(moves)
            assert {*moves} <= {*legal}
            hand = int(table.view()["hand"])
            costs = {move: deadwood(from_mask(hand & ~(1 << move % 52))) for move in legal}
            discards = [move for move in legal if move < gin.KNOCK]
            tried = [move for move in moves[1:] if move < gin.KNOCK] + [plain % 52]
            least = sorted(costs[move] for move in discards)[:width]
            assert sorted(costs[move] for move in tried)[:width] == least
            knock = [move for move in moves if move >= gin.KNOCK]
            assert len(knock) == (legal[-1] >= gin.KNOCK)
            assert all(costs[move] == least[0] for move in knock)
            knocks += len(knock)
    assert knocks > scaled(5, -1)


def test_chance_decides_which_of_equal_discards_are_tried() -> None:
    table = gin_table(seat0="Kc Qd Js Th 9c 7d 5s 3h Ac 2d", stock="Kh").play(
        "pass", "pass", "draw"
    )
    agent, tried = _agent("montecarlo:samples=1,width=3"), Counter[int]()
    for seed in range(scaled(300, 40)):
        _, task = _decide(agent, table, seed)
        tried.update(task["moves"][: task["count"]].tolist())
    tens = {move for move in table.actions() if move % 13 >= 9}
    assert {*tried} == tens
    assert min(tried.values()) > scaled(140, 8)


def test_whether_a_lead_is_beyond_chance() -> None:
    random = Random(4)
    for _ in range(scaled(2000, 300)):
        leads = [random.randrange(-60, 70) for _ in range(random.randrange(1, 300))]
        gate = random.choice([0.0, 0.5, 1.0, 2.0, 3.0])
        mean, error = fmean(leads), sqrt(pvariance(leads) / len(leads))
        squares = sum(lead * lead for lead in leads)
        assert montecarlo.leads(sum(leads), squares, len(leads), gate) == (
            mean > 0 and mean > gate * error
        )


def test_the_move_that_leads_most_beyond_chance_is_made() -> None:
    task = new(montecarlo.TASK, 1)[0]
    task["moves"][:4], task["count"], task["samples"], task["gate"] = [7, 8, 9, 10], 4, 100, 2.0
    for lead, expected in (
        ([0, 30, 50, 40], 9),
        ([0, 30, -50, 20], 8),
        ([0, -30, 5, 60], 10),
        ([0, -30, 5, 0], 7),  # 5 in 100, give or take 10, may be chance
    ):
        task["lead"][:4], task["square"][:4] = lead, 100
        assert montecarlo._conclude(task) == expected


def test_a_deal_is_worth_its_points_or_the_match() -> None:
    random, found = Random(2), set()
    gained = np.zeros(2, dtype=np.int64)
    for _ in range(scaled(60, 16)):
        scores = random.choice([(0, 0), (98, 0), (0, 98), (98, 98)])
        table = Table(parse_game("gin"), rich_deck(random), random.randrange(2), scores)
        while not table.is_over:
            legal = table.actions()
            knocks = [action for action in legal if gin.KNOCK <= action < gin.DRAW]
            table.apply(random.choice(knocks or legal))
        points = table.points()
        for me in (0, 1):
            expected = points[me] - points[1 - me]
            if max(scores[seat] + points[seat] for seat in (0, 1)) >= 100:
                expected = 200 if expected > 0 else -200
            assert worth(table.state, table.options, me, gained) == expected
            found.add((np.sign(expected), abs(expected) == 200))
    assert found >= {(-1, True), (-1, False), (1, True), (1, False)}


def test_with_as_high_a_gate_as_can_be_it_plays_as_patient_does() -> None:
    agent, patient, alike = _agent("montecarlo:samples=30,gate=10"), _agent("patient"), 0
    tables = [*_positions("gin", scaled(60, 3), 8)]
    for table in tables:
        action, _ = _decide(agent, table, 3)
        alike += action == patient.act(table.view(), table.actions(), Chance(generator(3)))
    assert alike >= 0.9 * len(tables)


KNOCKING = "Ac 2c 3c 5d 6d 7d 9h 9s 9c 4h"


def test_it_knocks_where_that_wins_the_match_and_patient_would_wait() -> None:
    agent, patient = _agent(f"montecarlo:samples={scaled(100, 40)}"), _agent("patient")
    hand = "Ac 2c 3c 5d 6d 7d Ah 2s 2h 4s"  # far from gin
    table = gin_table(seat0=hand, stock="Kh", scores=(95, 95)).play("pass", "pass", "draw")
    name = table.game.notation.format_action
    assert name(_decide(agent, table, 1)[0]) == "knock Kh"
    plain = patient.act(table.view(), table.actions(), Chance(generator(1)))
    assert name(plain) == "discard Kh"


def test_gin_needs_no_thought_nor_does_laying_down() -> None:
    agent, simple = _agent("montecarlo"), _agent("simple")
    table = gin_table(seat0=KNOCKING, stock="8d").play("pass", "pass", "draw")
    for text in ("knock 4h", "meld 9c 9h 9s"):
        chance, other = generator(1), generator(1)
        action = agent.act(table.view(), table.actions(), Chance(chance))
        assert action == simple.act(table.view(), table.actions(), Chance(other))
        assert chance["position"] == other["position"]
        assert table.game.notation.format_action(action) == text
        table.play(text)


def test_the_seed_decides() -> None:
    agent = _agent("montecarlo:samples=4")
    for place, table in enumerate(_positions("gin", scaled(30, 3), 12)):
        once, again = (_decide(agent, table, place) for _ in range(2))
        assert once[0] == again[0]
        assert once[1].tobytes() == again[1].tobytes()
