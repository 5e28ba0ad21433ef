"""play/ask.py: the one way to ask an agent of whatever kind, and what is refused."""

from typing import Any

import numpy as np
import pytest

from play.line_up import line_up
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import new
from undercut.play.agent import KernelAgent, Random
from undercut.play.ask import ask, ask_many
from undercut.play.deal import Deal
from undercut.play.match import play_match
from undercut.play.vector.table import TableSettings, VectorTable
from undercut.text.errors import AgentError

GAME, _ = line_up("gin")


class Fixed:
    """Always gives the same answer."""

    name = "fixed"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: Any, legal: Any, random: Random) -> Any:
        return self.answer


class Chancy:
    """Any action, by the chance that it is given."""

    name = "chancy"

    def act(self, view: Any, legal: Any, random: Random) -> int:
        return int(random.choice(legal))


class ManyChancy:
    """The same for many matches at once."""

    name = "chancy"

    def act_batch(self, views: Any, legal: Any, counts: Any, generators: Any) -> Any:
        places = [
            Random(generator).below(int(count))
            for generator, count in zip(generators, counts, strict=True)
        ]
        return legal[np.arange(len(places)), places]


class Last:
    """Answers with what stands in the last place of a row, legal or not."""

    name = "last"

    def act_batch(self, views: Any, legal: Any, counts: Any, generators: Any) -> Any:
        return legal[:, 2]


@kernel
def forge(view: Any, turn: Any) -> int:
    """An answer that the agent itself has written among the legal actions."""
    turn.legal[0] = 7777
    return 7777


@pytest.mark.parametrize("agent", [Fixed(None), Last()])
def test_a_seat_without_a_choice_is_not_asked(agent: Any) -> None:
    deal = Deal(GAME, 1)
    assert (
        ask(GAME, agent, deal.observe(), deal.actions[:1], Random.from_seed(1)) == deal.actions[0]
    )


def test_any_kind_of_whole_number_is_an_answer() -> None:
    deal = Deal(GAME, 1)
    for answer in (deal.actions[1], np.int16(deal.actions[1]), np.int64(deal.actions[1])):
        found = ask(GAME, Fixed(answer), deal.observe(), deal.actions, Random.from_seed(1))
        assert found == deal.actions[1]
        assert type(found) is int


@pytest.mark.parametrize("kind", [float, np.float64, str, lambda action: None])
def test_other_answers_are_refused_even_if_they_equal_an_action(kind: Any) -> None:
    deal = Deal(GAME, 1)
    with pytest.raises(AgentError, match=r"fixed answered .*, which is not legal: take, pass"):
        ask(GAME, Fixed(kind(deal.actions[0])), deal.observe(), deal.actions, Random.from_seed(1))


def table_with_leftovers() -> VectorTable:
    """Two actions are legal in each row; behind them stands what was legal once."""
    table = VectorTable(GAME, 3, TableSettings(seed=1))
    assert (table.counts == 2).all()
    table.legal[:, 2] = 0
    return table


def test_what_stands_behind_the_legal_actions_is_refused() -> None:
    table = table_with_leftovers()
    generators = table.generators[np.arange(3), table.seats]
    asked = table.views, table.legal, table.counts, generators
    with pytest.raises(AgentError, match="last answered 0, which is not legal: take, pass"):
        ask_many(GAME, Last(), *asked)


def test_what_a_kernel_writes_among_the_legal_actions_is_refused() -> None:
    table = table_with_leftovers()
    forger = KernelAgent("forger", forge, GAME.options)
    generators = table.generators[np.arange(3), table.seats]
    asked = table.views, table.legal, table.counts, generators
    with pytest.raises(AgentError, match="forger answered 7777, which is not legal: take, pass"):
        ask_many(GAME, forger, *asked)


def test_the_chance_of_an_agent_that_decides_for_many_moves_on() -> None:
    deal, alone, many = Deal(GAME, 1), Random.from_seed(8), Random.from_seed(8)
    for _ in range(12):
        one = ask(GAME, Chancy(), deal.observe(), deal.actions, alone)
        assert ask(GAME, ManyChancy(), deal.observe(), deal.actions, many) == one
        deal.apply(one)
    expected = new(rng.GENERATOR, 1)[0]
    assert many.generator.tobytes() == alone.generator.tobytes() != expected.tobytes()


def test_an_agent_that_decides_for_many_plays_single_matches_too() -> None:
    kinds = [Chancy(), Chancy()], [ManyChancy(), ManyChancy()]
    scores = [play_match(GAME, agents, 6, max_deals=2).scores for agents in kinds]
    assert scores[0] == scores[1]
