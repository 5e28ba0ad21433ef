"""Error rates of agents, as `undercut review` measures them, beside their strength.

Each agent plays deals against itself. Every decision of both seats is judged; intervals are over
deals. The last line is the rank correlation (Spearman) of error rates and strengths.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from undercut.games.families import parse_game
from undercut.kernels.records import Floats
from undercut.lab.review.review import Reviewer
from undercut.play.hindsight import deals_of_seed
from undercut.play.match import play_match
from undercut.play.records.events import Event, Played
from undercut.players.catalog import parse_agent
from undercut.players.strengths import load_ladders


def deal_errors(reviewer: Reviewer, name: str, deals: int, seed: int) -> Iterator[list[float]]:
    """For each deal: decisions judged, points lost, decisions called a mistake or a blunder."""
    game, player = reviewer.game, parse_agent(name, reviewer.game)
    for number in range(deals):
        events: list[Event] = []
        play_match(game, [player] * game.seats, seed + number, max_deals=1, note=events.append)
        texts = [event.action for event in events if isinstance(event, Played)]
        actions = [game.notation.parse_action(text) for text in texts]
        (deal,) = deals_of_seed(game, seed + number, actions)
        found = reviewer.review_deal(deal).judgements
        lost = sum(each.points for each in found if each.kind)
        yield [len(found), lost, sum(each.kind in ("mistake", "blunder") for each in found)]


def ratio(rows: Floats, column: int) -> tuple[float, float]:
    """Sum of a column for each decision, and half of its 95 % interval by the delta method."""
    decisions, values = rows[:, 0], rows[:, column]
    rate = values.sum() / max(1.0, decisions.sum())
    rest = values - rate * decisions
    return rate, 1.96 * rest.std(ddof=1) * np.sqrt(len(rows)) / max(1.0, decisions.sum())


def ranks(values: list[float]) -> Floats:
    return np.argsort(np.argsort(values)).astype(np.float64)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--samples", type=int, default=128)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = parse_game(arguments.game)
    reviewer = Reviewer(game, arguments.samples, arguments.seed)
    ladder = load_ladders()[game.family.name].strengths
    rates: list[float] = []
    print("agent | decisions | points lost a decision | mistakes and blunders | wins")
    for name in arguments.agents:
        rows = np.array([*deal_errors(reviewer, name, arguments.deals, arguments.seed)])
        (lost, about), (share, around) = ratio(rows, 1), ratio(rows, 2)
        rates.append(lost)
        strength = f"{ladder[name].win_rate:.1%}" if name in ladder else ""
        told = f"{lost:.2f} ± {about:.2f} | {share:.1%} ± {around:.1%}"
        print(f"{name} | {rows[:, 0].sum():,.0f} | {told} | {strength}", flush=True)
    strengths = [ladder[name].win_rate if name in ladder else 0.0 for name in arguments.agents]
    if len(rates) > 2:
        print(f"rank correlation {np.corrcoef(ranks(rates), -ranks(strengths))[0, 1]:.2f}")


if __name__ == "__main__":
    main()
