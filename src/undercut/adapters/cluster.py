"""Many machines: a Ray cluster as a crew that plays pieces of matches (lab/workers.py).

Every machine of the cluster has the same undercut installed. The messages are small: specs, a seed
and numbers, and the files that the specs name. If a process or machine is lost, another process
plays its piece again, with the same result.
"""

import hashlib
import os
import pickle
import secrets
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Generic

import undercut
from undercut.lab.extras import need
from undercut.lab.lineup import Line
from undercut.lab.workers import Play, Played, Result
from undercut.text.errors import UndercutError

LOCAL = "local"  # an address: a temporary cluster of this machine
AUTO = "auto"  # the cluster that this machine belongs to
PATIENCE = 5.0  # seconds that a cluster has to answer
RETRIES = 8  # of a piece, when its process or machine is lost
SPARE = 4  # for this many running pieces, one more waits at Ray
STDERR = 2  # the file descriptor
RESOURCES = {"cpu": "CPU", "cuda": "GPU"}  # a piece takes one of these


class ClusterError(UndercutError):
    """A cluster cannot be reached, or cannot do the work."""


@cache
def identity() -> str:
    """The version of this undercut, with a digest of all code and networks."""
    folder, digest = Path(undercut.__file__).parent, hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".safetensors"):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{undercut.__version__} ({digest.hexdigest()[:12]})"


def _make_task() -> Callable[[str, bytes, bytes], object]:
    """The function that a worker runs. It is not a function of a module, so Ray sends its code,
    and it can report a missing or different undercut."""

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
    """A crew of the processes of a Ray cluster; leaving the context disconnects."""

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
        self._lines: dict[Line, object] = {}
        self._waiting: deque[_Job[object]] = deque()
        self._sent: set[object] = set()  # Ray's references of unfinished pieces

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect; a local cluster ends."""
        if self._is_ours:
            with _silent_stderr():
                self._ray.shutdown()

    def submit(self, line: Line, play: Play[Result], numbers: range, /) -> "_Job[Played[Result]]":
        """Submit a piece; each line-up is sent once."""
        if line not in self._lines:
            self._lines[line] = self._ray.put(pickle.dumps(line))
        call = self._ray.cloudpickle.dumps((play, numbers))
        job: _Job[Played[Result]] = _Job(self, identity(), self._lines[line], call)
        self._waiting.append(job)
        self._send()
        return job

    def wait(self, job: "_Job[Result]") -> Result:
        """The result of a piece; meanwhile, idle workers get the next ones.

        An error is one line of text.
        """
        while job.reference is None or job.reference in self._sent:
            done, _ = self._ray.wait(list(self._sent))
            self._sent.difference_update(done)
            self._send()
        errors = self._ray.exceptions
        try:
            result: Result = self._ray.get(job.reference)
            return result
        except errors.RayTaskError as error:
            if isinstance(error.cause, UndercutError):
                raise type(error.cause)(str(error.cause)) from None
            raise ClusterError(f"a worker of the cluster failed: {error.cause}") from None
        except errors.RayError as error:
            first = str(error).strip().partition("\n")[0]
            raise ClusterError(f"the cluster has lost a piece for good: {first}") from None

    def drop(self, job: "_Job[object]") -> None:
        """Cancel a piece that Ray does not have yet; the result of any other is ignored.

        Ray 2.60 can cancel its pieces too, but sometimes that ends the whole program.
        """
        if job in self._waiting:
            self._waiting.remove(job)

    def _send(self) -> None:
        """Submit to Ray one piece for each worker, and some to follow immediately."""
        while self._waiting and len(self._sent) < self.size + -(-self.size // SPARE):
            job = self._waiting.popleft()
            job.reference = self._task.remote(*job.call)
            self._sent.add(job.reference)


class _Job(Generic[Result]):
    def __init__(self, cluster: Cluster, *call: object) -> None:
        self._cluster, self.call = cluster, call
        self.reference: object = None  # Ray's, once Ray has the piece

    def result(self) -> Result:
        return self._cluster.wait(self)

    def cancel(self) -> None:
        self._cluster.drop(self)


def _check_answers(address: str) -> None:
    """Raise an error if nothing listens at an address; Ray would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, ValueError) as error:
        reason = error if host else "write HOST:PORT, auto or local"
        raise ClusterError(f"no Ray cluster at {address!r}: {reason}") from None


def _connect(ray: ModuleType, address: str, workers: int | None) -> None:
    if address not in (LOCAL, AUTO):
        _check_answers(address)
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == LOCAL:
            ray.init(address=LOCAL, num_cpus=workers, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
        # Otherwise Ray reports lost workers on stdout, within the output of commands.
        ray._private.worker._worker_logs_enabled = False
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        first = str(error).strip().partition("\n")[0]
        raise ClusterError(f"no Ray cluster at {address!r}: {first}") from None


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Drop what C++ threads write to stderr.

    Ray closes its log file during a shutdown. A thread that then still reports an unfinished task
    writes to stderr.
    """
    kept = os.dup(STDERR)
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), STDERR)
        yield
    finally:
        os.dup2(kept, STDERR)
        os.close(kept)


def _prepare_own() -> None:
    """Make a local cluster private: without usage reports, and with a secret token.

    Ray reads these variables when it is imported.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if "RAY_AUTH_MODE" not in os.environ:
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
