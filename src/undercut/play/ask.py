"""Calls of agents of every kind, with checked answers.

Forced moves do not call the agent. If an agent raises, or returns anything but a legal action, the
caller gets an AgentError that names the agent and the legal actions.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from undercut.games.contract import Game
from undercut.kernels.jit import kernel_name, specialise
from undercut.kernels.records import Action, Buffer, Options, Records, Settings, View, new
from undercut.play.agent import AnyAgent, BatchedAgent, KernelAgent, Random, Turn, choose
from undercut.play.explanation import Explanation
from undercut.play.records.seat_events import EventAgent, SeatLog
from undercut.text.errors import AgentError, KernelError, raised

Answer = TypeVar("Answer")
_WHOLE = (int, np.integer)  # the types of an action


def ask(
    game: Game,
    agent: AnyAgent,
    view: View,
    legal: Sequence[Action],
    random: Random,
    seat_log: SeatLog | None = None,
) -> Action:
    """One decision; advances `random`. `seat_log` is the event log of the agent's seat."""
    if len(legal) == 1:
        return int(legal[0])
    if seat_log is not None and isinstance(agent, EventAgent):
        told, heard = agent, seat_log
        return _check_one(
            game, agent, _call(agent, lambda: told.act_on_events(heard, view, legal, random)), legal
        )
    if hasattr(agent, "act_batch"):  # much faster than isinstance with a protocol
        return _ask_alone(game, agent, view, legal, random)
    return _check_one(game, agent, _call(agent, lambda: agent.act(view, legal, random)), legal)


def ask_why(
    game: Game, agent: AnyAgent, view: View, legal: Sequence[Action], random: Random
) -> Explanation:
    """One decision, with reasons if the agent has a method `explain`."""
    explain = getattr(agent, "explain", None)
    found: Explanation | None = explain and _call(agent, lambda: explain(view, legal, random))
    if not found:
        return Explanation(ask(game, agent, view, legal, random))
    _check_one(game, agent, found.action, legal)
    return found


def ask_many(
    game: Game, agent: AnyAgent, views: Records, legal: Buffer, counts: Buffer, generators: Records
) -> Buffer:
    """A decision for each view, in one call if possible; row i of `legal` has counts[i] actions."""
    if isinstance(agent, KernelAgent):
        answers = _call(agent, lambda: _ask_kernel(agent, views, legal, counts, generators))
    elif isinstance(agent, BatchedAgent):
        given = _call(agent, lambda: agent.act_batch(views, legal, counts, generators))
        answers = np.asarray(given)
    else:
        rows = zip(views, legal, counts, generators, strict=True)
        return np.array(
            [
                ask(game, agent, view, row[:count].tolist(), Random(generator))
                for view, row, count, generator in rows
            ],
            dtype=np.int64,
        )
    return _checked(game, agent, answers, legal, counts)


def _check_one(game: Game, agent: AnyAgent, answer: object, legal: Sequence[Action]) -> Action:
    if not isinstance(answer, _WHOLE) or answer not in legal:
        raise AgentError(_refusal(game, agent, answer, legal))
    return int(answer)


def _call(agent: AnyAgent, decide: Callable[[], Answer]) -> Answer:
    try:
        return decide()
    except (AgentError, KernelError):  # already names the agent or the kernel
        raise
    except Exception as error:
        raise AgentError(f"{agent.name} raised {raised(error)}") from error


def _ask_alone(
    game: Game, agent: AnyAgent, view: View, legal: Sequence[Action], random: Random
) -> Action:
    """One decision of an agent that decides batches."""
    views, generators = new(game.rules.VIEW, 1), new(random.generator.dtype, 1)
    views[0], generators[0] = view, random.generator
    row = np.array([legal], dtype=np.int64)
    answer = ask_many(game, agent, views, row, np.array([len(legal)]), generators)
    random.generator = generators[0]
    return int(answer[0])


def _checked(game: Game, agent: AnyAgent, answers: Buffer, legal: Buffer, counts: Buffer) -> Buffer:
    if answers.shape != counts.shape:
        raise AgentError(
            f"{agent.name} answered with shape {answers.shape}, not with {len(counts)} actions"
        )
    wrong = illegal_rows(answers, legal, counts)
    if len(wrong):
        first = wrong[0]
        raise AgentError(
            _refusal(game, agent, answers[first], legal[first, : counts[first]].tolist())
        )
    return answers


def illegal_rows(actions: Buffer, legal: Buffer, counts: Buffer) -> NDArray[np.intp]:
    """The rows whose action is not among the first counts[i] of legal[i]."""
    places = np.arange(legal.shape[1])
    matching = (legal == actions[:, None]) & (places < counts[:, None])
    return np.flatnonzero(~matching.any(axis=1))


def _refusal(game: Game, agent: AnyAgent, answer: object, legal: Sequence[Action]) -> str:
    allowed = ", ".join(game.notation.format_action(action) for action in legal)
    shown = answer.item() if isinstance(answer, np.generic) else answer
    return f"{agent.name} answered {shown!r}, which is not legal: {allowed}"


def _choose_all(
    views: Records,
    legal: Buffer,
    counts: Buffer,
    options: Options,
    settings: Settings,
    generators: Records,
    workspace: Buffer,
    answers: Buffer,
) -> None:
    for i in range(len(answers)):
        allowed = legal[i, : int(counts[i])]
        turn = Turn(allowed, options, settings, generators[i], workspace)
        answers[i] = choose(views[i], turn)


@cache
def _choose_all_kernel(choose: Callable[..., Action]) -> Callable[..., None]:
    return specialise(_choose_all, kernel_name(choose), choose=choose)


def _ask_kernel(
    agent: KernelAgent, views: Records, legal: Buffer, counts: Buffer, generators: Records
) -> Buffer:
    answers = np.zeros(len(counts), dtype=np.int64)
    options, settings, workspace = agent.packed
    choose_all = _choose_all_kernel(agent.choose)
    # A copy: an agent that overwrites it cannot make an action legal.
    given = legal.copy()
    choose_all(views, given, counts, options, settings, generators, workspace, answers)
    return answers
