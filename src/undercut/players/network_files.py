"""Files of networks: safetensors. A shipped one has its checksum in the source beside its loader."""

import hashlib
import json
import stat
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from undercut.text.errors import UndercutError, plain

Tensors: TypeAlias = dict[str, Any]
Metadata: TypeAlias = dict[str, str]

LARGEST = 1 << 30  # bytes of a file; ours have 7 million
_TYPES = {"F16": np.float16, "F32": np.float32}


class NetworkError(UndercutError):
    """A file of weights that is missing, damaged or made for something else."""


class Shipped(NamedTuple):
    """A network that comes with undercut."""

    path: Path
    sha256: str  # of the whole file; `python tools/networks.py` writes it


def path_of(source: Path | Shipped) -> Path:
    """Where a network lies."""
    return source.path if isinstance(source, Shipped) else source


def read_network(source: Path | Shipped, kind: str) -> tuple[Tensors, Metadata]:
    """The tensors of a file, all of one type and finite, and its metadata.

    A shipped file must have the bytes that it was shipped with.
    """
    path = path_of(source)
    data = _read_bytes(path)
    if isinstance(source, Shipped) and hashlib.sha256(data).hexdigest() != source.sha256:
        raise NetworkError(
            f"the network {str(path)!r} is not the one that undercut was shipped with: install "
            "undercut again, or run tools/networks.py if you mean to ship this one"
        )
    tensors, metadata = _parse(path, data)
    for name, tensor in tensors.items():
        if tensor.dtype != _TYPES[kind]:
            raise NetworkError(f"the network {str(path)!r}: {name!r} is not {kind}")
        if not np.isfinite(tensor).all():
            raise NetworkError(f"the network {str(path)!r}: {name!r} is not finite")
    return tensors, metadata


def read_about(path: Path, metadata: Metadata) -> dict[str, Any]:
    """What a file says of its origin."""
    try:
        return msgspec.json.decode(metadata.get("about", "{}"), type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        raise NetworkError(f"the network {str(path)!r} has an origin that is no JSON") from None


def _read_bytes(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError("it is no file")
        if path.stat().st_size > LARGEST:
            raise OSError(f"it has more than {LARGEST} bytes")
        return path.read_bytes()
    except (OSError, ValueError) as error:  # a path with a null character is a ValueError
        raise NetworkError(f"cannot read the network {str(path)!r}: {error}") from None


def _parse(path: Path, data: bytes) -> tuple[Tensors, Metadata]:
    from safetensors import SafetensorError, deserialize

    try:
        found = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise NetworkError(f"cannot read the network {str(path)!r}: {plain(error)}") from None
    tensors = {}
    for name, tensor in found:
        if tensor["dtype"] not in _TYPES:
            raise NetworkError(f"the network {str(path)!r}: {name!r} is {tensor['dtype']}")
        flat = np.array(np.frombuffer(tensor["data"], dtype=_TYPES[tensor["dtype"]]))
        tensors[name] = flat.reshape(tensor["shape"])
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return tensors, header.get("__metadata__") or {}
