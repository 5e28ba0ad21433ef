"""`undercut hint`: what the paper's player would do in a position, and why."""

from typing import Any

import click

from undercut.cli import arguments, screen


@click.command(short_help="What to do in a position, and why.")
@click.argument("position")
@click.option(
    "--agent", default="heuristic", show_default=True, metavar="AGENT", help="undercut agents."
)
@arguments.seed_option
@arguments.json_option
def hint(position: str, agent: str, seed: int, as_json: bool) -> None:
    """Show what an agent would do in POSITION, one seat's view as a line of text.

    For the paper's player (heuristic, published, estimator) it shows the numbers behind it: for a
    discard the utility of the hand without each card, what the other player gains by the card on
    average, and the value that is left; for a draw the utilities of both piles; and what it
    believes of the other hand.

    \b
    undercut hint gin.00.0-0.4c5c6cKc8d7hKhAsQsKs.Jh.-
    undercut hint gin.00.0-0.4c5c6cKc8d5h7hKhAsQsKs.Jhp.tTc-s5h --agent estimator
    undercut hint POSITION --agent estimator:model=FILE,samples=1000 --seed 7
    undercut hint POSITION --agent published --json
    """
    from undercut.core.agent import Random
    from undercut.games.agents import parse_agent
    from undercut.games.gin.strategy.reasoning import can_explain
    from undercut.games.position import parse_position
    from undercut.play.deal import legal_actions

    position = position.strip()
    game, view = parse_position(position)
    chosen = parse_agent(agent, game)
    tell = _reasons if can_explain(chosen) else _action
    with screen.compiling():
        legal = legal_actions(game, view)
        told = tell(game, chosen, view, legal, Random.from_seed(seed))
    told = {"position": position, "agent": agent, **told}
    if as_json:
        screen.print_json(told)
    else:
        _show(told)


def _action(game: Any, agent: Any, view: Any, legal: list[int], random: Any) -> dict[str, Any]:
    """What any other agent says."""
    from undercut.play.ask import ask

    return {"action": game.notation.format_action(ask(game, agent, view, legal, random))}


def _reasons(game: Any, agent: Any, view: Any, legal: list[int], random: Any) -> dict[str, Any]:
    from undercut.core.cards import format_card
    from undercut.games.gin.strategy.reasoning import explain

    reasoning = explain(agent, view, legal, random)
    told: dict[str, Any] = {
        "action": game.notation.format_action(reasoning.action),
        "reason": reasoning.reason,
        "belief": {format_card(card): chance for card, chance in enumerate(reasoning.chances)},
    }
    if reasoning.discards:
        told["discards"] = [
            {
                "card": format_card(discard.card),
                "utility": discard.utility,
                "gain": discard.gain,
                "value": discard.value,
            }
            for discard in reasoning.discards
        ]
        told["their_deadwood"] = reasoning.their_deadwood
    if reasoning.take is not None:
        told["take"], told["stock"] = reasoning.take, reasoning.stock
    return told


def _show(told: dict[str, Any]) -> None:
    console = screen.console()
    if "reason" not in told:
        console.print(f"{told['agent']}: {told['action']}")
        return
    console.print(f"{told['agent']}: {told['action']} – {told['reason']}")
    if "discards" in told:
        console.print(_discard_table(told["discards"]))
    if "take" in told:
        console.print(_draw_table(told))
    console.print(_belief_table(told["belief"]))
    console.print("In per cent, that the other player holds a card: ██ known, · impossible.")


def _discard_table(discards: list[dict[str, Any]]) -> Any:
    table = screen.plain_table()
    table.add_column("discard", no_wrap=True)
    for heading in ("hand utility", "opponent's gain", "value"):
        table.add_column(heading, justify="right")
    for discard in discards:
        numbers = (_number(discard[name]) for name in ("utility", "gain", "value"))
        table.add_row(discard["card"], *numbers)
    return table


def _draw_table(told: dict[str, Any]) -> Any:
    table = screen.plain_table()
    table.add_column("draw", no_wrap=True)
    table.add_column("expected utility", justify="right")
    table.add_row("the upcard", _number(told["take"]))
    table.add_row("the stock", _number(told["stock"]))
    return table


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _belief_table(belief: dict[str, float]) -> Any:
    from undercut.core.cards import RANKS, SUITS, SYMBOLS

    table = screen.plain_table()
    table.add_column("")
    for rank in RANKS:
        table.add_column(rank.replace("T", "10"), justify="right", no_wrap=True)
    for suit, symbol in zip(SUITS, SYMBOLS, strict=True):
        table.add_row(symbol, *(_cell(belief[rank + suit]) for rank in RANKS))
    return table


def _cell(chance: float) -> Any:
    """A chance in per cent; the likelier it is, the brighter its background."""
    from rich.text import Text

    if chance < 0.0005:
        return Text("·", style="dim")
    if chance > 0.9995:
        return Text("██", style="bold")
    light = int(40 + 200 * chance)
    ink = "bright_white" if light < 120 else "black"
    return Text(f"{100 * chance:.0f}".rjust(2), style=f"{ink} on rgb({light},{light},{light})")
