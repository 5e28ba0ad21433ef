"""Many machines: a Ray cluster as a crew that plays pieces of matches (lab/crew.py).

Every machine of the cluster has the same undercut installed. What is sent is small: specs, a seed
and numbers, and the files that the specs name. A piece whose process or machine is lost is played
again by another, and since it is its numbers, it is the same piece.
"""

import hashlib
import os
import pickle
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Generic

import undercut
from undercut.__main__ import is_closed
from undercut.core.errors import UndercutError
from undercut.lab.crew import Play, Played, Result
from undercut.lab.extras import need
from undercut.lab.line import Line

LOCAL = "local"  # an address: a cluster of this machine's own, for as long as it is needed
AUTO = "auto"  # the cluster that this machine belongs to
PATIENCE = 5.0  # seconds that a cluster has to answer
RETRIES = 8  # how often a piece is played again whose process or machine was lost
RESOURCES = {"cpu": "CPU", "cuda": "GPU"}  # what a piece takes one of


class ClusterError(UndercutError):
    """A cluster that cannot be reached, or cannot do the work."""


@cache
def identity() -> str:
    """The version of this undercut, with a digest of all that decides what is played."""
    folder, digest = Path(undercut.__file__).parent, hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".safetensors"):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{undercut.__version__} ({digest.hexdigest()[:12]})"


def cancelled(number: int, frame: FrameType | None) -> None:
    """What a worker does when its piece is cancelled: stop, but not while something is compiled."""
    if not is_closed(frame):
        raise KeyboardInterrupt


def _make_task() -> Callable[[str, bytes, bytes], object]:
    """What a worker runs. Being no function of a module it travels as code, and can say
    what is wrong where there is no undercut, or another one."""

    def task(wanted: str, line: bytes, call: bytes) -> object:
        import pickle
        import signal
        import socket

        try:
            from undercut.adapters.cluster import identity as identity_here

            found = identity_here()
        except ImportError as missing:
            found = f"none ({missing})"
        if found != wanted:
            raise RuntimeError(f"undercut {found} on {socket.gethostname()}, not {wanted}")
        from undercut.adapters.cluster import cancelled
        from undercut.core.errors import UndercutError
        from undercut.lab.crew import play_piece

        signal.signal(signal.SIGINT, cancelled)
        try:
            return play_piece(pickle.loads(line), *pickle.loads(call))
        except UndercutError as error:
            raise type(error)(f"{error} (on {socket.gethostname()})") from None

    return task


class Cluster:
    """A crew of the processes of a Ray cluster; leaving it lets go of the cluster."""

    def __init__(self, address: str, device: str = "cpu", workers: int | None = None) -> None:
        if address == LOCAL:
            _prepare_own()
        self._ray = ray = need("ray", "cluster")
        self._is_ours = address != AUTO or not ray.is_initialized()
        if self._is_ours:
            _connect(ray, address, workers)
        needs = RESOURCES[device]
        self.size = int(ray.cluster_resources().get(needs, 0))
        if self.size == 0:
            self.close()
            raise ClusterError(f"the cluster at {address!r} has no {needs}")
        self.size = min(self.size, workers or self.size)
        options = {"num_gpus": 1} if device == "cuda" else {"num_cpus": 1}
        self._task = ray.remote(max_retries=RETRIES, **options)(_make_task())
        self._lines: dict[Line, Any] = {}

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the cluster; one of this machine's own ends."""
        if self._is_ours:
            self._ray.shutdown()

    def submit(self, line: Line, play: Play[Result], numbers: range, /) -> "_Job[Played[Result]]":
        """Give out a piece; a line-up is sent once."""
        if line not in self._lines:
            self._lines[line] = self._ray.put(pickle.dumps(line))
        call = pickle.dumps((play, numbers))
        return _Job(self._ray, self._task.remote(identity(), self._lines[line], call))


class _Job(Generic[Result]):
    """A piece that Ray has been given."""

    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray, self._reference = ray, reference

    def result(self) -> Result:
        """Wait for it; what went wrong is said in one line."""
        errors = self._ray.exceptions
        try:
            found: Result = self._ray.get(self._reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, UndercutError):
                raise type(error.cause)(str(error.cause)) from None
            raise ClusterError(f"a worker of the cluster failed: {error.cause}") from None
        except errors.RayError as error:
            first = str(error).strip().partition("\n")[0]
            raise ClusterError(f"the cluster has lost a piece for good: {first}") from None
        return found

    def cancel(self) -> None:
        """End it, also while it is being played."""
        with suppress(self._ray.exceptions.RayError):
            self._ray.cancel(self._reference)


def _check_answers(address: str) -> None:
    """Refuse an address where nobody listens; Ray would wait there for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, ValueError) as error:
        reason = error if host else "write HOST:PORT, auto or local"
        raise ClusterError(f"no Ray cluster at {address!r}: {reason}") from None


def _connect(ray: Any, address: str, workers: int | None) -> None:
    if address not in (LOCAL, AUTO):
        _check_answers(address)
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == LOCAL:
            ray.init(address=LOCAL, num_cpus=workers, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
        # Else it would tell of lost workers on stdout, between what commands print there.
        ray._private.worker._worker_logs_enabled = False
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        first = str(error).strip().partition("\n")[0]
        raise ClusterError(f"no Ray cluster at {address!r}: {first}") from None


def _prepare_own() -> None:
    """A cluster of our own tells nobody, and lets in whoever knows a word that only we know.

    Ray looks at these words when it is imported.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if "RAY_AUTH_MODE" not in os.environ:
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
