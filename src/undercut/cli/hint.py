"""`undercut hint`: the value of each move in a position, or an agent's action and its reasons."""

from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from undercut.cards.packs import Pack
    from undercut.games.contract import Game
    from undercut.play.explanation import Comparison, Explanation, Figure


@click.command(short_help="Show what each move in a position is worth.")
@click.argument("position")
@click.option(
    "--agent", metavar="AGENT", help="Show the choice and the reasons of this agent instead."
)
@click.option(
    "--samples",
    type=click.IntRange(2, 1_000_000),
    default=400,
    show_default=True,
    help="Deals of the hidden cards on which each move is tried.",
)
@click.option(
    "--milliseconds",
    type=click.FloatRange(1, 600_000),
    help="Sample for that long instead; the result then depends on the machine.",
)
@arguments.seed_option
@arguments.json_option
def hint(
    position: str,
    agent: str | None,
    samples: int,
    milliseconds: float | None,
    seed: int,
    as_json: bool,
) -> None:
    """Show what each move is worth in POSITION, one seat's view as a line of text.

    The evaluator deals the hidden cards many times, tries every move on each deal, and lets the
    game's fast player finish it. It shows the points of the deal and the chance to win the match
    with their standard errors, how far each move is behind the best one, and how the deal ends
    after the best move. The best move is that of the strongest level, unless another one leads it
    by three standard errors.

    With --agent, an agent that gives reasons shows its numbers instead. The paper's player of Gin (heuristic,
    published, estimator) shows for each discard the utility of the remaining hand, the opponent's
    average gain by the card, and the resulting value. For a draw it shows the utilities of both
    piles. It also shows its belief about the other hand.

    \b
    undercut hint gin.00.0-0.4c5c6cKc8d7hKhAsQsKs.Jh.-
    undercut hint POSITION --samples 5000 --seed 7
    undercut hint gin.00.0-0.4c5c6cKc8d5h7hKhAsQsKs.Jhp.tTc-s5h --agent estimator
    undercut hint POSITION --agent estimator:model=FILE,samples=1000 --seed 7
    undercut hint POSITION --agent published --json
    """
    from undercut.games.table.plain_description import description_of
    from undercut.games.table.position import parse_position
    from undercut.play.agent import Random
    from undercut.play.ask import ask_why
    from undercut.play.deal import legal_actions
    from undercut.players.catalog import parse_agent
    from undercut.players.search.evaluate import evaluator_of, explain

    position = position.strip()
    game, view = parse_position(position)
    with screen.compiling():
        legal = legal_actions(game, view)
        if agent is None:
            agent, evaluator = "evaluator", evaluator_of(game.name)
            explanation = explain(evaluator.evaluate(view, legal, samples, seed, milliseconds))
        else:
            chosen = parse_agent(agent, game)
            explanation = ask_why(game, chosen, view, legal, Random.from_seed(seed))
    if as_json:
        told = {"position": position, "agent": agent, **_plain(game, explanation)}
        screen.print_json(told, "hint")
    else:
        action = game.notation.format_action(explanation.action)
        _show(f"{agent}: {action}", explanation, description_of(game.family).pack)


def _plain(game: "Game", explanation: "Explanation") -> dict[str, object]:
    """An explanation as JSON."""
    told: dict[str, object] = {"action": game.notation.format_action(explanation.action)}
    if explanation.reason:
        told["reason"] = explanation.reason
    if explanation.belief:
        told["belief"] = dict(explanation.belief)
    for each in explanation.comparisons:
        keys = [key for key, _ in each.columns]
        told[each.key] = [dict(zip(keys, row, strict=True)) for row in each.rows]
    return told | {figure.key: figure.value for figure in explanation.figures}


def _show(action: str, explanation: "Explanation", pack: "Pack") -> None:
    console = screen.console()
    console.print(f"{action} – {explanation.reason}" if explanation.reason else action)
    for each in explanation.comparisons:
        console.print(_comparison_table(each))
    if explanation.figures:
        console.print(_figure_table(explanation.figures))
    if explanation.belief:
        console.print(_belief_table(dict(explanation.belief), pack))
        console.print(f"In per cent, that {explanation.believed}: ██ known, · impossible.")


def _comparison_table(comparison: "Comparison") -> "Table":
    from undercut.api.explanations import format_value

    table = screen.plain_table()
    (_, first), *others = comparison.columns
    table.add_column(first, no_wrap=True)
    for _, heading in others:
        table.add_column(heading, justify="right")
    for row in comparison.rows:
        table.add_row(*map(format_value, row))
    return table


def _figure_table(figures: "tuple[Figure, ...]") -> "Table":
    from undercut.api.explanations import format_value

    table = screen.plain_table(show_header=False)
    for figure in figures:
        table.add_row(figure.words, format_value(figure.value))
    return table


def _belief_table(belief: dict[str, float], pack: "Pack") -> "Table":
    table = screen.plain_table()
    table.add_column("")
    for _, rank in pack.ranks:
        table.add_column(rank, justify="right", no_wrap=True)
    for suit in pack.suits:
        cells = (_cell(belief[letter + suit.letter]) for letter, _ in pack.ranks)
        table.add_row(suit.symbol, *cells)
    return table


def _cell(chance: float) -> "Text":
    """A chance in per cent; the likelier it is, the brighter its background."""
    from rich.text import Text

    if chance < 0.0005:
        return Text("·", style="dim")
    if chance > 0.9995:
        return Text("██", style="bold")
    light = int(40 + 200 * chance)
    ink = "bright_white" if light < 120 else "black"
    return Text(f"{100 * chance:.0f}".rjust(2), style=f"{ink} on rgb({light},{light},{light})")
