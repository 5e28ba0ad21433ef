"""The evaluator of every game: a function of the view, the same on any number of threads."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import undercut
from contract.redeal import redealt
from joint_networks import random_belief
from positions import Table, fresh_tables, generator, lively_walk, scaled
from rulesets import chance_of, each_of, sample
from undercut.cards.french import each as cards_in
from undercut.games.contract import Game
from undercut.games.families import FAMILIES, all_families, parse_game
from undercut.kernels import rng
from undercut.kernels.records import new, pack
from undercut.play.agent import Turn
from undercut.players.endings import PLAIN, endings_of
from undercut.players.search.evaluate import (
    DEPTH,
    PART,
    WHOLE_SHARE,
    Evaluation,
    Evaluator,
    evaluator_of,
)
from undercut.players.search.rollouts import (
    ANSWERED,
    CUT,
    ENDING,
    MILLION,
    MINE,
    OTHERS,
    give_hands,
)
from undercut.text.errors import IllegalAction, OptionsError

PRESETS = [name for family in all_families() for name in family.rules.PRESETS]
every_game = each_of([*PRESETS, "pharaoh:players=5", "distilled+knock+upcard"])
SAMPLES = 64


@cache
def _evaluator(name: str, workers: int) -> Evaluator:
    """Match equity takes a second, and is the same for all that evaluate a game."""
    made = Evaluator(parse_game(name), workers)
    if workers > 1:
        made.equity = _evaluator(name, 1).equity
    return made


def _choices(game: Game, seed: int) -> Iterator[Table]:
    """Positions of a deal in which there is something to choose."""
    (table,) = fresh_tables(game, 1, chance_of(game, seed))
    for _ in lively_walk(table, chance_of(game, seed)):
        if not table.is_over and len(table.actions()) > 1:
            yield table.copy()


def _evaluated(game: Game, table: Table, seed: int = 1, workers: int = 1) -> Evaluation:
    evaluator = _evaluator(game.name, workers)
    return evaluator.evaluate(table.view(), table.actions(), SAMPLES, seed)


@pytest.mark.compiled
@every_game
def test_hidden_cards_change_no_number(game: Game) -> None:
    compared = 0
    for number, table in enumerate(_choices(game, 3)):
        enough = compared >= sample(game, 12, 12)
        twin = None if enough else redealt(table, table.seat, Random(number))
        if twin is not None:
            compared += 1
            assert _evaluated(game, table) == _evaluated(game, twin)
    assert compared >= 3


@pytest.mark.compiled
@every_game
def test_threads_and_company_change_no_number(game: Game) -> None:
    tables = list(_choices(game, 4))[: sample(game, 6, 6)]
    alone = [_evaluated(game, table) for table in tables]
    assert [_evaluated(game, table, workers=3) for table in reversed(tables)] == alone[::-1]
    assert any(
        _evaluated(game, table, seed=2) != old for table, old in zip(tables, alone, strict=True)
    )


def _give(state: Any, me: int, hands: list[int]) -> None:
    """Exchange cards one pair at a time until the other seats hold these hands."""
    for place, wanted in enumerate(hands):
        seat = (me + 1 + place) % (len(hands) + 1)
        held = set(cards_in(int(state.hands[seat])))
        missing, extra = set(cards_in(wanted)) - held, held - set(cards_in(wanted))
        for pair in zip(sorted(missing), sorted(extra), strict=True):
            names = {pair[0]: pair[1], pair[1]: pair[0]}
            for each, hand in enumerate(state.hands.tolist()):
                state.hands[each] = sum(1 << names.get(card, card) for card in cards_in(hand))
            state.deck[:] = [names.get(card, card) for card in state.deck.tolist()]


def _slow_sample(
    game: Game, view: Any, moves: list[int], seed: int, sample: tuple[int, list[int], int]
) -> list[list[int]]:
    """The numbers of each move on one sample, with a loop over the rules and the player."""
    number, hands, depth = sample
    evaluator, rules, options = _evaluator(game.name, 1), game.rules, pack(game.options)
    settings, endings = pack(evaluator.player.settings), endings_of(game)
    value, whole = evaluator.player.value, evaluator.player.workspace + 1
    random, deal, me = generator(0), new(rules.STATE, 1)[0], int(view["me"])
    rng.start(random, rng.derive(seed, 0, number, 0))
    rules.complete(view, options, random, deal)
    _give(deal, me, hands)
    found = []
    for move in moves:
        state, seen = new(rules.STATE, 1), new(rules.VIEW, 1)[0]
        state[0] = deal
        state, reply, action, left, judged = state[0], None, move, depth, None
        rng.start(random, rng.derive(seed, 1, number, 0))
        out, work = np.zeros(rules.LEGAL, np.int64), np.zeros(whole, np.int64)
        while not rules.is_over(state):
            if action is None:
                legal = out[: rules.legal(state, options, out)]
                rules.observe(state, options, int(state.seat), seen)
                action = int(legal[0])
                if len(legal) > 1:
                    turn = Turn(legal, options, settings, random, work)
                    action = int(evaluator.player.choose(seen, turn))
                    if depth and value is not None and value.is_asked(seen, 0):
                        if left <= 0 and (game.seats == 2 or int(state.seat) == me):
                            judged = value.read(turn) * (1 if int(state.seat) == me else -1)
                            break
                        left -= 1
            if int(state.seat) != me and reply is None:
                reply = action
            rules.apply(state, options, action)
            action = None
        answered = int(reply is not None and bool(endings.is_answer(move, reply)))
        if judged is not None:
            found.append([0, 0, CUT, answered, int(np.floor(judged * MILLION + 0.5))])
            continue
        gained = np.zeros(game.seats, dtype=np.int64)
        rules.score(state, options, gained)
        others = [int(points) for seat, points in enumerate(gained) if seat != me]
        ending = int(endings.ending(state, options, me, gained))
        found.append([int(gained[me]), sum(others), ending, answered, 0])
    return found


@every_game
def test_samples_are_those_of_a_slow_twin(game: Game) -> None:
    evaluator = _evaluator(game.name, 1)
    for table in list(_choices(game, 5))[: sample(game, 6, 1)]:
        view, moves = table.view(), table.actions()[:5]
        numbers = range(2, 2 + scaled(4, 1))
        rows = evaluator._sample(view, np.array(moves), numbers, 9)
        hands = evaluator._hands(view, numbers, 9).tolist()
        for row, number, hidden in zip(rows, numbers, hands, strict=True):
            depth = DEPTH if evaluator.cuts and number % WHOLE_SHARE else 0
            assert row.tolist() == _slow_sample(game, view, moves, 9, (number, hidden, depth))


JOINT = [name for name in PRESETS if parse_game(name).family.encoding]


@each_of([*JOINT, "pharaoh:players=5", "distilled+knock+upcard"])
def test_given_hands_lie_where_they_belong_and_the_view_stays(game: Game) -> None:
    """The other seats hold the sampled hands, and their seat sees no difference."""
    belief, options, compared = random_belief(game), pack(game.options), 0
    state, seen = new(game.rules.STATE, 1)[0], new(game.rules.VIEW, 1)[0]
    for number, table in enumerate(list(_choices(game, 12))[: scaled(12, 2)]):
        view, me = table.view(), table.seat
        hands = belief.sample(view, 3, seed=number)
        for row in hands:
            game.rules.complete(view, options, generator(number), state)
            twins = new(game.rules.STATE, 1)
            twins[0] = state
            twin = twins[0]
            give_hands(state, me, row)
            held = [int(state.hands[(me + i) % game.seats]) for i in range(1, game.seats)]
            assert held == row.tolist()
            game.rules.clear_view(seen)
            game.rules.observe(state, options, me, seen)
            assert seen.tobytes() == view.tobytes()
            _give(twin, me, row.tolist())
            assert twin.tobytes() == state.tobytes()
            compared += 1
    assert compared >= 3


@pytest.mark.compiled
def test_the_stock_has_every_order_under_given_hands() -> None:
    """The next card from the stock is each of the remaining ones equally often."""
    game = parse_game("gin")
    table = next(_choices(game, 13))
    view, options = table.view(), pack(game.options)
    hand = random_belief(game).sample(view, 1, seed=2)[0]
    state, random, first = new(game.rules.STATE, 1)[0], generator(5), Counter[int]()
    for _ in range(6000):
        game.rules.complete(view, options, random, state)
        give_hands(state, table.seat, hand)
        first[int(state.deck[int(state.used)])] += 1
    expected = 6000 / len(first)
    assert sum((count - expected) ** 2 / expected for count in first.values()) < 2 * len(first)


@pytest.mark.compiled
def test_evaluations_in_several_threads_do_not_disturb_each_other() -> None:
    game = parse_game("gin")
    tables = list(_choices(game, 8))[:4]
    alone = [_evaluated(game, table, workers=2) for table in tables]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            assert list(pool.map(lambda table: _evaluated(game, table, workers=2), tables)) == alone


LEADS = {
    "gin": [1, 1, 1, -1, -1, -1, 0],
    "rummy": [1, 1, -1, -1, 0],
    "pharaoh": [1, 0, -1],
    "duel": [1, 0, -1],
    "eights": [1, 0, -1],
}


@pytest.mark.compiled
@every_game
def test_endings_go_with_the_points(game: Game) -> None:
    """Who wins a deal by its ending has no fewer points, and nobody gains by a void deal."""
    leads, seen = np.array(LEADS[game.rules.NAME]), set()
    assert len(leads) == len(endings_of(game).names)
    positions = list(_choices(game, 6))
    for table in positions[:: -(-len(positions) // sample(game, 40, 40))]:
        found = _evaluator(game.name, 1)._sample(
            table.view(), np.array(table.actions()), range(SAMPLES // 4), 1, whole_share=1
        )
        lead = leads[found[..., ENDING]]
        ahead = found[..., MINE] * (game.seats - 1) - found[..., OTHERS]
        if game.seats == 2:
            assert (lead * ahead >= 0).all()
            assert (ahead[lead == 0] == 0).all()
        else:
            assert (ahead[lead > 0] > 0).all()
            assert (ahead[lead < 0] < 0).all()
        assert set(np.unique(found[..., ANSWERED])) <= {0, 1}
        seen |= set(lead.ravel().tolist())
    assert {1, -1} <= seen


@pytest.mark.compiled
@every_game
def test_the_numbers_of_an_evaluation_fit_each_other(game: Game) -> None:
    for table in list(_choices(game, 7))[: sample(game, 5, 5)]:
        found = _evaluated(game, table)
        assert sorted(move.action for move in found.moves) == sorted(table.actions())
        assert found.samples == max(move.samples for move in found.moves) == SAMPLES
        assert (found.best.behind, found.best.behind_error) == (0.0, 0.0)
        for move in found.moves:
            assert sum(move.endings) == pytest.approx(1)
            assert (move.win is None) == (found.unit == "points")
            assert move.win is None or 0 <= move.win <= 1
            assert move.text == game.notation.format_action(move.action)


def test_every_shipped_game_names_its_endings() -> None:
    for name, family in FAMILIES.items():
        if "undercut." in str(family):
            assert endings_of(parse_game(name)) is not PLAIN


@pytest.mark.compiled
def test_a_move_that_wins_at_once_is_found() -> None:
    game = undercut.load("gin")
    for seed in range(300):
        deal = game.deal(seed=seed)
        player = undercut.agent("simple", game)
        while not deal.is_over and not any(text.startswith("knock") for text in deal.legal):
            deal.play(player.act(deal.view()))
        knocks = [text for text in deal.legal if text.startswith("knock")]
        gins = [
            text
            for text in knocks
            if deal.view().lay_out(deal.view().hand - text.split()[1]).deadwood == 0
        ]
        if gins:
            found = undercut.evaluate(deal.view(), samples=60)
            assert found.moves[0].text.startswith("knock")
            assert found.moves[0].endings[0] == 1.0 or found.moves[0].text not in gins
            return
    pytest.fail("simple was never about to make gin")


def test_the_guides_move_is_best_unless_another_leads_significantly() -> None:
    evaluator, random = _evaluator("gin", 1), np.random.default_rng(1)
    values = random.normal(size=(200, 3))
    assert [evaluator._chosen(values, guided) for guided in range(3)] == [0, 1, 2]
    values[:, 2] += 1
    assert [evaluator._chosen(values, guided) for guided in range(3)] == [2, 2, 2]
    values[0::2, 2] += 10
    values[1::2, 2] -= 1  # ahead only on the samples that find the leader
    assert [evaluator._chosen(values, guided) for guided in range(3)] == [0, 1, 2]
    assert evaluator._chosen(values[:2], 1) == 1  # one sample measures nothing


@pytest.mark.compiled
def test_the_guides_move_keeps_its_samples() -> None:
    evaluator = _evaluator("gin", 1)
    for table in list(_choices(parse_game("gin"), 9))[:6]:
        moves = np.array(table.actions())
        found = evaluator._sample(table.view(), moves, range(100), 3)
        worst = int(evaluator._values(table.view(), found).mean(axis=0).argmin())
        assert worst in evaluator._survivors(table.view(), found, worst)


@pytest.mark.compiled
def test_samples_go_to_moves_that_are_close() -> None:
    view = undercut.load("gin").deal(seed=7)
    view.play("take")
    found = undercut.evaluate(view.view(), samples=400)
    counts = {move.samples for move in found.moves}
    assert counts == {100, 400}
    assert all(move.points < found.moves[0].points for move in found.moves if move.samples == 100)


@pytest.mark.compiled
def test_time_in_place_of_samples() -> None:
    deal = undercut.load("rummy").deal(seed=3)
    brief = undercut.evaluate(deal.view(), milliseconds=1)
    longer = undercut.evaluate(deal.view(), milliseconds=150)
    assert PART <= brief.evaluation.samples < longer.evaluation.samples


@pytest.mark.compiled
def test_equity_is_even_at_even_scores_and_certain_at_the_target() -> None:
    for name in ("gin", "distilled", "rummy"):
        table = evaluator_of(name).equity
        assert table is not None
        equity, step = table
        target = parse_game(name).options.target // step
        assert equity[0, 0] == pytest.approx(0.5)
        assert (equity[target, 0], equity[0, target]) == (1.0, 0.0)
        assert equity[target // 2, 0] > 0.5
    assert evaluator_of("pharaoh:players=3").equity is None


def test_what_cannot_be_evaluated_is_refused() -> None:
    deal = undercut.load("gin").deal(seed=7)
    evaluator = evaluator_of("gin")
    with pytest.raises(OptionsError, match="1 samples: must be at least 2"):
        undercut.evaluate(deal.view(), samples=1)
    with pytest.raises(IllegalAction, match="nothing to decide"):
        evaluator.evaluate(deal.view().record, [])


@pytest.mark.compiled
def test_an_evaluation_reads_well() -> None:
    view = undercut.load("gin").deal(seed=7).view()
    found = undercut.evaluate(view, samples=40)
    assert found.action == found.moves[0].text
    assert "own gin" in str(found)
    assert str(found) == str(undercut.evaluate(view, samples=40))
