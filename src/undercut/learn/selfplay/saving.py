"""The checkpoints of a self-play run: a folder that survives kill -9 and contains no pickle.

`run.json` names the newest checkpoint; it is written last, so it always names a complete one.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import torch

from undercut.learn.checkpoint import MOMENTS, copy_tensors, load_tensors, save_tensors
from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.run import Point, Run
from undercut.learn.shards import DataError
from undercut.text import files

RUN = "run.json"
FIXED = ("game", "seed", "width", "blocks", "begin", "reward", "scale")
"""Settings that a continued run must not change."""


class State(TypedDict):
    """The progress of a run, as in `run.json`."""

    checkpoint: str
    config: dict[str, Any]
    pieces: int
    decisions: int
    seconds: float
    updates: float
    past: int
    curve: list[Point]


def save_run(run: Run, folder: Path) -> None:
    """Write a complete checkpoint, and delete older ones."""
    learner = run.learner
    inside = folder / f"checkpoint-{run.pieces}"
    inside.mkdir(parents=True, exist_ok=True)
    states = [learner.optimiser.state[each] for each in learner.master]
    kept: dict[str, Sequence[torch.Tensor]] = {
        "network": learner.master,
        "average": learner.average,
        **{part: [each[part] for each in states] for part in MOMENTS},
        **{f"past{number}": past for number, past in enumerate(run.past)},
    }
    for name, tensors in kept.items():
        named = dict(zip(learner.names, tensors, strict=True))
        save_tensors(inside / f"{name}.safetensors", named)
    save_tensors(inside / "equity.safetensors", run.equity)
    state: State = {
        "checkpoint": inside.name,
        "config": run.config.as_dict(),
        "pieces": run.pieces,
        "decisions": run.decisions,
        "seconds": run.seconds,
        "updates": float(states[0]["step"]),
        "past": len(run.past),
        "curve": run.curve,
    }
    files.write_text(folder / RUN, json.dumps(state, indent=1))
    for old in folder.glob("checkpoint-*"):
        if old != inside:
            shutil.rmtree(old)


def read_state(folder: Path) -> State | None:
    """The progress of a run; None if none has begun."""
    try:
        state: State = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {str(folder / RUN)!r}: {error}") from None
    return state


def saved_config(folder: Path) -> Config | None:
    """The settings of the run in a folder; None if none has begun."""
    state = read_state(folder)
    if state is None:
        return None
    try:
        return Config(**state["config"])
    except TypeError:
        unknown = ", ".join(sorted(set(state["config"]) - set(Config().as_dict())))
        raise DataError(
            f"the run in {str(folder)!r} has settings that this version does not know: {unknown}"
        ) from None


def load_run(run: Run, folder: Path, state: State) -> None:
    """Restore a run."""
    _check_same(run.config, state["config"], folder)
    learner, inside = run.learner, folder / state["checkpoint"]
    states = [learner.optimiser.state[each] for each in learner.master]
    past = [[torch.zeros_like(each) for each in learner.weights] for _ in range(state["past"])]
    _load(inside / "network", learner.names, learner.master)
    _load(inside / "network", learner.names, learner.weights)
    _load(inside / "average", learner.names, learner.average)
    for part in MOMENTS:
        _load(inside / part, learner.names, [each[part] for each in states])
    for number, weights in enumerate(past):
        _load(inside / f"past{number}", learner.names, weights)
    equity, _ = load_tensors(inside / "equity.safetensors")
    copy_tensors(equity, {name: run.equity[name] for name in run.equity if name in equity})
    for each in states:
        each["step"].fill_(state["updates"])
    run.past, run.curve = past, state["curve"]
    run.pieces, run.decisions, run.seconds = state["pieces"], state["decisions"], state["seconds"]


def _check_same(config: Config, saved: Mapping[str, object], folder: Path) -> None:
    for name in FIXED:
        value, old = getattr(config, name), saved.get(name, getattr(Config(), name))
        if old != value:
            raise DataError(
                f"the run in {str(folder)!r} has {name}={old}, not {value} "
                "(--restart begins a new one)"
            )


def _load(path: Path, names: Sequence[str], tensors: Sequence[torch.Tensor]) -> None:
    saved, _ = load_tensors(path.with_suffix(".safetensors"))
    copy_tensors(saved, dict(zip(names, tensors, strict=True)))
