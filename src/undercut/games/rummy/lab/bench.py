"""The benchmarks of Rummy: rounds and searches, compared with the same rules in plain Python."""

from collections.abc import Iterator

from undercut.lab.bench import ONE, Bench, Task, playouts
from undercut.lab.peers import PlainPython

_DEALS = {
    "Rummy: random v random, whole rounds": "random",
    "Rummy: random as coded, whole rounds": "restricted:as_coded=1",
    "Rummy: greedy v greedy, whole rounds": "greedy",
}


def _single() -> Iterator[Task]:
    yield Task("Rummy: mcts, rounds played out", ONE, playouts("rummy"))


def _peers() -> Iterator[Task]:
    """No other engine of this game is available: the same rules in plain Python replace it."""
    for what, agent in _DEALS.items():
        plain = PlainPython("rummy", agent)
        yield Task(what, "these rules, not compiled", plain.work, plain.clock, start=4)


BENCH = Bench(_DEALS, same_on_gpu=("greedy", "restricted"), single=_single, peers=_peers)
