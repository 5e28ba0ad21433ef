"""One deal between two agents, from Python: what each did, and the points."""

from undercut.core.agent import Random
from undercut.games.agents import parse_agent
from undercut.games.families import parse_game
from undercut.play.deal import Deal

game = parse_game("gin")
agents = [parse_agent("simple", game), parse_agent("thrifty", game)]
chance = Random.from_seed(1)

deal = Deal(game, seed=2026, starter=0)
while not deal.is_over:
    action = agents[deal.seat].act(deal.observe(), deal.actions, chance)
    print(deal.seat, game.notation.format_action(action))
    deal.apply(action)
print("points", deal.points())
