"""`undercut hint`: what an agent would do in a position, and why."""

from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from undercut.cards.packs import Pack
    from undercut.games.contract import Game
    from undercut.play.explanation import Comparison, Explanation, Figure


@click.command(short_help="What to do in a position, and why.")
@click.argument("position")
@click.option(
    "--agent", metavar="AGENT", help="undercut agents; by default the one that advises the game."
)
@arguments.seed_option
@arguments.json_option
def hint(position: str, agent: str | None, seed: int, as_json: bool) -> None:
    """Show what an agent would do in POSITION, one seat's view as a line of text.

    An agent that gives reasons shows the numbers behind it. Gin's adviser, the paper's player
    (heuristic, published, estimator), shows for a discard the utility of the hand without each
    card, what the other player gains by the card on average, and the value that is left; for a
    draw the utilities of both piles; and what it believes of the other hand.

    \b
    undercut hint gin.00.0-0.4c5c6cKc8d7hKhAsQsKs.Jh.-
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

    position = position.strip()
    game, view = parse_position(position)
    agent = agent or game.family.adviser or game.family.opponent
    chosen = parse_agent(agent, game)
    with screen.compiling():
        legal = legal_actions(game, view)
        explanation = ask_why(game, chosen, view, legal, Random.from_seed(seed))
    if as_json:
        told = {"position": position, "agent": agent, **_plain(game, explanation)}
        screen.print_json(told, "hint")
    else:
        action = game.notation.format_action(explanation.action)
        _show(f"{agent}: {action}", explanation, description_of(game.family).pack)


def _plain(game: "Game", explanation: "Explanation") -> dict[str, object]:
    """An explanation for programs."""
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
