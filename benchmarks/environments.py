"""How many steps a second the vector environments make with a random policy.

    python benchmarks/environments.py --rows 4096 --rounds 100

Observations, masks and the opponent's moves are included. A step is one action of the learner.
Beside the clock it says how many steps there are in a second of a core's time: on a machine that
does other things too, the clock alone says little. The best of many short rounds counts.
"""

import argparse
import os
import time

import undercut.adapters.gymnasium as doors

STEPS = 20  # of every row in a round


def measure(game: str, rows: int, rounds: int, workers: int) -> tuple[float, float]:
    """Steps a second by the clock, and by the time of all cores together, in the best round."""
    envs = doors.TableVectorEnv(rows, game, copy=False, workers=workers)
    envs.reset(seed=1)
    for _ in range(100):  # so that rows are at all stages of a deal
        envs.step(envs.random_actions())
    clocks, cores = [], []
    for _ in range(rounds):
        begin, used = time.perf_counter(), time.process_time()
        for _ in range(STEPS):
            envs.step(envs.random_actions())
        clocks.append(STEPS * rows / (time.perf_counter() - begin))
        cores.append(STEPS * rows / (time.process_time() - used))
    return max(clocks), max(cores)


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    for game in doors.environment_names().values():
        clock, core = measure(game, given.rows, given.rounds, given.workers)
        print(f"{game:<16}{clock:>12,.0f} a second {core:>12,.0f} a second of one core", flush=True)


if __name__ == "__main__":
    main()
