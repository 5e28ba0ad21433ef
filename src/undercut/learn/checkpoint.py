"""The one checkpointer: files that survive kill -9 and hold no pickle."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercut.lab.extras import need
from undercut.learn.shards import DataError
from undercut.text import files

MOMENTS = ("exp_avg", "exp_avg_sq")  # that Adam keeps of every parameter


def save_tensors(path: Path, tensors: Mapping[str, Any], **facts: object) -> None:
    """Write tensors and facts about them, whole or not at all."""
    safetensors = need("safetensors.torch", "train")
    plain = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    metadata = {name: json.dumps(fact) for name, fact in facts.items()} or None
    files.write_bytes(path, safetensors.save(plain, metadata=metadata))


def load_tensors(path: Path, *facts: str) -> tuple[dict[str, Any], *tuple[Any, ...]]:
    """The tensors of a file, and the facts of these names."""
    safetensors = need("safetensors", "train")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
            return tensors, *(json.loads(file.metadata()[name]) for name in facts)
    except (safetensors.SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"cannot read the checkpoint {str(path)!r}: {error}") from None


def copy_tensors(saved: Mapping[str, Any], into: Mapping[str, Any]) -> None:
    """Tensors stay in place: a CUDA graph knows them by their address."""
    with need("torch", "train").no_grad():
        for name, tensor in into.items():
            tensor.copy_(saved[name])


def save_checkpoint(path: Path, model: Any, optimizer: Any, facts: dict[str, object]) -> None:
    """Write weights and Adam's moments, and how far the run has come."""
    save_tensors(path, _state_of(model, optimizer), facts=facts)


def load_checkpoint(
    path: Path, model: Any, optimizer: Any, expected: Mapping[str, object]
) -> dict[str, Any]:
    """Put a run back where it stood; its plan and data must be those expected."""
    tensors, facts = load_tensors(path, "facts")
    for name, value in expected.items():
        if facts.get(name) != json.loads(json.dumps(value)):
            raise DataError(
                f"the checkpoint {str(path)!r} belongs to another run: its {name} differs "
                "(--restart begins afresh)"
            )
    for name, parameter in model.named_parameters():
        for moment in ("step", *MOMENTS):
            optimizer.state[parameter].setdefault(moment, tensors[f"{name}/{moment}"])
    copy_tensors(tensors, _state_of(model, optimizer))
    return dict(facts)


def _state_of(model: Any, optimizer: Any) -> dict[str, Any]:
    """The weights by their names, and after each its moments."""
    found = {}
    for name, parameter in model.named_parameters():
        found[name] = parameter
        for moment, value in optimizer.state[parameter].items():
            found[f"{name}/{moment}"] = value
    return found
