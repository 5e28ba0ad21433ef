"""Where a training run stands, in a file that survives kill -9 and holds no pickle."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercut.lab.extras import need
from undercut.learn.shards import DataError
from undercut.text import files


def save_checkpoint(path: Path, model: Any, optimizer: Any, facts: dict[str, object]) -> None:
    """Write weights and Adam's moments, and how far the run has come."""
    safetensors = need("safetensors.torch", "train")
    tensors = {}
    for name, parameter in model.named_parameters():
        tensors[name] = parameter.detach().contiguous()
        for moment, value in optimizer.state[parameter].items():
            tensors[f"{name}/{moment}"] = value.contiguous()
    files.write_bytes(path, safetensors.save(tensors, metadata={"facts": json.dumps(facts)}))


def load_checkpoint(
    path: Path, model: Any, optimizer: Any, expected: Mapping[str, object]
) -> dict[str, Any]:
    """Put a run back where it stood; its plan and data must be those expected."""
    safetensors = need("safetensors", "train")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            facts: dict[str, Any] = json.loads(file.metadata()["facts"])
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"cannot read the checkpoint {str(path)!r}: {error}") from None
    for name, value in expected.items():
        if facts.get(name) != json.loads(json.dumps(value)):
            raise DataError(
                f"the checkpoint {str(path)!r} belongs to another run: its {name} differs "
                "(--restart begins afresh)"
            )
    _put_back(model, optimizer, tensors)
    return facts


def _put_back(model: Any, optimizer: Any, tensors: dict[str, Any]) -> None:
    """Moments that are there already stay in place: a CUDA graph knows them by their address."""
    torch = need("torch", "train")
    for name, parameter in model.named_parameters():
        with torch.no_grad():
            parameter.copy_(tensors[name])
        state = optimizer.state[parameter]
        for moment in ("step", "exp_avg", "exp_avg_sq"):
            saved = tensors[f"{name}/{moment}"]
            state.setdefault(moment, saved).copy_(saved)
