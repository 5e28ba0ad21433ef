"""The benchmarks of Pharaoh: games and searches, compared with Crazy Eights and plain Python."""

from collections.abc import Iterator

from undercut.lab import peers
from undercut.lab.bench import ONE, Bench, Task, playouts

_GAMES = "Pharaoh: random v random, whole games"


def _single() -> Iterator[Task]:
    yield Task("Pharaoh: mcts, games played out", ONE, playouts("pharaoh"))


def _peers() -> Iterator[Task]:
    """Crazy Eights is the closest game for which another engine exists."""
    if peers.has_open_spiel():
        name = f"OpenSpiel {peers.version('open_spiel')}, Crazy Eights, its C++ loop"
        yield Task(_GAMES, name, peers.open_spiel_crazy_eights())
    plain = peers.PlainPython("pharaoh", "random")
    yield Task(_GAMES, "these rules, not compiled", plain.work, plain.clock, start=4)


BENCH = Bench(
    deals={_GAMES: "random", "Pharaoh: heuristic v heuristic, whole games": "heuristic"},
    same_on_gpu=("random", "heuristic"),
    single=_single,
    peers=_peers,
)
