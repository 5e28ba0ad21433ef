"""Weight files: one format for networks that play, value states or estimate hands.

A file is safetensors; its metadata hold the layout it was made for, a checksum and its origin.
The source also has the checksum of each shipped file.
"""

import hashlib
import json
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from undercut.kernels.records import Array
from undercut.text import files
from undercut.text.errors import UndercutError, plain

Tensors: TypeAlias = Mapping[str, Array]
Metadata: TypeAlias = Mapping[str, str]
Shape: TypeAlias = tuple[int, ...]

LARGEST = 1 << 30  # bytes of a file; ours have 7 million
_TYPES = {"F16": np.float16, "F32": np.float32}


class NetworkError(UndercutError):
    """A file of weights that is missing, damaged or made for something else."""


class Shipped(NamedTuple):
    """A network that comes with undercut."""

    path: Path
    sha256: str  # of the whole file; `python tools/networks.py` writes it


def path_of(source: Path | Shipped) -> Path:
    """The path of a network."""
    return source.path if isinstance(source, Shipped) else source


class Format(NamedTuple):
    """A kind of network: the name of its format and the types of its weights."""

    name: str  # in the metadata
    otherwise: str  # the error for a file of another kind
    numbers: str  # a name of _TYPES
    order: tuple[str, ...] = ()
    """The order of the tensors in the checksum; () for all, sorted, each after its name."""

    def checksum(self, tensors: Tensors) -> str:
        """The SHA-256 that the metadata states."""
        digest = hashlib.sha256()
        for name in self.order or sorted(tensors):
            digest.update(b"" if self.order else name.encode())
            digest.update(np.ascontiguousarray(tensors[name]).tobytes())
        return digest.hexdigest()


def save_network(
    path: Path, file_format: Format, tensors: Tensors, made_for: Metadata, facts: Metadata
) -> str:
    """Write a network atomically; returns the checksum of its weights."""
    from safetensors.numpy import save

    kind = _TYPES[file_format.numbers]
    kept = {name: np.asarray(tensor, dtype=kind) for name, tensor in tensors.items()}
    digest = file_format.checksum(kept)
    metadata = {"format": file_format.name, **made_for, "sha256": digest, **facts}
    files.write_bytes(path, save(kept, metadata=metadata))
    return digest


def load_network(
    source: Path | Shipped,
    file_format: Format,
    made_for: Sequence[Metadata],
    shapes: Callable[[Tensors, Metadata], Mapping[str, Shape]],
) -> tuple[Tensors, Metadata]:
    """The tensors and the metadata of a file of this format, made for one of these layouts.

    Kernels trust the shapes, so they must be equal to `shapes(tensors, metadata)`.
    """
    tensors, metadata = read_tensors(source, file_format.numbers)
    path = str(path_of(source))
    if metadata.get("format") != file_format.name:
        raise NetworkError(f"{path!r} {file_format.otherwise} ({file_format.name})")
    if not any(each.items() <= metadata.items() for each in made_for):
        raise NetworkError(f"the network {path!r} was made for another game, or another version")
    found = {name: tensor.shape for name, tensor in tensors.items()}
    wanted = shapes(tensors, metadata)
    for name in [*wanted, *found]:
        if found.get(name) != wanted.get(name):
            raise NetworkError(
                f"the network {path!r} has layers that do not fit each other: "
                f"{name} has the shape {found.get(name)}, not {wanted.get(name)}"
            )
    if metadata.get("sha256") != file_format.checksum(tensors):
        raise NetworkError(f"the network {path!r} is damaged: its checksum does not match")
    return tensors, metadata


def format_name(path: Path) -> str:
    """The name of the format of a file, or nothing."""
    return _parse(path, _read_bytes(path))[1].get("format", "")


def read_tensors(source: Path | Shipped, kind: str) -> tuple[Tensors, Metadata]:
    """The tensors of a file, which must be finite and of one type, and its metadata.

    A shipped file must have its original bytes.
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


def read_about(source: Path | Shipped, metadata: Metadata) -> dict[str, Any]:
    """The origin of a network, from its file."""
    try:
        return msgspec.json.decode(metadata.get("about", "{}"), type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        path = str(path_of(source))
        raise NetworkError(f"the network {path!r} has an origin that is no JSON") from None


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
