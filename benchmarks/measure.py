"""What the benchmarks share: their arguments, and how values are shown and kept."""

import argparse
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from undercut.lab.bench import describe_machine
from undercut.text import files


def parser(about: str | None) -> argparse.ArgumentParser:
    """The argument that all benchmarks take."""
    found = argparse.ArgumentParser(description=about)
    found.add_argument("--json", type=Path, help="also write the numbers to this file")
    return found


def report(title: str, values: Mapping[str, tuple[float, str]], json_file: Path | None) -> None:
    """Print a table of measured values, each with its unit."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    table.add_column("measured", justify="right")
    for name, (value, unit) in values.items():
        table.add_row(name, f"{value:,.0f} {unit}" if value >= 100 else f"{value:,.3g} {unit}")
    Console(width=100).print(table)
    if json_file is not None:
        _add_to_json(json_file, title, values)


def _add_to_json(file: Path, title: str, values: Mapping[str, tuple[float, str]]) -> None:
    """Add one table to a JSON file that may hold those of other benchmarks."""
    tables = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    measured = {name: {"value": value, "unit": unit} for name, (value, unit) in values.items()}
    machine = {**asdict(describe_machine()), "load": os.getloadavg()[0]}
    tables[title] = {"measured": measured, "machine": machine}
    files.write_text(file, json.dumps(tables, indent=2) + "\n")
