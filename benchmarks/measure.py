"""Timing for all benchmarks: contenders take turns in one run, so that ratios mean something."""

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numba
from rich.console import Console
from rich.table import Table

Work = Callable[[], int]  # does some work and returns how much it was

PEERS = ("open_spiel", "rlcard")


def parse_arguments(about: str | None, seconds: float = 1.0) -> argparse.Namespace:
    """The arguments that all benchmarks take."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seconds", type=float, default=seconds, help="for each turn")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each contender")
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    return parser.parse_args()


def rates(
    contenders: Mapping[str, Work],
    arguments: argparse.Namespace,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, float]:
    """Work done in a second by each contender: the best of its turns.

    The clock is the processor's, so that other programs on the machine disturb little; work on
    several threads needs `time.perf_counter`.
    """
    for work in contenders.values():
        work()  # compiles, fills caches
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(arguments.rounds):
        for name, work in contenders.items():
            best[name] = max(best[name], _rate(work, arguments.seconds, clock))
    return best


def _rate(work: Work, seconds: float, clock: Callable[[], float]) -> float:
    done, started = 0, clock()
    while True:
        done += work()
        elapsed = clock() - started
        if elapsed >= seconds:
            return done / elapsed


def report(title: str, unit: str, measured: Mapping[str, float], json_file: Path | None) -> None:
    """Print a table; each row also says how many times as much the first row does."""
    first = next(iter(measured.values()))
    table = Table(title=title, title_justify="left")
    table.add_column("")
    table.add_column(unit, justify="right")
    table.add_column("first row is", justify="right")
    for name, value in measured.items():
        table.add_row(name, _format(value), f"{_format(first / value)} times")
    Console(width=100).print(table)
    if json_file is not None:
        add_to_json(json_file, title, {"unit": unit, "measured": dict(measured)})


def report_values(
    title: str, values: Mapping[str, tuple[float, str]], json_file: Path | None
) -> None:
    """Print a table of measured values, each with its unit."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    table.add_column("measured", justify="right")
    for name, (value, unit) in values.items():
        table.add_row(name, f"{_format(value)} {unit}")
    Console(width=100).print(table)
    if json_file is not None:
        measured = {name: {"value": value, "unit": unit} for name, (value, unit) in values.items()}
        add_to_json(json_file, title, {"measured": measured})


def add_to_json(file: Path, title: str, content: dict[str, Any]) -> None:
    """Add one table to a JSON file that may hold those of other benchmarks."""
    tables = json.loads(file.read_text()) if file.exists() else {}
    tables[title] = {**content, "machine": machine()}
    file.write_text(json.dumps(tables, indent=2) + "\n")


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    installed = {}
    for peer in PEERS:
        try:
            installed[peer] = version(peer)
        except PackageNotFoundError:
            installed[peer] = None
    return {
        "system": platform.platform(),
        "cpus": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "numba": numba.__version__,
        **installed,
    }


def _format(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"
