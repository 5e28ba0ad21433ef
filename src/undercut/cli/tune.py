"""`undercut tune`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.learn.tune import Strategy


@click.command(short_help="Find good settings for an agent.")
@click.argument("game")
@click.argument("agent")
@click.option(
    "--against",
    "opponents",
    multiple=True,
    required=True,
    metavar="AGENT",
    help="Who it plays; may be given many times.",
)
@click.option(
    "--vary",
    "wanted",
    multiple=True,
    metavar="SETTING[=LOW:HIGH]",
    help="A setting to tune and its range; by default all settings, as far as they go.",
)
@click.option(
    "--study",
    type=arguments.OutFile(),
    required=True,
    metavar="FILE",
    help="Keep trials in FILE (SQLite), and carry on from what it holds.",
)
@arguments.number_option(
    "--trials", 1, 10**6, "N", "How many settings are tried, those in FILE included.", default=100
)
@click.option(
    "--method",
    type=click.Choice(["paper", "random", "tpe", "cmaes"]),
    default="paper",
    show_default=True,
    help="paper: a random search, then a grid around the best; tpe and cmaes learn from all trials.",
)
@arguments.games_option(1000, 10**9)
@arguments.number_option("--keep", 1, 100, "N", "How many different strategies to keep.", default=3)
@arguments.number_option(
    "--validate",
    1,
    10**9,
    "N",
    "Games on fresh deals that measure the strategies kept.",
    default=4000,
)
@arguments.seed_option
@arguments.device_option
@arguments.workers_option
@arguments.cluster_option
@arguments.json_option
def tune(
    game: str,
    agent: str,
    opponents: tuple[str, ...],
    wanted: tuple[str, ...],
    study: Path,
    trials: int,
    method: str,
    games: int,
    keep: int,
    validate: int,
    seed: int,
    device: str,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Find settings of AGENT that win most at GAME, every trial on the same deals.

    The best strategies that differ from each other are then measured on fresh deals. If it is
    stopped, the same command carries on. Needs the extra 'tune'.

    \b
    undercut tune gin thrifty --against simple --vary link=0:5 --study thrifty.db
    undercut tune gin heuristic:samples=20 --against simple --against thrifty \\
        --vary meld_bonus=0:5 --study paper.db --method tpe --trials 300
    undercut tune gin thrifty --against simple --study t.db --cluster auto
    """
    from undercut.games.families import parse_game
    from undercut.learn.tune import Task, Tuning, parse_ranges

    rule_set = parse_game(game)
    ranges = parse_ranges(rule_set, agent, wanted)
    tuning = Tuning(Task(rule_set, agent, opponents, ranges, games, seed), study)
    with (
        arguments.crew_of(cluster, device, workers) as crew,
        screen.compiling(),
        screen.Bar(trials, "trials") as bar,
    ):

        def show(count: int, text: str) -> None:
            bar.advance(count)
            bar.describe(text)

        tuning.search(trials, method, device=device, workers=workers, progress=show, crew=crew)
        bar.describe("on fresh deals")
        strategies = tuning.strategies(keep, validate, device=device, workers=workers, crew=crew)
    if as_json:
        screen.print_json(
            {
                "game": rule_set.name,
                "trials": len(tuning.finished),
                "seed": seed,
                "strategies": [strategy.to_json() for strategy in strategies],
            },
            "tune",
        )
    else:
        _show(strategies, opponents)


def _show(strategies: "list[Strategy]", opponents: tuple[str, ...]) -> None:
    from undercut.lab.result_tables import percent, percents

    table = screen.plain_table()
    table.add_column("strategy", overflow="fold")
    table.add_column("tuned", justify="right", no_wrap=True)
    for opponent in opponents:
        table.add_column(f"v {opponent}, fresh deals", justify="right")
    for strategy in strategies:
        cells = []
        for result in strategy.results:
            interval = percents(result.moments.win_interval(0))
            cells.append(f"{percent(result.moments.win_rate(0))} ({interval})")
        table.add_row(strategy.spec, percent(strategy.tuned), *cells)
    screen.console().print(table)
