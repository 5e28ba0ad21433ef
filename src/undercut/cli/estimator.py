"""`undercut generate`, `train` and `score`: the steps to an estimator of the other hand."""

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console
    from rich.table import Table

    from undercut.learn.score import Score
    from undercut.learn.train import Trained
    from undercut.players.belief import Network

_folder = click.Path(path_type=Path, file_okay=False)
_folders_argument = click.argument(
    "folders", nargs=-1, required=True, type=_folder, metavar="FOLDER..."
)


_IN_PARTS = ("recall@10", "log_loss")  # figures by turn and by opponent


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
    from undercut.learn.candidates import check_unseen, of_network
    from undercut.learn.decisions import Decisions
    from undercut.learn.score import score as score_beliefs
    from undercut.learn.train import Plan
    from undercut.learn.train import train as run

    epochs, batch, rate, seed, restart = schedule
    data = Decisions(folders)

    def held_out(network: "Network") -> dict[str, object]:
        assert test is not None
        return score_beliefs({"network": of_network(data.belief, network)}, [test]).headline()

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


@click.command(short_help="Score guesses of the other hand on unseen decisions.")
@_folders_argument
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="A belief to score: paper, joint or a .safetensors file; may be given many times. "
    "[default: all that come with the game]",
)
@click.option(
    "--remember/--forget",
    default=True,
    show_default=True,
    help="Treat openly taken cards as known, or leave them to the paper's network.",
)
@arguments.plot_option("Draw calibration and recall.")
@arguments.json_option
def score(
    folders: tuple[Path, ...],
    models: tuple[str, ...],
    remember: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Score beliefs about the other hand on the decisions in FOLDERs, next to plain counting.

    recall@K is the share of the other hand's cards among the K likeliest. tkca@K (top K categorical
    accuracy) is the frequency of its first card there, aces before deuces; tkca-suits@K is the same
    with clubs before diamonds. Counting always knows openly taken cards. The command refuses the
    training deals of a network that `undercut train` made.

    \b
    undercut score runs/test
    undercut score runs/test --model joint
    undercut score runs/test --model paper --model runs/a.safetensors
    undercut score runs/test --model runs/a.safetensors --forget
    undercut score runs/test --plot calibration.png --json
    """
    from undercut.learn.candidates import load, shipped, short_names
    from undercut.learn.decisions import Decisions
    from undercut.learn.score import score as score_beliefs

    data = Decisions(folders)
    named = short_names(models or shipped(data.game))
    candidates = {name: load(data.game, model, remember) for name, model in named.items()}
    with screen.compiling(), screen.Bar(len(data), "decisions") as bar:
        result = score_beliefs(candidates, folders, remember=remember, progress=bar.advance)
    if plot is not None:
        from undercut.paper.plots import plot_scores

        plot_scores(result.to_json(), plot)
    if as_json:
        screen.print_json(result.to_json(), "score")
    else:
        _show(result)


def _show(result: "Score") -> None:
    from undercut.learn.score import NAMES

    console = screen.console()
    console.print(f"{result.decisions:,} decisions of {result.matches:,} matches")
    how = "knows (--remember)" if result.remember else "guesses (--forget)"
    console.print(f"The paper's network {how} the cards seen being taken.")
    table = _table_of("", result.candidates)
    for name in NAMES:
        figures = (result.mean(candidate, name) for candidate in result.candidates)
        table.add_row(name, *(_with_error(*figure, name) for figure in figures))
    errors = (result.calibration_error(candidate) for candidate in result.candidates)
    table.add_row("miscalibration", *(f"{error:.4f}" for error in errors))
    console.print(table)
    console.print("± is half the 95 % interval; a lower log_loss is better", style="dim")
    _show_lifts(console, result)
    for candidate in result.candidates[:-1]:
        _show_choices(console, candidate, result)
    _show_parts(console, "turn", [str(turn) for turn in range(1, 16)], result)
    _show_parts(console, "opponent", result.agents, result)


def _table_of(first: str, headings: "Iterable[str]") -> "Table":
    """A table whose columns of numbers have these headings."""
    table = screen.plain_table()
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _show_lifts(console: "Console", result: "Score") -> None:
    """By how much a belief is better than another one, on the same decisions."""
    from undercut.learn.score import NAMES

    table = _table_of("difference", (f"{one}\n- {other}" for one, other in result.pairs))
    for name in NAMES:
        lifts = (result.lift(one, name, other) for one, other in result.pairs)
        table.add_row(name, *(_with_error(*lift, name) for lift in lifts))
    console.print(table)


def _show_choices(console: "Console", candidate: str, result: "Score") -> None:
    """A belief's figures at draws alone and at discards alone."""
    from undercut.learn.score import CHOICES, NAMES

    headings = (f"{choice}s alone ({result.decisions_at(choice):,})" for choice in CHOICES)
    table = _table_of(candidate, headings)
    for name in NAMES:
        figures = (result.mean_at(choice, candidate, name) for choice in CHOICES)
        cells = ["" if figure is None else _with_error(*figure, name) for figure in figures]
        table.add_row(name, *cells)
    console.print(table)


def _cell(value: float, name: str) -> str:
    from undercut.lab.result_tables import percent

    return f"{value:.4f}" if name == "log_loss" else percent(value, 2)


def _with_error(value: float, interval: tuple[float, float], name: str) -> str:
    return f"{_cell(value, name)} ± {_cell((interval[1] - interval[0]) / 2, name)}"


def _show_parts(console: "Console", what: str, labels: list[str], result: "Score") -> None:
    """Some figures of every belief by turn or by opponent."""
    shown = [(name, each) for name in _IN_PARTS for each in result.candidates]
    table = screen.plain_table()
    for heading in (what, *(f"{name}\n{candidate}" for name, candidate in shown)):
        table.add_column(heading, justify="right", overflow="fold")
    figures = result.by_turn if what == "turn" else result.by_opponent
    columns = [
        ["" if value is None else _cell(value, name) for value in figures(candidate, name)]
        for name, candidate in shown
    ]
    for label, *cells in zip(labels, *columns, strict=True):
        if any(cells):
            table.add_row(label, *cells)
    console.print(table)
