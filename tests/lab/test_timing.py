"""How long an agent thinks, by clocks of our own."""

from typing import Any

import numpy as np
import pytest

from undercut.games.families import parse_game
from undercut.lab import timing
from undercut.lab.timing import time_decisions
from undercut.play.records.seat_events import SeatLog

GAME = parse_game("prsi:players=3")


class Clock:
    """Stands still unless somebody thinks, or looks at the clock on the wall."""

    def __init__(self, tick: float = 0.0) -> None:
        self.nanoseconds, self.seconds, self._tick = 0, 0.0, tick

    def now(self) -> int:
        return self.nanoseconds

    def on_the_wall(self) -> float:
        self.seconds += self._tick
        return self.seconds


class Thinker:
    """Takes a microsecond longer each time, and always plays the last action."""

    name = "thinker"

    def __init__(self, clock: Clock) -> None:
        self.clock, self.asked = clock, 0
        self.views: list[bytes] = []

    def act(self, view: Any, legal: list[int], random: object) -> int:
        assert len(legal) > 1, "only real choices are timed"
        self.asked += 1
        self.views.append(view.tobytes())
        self.clock.nanoseconds += 1000 * self.asked
        return legal[-1]


class Told(Thinker):
    """The same for one that is told what happens."""

    def act_on_events(self, seat_log: SeatLog, view: Any, legal: list[int], random: object) -> int:
        assert seat_log.seat == view.me
        return self.act(view, legal, random)

    def see_end(self, seat_log: SeatLog) -> None:
        """Not needed here."""


@pytest.fixture(params=[Thinker, Told])
def kind(request: pytest.FixtureRequest) -> type[Thinker]:
    kind: type[Thinker] = request.param
    return kind


def timed(
    kind: type[Thinker], monkeypatch: pytest.MonkeyPatch, tick: float
) -> tuple[Thinker, timing.DecisionTime]:
    clock = Clock(tick)
    agent = kind(clock)
    monkeypatch.setattr(timing, "_clock", clock.now)
    monkeypatch.setattr(timing.time, "perf_counter_ns", clock.now)
    monkeypatch.setattr(timing.time, "perf_counter", clock.on_the_wall)
    return agent, time_decisions(GAME, agent)  # type: ignore[arg-type]


def test_every_real_choice_is_timed_but_the_first(
    kind: type[Thinker], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 500
    if kind is Told:  # to tell takes longer
        count = 50
        monkeypatch.setattr(timing, "DECISIONS", count)
    agent, found = timed(kind, monkeypatch, 0.0)
    taken = np.arange(2, count + 2)
    assert found == (taken.mean(), np.percentile(taken, 95), count)
    assert agent.asked == count + 1
    again, _ = timed(kind, monkeypatch, 0.0)
    assert again.views == agent.views, "always the same deals"
    assert len(set(agent.views)) == len(agent.views)


def test_half_a_second_is_enough_after_the_first_twenty(
    kind: type[Thinker], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, slow = timed(kind, monkeypatch, 9.0)
    taken = np.arange(2, 22)
    assert slow == (taken.mean(), np.percentile(taken, 95), 20)
    _, quicker = timed(kind, monkeypatch, 0.0501)
    assert quicker.decisions == 20 + 9, "the clock is not looked at before"


def test_whoever_is_told_and_whoever_is_not_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seat begins in turn."""
    plain, _ = timed(Thinker, monkeypatch, 0.0)
    starters = {np.frombuffer(view, GAME.rules.VIEW)["starter"][0] for view in plain.views}
    assert starters == {0, 1, 2}
