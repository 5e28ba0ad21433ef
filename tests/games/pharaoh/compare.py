"""Pharaoh's kernels beside the specification read as data, position by position.

In the folder of the tests `python -m games.pharaoh.compare 1000000` compares 1000000 positions for
every number of players (`... 1000000 5 8` for five and for eight); the test suite compares a few.
In each position the legal moves must be the same, and after one of them, taken by chance, the whole
next state.
"""

import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from games.pharaoh.reference import rules as slow
from undercut.cards.french import NONE
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.table.text import format_action
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import new, pack

CHUNK = 2_000

RULE_SETS = [
    "pharaoh",
    "prsi",
    "pharaoh:deal=13,upcard_effects=1,quad_effects=1",
    "pharaoh:deal=9,heart_seven_returns=1,aces_stack=0,most_cards=3",
    "pharaoh:quads=0,over_on_active=1,seven_cards=2,first_out_wins=1",
    "pharaoh:leaves_under=0,most_cards=2,stop_rounds=1,max_moves=60",
    "prsi:deal=5,heart_seven_returns=1,over_on_active=1",
    "pharaoh:heart_seven_returns=1,quad_effects=1,first_out_wins=1,upcard_effects=1",
]


@kernel
def walk(
    states: Any, out: Any, counts: Any, actions: Any, options: Any, generator: Any, scores: Any
) -> None:
    """Play by chance from states[0] on, one deal after another, and keep everything."""
    for i in range(len(counts)):
        states[i + 1] = states[i]
        counts[i] = pharaoh.legal(states[i], options, out[i])
        if counts[i] == 0:
            actions[i] = NONE
            starter = rng.below(generator, int(options.players))
            pharaoh.deal(states[i + 1], options, generator, starter, scores)
        else:
            actions[i] = out[i, rng.below(generator, counts[i])]
            pharaoh.apply(states[i + 1], options, actions[i])


@cache
def _text(action: int) -> str:
    return format_action(action)


@cache
def _cards(mask: int) -> frozenset[slow.Card]:
    return frozenset(slow.PACK[card] for card in range(32) if mask >> card & 1)


def _hand(mask: int) -> set[slow.Card]:
    return set(_cards(mask & 0xFFFF) | _cards(mask & ~0xFFFF))


_FIELDS = [
    *("hands", "pile", "piled", "deck", "front", "stock", "out_at", "ace", "suit", "value"),
    *("count", "seat", "moves", "idle", "just_out", "outcome"),
]


def specs(states: Any, players: int) -> Iterator[slow.Spec]:
    """Kernel states in the specification's words."""
    for row in zip(*(states[name].tolist() for name in _FIELDS), strict=True):
        (hands, pile, piled, deck, front, stock, out_at) = row[:7]
        ace, suit, value, count, seat, moves, idle, just_out, outcome = row[7:]
        yield {
            "DP": [slow.PACK[card] for card in pile[:piled]],
            "ST": [slow.PACK[card] for card in deck[front : front + stock]][::-1],
            "LP": [_hand(hand) for hand in hands[:players]],
            "LP_MC": out_at[:players],
            "ace": ace,
            "suit": slow.SUITS[suit],
            "val": slow.VALUES[value],
            "cnt": count,
            "i": seat,
            "mc": moves,
            "idle": idle,
            "just_out": None if just_out == NONE else just_out,
            "outcome": pharaoh.Outcome(outcome).name.lower(),
        }


def _shuffle_order(before: slow.Spec, after: slow.Spec) -> list[slow.Card]:
    """The order in which the pile came out of the shuffle, if it was shuffled, last card first.

    Cards drawn from it since are put on top; in which order does not matter.
    """
    played = before["LP"][before["i"]] - after["LP"][before["i"]]
    drawn = {*before["DP"], *played} - {*after["DP"], *after["ST"]}
    return [*after["ST"], *sorted(drawn)]


def compare(game: Game, positions: int, seed: int) -> int:
    """Compare at least this many positions; return the number of their deals."""
    rules, options = game.options._asdict(), pack(game.options)
    generator = new(rng.GENERATOR, 1)[0]
    rng.start(generator, seed)
    scores = np.zeros(8, dtype=np.int64)
    chunk = min(CHUNK, positions)
    states = new(pharaoh.STATE, chunk + 1)
    out = np.zeros((chunk, pharaoh.LEGAL), dtype=np.int64)
    counts, actions = np.zeros((2, chunk), dtype=np.int64)
    pharaoh.deal(states[0], options, generator, 0, scores)
    compared = deals = 0
    while compared < positions:
        walk(states, out, counts, actions, options, generator, scores)
        found = list(specs(states, game.seats))
        for i, action in enumerate(actions.tolist()):
            _compare_legal(found[i], rules, out[i, : counts[i]].tolist())
            if action == NONE:
                deals += 1
                _compare_end(states[i], found[i], game, options)
            else:
                compared += 1
                _compare_next(found[i], found[i + 1], rules, _text(action))
        states[0] = states[chunk]
    return deals


def _compare_legal(spec: slow.Spec, rules: dict[str, int], actions: list[int]) -> None:
    found = [_text(action) for action in actions]
    expected = slow.legal(spec, rules)
    assert set(found) == expected, (spec, set(found) ^ expected)
    assert len(found) == len(expected)
    assert actions == sorted(actions)


def _compare_next(before: slow.Spec, after: slow.Spec, rules: dict[str, int], text: str) -> None:
    expected = slow.play(before, rules, text, _shuffle_order(before, after))
    assert after == expected, (text, before, _differences(after, expected))


def _differences(one: slow.Spec, other: slow.Spec) -> dict[str, Any]:
    return {name: (one[name], other[name]) for name in one if one[name] != other[name]}


def _compare_end(state: Any, spec: slow.Spec, game: Game, options: Any) -> None:
    out = np.zeros(8, dtype=np.int64)
    pharaoh.score(state, options, out)
    assert out[: game.seats].tolist() == slow.points(spec, game.options._asdict())
    places = [int(pharaoh.place(state, options, seat)) for seat in range(game.seats)]
    assert places == slow.places(spec, game.options._asdict())


def main(positions: int, *numbers: int) -> None:
    """Compare this many positions for each number of players, spread over the rule sets."""
    for players in numbers or range(2, 9):
        done = deals = 0
        for seed, name in enumerate(RULE_SETS):
            # Half of all positions are of the game as it is specified.
            share = positions // 2 if seed == 0 else -(-positions // (2 * (len(RULE_SETS) - 1)))
            share = -(-share // CHUNK) * CHUNK
            deals += compare(parse_game(name, players), share, 1_000 * players + seed)
            done += share
        print(f"{players} players: {done:,} positions of {deals:,} deals agree", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
