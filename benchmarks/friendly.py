"""Random play with one Python call for each action: a checked Deal beside RLCard and OpenSpiel."""

from random import Random

from measure import parse_arguments, rates, report
from peers import OpenSpielHands, RLCardHands
from undercut.games.families import parse_game
from undercut.play.deal import Deal

_GAME = parse_game("gin")
_CHANCE = Random(1)


def play_random() -> int:
    """A deal of random actions; returns how many."""
    deal = Deal(_GAME, seed=_CHANCE.getrandbits(60))
    steps = 0
    while not deal.is_over:
        deal.apply(_CHANCE.choice(deal.legal))
        steps += 1
    return steps


def play_random_with_views() -> int:
    """The same, and before each action the seat on turn looks at its view."""
    deal = Deal(_GAME, seed=_CHANCE.getrandbits(60))
    steps = 0
    while not deal.is_over:
        deal.view()
        deal.apply(_CHANCE.choice(deal.legal))
        steps += 1
    return steps


def main() -> None:
    """Measure and print."""
    arguments = parse_arguments(__doc__)
    open_spiel, rlcard = OpenSpielHands(), RLCardHands()
    measured = rates(
        {
            "undercut, Deal.apply and Deal.legal": play_random,
            "undercut, and Deal.view each time": play_random_with_views,
            "OpenSpiel, apply_action and legal_actions": open_spiel.play_random,
            "OpenSpiel from a copied state": open_spiel.play_random_from_copy,
            "RLCard, env.step (gives an observation)": rlcard.play_random,
        },
        arguments,
    )
    report("One Python call an action", "steps a second", measured, arguments.json)


if __name__ == "__main__":
    main()
