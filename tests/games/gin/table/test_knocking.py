"""What a knock would bring, as far as the view tells."""

import pytest

from undercut.games.families import parse_game
from undercut.games.gin.table.describe import DESCRIPTION
from undercut.games.gin.table.knocking import prospects
from undercut.games.table.description import Choice, Company
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent

SLACK = 5  # points that the best case may miss: it is found without a search


def named_knock(deal: Deal) -> Choice | None:
    """The knock that has a button of its own."""
    asked = DESCRIPTION.question(deal.view(deal.seat), Company(("you", "other")))
    named = [each for group in asked.groups for each in group.choices if each.brief]
    return named[0] if named else None


@pytest.mark.parametrize("spec", ["gin", "gin-classic", "gin:layoffs=0"])
def test_what_a_knock_brings_lies_between_the_best_and_the_worst(spec: str) -> None:
    game = parse_game(spec)
    agent, found = parse_agent("regular", game), 0
    for seed in range(8):
        deal, chance = Deal(game, seed), Random.from_seed(seed)
        knocker, bounds = -1, (0, 0)
        while not deal.is_over:
            action = agent.act(deal.observe(), deal.actions, chance)
            knock = named_knock(deal) if knocker < 0 else None
            if knock is not None:
                view = deal.view(deal.seat)
                knocker, bounds = deal.seat, prospects(view, knock.cards[0])
                action = deal.actions[view.choices.index(knock.action)]
                left = view.lay_out(view.hand - knock.cards[0]).deadwood
                assert knock.brief == (f"Knock ({left})" if left else "Gin")
                assert knock.is_safe == (left == 0)
                assert f"{abs(bounds[0])}" in knock.note
            deal.apply(action)
        if knocker >= 0:
            most, least = bounds
            won = deal.points()[knocker] - deal.points()[1 - knocker]
            assert least <= won <= most + SLACK
            found += 1
    assert found > 2
