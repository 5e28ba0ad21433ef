"""Hands of gin in other people's engines, driven from Python as their own examples do."""

from random import Random
from typing import Any

import pyspiel
import rlcard

_CHANCE = Random(1)


class OpenSpielHands:
    """OpenSpiel's gin_rummy."""

    def __init__(self) -> None:
        self.game = pyspiel.load_game("gin_rummy")
        self.first_state = self.game.new_initial_state()
        parameters = self.game.get_parameters()
        self.bots = [pyspiel.make_simple_gin_rummy_bot(parameters, seat) for seat in (0, 1)]

    def play_random(self) -> int:
        """A hand of random actions; returns how many actions were taken, chance left out."""
        return self._play_random(self.game.new_initial_state())

    def play_random_from_copy(self) -> int:
        """The same from a copy of a first state, which spares most of the setting up."""
        return self._play_random(self.first_state.clone())

    def _play_random(self, state: Any) -> int:
        steps = 0
        while not state.is_terminal():
            if not state.is_chance_node():
                steps += 1
            state.apply_action(_CHANCE.choice(state.legal_actions()))
        return steps

    def play_simple(self) -> int:
        """A hand of its simple bot against itself."""
        state = self.game.new_initial_state()
        for bot in self.bots:
            bot.restart()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(_CHANCE.choice(state.legal_actions()))
            else:
                steps += 1
                state.apply_action(self.bots[state.current_player()].step(state))
        return steps


class RLCardHands:
    """RLCard's gin-rummy."""

    def __init__(self) -> None:
        self.environment = rlcard.make("gin-rummy", config={"seed": 1})

    def play_random(self) -> int:
        """A hand of random actions; returns how many steps it took."""
        state, _ = self.environment.reset()
        steps = 0
        while not self.environment.is_over():
            state, _ = self.environment.step(_CHANCE.choice(list(state["legal_actions"])))
            steps += 1
        return steps
