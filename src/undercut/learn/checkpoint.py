"""Checkpoints: files that survive kill -9 and contain no pickle."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from undercut.lab.extras import need
from undercut.learn.shards import DataError
from undercut.text import files

if TYPE_CHECKING:
    import torch

MOMENTS = ("exp_avg", "exp_avg_sq")  # Adam's state of every parameter


def save_tensors(
    path: Path, tensors: "Mapping[str, torch.Tensor]", facts: Mapping[str, object] | None = None
) -> None:
    """Write tensors and facts about them atomically."""
    safetensors = need("safetensors.torch", "train")
    plain = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    metadata = None if facts is None else {"facts": json.dumps(facts)}
    files.write_bytes(path, safetensors.save(plain, metadata=metadata))


def load_tensors(path: Path) -> "tuple[dict[str, torch.Tensor], dict[str, Any]]":
    """The tensors of a file, and the facts about them."""
    safetensors = need("safetensors", "train")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
            return tensors, json.loads((file.metadata() or {}).get("facts", "{}"))
    except (safetensors.SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"cannot read the checkpoint {str(path)!r}: {error}") from None


def copy_tensors(saved: "Mapping[str, torch.Tensor]", into: "Mapping[str, torch.Tensor]") -> None:
    """Copy values in place: a CUDA graph refers to tensors by their address."""
    with need("torch", "train").no_grad():
        for name, tensor in into.items():
            tensor.copy_(saved[name])


def save_checkpoint(
    path: Path,
    model: "torch.nn.Module",
    optimizer: "torch.optim.Optimizer",
    facts: Mapping[str, object],
) -> None:
    """Write the weights, Adam's moments and the progress of a run."""
    save_tensors(path, _state_of(model, optimizer), facts)


def load_checkpoint(
    path: Path,
    model: "torch.nn.Module",
    optimizer: "torch.optim.Optimizer",
    expected: Mapping[str, object],
) -> dict[str, Any]:
    """Restore a run and return its facts; its plan and data must be those expected."""
    tensors, facts = load_tensors(path)
    for name, value in expected.items():
        if facts.get(name) != json.loads(json.dumps(value)):
            raise DataError(
                f"the checkpoint {str(path)!r} belongs to another run: its {name} differs "
                "(--restart begins a new one)"
            )
    for name, parameter in model.named_parameters():
        for moment in ("step", *MOMENTS):
            optimizer.state[parameter].setdefault(moment, tensors[f"{name}/{moment}"])
    copy_tensors(tensors, _state_of(model, optimizer))
    return facts


def _state_of(
    model: "torch.nn.Module", optimizer: "torch.optim.Optimizer"
) -> "dict[str, torch.Tensor]":
    """The weights by name, each followed by its moments."""
    found: dict[str, torch.Tensor] = {}
    for name, parameter in model.named_parameters():
        found[name] = parameter
        for moment, value in optimizer.state[parameter].items():
            found[f"{name}/{moment}"] = value
    return found
