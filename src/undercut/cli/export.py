"""`undercut export`: records as a table for other programs."""

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
@click.argument("out", type=arguments.OutFile())
@arguments.json_option
def export(records: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Write the decisions of RECORDs, files or folders of them, into OUT.

    OUT ends in .parquet or .jsonl: one row for each decision, with what its seat knew and what came of
    it (docs/records.md has the columns). Or it ends in .history: every deal of gin as OpenSpiel's
    history, one a line. Such a file is also read, as if it were a record.

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
