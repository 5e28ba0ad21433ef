"""What is done before a person sits down: who is asked, what is reported, how long it takes."""

from typing import Any

import pytest

from undercut.app import warm_up
from undercut.app.warm_up import rehearse, time_answers
from undercut.games.families import parse_game

GAME = parse_game("pharaoh:players=3,first_starter=0")


class Slow:
    """Plays the first action, each time a second slower."""

    def __init__(self, name: str) -> None:
        self.name, self.asked, self.now = name, 0, 0.0

    def act(self, view: Any, legal: list[int], random: object) -> int:
        self.asked += 1
        self.now += self.asked
        return legal[0]


def test_each_part_is_reported_before_it_is_prepared() -> None:
    agents: list[Any] = [Slow("python:bots/one.py:One"), Slow("two:x=1")]
    said: list[Any] = []
    rehearse(GAME, [None, *agents], lambda *news: said.append((*news, agents[1].asked)))
    assert said == [
        (0, 4, "rules", "", 0),
        (1, 4, "opponent", "One", 0),
        (2, 4, "opponent", "two", 0),
        (3, 4, "table", "", 1),
    ]
    assert [agent.asked for agent in agents] == [5, 5], "once alone, and after each of four actions"
    twins: list[Any] = [Slow("same"), Slow("same")]
    said.clear()
    rehearse(GAME, [None, *twins], lambda *news: said.append(news))
    assert [news[2] for news in said] == ["rules", "opponent", "table"], "what is alike, once"


def test_what_an_agent_would_do_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """To play a card is compiled too: once as anybody, and once as each agent."""
    deals: list[warm_up.Deal] = []

    class Dealt(warm_up.Deal):
        def __init__(self, game: Any, seed: str) -> None:
            assert seed == 64 * "0", "a secret, as people have"
            super().__init__(game, seed)
            deals.append(self)

    monkeypatch.setattr(warm_up, "Deal", Dealt)
    rehearse(GAME, [None, Slow("one"), Slow("two")])  # type: ignore[list-item]
    assert [deal.seat for deal in deals] == [1, 1, 1], "seat 0 has played"


def test_the_longest_answer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = Slow("slow")
    monkeypatch.setattr(warm_up.time, "monotonic", lambda: agent.now)
    assert time_answers(parse_game("pharaoh:first_starter=0"), [None, agent]) == 4  # type: ignore[list-item]
    later = Slow("slow")
    monkeypatch.setattr(warm_up.time, "monotonic", lambda: later.now)
    first = parse_game("pharaoh:first_starter=1")
    assert time_answers(first, [None, later]) == 5  # type: ignore[list-item]
