"""`undercut match`."""

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from undercut.cli import arguments, results, screen

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rich.console import Console

    from undercut.games.contract import Game
    from undercut.lab.compare import Comparison
    from undercut.lab.results_file import Ledger
    from undercut.lab.sprt import Sprt
    from undercut.play.agent import AnyAgent


class Test(NamedTuple):
    """The options of a sequential probability ratio test."""

    win_rates: tuple[float, float] | None
    elos: tuple[float, float] | None
    alpha: float
    beta: float

    def sprt(self) -> "Sprt | None":
        """The test; None if the options ask for none."""
        from undercut.lab.sprt import Sprt, win_rate_of_elo

        win_rates = self.win_rates
        if win_rates is not None and self.elos is not None:
            raise click.UsageError("--sprt and --sprt-elo: give one of them")
        if self.elos is not None:
            low, high = map(win_rate_of_elo, self.elos)
            win_rates = low, high
        return None if win_rates is None else Sprt(*win_rates, alpha=self.alpha, beta=self.beta)


@click.command(short_help="Let agents play each other: who is better?")
@arguments.series_arguments(10**12)
@arguments.machine_options
@click.option(
    "--sprt",
    "win_rates",
    type=arguments.low_and_high("--sprt"),
    metavar="LOW,HIGH",
    help="Stop as soon as it is clear which of two win rates better fits the first "
    "agent; -n is then the maximum number of games.",
)
@click.option(
    "--sprt-elo",
    "elos",
    type=arguments.low_and_high("--sprt-elo"),
    metavar="LOW,HIGH",
    help="The same, with Elo points in place of win rates.",
)
@click.option(
    "--alpha", default=0.05, show_default=True, metavar="P", help="Chance to accept HIGH wrongly."
)
@click.option(
    "--beta", default=0.05, show_default=True, metavar="P", help="Chance to accept LOW wrongly."
)
@arguments.folder_option(
    "--record", "Record every game, one file each: `undercut replay` shows and verifies them."
)
@arguments.resume_option
@arguments.adjust_option
@arguments.json_option
@arguments.gathered("test", Test)
def match(
    series: arguments.Series,
    machines: arguments.Machines,
    test: Test,
    folder: Path | None,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Let agents play each other at GAME, and say who is better and how sure that is.

    The agents play every deal in every seating: two agents play it twice, with seats exchanged.
    Five and more agents rotate their seats, in a random order for each deal. The 95 % intervals are
    over deals, not games. With more than two agents the measure is the place in a game; agents with
    equal scores share their places. Ctrl-C shows the results of the games played. With --resume the
    same command continues, with the same final result.

    \b
    undercut match gin simple patient
    undercut match gin:target=50 simple thrifty:link=2 -n 100000 --seed 7
    undercut match distilled+knock simple random -n 200 --json
    undercut match gin thrifty simple -n 100000 --sprt 0.50,0.55
    undercut match gin thrifty simple -n 2000 --adjust
    undercut match rummy:alternate_starter=0 heuristic greedy --json
    undercut match pharaoh random random random random -n 2000
    undercut match gin simple python:mybot.py:MyBot -n 100 --record games
    undercut match gin simple patient -n 10000000 --cluster auto
    undercut match gin montecarlo simple -n 20000 --resume night.db

    `undercut rules` and `undercut agents` list games and agents. `python:` and `engine:` agents run
    code with your rights: use only those that you trust.
    """
    from undercut.lab.compare import Stopped, play_match
    from undercut.lab.recording import RecordFolder
    from undercut.lab.rounds import warm_up, whole_rounds
    from undercut.lab.workers import Setup
    from undercut.play.seating import seatings
    from undercut.players.luck.provided import luck_of

    rule_set, players = _sit_down(series.game, series.agents)
    luck = luck_of(rule_set) if series.adjust else None
    sprt = test.sprt()
    size = len(seatings(players))
    to_play = whole_rounds(series.games, players) * size
    keep = None if folder is None else RecordFolder(folder).keep
    stopped: Stopped | None = None
    arguments.say_rounded(series.games, to_play, size)
    arguments.say_by_clock(players)
    with _ledger(resume, rule_set, series) as ledger:
        done = 0 if ledger is None else sum(len(part.deals) for part in ledger.parts) * size
        if 0 < done < to_play:
            click.echo(f"going on: {done:,} of {to_play:,} games are done", err=True)
        if machines.cluster is None:
            with screen.compiling():
                warm_up(rule_set, players, machines.device, luck)
        with machines.crew() as crew, screen.Bar(to_play, "games") as bar:
            bar.advance(min(done, to_play))
            try:
                result = play_match(
                    rule_set,
                    players,
                    to_play,
                    series.seed,
                    Setup(machines.device, machines.workers, crew, bar.advance, keep),
                    sprt=sprt,
                    adjust=series.adjust,
                    ledger=ledger,
                )
            except Stopped as stop:
                result, stopped = stop.so_far, stop
    results.say_forfeits(result.agents, result.moments, players, crew)
    if as_json:
        screen.print_json(result.to_json(), "match")
    else:
        _show(result)
    if stopped is not None:
        raise stopped


def _ledger(
    path: Path | None, game: "Game", series: arguments.Series
) -> "AbstractContextManager[Ledger | None]":
    """The file that keeps the results; None without --resume."""
    from contextlib import closing, nullcontext

    from undercut.lab.results_file import Heading, Ledger

    if path is None:
        return nullcontext()
    _, agents, _, seed, adjust = series
    heading = Heading(game.name, game.rules.VERSION, [*agents], seed, adjust)
    return closing(Ledger(path, heading))


def _sit_down(game: str, agents: tuple[str, ...]) -> "tuple[Game, list[AnyAgent]]":
    """The rule set for this many agents, and the agents; a repeated spec is one agent."""
    from undercut.games.families import parse_game
    from undercut.players.catalog import parse_agent

    rule_set = parse_game(game, len(agents))
    by_spec = {spec: parse_agent(spec, rule_set) for spec in agents}
    return rule_set, [by_spec[spec] for spec in agents]


def _show(result: "Comparison") -> None:
    from undercut.lab import result_tables

    console = screen.console()
    moments = result.moments
    if result.asked:
        console.print(f"stopped before all {result.asked:,} games were played; so far:")
    console.print(
        f"{result.game.name}: {result.games:,} games, {moments.deals:,} deals, "
        f"seed {result.seed}, {result.deals_per_second:,.0f} deals/s",
        soft_wrap=True,
    )
    console.print(results.agents_table(result.agents, range(moments.agents), result.columns))
    if moments.is_adjusted:
        adjusted = result_tables.adjusted_columns(moments)
        console.print("with the luck of the cards taken out", style="dim")
        console.print(results.agents_table(result.agents, range(moments.agents), adjusted))
    console.print(result.lead, soft_wrap=True)
    _show_statistics(console, result)
    if result.sprt is not None:
        _show_sprt(console, result)


def _show_statistics(console: "Console", result: "Comparison") -> None:
    statistics = result.moments.statistics(result.game.rules)
    facts = [(name.replace("_", " "), f"{each.value:.3g}") for name, each in statistics.items()]
    half = (len(facts) + 1) // 2
    table = screen.plain_table(show_header=False)
    for _ in range(2):
        table.add_column(style="dim")
        table.add_column(style="dim", justify="right")
    for left, right in zip_longest(facts[:half], facts[half:], fillvalue=("", "")):
        table.add_row(*left, *right)
    console.print(table)


def _show_sprt(console: "Console", result: "Comparison") -> None:
    from undercut.lab.sprt import HIGH, LOW

    sprt = result.sprt
    assert sprt is not None
    answers = {
        LOW: f"{sprt.low:.3g} accepted, {sprt.high:.3g} rejected",
        HIGH: f"{sprt.high:.3g} accepted, {sprt.low:.3g} rejected",
    }
    answer = answers.get(sprt.verdict, f"undecided between {sprt.low:.3g} and {sprt.high:.3g}")
    console.print(
        f"sequential test of {result.agents[0]}'s win rate: {answer} after {sprt.pairs:,} pairs "
        f"(log likelihood ratio {sprt.ratio:+.2f}). The interval above does not allow for the "
        "early stop."
    )
