"""`undercut tournament`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.lab.tournament import Standings, Tournament


@click.command(short_help="Let every agent play every other, and rate them all.")
@click.argument("game")
@click.argument("agents", nargs=-1, required=True, metavar="AGENT AGENT...")
@arguments.games_option(1000, 10**8)
@arguments.seed_option
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep results in FILE, and go on from what it holds: stop and start as you like.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the ratings: .png, .svg or .pdf.",
)
@click.option(
    "--seats",
    type=arguments.whole_number("--seats", 2, 8),
    metavar="N",
    help="How many sit at a table, by default as few as the game allows.",
)
@arguments.device_option
@arguments.workers_option
@arguments.json_option
def tournament(
    game: str,
    agents: tuple[str, ...],
    games: int,
    seed: int,
    resume: Path | None,
    plot: Path | None,
    seats: int | None,
    device: str,
    workers: int | None,
    as_json: bool,
) -> None:
    """Let every agent play every other at GAME, -n games each, and rate them all.

    All pairs of agents play the same deals, each deal with seats exchanged. Ratings are Elo
    points: 100 more win about 64 % of the games. More games can be added later to a tournament
    kept in a file: give the same command a larger -n.

    \b
    undercut tournament gin simple patient thrifty
    undercut tournament gin simple patient thrifty -n 10000 --plot ratings.png
    undercut tournament distilled simple thrifty --resume spring.jsonl
    """
    from undercut.games.catalog import parse_game
    from undercut.lab.rounds import games_in_round
    from undercut.lab.tournament import Tournament, parse_entrants

    rule_set = parse_game(game, seats)
    entrants = parse_entrants(agents, rule_set)
    if plot is not None:
        from undercut.lab.plot import check_plot_path

        check_plot_path(plot)
    with Tournament(rule_set, entrants, games, seed, resume) as contest:
        size = games_in_round(rule_set)
        arguments.say_rounded(games, contest.rounds * size, size)
        try:
            standings = _play(contest, device, workers)
        except KeyboardInterrupt:
            if resume is not None:
                done = contest.games - contest.games_left
                click.echo(f"{done:,} games are kept: the same command goes on", err=True)
            raise
    if plot is not None:
        from undercut.lab.plot import plot_ratings

        plot_ratings(standings, plot)
    if as_json:
        screen.print_json(standings.to_json())
    else:
        _show(standings)


def _play(contest: "Tournament", device: str, workers: int | None) -> "Standings":
    total = contest.games
    if 0 < contest.games_left < total:
        click.echo(
            f"going on: {total - contest.games_left:,} of {total:,} games are done", err=True
        )
    if contest.ledger.is_torn:
        click.echo("note: the last line of the file was cut short and is played again", err=True)
    with screen.compiling(), screen.Bar(total, "games") as bar:
        bar.advance(total - contest.games_left)
        return contest.play(
            device=device, workers=workers, progress=bar.advance, announce=bar.describe
        )


def _show(standings: "Standings") -> None:
    console = screen.console()
    agents = len(standings.agents)
    console.print(
        f"{standings.game.name}: {agents} agents, {standings.games:,} games at each table, "
        f"seed {standings.seed}",
        soft_wrap=True,
    )
    console.print(_ratings_table(standings))
    console.print("wins of the row against the column, in %", style="dim")
    console.print(_cross_table(standings))


def _ratings_table(standings: "Standings") -> Any:
    table = screen.plain_table()
    table.add_column("", justify="right")
    table.add_column("agent", overflow="fold")
    for heading in ("Elo", "95 % interval", "points/deal"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, agent in enumerate(standings.order, start=1):
        low, high = standings.ratings.intervals[agent]
        table.add_row(
            str(place),
            standings.agents[agent],
            f"{standings.ratings.elo[agent]:+.0f}",
            f"{low:+.0f} to {high:+.0f}",
            f"{standings.points_per_deal[agent]:.2f}",
        )
    return table


def _cross_table(standings: "Standings") -> Any:
    rates = standings.win_rates
    table = screen.plain_table()
    table.add_column("", justify="right")
    table.add_column("agent", overflow="fold")
    for place in range(1, len(standings.agents) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, agent in enumerate(standings.order, start=1):
        cells = [rates[agent][other] for other in standings.order]
        shown = ["–" if cell is None else f"{100 * cell:.1f}" for cell in cells]
        table.add_row(str(place), standings.agents[agent], *shown)
    return table
