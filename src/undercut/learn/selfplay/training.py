"""Self-play from beginning to end: pieces, each measured and saved, and a playable network."""

from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import TypedDict, Unpack

from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.run import Point, Run
from undercut.learn.selfplay.saving import load_run, read_state, save_run
from undercut.players.encoding import encoding_of
from undercut.players.policy.weights import policy_of, save_policy

POLICY = "policy.safetensors"


Progress = Callable[[int, float], None]
"""Gets the decisions played since its last call, and the seconds that they took."""


class Until(TypedDict, total=False):
    """The limits of a run; the first one ends it."""

    seconds: float
    decisions: float
    stops: Callable[[], bool]  # whether to end a piece early, without measuring it


def train(
    config: Config,
    folder: Path,
    device: str,
    *,
    restart: bool = False,
    about: Mapping[str, str] | None = None,
    progress: Progress = lambda decisions, seconds: None,
    report: Callable[[Point], None] = lambda point: None,
    **until: Unpack[Until],
) -> Run:
    """Begin a run, or continue the one in a folder, up to a limit of time or decisions.

    The time is that of playing and learning. After every piece the run is measured and saved, with
    its averaged network in a playable form. What was learned is saved also if the measurement is
    interrupted.
    """
    state = None if restart else read_state(folder)
    run = Run(config, device)
    if state is not None:
        load_run(run, folder, state)
        progress(0, run.seconds)
    seconds, decisions = until.get("seconds", inf), until.get("decisions", inf)
    stops = until.get("stops", lambda: False)
    while run.seconds < seconds and run.decisions < decisions and not stops():
        run.play_piece(progress, stops)
        point: Point = {"decisions": run.decisions, "seconds": run.seconds}
        try:
            if not stops():
                point = run.look_back()
                report(point)
        finally:
            save_run(run, folder)
            _save_policy(run, folder / POLICY, {**(about or {}), **point})
    return run


def _save_policy(run: Run, path: Path, about: Mapping[str, object]) -> None:
    encoding, learner = encoding_of(run.game), run.learner
    named = zip(learner.names, learner.average, strict=True)
    tensors = {name: tensor.cpu().numpy() for name, tensor in named}
    facts = {**about, "config": run.config.as_dict()}
    policy = policy_of(tensors, encoding, run.config.width, run.config.blocks, facts)
    save_policy(path, policy, encoding)
