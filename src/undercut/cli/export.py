"""`undercut export`: records as tables for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from undercut.adapters.decision_table import Row


@click.command(short_help="Records as a table: Parquet, JSON Lines, OpenSpiel histories.")
@click.argument(
    "records", nargs=-1, required=True, metavar="RECORD...", type=click.Path(path_type=Path)
)
@click.argument("out", type=arguments.OUT_FILE)
@arguments.json_option
def export(records: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Write the decisions of RECORDs, files or folders of them, into OUT.

    If OUT ends in .parquet or .jsonl, it has a row for each decision, with the observation of its
    seat and the outcome (docs/records.md lists the columns). If OUT ends in .history, it has a line
    for each deal of gin, as a history of OpenSpiel. Such a file can also take the place of RECORD.

    \b
    undercut match gin simple thrifty -n 100 --record games
    undercut export games decisions.parquet
    undercut export examples/records/gin.jsonl gin.history
    undercut export gin.history decisions.jsonl
    """
    from undercut.adapters.decision_table import (
        ENDINGS,
        HISTORIES,
        find_records,
        histories_of,
        read_rows,
        write_table,
    )
    from undercut.play.records.record import read_record
    from undercut.text import files

    if out.suffix not in ENDINGS:
        raise click.UsageError(
            f"cannot export to {str(out)!r}: it must end in {', '.join(ENDINGS)}"
        )
    paths = find_records(records)
    with screen.compiling(), screen.Bar(len(paths), "records") as bar:
        if out.suffix == HISTORIES:
            histories = [each for path in paths for each in histories_of(read_record(path))]
            text = "".join(" ".join(map(str, each)) + "\n" for each in histories)
            files.write_text(out, text)
            count, what = len(histories), "deals"
        else:

            def rows() -> "Iterator[Row]":
                for path in paths:
                    yield from read_rows([path])
                    bar.advance()

            count, what = write_table(rows(), out), "decisions"
    if as_json:
        screen.print_json({"out": str(out), "records": len(paths), what: count}, "export")
    else:
        click.echo(f"{out}: {count:,} {what} of {len(paths):,} records")
