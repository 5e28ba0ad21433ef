"""Train a small network to throw cards as `simple` does, and let it play. With torch.

python examples/train_network.py [DEALS GAMES]
"""

import sys

import torch

import undercut
from undercut.games.gin import GinView

game = undercut.load("gin", view=GinView)
teacher = undercut.agent("simple", game)


def numbers_of(view: GinView) -> list[float]:
    """What the network sees: one's hand, the discards, and what the other seat is known to hold."""
    masks = (view.hand.mask, view.discards.mask, view.known.mask)
    return [float(mask >> card & 1) for mask in masks for card in range(52)]


def lessons(deals: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What the teacher saw, and the card that it threw."""
    seen, thrown = [], []
    for seed in range(deals):
        deal = game.deal(seed=seed)
        while not deal.is_over:
            action = teacher.act(deal.view())
            if action.verb == "discard":
                seen.append(numbers_of(deal.view()))
                thrown.append(action.cards[0].number)
            deal.play(action)
    return torch.tensor(seen), torch.tensor(thrown)


class Pupil(undercut.Agent[GinView]):
    """Throws what the network likes best, and leaves the rest to its teacher."""

    def act(self, view: GinView, random: undercut.Random) -> str:
        if any(action.verb != "discard" for action in view.legal):
            return teacher.act(view, random)
        liked = network(torch.tensor(numbers_of(view))).tolist()
        return max(view.legal, key=lambda action: liked[action.cards[0].number])


deals, games = map(int, sys.argv[1:] or (1000, 100))
inputs, targets = lessons(deals)
torch.manual_seed(1)
torch.set_num_threads(1)  # so small a network is learned sooner by one
network = torch.nn.Sequential(torch.nn.Linear(156, 64), torch.nn.ReLU(), torch.nn.Linear(64, 52))
learner = torch.optim.Adam(network.parameters(), lr=0.005)
for _ in range(100):
    learner.zero_grad()
    loss = torch.nn.functional.cross_entropy(network(inputs), targets)
    loss.backward()  # type: ignore[no-untyped-call]
    learner.step()
print(f"{len(targets):,} lessons, loss {loss.item():.2f}")
print(undercut.match(game, Pupil(), "random", games=games, seed=1))
