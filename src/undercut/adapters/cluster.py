"""Many machines: a Ray cluster as a crew that plays pieces of matches (lab/workers.py).

Every machine of the cluster has the same undercut installed. What is sent is small: specs, a seed
and numbers, and the files that the specs name. A piece whose process or machine is lost is played
again by another, and since it is its numbers, it is the same piece.
"""

import hashlib
import os
import pickle
import secrets
import socket
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Generic

import undercut
from undercut.lab.extras import need
from undercut.lab.lineup import Line
from undercut.lab.workers import Play, Played, Result
from undercut.text.errors import UndercutError

LOCAL = "local"  # an address: a cluster of this machine's own, for as long as it is needed
AUTO = "auto"  # the cluster that this machine belongs to
PATIENCE = 5.0  # seconds that a cluster has to answer
RETRIES = 8  # how often a piece is played again whose process or machine was lost
SPARE = 4  # for this many pieces at work, one more waits at Ray's
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


def _make_task() -> Callable[[str, bytes, bytes], object]:
    """What a worker runs. Being no function of a module it travels as code, and can say
    what is wrong where there is no undercut, or another one."""

    def task(wanted: str, line: bytes, call: bytes) -> object:
        import pickle
        import socket

        try:
            from undercut.adapters.cluster import identity as identity_here

            found = identity_here()
        except ImportError as missing:
            found = f"none ({missing})"
        if found != wanted:
            raise RuntimeError(f"undercut {found} on {socket.gethostname()}, not {wanted}")
        from undercut.lab.workers import play_piece
        from undercut.text.errors import UndercutError

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
        self.faults: dict[str, str] = {}
        self._lines: dict[Line, Any] = {}
        self._waiting: deque[_Job[Any]] = deque()
        self._sent: set[Any] = set()  # what Ray has been given and has not done

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
        call = self._ray.cloudpickle.dumps((play, numbers))
        job: _Job[Played[Result]] = _Job(self, identity(), self._lines[line], call)
        self._waiting.append(job)
        self._send()
        return job

    def wait(self, job: "_Job[Any]") -> Any:
        """What comes of a piece; until then, whoever is done gets the next one.

        What went wrong is said in one line.
        """
        while job.reference is None or job.reference in self._sent:
            done, _ = self._ray.wait(list(self._sent))
            self._sent.difference_update(done)
            self._send()
        errors = self._ray.exceptions
        try:
            return self._ray.get(job.reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, UndercutError):
                raise type(error.cause)(str(error.cause)) from None
            raise ClusterError(f"a worker of the cluster failed: {error.cause}") from None
        except errors.RayError as error:
            first = str(error).strip().partition("\n")[0]
            raise ClusterError(f"the cluster has lost a piece for good: {first}") from None

    def drop(self, job: "_Job[Any]") -> None:
        """Do not play a piece that Ray was not given yet; one that it was given is played in vain.

        Ray 2.60 can take such pieces back, but sometimes ends the whole program when it does.
        """
        if job in self._waiting:
            self._waiting.remove(job)

    def _send(self) -> None:
        """Give Ray as many pieces as it can do at once, and some that can follow at once."""
        while self._waiting and len(self._sent) < self.size + -(-self.size // SPARE):
            job = self._waiting.popleft()
            job.reference = self._task.remote(*job.call)
            self._sent.add(job.reference)


class _Job(Generic[Result]):
    """A piece for a cluster."""

    def __init__(self, cluster: Cluster, *call: object) -> None:
        self._cluster, self.call = cluster, call
        self.reference: Any = None  # what Ray knows it by, once it was given it

    def result(self) -> Result:
        """Wait for it."""
        found: Result = self._cluster.wait(self)
        return found

    def cancel(self) -> None:
        """Nobody needs it any more."""
        self._cluster.drop(self)


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
