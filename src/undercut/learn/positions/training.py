"""A run from beginning to end: pieces, checkpoints, and a file of weights."""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, TypeVar, Unpack

import torch

from undercut.learn.checkpoint import MOMENTS, copy_tensors, load_tensors, save_tensors
from undercut.learn.positions.config import Config
from undercut.learn.positions.run import Point, PositionRun
from undercut.learn.selfplay.training import Progress, Until
from undercut.learn.shards import DataError

AnyRun = TypeVar("AnyRun", bound=PositionRun)

CHECKPOINT = "checkpoint.safetensors"
FIXED = ("game", "also", "seed", "width", "blocks", "player")
"""Settings that a continued run must not change."""


def train(
    kind: type[AnyRun],
    config: Config,
    folder: Path,
    device: str,
    *,
    restart: bool = False,
    about: Mapping[str, str] | None = None,
    progress: Progress = lambda positions, seconds: None,
    report: Callable[[Point], None] = lambda point: None,
    **until: Unpack[Until],
) -> AnyRun:
    """Begin a run, or continue the one in a folder, up to a limit of time or positions.

    The time is that of playing and learning. After every piece the run is measured and saved, with
    its averaged network. What was learned is saved also if the measurement is interrupted.
    """
    run, path = kind(config, device), folder / CHECKPOINT
    if path.exists() and not restart:
        _load_run(run, path)
        progress(0, run.seconds)
    seconds, positions = until.get("seconds", inf), until.get("decisions", inf)
    stops = until.get("stops", lambda: False)
    while run.seconds < seconds and run.positions < positions and not stops():
        run.play_piece(progress, stops)
        point: Point = {"positions": run.positions, "seconds": run.seconds, "opponents": {}}
        try:
            if not stops():
                point = run.look_back()
                report(point)
        finally:
            folder.mkdir(parents=True, exist_ok=True)
            _save_run(run, path)
            _save_network(run, folder / run.FILE, {**(about or {}), **point})
    return run


def saved_config(folder: Path) -> Config | None:
    """The settings of the run in a folder; None if none has begun."""
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    saved = _facts(path, load_tensors(path)[1])["config"]
    known = Config().as_dict()
    if unknown := ", ".join(sorted(set(saved) - set(known))):
        raise DataError(
            f"the run in {str(folder)!r} has settings that this version does not know: {unknown}"
        )
    return Config(**saved)


def _save_run(run: PositionRun, path: Path) -> None:
    """Write a checkpoint atomically: one file, so that it is whole or the one before."""
    facts = {
        "config": run.config.as_dict(),
        "pieces": run.pieces,
        "updates": run.updates,
        "positions": run.positions,
        "seconds": run.seconds,
        "curve": run.curve,
    }
    save_tensors(path, _tensors_of(run), facts)


def _load_run(run: PositionRun, path: Path) -> None:
    saved, found = load_tensors(path)
    facts = _facts(path, found)
    for name in FIXED:
        value, old = getattr(run.config, name), facts["config"].get(name)
        if old != value:
            raise DataError(
                f"the run in {str(path.parent)!r} has {name}={old}, not {value} "
                "(--restart begins a new one)"
            )
    wanted = _tensors_of(run)
    shapes = {name: tensor.shape for name, tensor in saved.items()}
    if shapes != {name: tensor.shape for name, tensor in wanted.items()}:
        raise DataError(f"the checkpoint {str(path)!r} was made for another version of the game")
    copy_tensors(saved, wanted)
    with torch.no_grad():
        for mine, master in zip(run.weights, run.master, strict=True):
            mine.copy_(master)
        for each in run.master:
            run.optimiser.state[each]["step"].fill_(float(facts["updates"]))
    run.pieces, run.updates = facts["pieces"], facts["updates"]
    run.positions, run.seconds, run.curve = facts["positions"], facts["seconds"], facts["curve"]


def _facts(path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    wanted = {"config", "pieces", "updates", "positions", "seconds", "curve"}
    if not wanted <= set(facts) or not isinstance(facts["config"], dict):
        raise DataError(f"cannot read the checkpoint {str(path)!r}: it is none of such a run")
    return facts


def _tensors_of(run: PositionRun) -> dict[str, torch.Tensor]:
    """All that a run has learned, by name."""
    states = [run.optimiser.state[each] for each in run.master]
    kept: dict[str, Sequence[torch.Tensor]] = {"network": run.master, "average": run.average}
    kept |= {part: [each[part] for each in states] for part in MOMENTS}
    return {
        f"{part}/{name}": tensor
        for part, tensors in kept.items()
        for name, tensor in zip(run.names, tensors, strict=True)
    }


def _save_network(run: PositionRun, path: Path, about: Mapping[str, object]) -> None:
    named = zip(run.names, run.average, strict=True)
    tensors = {name: tensor.cpu().numpy() for name, tensor in named}
    run.save(path, tensors, {**about, "config": run.config.as_dict()})
