"""`undercut review`: errors, luck and skill of finished matches."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.lab.review.review import Review

_SHOWN = 10  # errors of a match in the terminal


@click.command(short_help="What each decision of a match cost, and what was luck.")
@click.argument(
    "records", nargs=-1, required=True, metavar="RECORD...", type=click.Path(path_type=Path)
)
@click.option(
    "--samples",
    type=click.IntRange(8, 1_000_000),
    default=256,
    show_default=True,
    help="Deals of the hidden cards on which a close decision is tried.",
)
@click.option("--html", type=arguments.OUT_FILE, help="Also write one page that needs no network.")
@arguments.seed_option
@arguments.json_option
def review(
    records: tuple[Path, ...], samples: int, html: Path | None, seed: int, as_json: bool
) -> None:
    """Review the matches of RECORDs, files or folders of them.

    The command judges every decision from the view of its seat, and prints what the errors cost.
    Only a cost of more than twice its standard error is called an error: an inaccuracy from 1 % of
    the match, a mistake from 2.5 %, a blunder from 6 %. It also divides the result between luck and
    errors (docs/review.md). Ctrl-C keeps the deals that are finished.

    \b
    undercut match gin blueprint simple -n 2 --record games
    undercut review games/*.jsonl
    undercut review examples/records/gin.jsonl --html review.html
    undercut review examples/records/rummy.jsonl --samples 1000 --seed 7 --json
    """
    from undercut.adapters.decision_table import find_records
    from undercut.lab.review.data import profile_rows, review_data
    from undercut.lab.review.page import page
    from undercut.lab.review.review import Reviewer, check_reviewable
    from undercut.play.records.record import read_record
    from undercut.text import files

    read = [read_record(path) for path in find_records(records)]
    for record in read:
        check_reviewable(record)
    found: list[Review] = []
    moves = sum(len(record.actions) for record in read)
    with screen.compiling(), screen.Bar(moves, "moves") as bar:
        for record in read:
            reviewer = Reviewer(record.game, samples, seed)
            found.append(reviewer.review(record, bar.advance))
            if not found[-1].complete:
                break
    if html is not None and found:
        files.write_text(html, page(found))
    if as_json:
        told = {"reviews": [review_data(each) for each in found], "profiles": profile_rows(found)}
        screen.print_json(told, "review")
    else:
        for each in found:
            _show(each)
        if len(found) > 1:
            _show_profiles(found)
    if not all(each.complete for each in found):
        raise click.Abort


def _show(review: "Review") -> None:
    from undercut.lab.review import words

    console = screen.console()
    console.print(words.heading(review), soft_wrap=True)
    for number in range(len(review.players)):
        if story := words.story(review, number):
            console.print(story, soft_wrap=True)
    table = screen.plain_table()
    table.add_column("player", overflow="fold")
    table.add_column("decisions", justify="right")
    table.add_column("points lost a decision", justify="right")
    table.add_column("errors")
    for seat in review.seats:
        counts = words.error_counts(seat)
        table.add_row(seat.player, str(seat.decisions), f"{seat.error_rate:.2f}", counts)
    console.print(table)
    _show_account(review)
    if review.errors:
        console.print("The errors that cost most:")
    for error in review.errors[:_SHOWN]:
        player = review.players[error.seat]
        place = f"deal {error.deal + 1}, move {error.ply + 1}, {player}"
        console.print(f"{place}: {error.played.text}; better: {error.best.text}")
        console.print(f"  {words.verdict(error)}")
        if error.themes:
            console.print(f"  {words.themes(error)}")
        if compared := words.comparison(error):
            console.print(f"  {compared}")
    if len(review.errors) > _SHOWN:
        console.print(f"and {len(review.errors) - _SHOWN} smaller ones (--html, --json)")


def _show_account(review: "Review") -> None:
    from undercut.lab.review import words
    from undercut.lab.review.worth import POINTS

    account = review.account(POINTS)
    if account is None:
        return
    table = screen.plain_table()
    table.add_column("points", overflow="fold")
    for player in review.players:
        table.add_column(player, justify="right")
    columns = [list(words.account_rows(account, seat)) for seat in range(len(review.players))]
    for place, (name, _) in enumerate(columns[0]):
        table.add_row(name, *(words.signed(column[place][1]) for column in columns))
    screen.console().print(table)


def _show_profiles(reviews: "list[Review]") -> None:
    """Error rate, luck and the dearest theme of each player over all matches."""
    from undercut.lab.review.profile import by_player, profile
    from undercut.lab.review.profile_page import told

    table = screen.plain_table()
    for name in (
        "game",
        "player",
        "deals",
        "points lost a decision",
        "luck a deal",
        "dearest theme",
    ):
        table.add_column(name, overflow="fold")
    for (game, player), sides in by_player(reviews).items():
        found = profile(sides)
        theme = found.themes[0].name if found.themes else "–"
        rate, luck = told(found.error_rate, 2), told(found.luck, 1)
        table.add_row(game, player, str(found.deals), rate, luck, theme)
    screen.console().print(table)
