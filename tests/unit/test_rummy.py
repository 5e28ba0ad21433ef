"""Rummy beside its slow twin, and what every game promises."""

from random import Random
from typing import Any

import numpy as np
import pytest

from reference import rummy as slow
from rummy_positions import (
    Table,
    card_names,
    dealt,
    generator,
    scaled,
    shuffled,
    slow_round,
    walk,
)
from undercut.agents.catalog import parse_agent
from undercut.core.cards import NONE
from undercut.core.errors import NotationError, OptionsError
from undercut.core.game import new
from undercut.games import rummy, rummy_text
from undercut.games.catalog import parse_game
from undercut.play.batch import play_batch

GAMES = ["rummy", "rummy-classic", "rummy:turnovers=0", "rummy:max_turns=40,turnovers=-1"]
ROUNDS = scaled(10, 4)


def start(game: str, seed: int) -> tuple[Table, slow.Round, Random]:
    random = Random(seed)
    deck, starter = shuffled(random), random.randrange(2)
    return dealt(deck, game, starter), slow_round(deck, game, starter), random


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_rules_equal_the_slow_twin(game: str, eager: bool) -> None:
    outcomes = set()
    for seed in range(ROUNDS):
        table, twin, random = start(game, seed)
        for text in walk(table, random, eager):
            assert set(table.legal()) == twin.legal()
            assert len(table.legal()) == len(twin.legal())
            assert int(table.state.seat) == twin.seat
            twin.play(text)
        assert twin.is_over
        assert table.points() == twin.score()
        assert int(table.state.turn) == twin.turns
        assert int(table.state.turnovers) == twin.turnovers
        outcomes.add(table.outcome())
    assert "out" in outcomes or not eager


@pytest.mark.parametrize("game", GAMES)
def test_places_of_the_cards_equal_the_slow_twin(game: str) -> None:
    for seed in range(ROUNDS):
        table, twin, random = start(game, seed)
        for text in walk(table, random, eager=True):
            assert [table.hand(0), table.hand(1)] == twin.hands
            assert table.stock() == twin.stock
            assert table.pile() == twin.pile
            assert [meld.split() for meld in table.melds()] == twin.melds
            twin.play(text)


@pytest.mark.parametrize("game", GAMES)
def test_no_card_is_lost_or_doubled(game: str) -> None:
    for seed in range(ROUNDS):
        table, _, random = start(game, seed)
        for _ in walk(table, random, eager=True):
            cards = [*table.hand(0), *table.hand(1), *table.stock(), *table.pile()]
            cards += " ".join(table.melds()).split()
            assert sorted(cards) == sorted(slow.PACK)


@pytest.mark.parametrize("game", GAMES)
def test_views_tell_what_the_slow_twin_says_a_seat_knows(game: str) -> None:
    for seed in range(ROUNDS):
        table, twin, random = start(game, seed)
        for text in walk(table, random):
            for seat in (0, 1):
                view = table.view(seat)
                assert card_names(view.hand) == twin.hands[seat]
                assert card_names(view.theirs) == twin.certain(seat)
                assert card_names(view.shown) == twin.certain(1 - seat)
                assert view.held == len(twin.hands[1 - seat])
                pile = [rummy.pile_card(view, i) for i in range(len(twin.pile))]
                assert [slow.PACK[card] for card in pile] == twin.pile
                stock = [rummy.stock_card(view, i) for i in range(len(twin.stock))]
                known = twin.stock if twin.turnovers else []
                assert [slow.PACK[card] for card in stock if card != NONE] == known
            twin.play(text)


def hidden_reshuffled(table: Table, seat: int, random: Random) -> Table:
    """The same position with the cards that a seat has not seen dealt afresh."""
    twin = table.copy()
    state = twin.state
    if state.turnovers > 0 or rummy.is_over(state):
        return twin
    other = 1 - seat
    hidden = int(state.hands[other]) & ~int(state.shown[other])
    count = hidden.bit_count()
    stock = [20 + int(state.front) + i for i in range(int(state.stock))]
    cards = [
        *(slow.order(card) for card in card_names(hidden)),
        *(int(state.deck[i]) for i in stock),
    ]
    random.shuffle(cards)
    state.hands[other] &= ~hidden
    for card in cards[:count]:
        state.hands[other] |= 1 << card
    for place, card in zip(stock, cards[count:], strict=True):
        state.deck[place] = card
    # What was drawn earlier still lies in the ring, and must not be seen there either.
    for place in range(20 + int(state.pile), 20 + int(state.front)):
        state.deck[place] = random.randrange(52)
    return twin


@pytest.mark.parametrize("game", GAMES)
def test_a_view_ignores_hidden_cards(game: str) -> None:
    changed = 0
    for seed in range(ROUNDS):
        table, _, random = start(game, seed)
        for _ in walk(table, random):
            for seat in (0, 1):
                twin = hidden_reshuffled(table, seat, random)
                changed += int(twin.state.hands[1 - seat]) != int(table.state.hands[1 - seat])
                assert twin.view(seat).tobytes() == table.view(seat).tobytes()
    assert changed > ROUNDS


@pytest.mark.parametrize("game", GAMES)
def test_a_view_overwrites_all_of_an_old_one(game: str) -> None:
    for seed in range(ROUNDS):
        table, _, random = start(game, seed)
        view = new(rummy.VIEW, 1)[0]
        for _ in walk(table, random):
            rummy.observe(table.state, table.options, 0, view)
            assert same_view(view, table.view(0))


def same_view(one: Any, other: Any) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in rummy.VIEW.names)


@pytest.mark.parametrize("game", GAMES)
def test_a_completed_position_looks_the_same(game: str) -> None:
    chance = generator(5)
    states = new(rummy.STATE, 1)
    for seed in range(ROUNDS):
        table, _, random = start(game, seed)
        for _ in walk(table, random, eager=True):
            seat = random.randrange(2)
            view = table.view(seat)
            states.view("i1")[:] = 77  # whatever was there before
            state = states[0]
            rummy.complete(view, table.options, chance, state)
            completed = Table(table.game, state)
            assert same_view(completed.view(seat), view)
            cards = [*completed.hand(0), *completed.hand(1), *completed.stock()]
            cards += [*completed.pile(), *" ".join(completed.melds()).split()]
            assert sorted(cards) == sorted(slow.PACK)
            assert completed.legal() == table.legal() or int(state.seat) != seat


def test_a_completed_position_can_be_played_to_its_end() -> None:
    chance = generator(6)
    for seed in range(ROUNDS):
        table, _, random = start("rummy", seed)
        for number, _ in enumerate(walk(table, random, eager=True)):
            if number == 15:
                break
        state = new(rummy.STATE, 1)[0]
        rummy.complete(table.view(0), table.options, chance, state)
        completed = Table(table.game, state)
        for _ in walk(completed, random):
            pass
        assert completed.is_over


def test_hidden_cards_are_dealt_evenly() -> None:
    table = dealt(shuffled(Random(1))).play("take", "discard " + shuffled(Random(1))[0])
    view = table.view(0)
    chance, state = generator(7), new(rummy.STATE, 1)[0]
    samples = scaled(4000, 400)
    held, next_drawn = np.zeros(52), np.zeros(52)
    for _ in range(samples):
        rummy.complete(view, table.options, chance, state)
        for card in card_names(state.hands[1]):
            held[slow.order(card)] += 1
        next_drawn[int(state.deck[20 + int(state.front)])] += 1
    unseen = [slow.order(card) for card in card_names(rummy.unseen(view))]
    assert len(unseen) == 41
    # 10 of 41 cards are in the hand, one of 41 is on top of the stock: five standard errors.
    for counts, probability in ((held, 10 / 41), (next_drawn, 1 / 41)):
        error = 5 * (probability * (1 - probability) / samples) ** 0.5
        assert np.abs(counts[unseen] / samples - probability).max() < error
        assert counts.sum() == pytest.approx(counts[unseen].sum())


def test_known_cards_of_the_other_hand_stay_there() -> None:
    deck = shuffled(Random(2))
    table = dealt(deck).play("draw", "discard " + deck[0], "take", "discard " + deck[10])
    chance, state = generator(8), new(rummy.STATE, 1)[0]
    for _ in range(20):
        rummy.complete(table.view(0), table.options, chance, state)
        assert deck[0] in card_names(state.hands[1])


# A king is never laid below a card of its run, an ace never above one.
IMPOSSIBLE = {rummy.LAY_ON_HIGHER + 13 * suit + 12 for suit in range(4)} | {
    rummy.LAY_ON_LOWER + 13 * suit for suit in range(4)
}
POSSIBLE = [action for action in range(rummy.ACTIONS) if action not in IMPOSSIBLE]


def test_action_text_reads_back() -> None:
    texts = [rummy_text.format_action(action) for action in POSSIBLE]
    assert len(set(texts)) == len(texts)
    assert [rummy_text.parse_action(text) for text in texts] == POSSIBLE


@pytest.mark.parametrize(
    "text", ["", "turn", "turn over 5h", "meld 5h 6h", "lay 5h", "lay 5h on 9h", "discard", "knock"]
)
def test_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        rummy_text.parse_action(text)


@pytest.mark.parametrize("action", [*sorted(IMPOSSIBLE), -1, rummy.ACTIONS])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(NotationError):
        rummy_text.format_action(action)


@pytest.mark.parametrize("game", GAMES)
def test_positions_read_back(game: str) -> None:
    for seed in range(ROUNDS):
        table, _, random = start(game, seed)
        texts = list(walk(table, random, eager=seed % 2 == 0))
        table, _, _ = start(game, seed)
        for text in texts:
            table.play(text)
            seat = random.randrange(2)
            written = rummy_text.format_view(table.view(seat))
            assert set(written) <= set(".-~0123456789ATJQKcdhsopdrtn")
            assert same_view(rummy_text.parse_view(written, table.options), table.view(seat))


@pytest.mark.parametrize(
    ("old", "new_text"),
    [("0", "2"), (".", ""), ("-", "~"), ("d", "x"), ("Ac", "Kc"), ("-31-", "-32-"), ("0-0", "a-0")],
)
def test_positions_that_are_malformed_are_refused(old: str, new_text: str) -> None:
    table = dealt(slow.PACK)
    written = rummy_text.format_view(table.view(0))
    assert rummy_text.parse_view(written, table.options) is not None
    with pytest.raises(NotationError, match="not a position"):
        rummy_text.parse_view(written.replace(old, new_text, 1), table.options)


def test_records_say_what_was_dealt_drawn_and_how_it_ended() -> None:
    deck = shuffled(Random(4))
    table = dealt(deck)
    before = table.view(0)
    assert rummy_text.dealt(before) == {"upcard": deck[20]}
    assert set(rummy_text.format_hand(before).split()) == set(deck[:10])
    assert rummy_text.hidden_gain(before, table.copy().play("draw").view(0)) == deck[21]
    assert rummy_text.hidden_gain(before, table.copy().play("take").view(0)) == ""
    for _ in walk(table, Random(5), eager=True):
        pass
    assert rummy_text.format_outcome(table.view(0)) == table.outcome()


def test_a_copy_is_independent() -> None:
    table = dealt(shuffled(Random(9)))
    twin = table.copy()
    twin.play("draw")
    assert table.legal() == ["draw", "take"]


def test_unknown_or_impossible_options_are_refused() -> None:
    for spec in ("rummy:face_points=10", "rummy:turnovers=-2", "rummy+knock", "rummy:target=x"):
        with pytest.raises(OptionsError):
            parse_game(spec)
    with pytest.raises(OptionsError):
        parse_game("rummy", seats=3)


def test_the_state_is_small() -> None:
    assert rummy.STATE.itemsize <= 256
    assert rummy.VIEW.itemsize <= 256


def sequences(table: Table, depth: int) -> int:
    """How many sequences of `depth` actions there are, counting those that end earlier once."""
    if depth == 0 or table.is_over:
        return 1
    total = 0
    for text in table.legal():
        total += sequences(table.copy().play(text), depth - 1)
    return total


def slow_sequences(deck: list[str], game: str, played: list[str], depth: int) -> int:
    twin = slow_round(deck, game, 0)
    for text in played:
        twin.play(text)
    if depth == 0 or twin.is_over:
        return 1
    return sum(slow_sequences(deck, game, [*played, text], depth - 1) for text in twin.legal())


# Two melds in the first hand, one in the other, and lay-offs between them.
HANDS = "5h 6h 7h 7c 7d 7s 2c 9d Jd Kh 8h 9h Th 3c 4c 5c 3s Ks Qd Ad 4h"
COUNTS = {
    "rummy": [2, 36, 179, 984, 5457],
    "rummy-classic": [2, 35, 171, 919, 5019],
}


@pytest.mark.parametrize("game", ["rummy", "rummy-classic"])
def test_decision_tree_counts(game: str) -> None:
    named = HANDS.split()
    deck = [*named, *(card for card in slow.PACK if card not in named)]
    depth = scaled(5, 4)
    found = [sequences(dealt(deck, game), n) for n in range(1, depth + 1)]
    assert found == COUNTS[game][:depth]
    assert found == [slow_sequences(deck, game, [], n) for n in range(1, depth + 1)]


def test_compiled_and_interpreted_kernels_play_the_same_game() -> None:
    # The suite runs both ways; both must come to this one result.
    game = parse_game("rummy")
    batch = play_batch(game, [parse_agent("random", game)] * 2, 2, seed=11, workers=1)
    assert batch.matches.scores[:, :2].tolist() == [[130, 57], [123, 24]]
    assert batch.matches.actions.tolist() == [2504, 1980]
