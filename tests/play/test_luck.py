"""Luck: what came less the mean of all that might have come, so that it is 0 on average."""

import copy
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from positions import scaled
from undercut.cards.french import NONE, parse_cards
from undercut.games.families import parse_game
from undercut.games.gin.players.network import luck as gin_luck
from undercut.games.gin.players.network.luck import LUCK
from undercut.games.gin.rules import deal as rules
from undercut.games.gin.rules.layout import DRAW, PASS, TAKE
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Options, State, array_of, new, pack
from undercut.play.batch import Batch, play_batch
from undercut.play.desk import bind_rules, make_desk
from undercut.play.job import Backend
from undercut.play.luck import Luck, Valued, event_kernel, match_luck, note_chances
from undercut.play.series import make_series
from undercut.players.catalog import parse_agent
from undercut.players.luck.provided import luck_of
from undercut.text.errors import OptionsError, RecordError

GAME = parse_game("gin")
SCORES = np.array([40, 65])


def played(spec: str = "gin", matches: int = 4, max_deals: int = 2) -> Batch:
    game = parse_game(spec)
    agents = [parse_agent(name, game) for name in ("simple", "thrifty")]
    return play_batch(
        game, agents, matches, 5, max_deals=max_deals, trace=None, backend=Backend(workers=1)
    )


def some_seeds() -> range:
    return range(1, scaled(4, 2))


def dealt(deck: list[int]) -> Any:
    """Two states, the first dealt from a deck."""
    states = new(rules.STATE, 2)
    states[0].deck[:] = deck
    rules.begin(states[0], pack(GAME.options), 0, SCORES)
    return states


def luck_of_event(states: Any, action: Action, luck: Luck = LUCK) -> float:
    """The luck of seat 0 in an action, or in the deal."""
    desk = make_desk(GAME, make_series(GAME, ["one", "other"], 0))._replace(states=states[:1])
    desk.matches[0].scores[:2] = SCORES
    return float(event_kernel(rules, luck)(desk, action, _valued(luck, states[1:])))


def _valued(luck: Luck, states: Any) -> Valued:
    settings = _settings(luck)
    return Valued(states, settings, np.zeros(luck.workspace, np.int64), np.zeros(1))


@cache
def _settings(luck: Luck) -> Any:
    return array_of(luck.settings(GAME.options))


def shuffled(seed: int) -> list[int]:
    generator, deck = new(rng.GENERATOR, 1)[0], np.zeros(52, dtype=np.int8)
    rng.start(generator, seed)
    rng.shuffle_pack(generator, deck)
    return deck.tolist()


def played_on(deck: list[int], *actions: Action) -> Any:
    states = dealt(deck)
    for action in actions:
        rules.apply(states[0], pack(GAME.options), action)
    return states


def all_draws(luck: Luck, seed: int) -> list[float]:
    """The luck of the first draw from the stock, for every card that may come first."""
    found = []
    for place in range(21, 52):
        deck = shuffled(seed)
        deck[21], deck[place] = deck[place], deck[21]
        found.append(luck_of_event(played_on(deck, PASS, PASS), DRAW, luck))
    return found


@pytest.mark.parametrize("seed", some_seeds())
def test_the_luck_of_a_draw_is_0_over_all_cards_that_may_come(seed: int) -> None:
    found = all_draws(LUCK, seed)
    assert sum(found) == pytest.approx(0, abs=1e-6)
    assert max(map(abs, found)) > 0.005, "and not 0 for each"


@kernel
def _lay_too_few(state: State, options: Options, action: Action, case: int, scores: Buffer) -> None:
    """Wrong: of what may come, the last cards never do."""
    gin_luck.lay(state, options, action, case // 2, scores)


def test_what_leaves_cards_out_is_found_out() -> None:
    wrong = replace(LUCK, lay=_lay_too_few)
    assert abs(sum(all_draws(wrong, 1))) > 0.01


@pytest.mark.compiled  # interpreted it takes a minute
def test_the_luck_of_a_deal_is_0_over_both_hands_and_all_upcards() -> None:
    found = []
    for place in range(20, 52):
        deck = shuffled(3)
        deck[20], deck[place] = deck[place], deck[20]
        found.append(luck_of_event(dealt(deck), NONE))
        deck[:20] = deck[10:20] + deck[:10]
        found.append(luck_of_event(dealt(deck), NONE))
    assert sum(found) == pytest.approx(0, abs=1e-6)
    assert max(map(abs, found)) > 0.01


def test_what_brings_no_card_by_chance_brings_no_luck() -> None:
    states = dealt(shuffled(1))
    assert luck_of_event(states, TAKE) == 0
    assert luck_of_event(states, PASS) == 0


def test_luck_is_about_the_cards_that_come_next_not_the_order_behind_them() -> None:
    lucks = set()
    for order in list(permutations(range(49, 52)))[:: scaled(1, 3)]:
        deck = shuffled(4)
        deck[49:] = [deck[place] for place in order]
        lucks.add(round(luck_of_event(played_on(deck, PASS, PASS), DRAW), 9))
    assert len(lucks) == 1


def test_luck_changes_nothing() -> None:
    states = played_on(shuffled(5), PASS, PASS)
    before = states[0].tobytes()
    luck_of_event(states, DRAW)
    assert states[0].tobytes() == before


def test_a_card_that_makes_a_meld_is_luck() -> None:
    hand = "Ac 2c 4d 5d 8h 9h Js Qs Kd 6c"
    ours = [card for card in range(52) if parse_cards(hand) >> card & 1]
    rest = [card for card in range(52) if card not in ours]
    theirs, others = rest[:10], rest[10:]
    useful = next(card for card in others if parse_cards("Th 7h Ks") >> card & 1)
    others.remove(useful)
    deck = [*ours, *theirs, others[0], useful, *others[1:]]
    assert luck_of_event(played_on(deck, PASS, PASS), DRAW) > 0


def slow_luck(batch: Batch, index: int) -> list[float]:
    """The luck of a match, one state after another, with nothing kept between them."""
    game, options = batch.game, pack(batch.game.options)
    settings = pack(LUCK.settings(game.options))
    desk, bound = make_desk(game, batch.series), bind_rules(rules)
    match, state, out = desk.matches[0], desk.states[0], desk.legal[0]
    bound["begin_match"](desk, 0, batch.first + index)
    places, total = iter(batch.traces[index].tolist()), 0.0

    def value(each: Any) -> float:
        return float(LUCK.value(each, options, settings, np.zeros(LUCK.workspace, np.int64)))

    def after(action: Action, case: int) -> float:
        twin = copy.deepcopy(state)
        LUCK.lay(twin, options, action, case, match.scores)
        if action != NONE:
            rules.apply(twin, options, action)
        return value(twin)

    def luck(action: Action) -> float:
        cases = LUCK.chances(state, options, action)
        worths = [after(action, case) for case in range(cases)]
        return worths[0] - sum(worths) / cases if cases else 0.0

    while not match.is_over:
        if match.deals:
            bound["next_deal"](desk, 0)
        total += luck(NONE)
        while not rules.is_over(state):
            count = rules.legal(state, options, out)
            action = int(out[next(places) if count > 1 else 0])
            total += luck(action)
            rules.apply(state, options, action)
        bound["settle"](desk, 0)
    return [total if match.agents[0] == agent else -total for agent in range(2)]


def test_luck_equals_the_slow_way() -> None:
    batch = played(matches=2, max_deals=1)
    expected = [slow_luck(batch, index) for index in range(len(batch))]
    assert match_luck(batch, LUCK, workers=1) == pytest.approx(np.array(expected), abs=1e-9)


@pytest.mark.compiled  # threads divide it
def test_luck_is_the_same_however_it_is_divided() -> None:
    batch = played(max_deals=scaled(2, 1))
    done: list[int] = []
    whole = match_luck(batch, LUCK, workers=1, progress=done.append)
    assert sum(done) == len(batch)
    assert (match_luck(batch, LUCK, workers=3) == whole).all()
    later = replace(
        batch, first=batch.first + 2, results=batch.results[2:], traces=batch.traces[2:]
    )
    assert (match_luck(later, LUCK, workers=1) == whole[2:]).all()
    assert (whole[:, 0] == -whole[:, 1]).all()


@pytest.mark.parametrize("spec", ["distilled", "distilled+upcard+knock", "gin:target=7"])
def test_every_rule_set_of_gin_has_luck(spec: str) -> None:
    lucks = match_luck(played(spec, matches=2, max_deals=1), LUCK, workers=1)
    assert np.isfinite(lucks).all()
    assert (lucks != 0).all()


def test_a_wrong_trace_is_refused() -> None:
    batch = played(matches=2, max_deals=1)
    wrong = batch.traces.copy()
    wrong[1, 0] = 99
    with pytest.raises(RecordError, match="match 1 does not replay"):
        match_luck(replace(batch, traces=wrong), LUCK, workers=1)


@pytest.mark.parametrize("change", [-1, 1])
def test_a_trace_of_fewer_or_more_choices_is_refused(change: int) -> None:
    batch = played(matches=2, max_deals=1)
    results = batch.results.copy()
    longer = np.pad(batch.traces, ((0, 0), (0, 1)))  # a choice that nobody was asked for
    match_luck(replace(batch, traces=longer), LUCK, workers=1)
    results.choices[1] += change
    with pytest.raises(RecordError, match="match 1 does not replay"):
        match_luck(replace(batch, results=results, traces=longer), LUCK, workers=1)


def slow_notes(batch: Batch) -> tuple[list[list[int]], list[list[int]]]:
    """The states after the deal and after each card that came unseen, and what the deal brought."""
    options, bound = pack(batch.game.options), bind_rules(rules)
    desk = make_desk(batch.game, batch.series)
    match, state, out = desk.matches[0], desk.states[0], desk.legal[0]
    words: list[list[int]] = []
    gained: list[list[int]] = []
    for index in range(len(batch)):
        bound["begin_match"](desk, 0, batch.first + index)
        places = iter(batch.traces[index].tolist())
        while not match.is_over:
            if match.deals:
                bound["next_deal"](desk, 0)
            seats = []
            action = NONE
            while True:
                if action in (NONE, DRAW):
                    row = np.zeros(len(LUCK.planes), dtype=np.int64)
                    LUCK.encode(state, options, row)
                    words.append(row.tolist())
                    seats.append(int(state.seat))
                if rules.is_over(state):
                    break
                count = rules.legal(state, options, out)
                action = int(out[next(places) if count > 1 else 0])
                rules.apply(state, options, action)
            bound["settle"](desk, 0)
            points = match.gained.tolist()
            gained += [[points[seat], points[1 - seat]] for seat in seats]
    return words, gained


def test_notes_are_what_came() -> None:
    batch = played(matches=3, max_deals=2)
    words, gained = note_chances(batch, LUCK, 1000)
    slow_words, slow_gained = slow_notes(batch)
    assert words.tolist() == slow_words
    assert gained.tolist() == slow_gained
    assert words.dtype == gained.dtype == np.int64
    assert len({tuple(row) for row in slow_gained}) > 4, "either seat wins"
    draws = batch.results.tally[:, 0] - batch.results.tally[:, 9]  # all draws less takes
    assert len(words) == batch.results.deals.sum() + draws.sum()
    few, points = note_chances(batch, LUCK, 3)
    assert (few == words[:3]).all()
    assert (points == gained[:3]).all()


@pytest.mark.parametrize("spec", ["rummy", "pharaoh:players=2"])
def test_other_games_say_that_they_have_none(spec: str) -> None:
    with pytest.raises(OptionsError, match=f"{spec} cannot be adjusted for luck: one of gin, dis"):
        luck_of(parse_game(spec))


def test_a_game_finds_its_own() -> None:
    assert luck_of(parse_game("distilled")) is LUCK
