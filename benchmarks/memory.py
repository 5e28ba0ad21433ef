"""The most memory a process needs to play 100,000 games of simple against simple."""

import resource
import subprocess
import sys

from measure import parser, report

GAMES = 100_000


def play(count: int) -> None:
    """Play in this process, and print the most memory it ever held, in bytes."""
    from undercut.games.families import parse_game
    from undercut.play.batch import play_batch
    from undercut.players.catalog import parse_agent

    game = parse_game("gin")
    batch = play_batch(game, [parse_agent("simple", game)] * 2, count)
    assert len(batch.shares) == count
    unit = 1 if sys.platform == "darwin" else 1024
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


def peak(count: int) -> float:
    """The peak of a process of its own, in megabytes."""
    command = [sys.executable, __file__, "--play", str(count)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(result.stdout) / 1e6


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__).parse_args()
    peak(2)  # compiles, which needs more memory than playing
    values = {f"{count:,} games": (peak(count), "MB") for count in (2, GAMES)}
    report("Peak memory, simple v simple", values, arguments.json)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        play(int(sys.argv[2]))
    else:
        main()
