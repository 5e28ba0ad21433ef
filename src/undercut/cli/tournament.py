"""`undercut tournament`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from undercut.cli import arguments, results, screen

if TYPE_CHECKING:
    from undercut.lab.result_tables import Column
    from undercut.lab.tournament import Standings, Tournament
    from undercut.lab.workers import Crew


class Output(NamedTuple):
    """The results that a tournament shows, and their form."""

    plot: Path | None
    times: bool
    as_json: bool


@click.command(short_help="Let every agent play every other, and rate them all.")
@arguments.series_arguments(10**8)
@arguments.resume_option
@arguments.plot_option("Draw the ratings and results: .png, .svg or .pdf.")
@arguments.number_option(
    "--seats", 2, 8, "K", "Players at a table, by default as few as the game allows."
)
@click.option(
    "--times",
    is_flag=True,
    help="Also time some decisions of each agent, in separate games. The same seed gives the same "
    "results, except for times.",
)
@arguments.machine_options
@arguments.adjust_option
@arguments.json_option
@arguments.gathered("output", Output)
def tournament(
    series: arguments.Series,
    resume: Path | None,
    seats: int | None,
    machines: arguments.Machines,
    output: Output,
) -> None:
    """Let every agent play every other at GAME, -n games each, and rate them all.

    All tables (all pairs of agents, or with --seats K all groups of K) play the same deals, each
    deal with seats exchanged. Ratings are Elo points: 100 points more win about 64 % of the games.
    At larger tables a game counts for every pair of agents: the better place wins. With --resume a
    larger -n adds games to a tournament.

    \b
    undercut tournament gin simple patient thrifty
    undercut tournament gin simple patient thrifty -n 10000 --plot ratings.png
    undercut tournament gin simple patient thrifty -n 2000 --adjust
    undercut tournament distilled simple thrifty --resume spring.db
    undercut tournament distilled simple thrifty --resume spring.db --cluster auto
    undercut tournament rummy random greedy heuristic --times --plot report.svg
    undercut tournament pharaoh random python:a.py:A python:b.py:B --seats 3

    `python:` and `engine:` agents run code with your rights: use only those that you trust.
    """
    from undercut.games.families import parse_game
    from undercut.lab.tournament import Tournament, parse_entrants

    game, agents, games, seed, adjust = series
    rule_set = parse_game(game, seats)
    entrants = parse_entrants(agents, rule_set)
    with Tournament(rule_set, entrants, games, seed, resume, adjust) as contest:
        size = contest.games_in_round
        arguments.say_rounded(games, contest.rounds * size, size)
        arguments.say_by_clock(contest.agents)
        try:
            with machines.crew() as crew:
                standings = _play(contest, machines, crew)
        except KeyboardInterrupt:
            if resume is not None:
                done = contest.games - contest.games_left
                click.echo(f"{done:,} games are kept: the same command goes on", err=True)
            raise
    if output.times:
        standings = _timed(standings, contest)
    if output.plot is not None:
        from undercut.lab.plot import plot_standings

        plot_standings(standings, output.plot)
    results.say_forfeits(standings.agents, standings.moments, contest.agents, crew)
    if output.as_json:
        screen.print_json(standings.to_json(), "tournament")
    else:
        _show(standings)


def _play(contest: "Tournament", machines: arguments.Machines, crew: "Crew | None") -> "Standings":
    from undercut.lab.workers import Setup

    total = contest.games
    if 0 < contest.games_left < total:
        click.echo(
            f"going on: {total - contest.games_left:,} of {total:,} games are done", err=True
        )
    with screen.compiling(), screen.Bar(total, "games") as bar:
        bar.advance(total - contest.games_left)
        setup = Setup(machines.device, machines.workers, crew, bar.advance)
        return contest.play(setup, bar.describe)


def _timed(standings: "Standings", contest: "Tournament") -> "Standings":
    from undercut.lab.timing import time_decisions

    with screen.compiling(), screen.Bar(len(contest.agents), "agents") as bar:
        taken = []
        for name, agent in zip(contest.names, contest.agents, strict=True):
            bar.step(f"the time of {name}")
            taken.append(time_decisions(contest.game, agent))
    return replace(standings, times=tuple(taken))


def _show(standings: "Standings") -> None:
    from undercut.lab import result_tables

    console = screen.console()
    game, moments = standings.game, standings.moments
    names, order = standings.agents, standings.order
    table = "" if game.seats == 2 else f" of {game.seats}"
    console.print(
        f"{game.name}: {len(names)} agents, {standings.games:,} games at each table{table}, "
        f"seed {standings.seed}",
        soft_wrap=True,
    )
    ratings = [*standings.rating_columns, *_time_columns(standings)]
    console.print(results.agents_table(names, order, ratings, numbered=True))
    console.print(results.agents_table(names, order, standings.columns, numbered=True))
    if moments.is_adjusted:
        adjusted = result_tables.adjusted_columns(moments)
        console.print(
            "with the luck of the cards taken out, as in the ratings and below", style="dim"
        )
        console.print(results.agents_table(names, order, adjusted, numbered=True))
    console.print("wins of the row against the column, in %", style="dim")
    console.print(results.agents_table(names, order, _cross_columns(standings), numbered=True))
    shares = {rate.name for rate in game.rules.RATES if rate.is_share}
    console.print("all tables together", style="dim")
    console.print(results.statistics_table(moments.statistics(game.rules), shares))


def _time_columns(standings: "Standings") -> "list[Column]":
    times = standings.times
    if times is None:
        return []
    return [
        ("µs/decision", lambda i: f"{times[i].mean:,.1f}"),
        ("19 of 20 within", lambda i: f"{times[i].percentile95:,.1f}"),
    ]


def _cross_columns(standings: "Standings") -> "list[Column]":
    rates = standings.win_rates

    def against(other: int) -> "Column":
        def cell(agent: int) -> str:
            rate = rates[agent][other]
            return "–" if rate is None else f"{100 * rate:.1f}"

        return str(standings.order.index(other) + 1), cell

    return [against(other) for other in standings.order]
