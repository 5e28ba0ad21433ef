"""What is sent to a cluster, and when: with a Ray of our own, which plays at once."""

import os
import pickle
import socket
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from lab.tables import quick_agents
from undercut.adapters import cluster as adapter
from undercut.adapters.cluster import Cluster, ClusterError
from undercut.lab.compare import play_match
from undercut.lab.workers import Pace, Setup
from undercut.text.errors import OptionsError


class TaskError(Exception):
    """As Ray's: what went wrong in a task."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Ray:
    """Plays a piece when somebody waits for it; everything that is asked of it is kept."""

    cloudpickle = pickle
    exceptions = SimpleNamespace(RayTaskError=TaskError, RayError=ConnectionError)

    def __init__(self, resources: dict[str, float]) -> None:
        self.asked: list[Any] = []
        self.resources, self.is_on = resources, False
        self.open: list[object] = []  # what was given and is not done
        self.most = 0  # of these at once
        worker = SimpleNamespace(_worker_logs_enabled=True)
        self._private = SimpleNamespace(worker=worker)
        self.fails: Exception | None = None

    def is_initialized(self) -> bool:
        return self.is_on

    def init(self, **given: Any) -> None:
        self.asked.append(("init", given))
        if self.fails is not None:
            raise self.fails
        self.is_on = True

    def shutdown(self) -> None:
        self.asked.append("shutdown")
        self.is_on = False

    def cluster_resources(self) -> dict[str, float]:
        return self.resources

    def remote(self, **options: Any) -> Callable[[Any], Any]:
        self.asked.append(("remote", options))
        return lambda task: SimpleNamespace(remote=lambda *call: self._give(task, call))

    def _give(self, task: Any, call: tuple[Any, ...]) -> object:
        reference = SimpleNamespace(task=task, call=call)
        key = (id(reference), len(self.asked))
        self.open.append(key)
        self.most = max(self.most, len(self.open))
        setattr(self, f"of_{id(reference)}", reference)
        return key

    def put(self, value: bytes) -> bytes:
        self.asked.append("put")
        return value

    def wait(self, references: list[object]) -> tuple[list[object], list[object]]:
        assert references
        assert set(references) == set(self.open), "exactly what was given is waited for"
        first = self.open.pop(0)
        return [first], [each for each in references if each != first]

    def get(self, key: tuple[int, int]) -> Any:
        assert key not in self.open
        reference = getattr(self, f"of_{key[0]}")
        if self.fails is not None:
            raise self.fails
        return reference.task(*reference.call)


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Ray:
    made = Ray({"CPU": 5.0, "GPU": 2.0})
    monkeypatch.setitem(sys.modules, "ray", made)  # type: ignore[arg-type]
    for name in ("RAY_USAGE_STATS_ENABLED", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return made


QUIET = {"log_to_driver": False, "logging_level": "ERROR"}


def test_a_match_is_the_same_and_so_many_pieces_are_out_at_once(
    ray: Ray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "next", lambda pace, left, crew: min(2, left))
    game, agents = quick_agents("simple", "random")
    here = play_match(game, agents, 40, seed=3).to_json()
    with Cluster("local", workers=4) as crew:
        assert crew.size == 4
        away = play_match(game, agents, 40, 3, Setup(crew=crew)).to_json()
    assert here | {"deals_per_second": 0} == away | {"deals_per_second": 0}
    own = {"address": "local", "num_cpus": 4, "include_dashboard": False}
    options = {"max_retries": 8, "num_cpus": 1}
    assert ray.asked[:3] == [("init", own | QUIET), ("remote", options), "put"], "a line once"
    assert ray.asked[3:] == ["shutdown"]
    assert ray.most == 5, "one for each, and one more for every four"
    assert not ray._private.worker._worker_logs_enabled


def test_a_cluster_of_our_own_lets_nobody_else_in(
    ray: Ray, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cluster("local").close()
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
    assert os.environ["RAY_AUTH_MODE"] == "token"
    first = os.environ["RAY_AUTH_TOKEN"]
    assert len(first) == 64
    Cluster("local").close()
    assert os.environ["RAY_AUTH_TOKEN"] == first
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.delenv("RAY_AUTH_TOKEN")
    Cluster("local").close()
    assert "RAY_AUTH_TOKEN" not in os.environ, "somebody has said how"


def test_a_cluster_that_is_there_is_not_ended(ray: Ray) -> None:
    ray.is_on = True
    with Cluster("auto", "cuda") as crew:
        assert crew.size == 2
    assert ray.asked == [("remote", {"max_retries": 8, "num_gpus": 1})]
    assert ray.is_on
    ray.is_on = False
    with Cluster("auto") as crew:
        assert crew.size == 5
    assert ray.asked[1] == ("init", {"address": "auto", **QUIET})
    assert ray.asked[-1] == "shutdown"
    ray.resources = {}
    with pytest.raises(ClusterError, match="the cluster at 'auto' has no CPU"):
        Cluster("auto")
    assert ray.asked[-1] == "shutdown"


def test_an_address_is_tried_before_ray_is(ray: Ray) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
            Cluster(address).close()
            assert ray.asked[-3] == ("init", {"address": address, **QUIET})
    with pytest.raises(ClusterError, match=f"no Ray cluster at '127.0.0.1:{port}': .*refused"):
        Cluster(f"127.0.0.1:{port}")
    with pytest.raises(ClusterError, match="at 'nonsense': write HOST:PORT, auto or local"):
        Cluster("nonsense")
    ray.fails = RuntimeError("\n version 1, not 2\nfar too much else")
    with pytest.raises(ClusterError) as refused:
        Cluster("auto")
    assert str(refused.value) == "no Ray cluster at 'auto': version 1, not 2"


def test_what_goes_wrong_is_one_line(ray: Ray, monkeypatch: pytest.MonkeyPatch) -> None:
    game, agents = quick_agents("simple", "random")
    crew = Cluster("auto")
    for fails, kind, said in (
        (TaskError(OptionsError("no such card")), OptionsError, "no such card"),
        (TaskError(OSError("gone")), ClusterError, "a worker of the cluster failed: gone"),
        (
            ConnectionError(" all lost\nand more"),
            ClusterError,
            "the cluster has lost a piece for good: all lost",
        ),
    ):
        ray.fails = fails
        with pytest.raises(kind) as told:
            play_match(game, agents, 4, setup=Setup(crew=crew))
        assert str(told.value) == said
    ray.fails = None
    monkeypatch.setattr(adapter, "identity", lambda: "1 (here)")
    task = adapter._make_task()
    with pytest.raises(
        RuntimeError, match=rf"undercut 1 \(here\) on {socket.gethostname()}, not 2"
    ):
        task("2", b"", b"")


def test_a_piece_that_nobody_needs_is_not_sent(ray: Ray) -> None:
    crew = Cluster("auto", workers=1)
    line = adapter.Line("gin", (), (), ())
    jobs = [crew.submit(line, len, range(number)) for number in range(5)]  # type: ignore[arg-type]
    assert [job.reference is not None for job in jobs] == [True, True, False, False, False]
    jobs[3].cancel()
    jobs[0].cancel()
    assert [*crew._waiting] == [jobs[2], jobs[4]]
    assert crew.faults == {}


def test_the_identity_is_that_of_all_sources_and_networks() -> None:
    named = adapter.identity()
    assert named.startswith(f"{adapter.undercut.__version__} (")
    assert len(named.rpartition("(")[2]) == 13
