"""The engines that `bench` compares undercut with: other people's, and plain Python."""

import os
import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from types import ModuleType
from typing import Any

Work = Callable[[int], int]


def has_open_spiel() -> bool:
    return find_spec("pyspiel") is not None


def has_rlcard() -> bool:
    return find_spec("rlcard") is not None


def version(package: str) -> str:
    return metadata.version(package)


def _hands(play_hand: Callable[[random.Random], int]) -> Work:
    """Whole hands; `play_hand` returns the number of steps."""
    chance = random.Random(1)

    def work(amount: int) -> int:
        for _ in range(amount):
            play_hand(chance)
        return amount

    return work


def _steps(play_hand: Callable[[random.Random], int]) -> Work:
    """Single steps of whole hands."""
    chance = random.Random(1)

    def work(amount: int) -> int:
        done = 0
        while done < amount:
            done += play_hand(chance)
        return done

    return work


@cache
def _open_spiel(name: str = "gin_rummy") -> tuple[ModuleType, Any]:
    pyspiel = import_module("pyspiel")
    return pyspiel, pyspiel.load_game(name)


def open_spiel_deadwoods() -> Work:
    """Its cheapest layout of 10 cards."""
    pyspiel, _ = _open_spiel()
    utilities = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    chance = random.Random(1)
    hands = [chance.sample(range(52), 10) for _ in range(1024)]

    def work(amount: int) -> int:
        for i in range(amount):
            utilities.min_deadwood(hands[i % len(hands)])
        return amount

    return work


def open_spiel_steps() -> Work:
    """Random legal actions through its Python interface, without those of chance."""
    _, game = _open_spiel()
    return _steps(lambda chance: _open_spiel_hand(game.new_initial_state(), chance))


def open_spiel_random_hands() -> Work:
    """Whole random hands through its Python interface."""
    _, game = _open_spiel()
    return _hands(lambda chance: _open_spiel_hand(game.new_initial_state(), chance))


def _open_spiel_hand(state: Any, chance: random.Random) -> int:
    steps = 0
    while not state.is_terminal():
        steps += not state.is_chance_node()
        state.apply_action(chance.choice(state.legal_actions()))
    return steps


def open_spiel_random_hands_in_c(name: str = "gin_rummy") -> Work:
    """Whole random hands, played by its own loop."""
    pyspiel, game = _open_spiel(name)
    bots = [pyspiel.make_uniform_random_bot(player, 1) for player in (0, 1)]
    return _open_spiel_loop(pyspiel, game, bots)


def open_spiel_crazy_eights() -> Work:
    """Whole random games of Crazy Eights for two, played by its own loop."""
    return open_spiel_random_hands_in_c("crazy_eights(players=2)")


def open_spiel_simple_hands() -> Work:
    """Whole hands of its SimpleGinRummyBot, played by its own loop."""
    pyspiel, game = _open_spiel()
    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), player) for player in (0, 1)]
    return _open_spiel_loop(pyspiel, game, bots)


def _open_spiel_loop(pyspiel: ModuleType, game: Any, bots: list[object]) -> Work:
    def work(amount: int) -> int:
        for seed in range(amount):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return amount

    return work


@cache
def _rlcard() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module("rlcard").make("gin-rummy", config={"seed": 1})


def rlcard_steps() -> Work:
    """Random legal actions through its environment, which returns a state for each."""
    return _steps(lambda chance: _rlcard_hand(_rlcard(), chance))


def rlcard_random_hands() -> Work:
    """Whole random hands through its environment."""
    return _hands(lambda chance: _rlcard_hand(_rlcard(), chance))


def _rlcard_hand(environment: Any, chance: random.Random) -> int:
    steps = 0
    state, _ = environment.reset()
    while not environment.is_over():
        state, _ = environment.step(chance.choice(list(state["legal_actions"])))
        steps += 1
    return steps


class PlainPython:
    """Whole deals of this package's own rules with compilation off, in a separate process.

    For games without any other engine. Access to records is slow in Python, so a program written
    for Python would be faster. The clock is that process's processor time, without its start.
    """

    _PROGRAM = """
import time
from undercut.lab.bench import whole_deals
work = whole_deals({game!r}, {agent!r}, 1, "cpu")
began = time.process_time()
print(work({amount}), time.process_time() - began)
"""

    def __init__(self, game: str, agent: str) -> None:
        self._game, self._agent, self._seconds = game, agent, 0.0

    def clock(self) -> float:
        """The processor time of all calls, in seconds."""
        return self._seconds

    def work(self, amount: int) -> int:
        """Play this many matches; returns the number of deals."""
        program = self._PROGRAM.format(game=self._game, agent=self._agent, amount=amount)
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        deals, seconds = done.stdout.split()
        self._seconds += float(seconds)
        return int(deals)
