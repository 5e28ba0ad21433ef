"""Fused play that looks at every answer, on the CPU and on a simulated GPU."""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from play.line_up import line_up
from positions import scaled
from rulesets import every_game
from simulated import on_simulated_gpu
from undercut.cards.french import NONE
from undercut.games.contract import Game
from undercut.kernels.jit import kernel
from undercut.kernels.records import pack
from undercut.play.agent import Items, KernelAgent, Parts, Turn
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.fused import checked
from undercut.play.job import Backend
from undercut.players.catalog import parse_agent
from undercut.text.errors import AgentError

FAR_OFF = 1 << 40  # no action, and too large for a trace


FORGED = 7777
FAULTS = {"far off": 0, "nothing": 1, "forger": 2}


class Wrong(NamedTuple):
    """Which of the faults an agent has; one kernel has them all, so that it is compiled once."""

    fault: int


@kernel
def answer_wrongly(view: Any, turn: Turn[Any, Wrong]) -> int:
    """0: legal for a few turns, then an answer that is no action at all.

    1: NONE, which the match loop itself takes for the beginning of a match.
    2: an answer that the agent itself has written among the legal actions.
    """
    if turn.settings.fault == 1:
        return NONE
    if turn.settings.fault == 2:
        turn.legal[0] = FORGED
        return FORGED
    turn.generator.position += 1
    return int(turn.legal[0]) if turn.generator.position < 4 else FAR_OFF


@kernel
def begin_nothing(view: Any, turn: Any, team: Any) -> int:
    return NONE


@kernel
def do_nothing(view: Any, options: Any, number: int, team: Any) -> None:
    pass


@kernel
def end_far_off(view: Any, turn: Any, team: Any) -> int:
    return FAR_OFF


WRONG_ITEMS = Items(do_nothing, end_far_off, lambda _: 1, lambda _: 1, 1)
WRONG_PARTS = Parts(begin_nothing, shared=1, own=1, items=WRONG_ITEMS)


def wrong_agent(game: Game, name: str) -> KernelAgent:
    parts = WRONG_PARTS if name == "in parts" else None
    return KernelAgent(name, answer_wrongly, game.options, Wrong(FAULTS.get(name, 0)), parts=parts)


class Openly:
    """A kernel agent that is not known as one, so that it plays in lock-step."""

    def __init__(self, agent: KernelAgent) -> None:
        self.agent, self.name = agent, agent.name

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        return self.agent.act(view, legal, random)


def complaint(game: Game, agents: list[Any], **how: Any) -> str:
    with pytest.raises(AgentError) as caught:
        play_batch(game, agents, 1, 1, **how)
    return str(caught.value)


@pytest.mark.parametrize("rules", ["gin", "rummy-classic", "pharaoh:players=3"])
@pytest.mark.parametrize("name", FAULTS)
def test_an_illegal_answer_is_told_as_lock_step_tells_it(
    rules: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERCUT_CHECKED", "1")
    game = parse_game_of(rules)
    agents = [wrong_agent(game, name), *[parse_agent("random", game)] * (game.seats - 1)]
    told = complaint(game, agents, backend=Backend(workers=1))
    answers = {"far off": FAR_OFF, "nothing": NONE, "forger": FORGED}
    assert told.startswith(f"{name} answered {answers[name]}, which is not legal: ")
    assert told == complaint(game, [Openly(agents[0]), *agents[1:]])
    assert told == complaint(game, agents, backend=Backend(workers=2), trace=3)


def parse_game_of(rules: str) -> Game:
    return line_up(rules)[0]


def test_of_agents_that_play_alike_the_one_at_the_table_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("UNDERCUT_CHECKED", "1")
    game, _ = line_up("gin")
    twin = wrong_agent(game, "nothing")
    told = complaint(game, [replace(twin, name="one"), replace(twin, name="other")])
    assert told.split()[0] in ("one", "other")
    assert told == complaint(game, [Openly(replace(twin, name=each)) for each in ("one", "other")])


PROGRAM = """
import sys
sys.path.insert(0, {tests!r})
from play.line_up import line_up
from play.fused.test_checked import wrong_agent
from undercut.text.errors import AgentError
from undercut.play.batch import play_batch
from undercut.play.job import Backend

for rules, name, partner in {cases!r}:
    game, (_, other) = line_up(rules, partner, partner)
    try:
        play_batch(game, [wrong_agent(game, name), other], 3, 1, backend=Backend(device="cuda"))
    except AgentError as error:
        print(error)
"""

CASES = [
    ("gin", "far off", "random"),
    ("rummy-classic", "nothing", "random"),
    # In steps: an agent in parts that is wrong, then one that is wrong beside it.
    ("gin", "in parts", "random"),
    ("gin", "far off", "heuristic:samples=1"),
    ("gin", "nothing", "heuristic:samples=1"),
]


@pytest.mark.compiled
def test_a_simulated_gpu_tells_the_same() -> None:
    tests = str(Path(__file__).parents[2])
    program = PROGRAM.format(tests=tests, cases=CASES)
    told = on_simulated_gpu(program, UNDERCUT_CHECKED="1")
    for (_, name, _), line in zip(CASES, told.splitlines(), strict=True):
        answer = NONE if name == "nothing" else FAR_OFF
        assert line.startswith(f"{name} answered {answer}, which is not legal: ")


TABLE = """
import numpy as np
from numba import cuda
from undercut.games.families import parse_game
from undercut.play.vector.table import vector_table

table = vector_table(parse_game("gin"), 4, seed=1, device="cuda", checked=True)
actions = table.legal.copy_to_host()[:, 0].copy()
actions[2] = 104 if actions[2] != 104 else 105
stopped = table.matches.copy_to_host()["number"][2]
table.apply(cuda.to_device(actions))
matches = table.matches.copy_to_host()
print(table.refused, stopped in matches["number"], sorted(matches["actions"].tolist()))
table.apply(cuda.to_device(table.legal.copy_to_host()[:, 0].copy()))
print(table.refused, (table.counts.copy_to_host() > 1).all())
"""


@pytest.mark.compiled
def test_a_simulated_gpu_s_table_stops_a_match_and_counts_it() -> None:
    told = on_simulated_gpu(TABLE)
    assert told.splitlines() == ["1 False [0, 1, 1, 1]", "1 True"]


@every_game
def test_the_checked_build_plays_the_same_matches(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = line_up(game.name)[1]
    size: dict[str, Any] = {
        "seed": 4,
        "max_deals": scaled(3, 1),
        "trace": 50,
        "backend": Backend(workers=1),
    }
    plain = play_batch(game, agents, scaled(12, 1), **size)
    monkeypatch.setenv("UNDERCUT_CHECKED", "1")
    looked_at = play_batch(game, agents, scaled(12, 1), **size)
    assert plain.results.tobytes() == looked_at.results.tobytes()
    assert plain.traces.tobytes() == looked_at.traces.tobytes()
    assert plain.traces.shape == looked_at.traces.shape


@pytest.mark.parametrize("first", [0, checked.FIRST - 1, checked.FIRST])
def test_only_the_first_matches_are_checked_unasked(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forger's action is far from any card: without a check the deal goes on somehow."""
    monkeypatch.delenv("UNDERCUT_CHECKED", raising=False)
    game, (_, other) = line_up("gin", "random", "random")
    rules, limit = game.rules, checked.checked_matches()
    deal = Deal(game, 1)
    out = np.zeros(rules.LEGAL, dtype=np.int64)
    assert limit == checked.FIRST
    allowed = checked.checker(rules, limit)
    for action in (deal.actions[0], FORGED):
        found = allowed(first, deal._state, pack(game.options), action, out)
        assert found == (action != FORGED or first >= checked.FIRST)
    if first < checked.FIRST:
        agents = [wrong_agent(game, "forger"), other]
        told = complaint(game, agents, backend=Backend(workers=1), first=first, max_deals=1)
        assert told.startswith(f"forger answered {FORGED}, which is not legal: ")


def test_the_environment_and_the_device_say_what_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, _ = line_up("gin")
    monkeypatch.delenv("UNDERCUT_CHECKED", raising=False)
    assert checked.checked_matches("cuda") == 0
    assert checked.checker(game.rules, 0) is checked.trust
    monkeypatch.setenv("UNDERCUT_CHECKED", "1")
    assert checked.checked_matches("cuda") == checked.checked_matches() == checked.ALL
