"""`undercut tune`."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.learn.tune import Strategy


class Search(NamedTuple):
    """A search for settings."""

    opponents: tuple[str, ...]
    wanted: tuple[str, ...]
    study: Path
    trials: int
    method: str
    keep: int
    validate: int


@click.command(short_help="Find good settings for an agent.")
@click.argument("game")
@click.argument("agent")
@click.option(
    "--against",
    "opponents",
    multiple=True,
    required=True,
    metavar="AGENT",
    help="An opponent; may be given many times.",
)
@click.option(
    "--vary",
    "wanted",
    multiple=True,
    metavar="SETTING[=LOW:HIGH]",
    help="A setting to tune and its range; by default every setting over its full range.",
)
@arguments.file_option(
    "--study", "Store trials in FILE (SQLite), and continue those that it holds.", required=True
)
@arguments.number_option(
    "--trials", 1, 10**6, "N", "The number of trials, those in FILE included.", default=100
)
@arguments.choice_option(
    "--method",
    ["paper", "random", "tpe", "cmaes"],
    "paper: a random search, then a grid around the best; tpe and cmaes learn from all trials.",
)
@arguments.games_option(1000, 10**9)
@arguments.number_option(
    "--keep", 1, 100, "N", "The number of different strategies to keep.", default=3
)
@arguments.number_option(
    "--validate", 1, 10**9, "N", "Games on new deals to measure the kept strategies.", default=4000
)
@arguments.seed_option
@arguments.machine_options
@arguments.json_option
@arguments.gathered("search", Search)
def tune(
    game: str,
    agent: str,
    search: Search,
    games: int,
    seed: int,
    machines: arguments.Machines,
    as_json: bool,
) -> None:
    """Find settings of AGENT that win most at GAME, every trial on the same deals.

    Then the command measures the best strategies that differ from each other on new deals. After an
    interruption the same command continues. Needs the extra 'tune'.

    \b
    undercut tune gin thrifty --against simple --vary link=0:5 --study thrifty.db
    undercut tune gin heuristic:samples=20 --against simple --against thrifty \\
        --vary meld_bonus=0:5 --study paper.db --method tpe --trials 300
    undercut tune gin thrifty --against simple --study t.db --cluster auto
    """
    from undercut.games.families import parse_game
    from undercut.lab.workers import Setup
    from undercut.learn.tune import Task, Tuning, parse_ranges

    rule_set = parse_game(game)
    ranges = parse_ranges(rule_set, agent, search.wanted)
    tuning = Tuning(Task(rule_set, agent, search.opponents, ranges, games, seed), search.study)
    device, workers, _ = machines
    with machines.crew() as crew, screen.compiling(), screen.Bar(search.trials, "trials") as bar:

        def show(count: int, text: str) -> None:
            bar.advance(count)
            bar.describe(text)

        setup = Setup(device, workers, crew)
        tuning.search(search.trials, search.method, setup, progress=show)
        bar.describe("on fresh deals")
        strategies = tuning.strategies(search.keep, search.validate, setup)
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
        _show(strategies, search.opponents)


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
