"""`undercut generate`, `train` and `score`: the steps to an estimator of the other hand."""

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from rich.console import Console

    from undercut.learn.score import Score
    from undercut.learn.train import Trained
    from undercut.players.belief import Network

_folder = click.Path(path_type=Path, file_okay=False)
_folders_argument = click.argument(
    "folders", nargs=-1, required=True, type=_folder, metavar="FOLDER..."
)


def command_line() -> str:
    """The command line of this process."""
    return shlex.join(["undercut", *sys.argv[1:]])


@click.command(short_help="Let agents play, and store their decisions for training.")
@click.argument("folder", type=arguments.OUT_FOLDER)
@click.argument("game")
@click.argument("agents", nargs=-1, metavar="[AGENT...]")
@arguments.number_option(
    "--decisions",
    1,
    10**12,
    "N",
    "How many, shared evenly by all pairs of AGENTs.",
    default=100_000,
)
@click.option(
    "--pair",
    "pairs",
    type=(str, str, arguments.whole_number("--pair", 1, 10**12)),
    multiple=True,
    metavar="AGENT AGENT N",
    help="Two agents and the number of their decisions; may be given many times.",
)
@arguments.seed_option
@arguments.machine_options
@arguments.json_option
def generate(
    folder: Path,
    game: str,
    agents: tuple[str, ...],
    decisions: int,
    pairs: tuple[tuple[str, str, int], ...],
    seed: int,
    machines: arguments.Machines,
    as_json: bool,
) -> None:
    """Let agents play GAME and store every decision in FOLDER, about half a byte for each.

    A decision is a choice of either seat before the hands are open. FOLDER holds Parquet files of
    whole matches. After an interruption the same command continues after the last file.

    \b
    undercut generate runs/a gin simple thrifty patient --decisions 200000
    undercut generate runs/b gin --pair simple thrifty 40000
    undercut generate runs/test gin simple thrifty --decisions 20000 --seed 99
    undercut generate runs/c gin estimator simple --decisions 90000 --cluster auto
    """
    from undercut.games.families import parse_game
    from undercut.lab.workers import Setup
    from undercut.learn.generate import even_pairings
    from undercut.learn.generate import generate as make
    from undercut.learn.shards import Pairing

    if bool(agents) == bool(pairs):
        raise click.UsageError("give either some AGENTs or some --pair, not both")
    pairings = [Pairing((one, other), count) for one, other, count in pairs]
    if agents:
        pairings = even_pairings(agents, decisions)
    total = sum(pairing.decisions for pairing in pairings)
    with machines.crew() as crew, screen.compiling(), screen.Bar(total, "decisions") as bar:
        made = make(
            folder,
            parse_game(game),
            pairings,
            seed,
            Setup(machines.device, machines.workers, crew, bar.advance),
        )
    if as_json:
        screen.print_json({"folder": str(folder), **asdict(made), "seed": seed}, "generate")
    else:
        click.echo(
            f"{folder}: {made.decisions:,} decisions of {made.matches:,} matches in "
            f"{made.bytes:,} bytes ({made.bytes / made.decisions:.2f} for each)"
        )


class Schedule(NamedTuple):
    """How long and how fast a network learns."""

    epochs: int
    batch: int
    rate: float
    seed: int
    restart: bool


@click.command(short_help="Train the estimator of the other hand.")
@_folders_argument
@arguments.file_option("--out", "The weights: a .safetensors file.", required=True)
@click.option("--test", type=_folder, metavar="FOLDER", help="Score the result on these decisions.")
@arguments.number_option("--epochs", 1, 10_000, "N", "Passes over all decisions.", default=10)
@arguments.number_option("--batch", 1, 1 << 20, "N", "Decisions in one step.", default=1024)
@click.option(
    "--rate",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.001,
    show_default=True,
    metavar="R",
    help="Adam's learning rate at the start; it falls linearly to 0.",
)
@arguments.restart_option
@arguments.seed_option
@arguments.device_option
@arguments.workers_option
@arguments.json_option
@arguments.gathered("schedule", Schedule)
def train(
    folders: tuple[Path, ...],
    out: Path,
    test: Path | None,
    schedule: Schedule,
    device: str,
    workers: int | None,
    as_json: bool,
) -> None:
    """Train the network of the paper (208 - 500 - 500 - 52) on the decisions in FOLDERs.

    Binary cross-entropy, Adam. The command writes a checkpoint next to the weights every ten
    seconds; after an interruption the same command continues from there. The weights do not depend
    on --workers. Needs the extra 'train'.

    \b
    undercut train runs/a --out runs/a.safetensors --epochs 2
    undercut train runs/a runs/b --out model.safetensors --device cuda
    """
    from undercut.learn.decisions import Decisions
    from undercut.learn.score import check_unseen
    from undercut.learn.score import score as score_network
    from undercut.learn.train import Plan
    from undercut.learn.train import train as run

    epochs, batch, rate, seed, restart = schedule
    data = Decisions(folders)

    def held_out(network: "Network") -> dict[str, object]:
        assert test is not None
        return score_network(network, [test]).headline()

    if test is not None:
        check_unseen(data.describe(), Decisions([test]))
    with screen.compiling(), screen.Bar(len(data) * epochs, "decisions") as bar:

        def show(count: int, loss: float) -> None:
            bar.advance(count)
            bar.describe(f"loss {loss:.4f}")

        trained = run(
            folders,
            out,
            Plan(epochs, batch, rate, seed),
            device=device,
            workers=workers,
            command=command_line(),
            held_out=None if test is None else held_out,
            restart=restart,
            progress=show,
        )
    _show_trained(out, len(data), trained, seed, as_json)


def _show_trained(out: Path, decisions: int, trained: "Trained", seed: int, as_json: bool) -> None:
    if as_json:
        screen.print_json(
            {
                "model": str(out),
                "decisions": decisions,
                "losses": trained.losses,
                "seed": seed,
                "seconds": trained.seconds,
                "examples_per_second": trained.examples_per_second,
            },
            "train",
        )
    else:
        losses = ", ".join(f"{loss:.4f}" for loss in trained.losses)
        click.echo(f"{out}: {decisions:,} decisions, loss by epoch {losses}")


@click.command(short_help="Score an estimator on unseen decisions.")
@click.argument("model")
@_folders_argument
@click.option(
    "--remember/--forget",
    default=True,
    show_default=True,
    help="Treat openly taken cards as known, or leave them to the network.",
)
@arguments.plot_option("Draw calibration and recall.")
@arguments.json_option
def score(
    model: str, folders: tuple[Path, ...], remember: bool, plot: Path | None, as_json: bool
) -> None:
    """Score MODEL on the decisions in FOLDERs, next to plain counting.

    MODEL is a .safetensors file or the name of a model that comes with undercut. recall@K is the
    share of the other hand's cards among the K likeliest. tkca@K (top K categorical accuracy) is
    the frequency of its first card there, aces before deuces; tkca-suits@K is the same with clubs
    before diamonds. Counting always knows openly taken cards. The command refuses training deals
    of MODEL.

    \b
    undercut score runs/a.safetensors runs/test
    undercut score runs/a.safetensors runs/test --forget
    undercut score runs/a.safetensors runs/test --plot calibration.png --json
    """
    from undercut.learn.decisions import Decisions
    from undercut.learn.score import score as score_network

    data = Decisions(folders)
    network = data.belief.load_network(model)
    with screen.compiling(), screen.Bar(len(data), "decisions") as bar:
        result = score_network(network, folders, remember=remember, progress=bar.advance)
    if plot is not None:
        from undercut.paper.plots import plot_scores

        plot_scores(result.to_json(), plot)
    if as_json:
        screen.print_json({"model": model, **result.to_json()}, "score")
    else:
        _show(model, result)


def _show(model: str, result: "Score") -> None:
    from undercut.learn.score import NAMES

    console = screen.console()
    console.print(f"{model}: {result.decisions:,} decisions of {result.matches:,} matches")
    how = "known to be held (--remember)" if result.remember else "left to the network (--forget)"
    console.print(f"Cards seen being taken are {how}; counting knows them.")
    table = screen.plain_table()
    table.add_column("", no_wrap=True)
    for heading in ("network", "counting", "lift"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name in NAMES:
        figures = [result.mean("network", name), result.mean("counting", name), result.lift(name)]
        table.add_row(name, *(_with_error(value, interval, name) for value, interval in figures))
    errors = [f"{result.calibration_error(method):.4f}" for method in ("network", "counting")]
    table.add_row("miscalibration", *errors, "")
    console.print(table)
    console.print("± is half the 95 % interval; a lower log_loss is better", style="dim")
    _show_choices(console, result)
    _show_parts(console, "turn", [str(turn) for turn in range(1, 16)], result)
    _show_parts(console, "opponent", result.agents, result)


def _show_choices(console: "Console", result: "Score") -> None:
    """The network's figures at draws alone and at discards alone."""
    from undercut.learn.score import CHOICES, NAMES

    table = screen.plain_table()
    table.add_column("network", no_wrap=True)
    for choice in CHOICES:
        heading = f"{choice}s alone ({result.decisions_at(choice):,})"
        table.add_column(heading, justify="right", no_wrap=True)
    for name in NAMES:
        figures = (result.mean_at(choice, "network", name) for choice in CHOICES)
        cells = ["" if figure is None else _with_error(*figure, name) for figure in figures]
        table.add_row(name, *cells)
    console.print(table)


def _cell(value: float, name: str) -> str:
    from undercut.lab.result_tables import percent

    return f"{value:.4f}" if name == "log_loss" else percent(value, 2)


def _with_error(value: float, interval: tuple[float, float], name: str) -> str:
    return f"{_cell(value, name)} ± {_cell((interval[1] - interval[0]) / 2, name)}"


def _show_parts(console: "Console", what: str, labels: list[str], result: "Score") -> None:
    from undercut.learn.score import NAMES

    figures = result.by_turn if what == "turn" else result.by_opponent
    table = screen.plain_table()
    table.add_column(what, overflow="fold")
    for heading in ("recall@10", "counting", "recall@20", "counting", "log_loss", "counting"):
        table.add_column(heading, justify="right", no_wrap=True)
    columns = []
    for name in (NAMES[0], NAMES[2], NAMES[4]):
        for method in ("network", "counting"):
            values = figures(method, name)
            columns.append(["" if value is None else _cell(value, name) for value in values])
    for label, *cells in zip(labels, *columns, strict=True):
        if any(cells):
            table.add_row(label, *cells)
    console.print(table)
