"""The observation of Rummy, against a slow twin that reads the same view in plain Python."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from encodings_of_games import Decision, check_outputs, unset_bits
from helpers import helpers_for
from positions import Table, fresh_tables, generator, scaled
from undercut.cards.french import each
from undercut.games.families import parse_game
from undercut.games.rummy.players.network.encoding import ENCODING
from undercut.games.rummy.rules import deal as rummy
from undercut.kernels.records import new
from undercut.play.agent import Random as Chance
from undercut.players.catalog import parse_agent

RULE_SETS = [
    "rummy",
    "rummy-classic",
    "rummy:turnovers=5,tie_points=20,rummy_doubles=0,target=40",
    "rummy-classic:may_discard_taken=1,turnovers=0,tie_points=14,alternate_starter=0",
]

NAMES = [
    *("hand", "upcard", "theirs", "shown", "my_throws", "his_throws", "my_refused", "his_refused"),
    *("my_laid", "his_laid", "sets", "starts", "fresh", "known", "melded", "next"),
    *("course", "sizes", "scores", "rules", "turn"),
]

# The history of cards that do not lie open now. The rest lies open (the own hand, the upcard, the
# melds, the scores) or is counted (turns, cards, turnovers). The starter and the owners of lay-offs
# are history too, but share words with open information, so they are kept.
REMEMBERED = {
    "theirs": "taken from the pile into a hand that is hidden",
    "shown": "the same of the own hand: nothing there tells which cards the other saw",
    "my_throws": "the pile shows its top alone, and not who threw it",
    "his_throws": "as my_throws",
    "my_refused": "an upcard passed over lies under others, or is somewhere else by now",
    "his_refused": "as my_refused",
    "known": "the pile under its top; after a turnover the stock, which lies face down",
    "next": "the card of that stock that comes next",
}
FORGOTTEN = {"theirs": 0, "shown": 0, "thrown": 0, "refused": 0, "queue": -1}
"""The fields of a view that tell it, and what they are for one who has seen nothing."""

QUEENS_AND_KINGS = {13 * suit + rank for suit in range(4) for rank in (11, 12)}
NEVER = {
    "starts": QUEENS_AND_KINGS,  # a run has three cards, and the ace is low
    "course": {38},  # a stock of 32: the draw that turns 32 cards over takes one of them
    "sizes": {13, 14, 25, 26, 27},  # 12 cards or more in the own hand, 11 in that of one who waits
    "scores": {24, 49},  # a seat at the target: the match is over
    "rules": {11},  # a bit to spare
}


def _bits(cards: Any) -> set[int]:
    return set(each(int(cards)))


def _one(card: int) -> set[int]:
    return {card} if card >= 0 else set()


def _thermometer(number: int, most: int, first: int = 0) -> set[int]:
    return {first + i for i in range(min(max(number, 0), most))}


def _flags(*flags: Any) -> set[int]:
    return {place for place, flag in enumerate(flags) if flag}


def _planes(view: Any, options: Any) -> dict[str, set[int]]:
    """By name what is lit, read from memory that held anything before."""
    words = np.full(len(ENCODING.planes), -1, dtype=np.int64)
    ENCODING.encode(view, options, words)
    for word, width in zip(words.tolist(), ENCODING.planes, strict=True):
        assert 0 <= word < 1 << width
    return dict(zip(NAMES, map(_bits, words), strict=True))


def _twin(view: Any, options: Any) -> dict[str, set[int]]:
    """The same planes, found with sets and lists."""
    me, he = int(view.me), 1 - int(view.me)
    hand, in_queue = _bits(view.hand), view.queue.tolist()
    course = _flags(view.phase == rummy.Phase.PLAY, view.taken >= 0, view.starter == me)
    course |= _thermometer(int(view.turnovers), 3, 3) | ({6} if view.fresh else set())
    sizes = _flags(view.opened[me] >= 0, view.opened[he] >= 0)
    sizes |= _thermometer(len(hand), 13, 2) | _thermometer(int(view.held), 13, 15)
    scores = [25 * int(view.scores[seat]) // int(options.target) for seat in (me, he)]
    rules = _flags(options.may_discard_taken, options.rummy_doubles, options.alternate_starter)
    rules |= _thermometer(options.turnovers + 1, 4, 3) | _thermometer(options.tie_points // 5, 4, 7)
    return {
        "hand": hand,
        "upcard": _one(int(view.upcard)),
        "theirs": _bits(view.theirs),
        "shown": _bits(view.shown),
        "my_throws": _bits(view.thrown[me]),
        "his_throws": _bits(view.thrown[he]),
        "my_refused": _bits(view.refused[me]),
        "his_refused": _bits(view.refused[he]),
        "my_laid": _bits(view.laid[me]),
        "his_laid": _bits(view.laid[he]),
        "sets": _bits(view.sets),
        "starts": _bits(view.starts),
        "fresh": _bits(view.fresh),
        "known": {card for card in in_queue if card >= 0},
        "melded": {card for card in hand if _is_in_meld(hand, card)},
        "next": _one(in_queue[view.front]) if view.stock else set(),
        "course": course | _thermometer(int(view.stock), 32, 7),
        "sizes": sizes,
        "scores": _thermometer(scores[0], 25) | _thermometer(scores[1], 25, 25),
        "rules": rules,
        "turn": _thermometer(int(view.turn) // 2, 30),
    }


def _is_in_meld(hand: set[int], card: int) -> bool:
    alike = [other for other in hand if other % 13 == card % 13]
    firsts = [first for first in range(card - 2, card + 1) if first % 13 <= 10]
    return len(alike) >= 3 or any({first, first + 1, first + 2} <= hand for first in firsts)


def _players(game: Any, random: Random) -> list[Callable[[Table], int]]:
    """Ways to choose: by chance, by chance with many put-downs, as the heuristic does."""
    agent: Any = parse_agent("heuristic", game)
    chance = Chance(generator(4))
    groups = helpers_for(game).lively

    def lively(table: Table) -> int:
        actions = table.actions()
        return random.choice(random.choice([actions, *groups(actions)]))

    def by_chance(table: Table) -> int:
        return random.choice(table.actions())

    def heuristic(table: Table) -> int:
        return int(agent.act(table.view(), table.actions(), chance))

    return [lively, by_chance, heuristic, lively, lively, lively]


def _deck(dealt: Table, kind: int, random: Random) -> list[int]:
    """As it was dealt, or for lively play with hands that are all runs, or all sets."""
    first = random.randrange(52)
    in_order = [*range(first, 52), *range(first)]
    if kind == 5:
        in_order.sort(key=lambda card: (card - first) % 13)
    return in_order if kind > 2 else dealt.deck


@cache
def _decisions() -> list[Decision]:
    """Every decision of some rounds of each rule set: the table, the view and the planes."""
    found = []
    for name in RULE_SETS:
        game, random = parse_game(name), Random(name)
        last, players = int(game.options.target) - 1, _players(game, random)
        for number, dealt in enumerate(fresh_tables(game, scaled(12, 4), random)):
            scores = ((0, last), (last, 0), (last // 2, last // 3))[number % 3]
            table = Table(game, _deck(dealt, number % 6, random), dealt.starter, scores)
            while not table.is_over and len(table.played) < 500:
                view = table.view()
                found.append((table.copy(), view, _planes(view, table.options)))
                table.apply(players[number % 6](table))
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
    assert {NAMES[word] for word in ENCODING.remembered} == {*REMEMBERED}
    for table, view, planes in _decisions()[::7]:
        newcomer = new(rummy.VIEW, 1)
        newcomer[0] = view
        for field, nothing in FORGOTTEN.items():
            newcomer[field] = nothing
        cleared = planes | {name: set() for name in REMEMBERED}
        assert _planes(newcomer[0], table.options) == cleared


def test_what_is_revealed_is_the_other_hand() -> None:
    """That a view, and so its planes, tells nothing of it is in contract/test_games.py."""
    for table, view, _ in _decisions():
        words = np.full(len(ENCODING.hidden), -1, dtype=np.int64)
        ENCODING.reveal(table.state, table.options, table.seat, words)
        assert len(words) == 1
        other = _bits(words[0])
        assert other == _bits(table.state["hands"][1 - table.seat])
        assert len(other) == view.held
        assert other >= _bits(view.theirs)
        assert not other & _bits(view.hand)
