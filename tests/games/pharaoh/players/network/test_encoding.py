"""The observation of Pharaoh, against a slow twin that reads the same view in plain Python."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from encodings_of_games import Decision, check_outputs, unset_bits
from positions import Table, generator, scaled
from undercut.cards.french import each
from undercut.cards.german import ACE
from undercut.games.families import parse_game
from undercut.games.pharaoh.players.network.encoding import ENCODING
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.kernels.records import new
from undercut.play.agent import Random as Chance
from undercut.players.catalog import parse_agent

RULE_SETS = [
    "pharaoh",
    "pharaoh:players=3,heart_seven_returns=1,aces_stack=0",
    "pharaoh:players=4,seven_cards=5,upcard_effects=1,most_cards=2,over_on_active=1",
    "pharaoh:players=8",
    "pharaoh:players=8,deal=1,seven_cards=10",
    "pharaoh:deal=13,quad_effects=1,seven_cards=2",
    "pharaoh:deal=1,quads=0",
    "prsi:players=4",
]

SEATS = range(8)  # players are numbered from the one who looks, in the order of play
NAMES = [
    *("hand", "pile", "top", "shuffled", "old", "match", "course", "rules"),
    *(f"denied {number}" for number in SEATS),
    *(f"counts {number}" for number in SEATS),
]

# The history of cards that do not lie open now. The rest lies open (the own hand, the top, the card
# to match) or is counted (players, moves, shuffles, cards in hands). The numbers of cards drawn
# last or since the last shuffle are history too, but share a word with open counts.
REMEMBERED = {
    "pile": "of the pile the top alone lies open",
    "shuffled": "which cards were under the top at the last shuffle, and not played since",
    "old": "follows from the pile and from the last shuffle",
} | {f"denied {number}": "the legal first cards when a player drew" for number in SEATS}

NEVER = {
    # A stock of 30 to 32: a deal leaves 29 at most, and so does a shuffle, since two players have
    # cards and the top stays. The last player, against one just out, ends the deal by a draw.
    "match": {58, 59, 60},
    "rules": {*range(25, 32)},  # bits to spare
    "counts 0": {37},  # whoever is out decides nothing
}


def _bits(cards: Any) -> set[int]:
    return set(each(int(cards)))


def _thermometer(number: int, most: int, first: int = 0) -> set[int]:
    return {first + i for i in range(min(max(int(number), 0), most))}


def _flags(first: int, *flags: Any) -> set[int]:
    return {first + place for place, flag in enumerate(flags) if flag}


def _planes(view: Any, options: Any) -> dict[str, set[int]]:
    """By name what is lit, read from memory that held anything before."""
    words = np.full(len(ENCODING.planes), -1, dtype=np.int64)
    ENCODING.encode(view, options, words)
    for word, width in zip(words.tolist(), ENCODING.planes, strict=True):
        assert 0 <= word < 1 << width
    return dict(zip(NAMES, map(_bits, words), strict=True))


def _twin(view: Any, options: Any) -> dict[str, set[int]]:
    """The same planes, found with sets and lists."""
    hand, shuffled = _bits(view.hand), _bits(view.shuffled)
    pile = view.pile.tolist()[: view.piled]
    match = {int(view.suit), 4 + int(view.value)}
    match |= _thermometer(view.ace, 4, 12) | _thermometer(view.count, 13, 16)
    course = _thermometer(view.left, 8) | _thermometer(view.idle, 8, 8)
    course |= _flags(16, view.just_out >= 0) | _thermometer(view.reshuffles, 3, 17)
    planes = {
        "hand": hand,
        "pile": {*pile},
        "top": {pile[-1]},
        "shuffled": shuffled,
        "old": {*range(32)} - shuffled - hand - {*pile},
        "match": match | _thermometer(view.stock, 32, 29),
        "course": course | _thermometer(view.moves // 8, 12, 20),
        "rules": _rules(options),
    }
    seats = [*range(options.players)]
    seats = seats[view.me :] + seats[: view.me]
    for number in SEATS:
        is_there = number < len(seats)
        planes[f"denied {number}"] = _bits(view.denied[seats[number]]) if is_there else set()
        planes[f"counts {number}"] = _counts(view, seats[number]) if is_there else set()
    return planes


def _rules(options: Any) -> set[int]:
    bits = _thermometer(options.players, 8) | _thermometer(options.most_cards, 4, 8)
    return (
        bits
        | _thermometer(options.seven_cards, 5, 12)
        | _flags(17, options.aces_stack, options.over_on_active, options.leaves_under)
        | _flags(20, options.quads, options.quad_effects, options.first_out_wins)
        | _flags(23, options.heart_seven_returns, options.upcard_effects)
    )


def _counts(view: Any, seat: int) -> set[int]:
    bits = _thermometer(view.held[seat], 16) | _thermometer(view.fresh[seat], 13, 16)
    bits |= _thermometer(view.gained[seat], 8, 29)
    return bits | _flags(37, view.out_at[seat] >= 0, view.starter == seat)


def _players(game: Any, random: Random) -> list[Callable[[Table], int]]:
    """Ways to choose: as the heuristic does, by chance, and so that hands grow large."""
    agent: Any = parse_agent("heuristic", game)
    chance = Chance(generator(4))

    def eager(table: Table) -> int:
        actions = table.actions()
        return random.choice([action for action in actions if action >= pharaoh.PLAY] or actions)

    def by_chance(table: Table) -> int:
        return random.choice([random.choice(table.actions()), eager(table)])

    return [
        lambda table: int(agent.act(table.view(), table.actions(), chance)),
        eager,
        by_chance,
        lambda table: table.actions()[0],  # all draw while they can
        lambda table: table.actions()[0] if table.seat == table.starter else by_chance(table),
    ]


@cache
def _decisions() -> list[Decision]:
    """Every decision of some deals of each rule set: the table, the view and the planes."""
    found = []
    for name in RULE_SETS:
        game, random = parse_game(name), Random(name)
        players = _players(game, random)
        for number in range(scaled(10, 3)):
            deck = random.sample(range(32), 32)
            if number % 2:
                deck.sort(key=lambda card: card < 4 * ACE)  # the first hand has the aces
            table = Table(game, deck, random.randrange(game.seats))
            while not table.is_over and len(table.played) < 150:
                view = table.view()
                found.append((table.copy(), view, _planes(view, table.options)))
                table.apply(players[number % 5](table))
    return found


def test_the_planes_are_those_of_the_twin() -> None:
    for table, view, planes in _decisions():
        assert planes == _twin(view, table.options)


@pytest.mark.compiled  # that many decisions take long to meet interpreted
def test_every_bit_is_lit_that_can_be() -> None:
    assert unset_bits(_decisions(), NAMES, ENCODING) == NEVER


def test_every_answer_has_a_number_of_its_own() -> None:
    check_outputs(_decisions(), ENCODING)


def test_what_is_forgotten_is_what_does_not_lie_open() -> None:
    """To one who saw nothing but the top of the pile, all other planes look the same."""
    assert {NAMES[word] for word in ENCODING.remembered} == {*REMEMBERED}
    changed = set()
    for table, view, planes in _decisions()[::7]:
        newcomer = new(pharaoh.VIEW, 1)
        newcomer[0] = view
        newcomer["shuffled"], newcomer["denied"] = 0, 0
        newcomer["pile"][0, 0], newcomer["piled"] = view.pile[view.piled - 1], 1
        seen = _planes(newcomer[0], table.options)
        changed |= {name for name in NAMES if seen[name] != planes[name]}
    assert changed == {*REMEMBERED}


def test_what_is_revealed_are_the_other_hands_in_the_order_of_play() -> None:
    """That a view, and so its planes, tells nothing of them is in contract/test_games.py."""
    for table, view, _ in _decisions():
        words = np.full(len(ENCODING.hidden), -1, dtype=np.int64)
        ENCODING.reveal(table.state, table.options, table.seat, words)
        seats = [(table.seat + number) % table.game.seats for number in range(1, table.game.seats)]
        hands = [_bits(table.state["hands"][seat]) for seat in seats]
        assert [*map(_bits, words)] == hands + [set()] * (7 - len(hands))
        assert [len(hand) for hand in hands] == [view.held[seat] for seat in seats]
        assert all(hand.isdisjoint(_bits(view.hand)) for hand in hands)
