"""Train a small network to throw cards as `simple` does, and let it play. With torch.

python examples/train_network.py [DEALS] [GAMES]
"""

import sys

import torch

import undercut

game = undercut.load("gin")
teacher = undercut.agent("simple", game)


def numbers_of(view: undercut.GinView) -> list[float]:
    """What the network sees: one's hand, the discards, and what the other seat is known to hold."""
    cards = (view.hand, view.discards, view.known)
    return [float(mask >> card & 1) for mask in (each.mask for each in cards) for card in range(52)]


def lessons(deals: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What the teacher saw, and the card it threw."""
    seen, thrown = [], []
    for seed in range(deals):
        deal = game.deal(seed=seed)
        while not deal.is_over:
            view = deal.view()
            action = teacher.act(view)
            if action.verb == "discard":
                seen.append(numbers_of(view))
                thrown.append(action.cards[0].number)
            deal.play(action)
    return torch.tensor(seen), torch.tensor(thrown)


class Pupil(undercut.Agent[undercut.GinView]):
    """Throws what the network likes best, and leaves the rest to its teacher."""

    def __init__(self, network: torch.nn.Module) -> None:
        self.network = network

    def act(self, view: undercut.GinView, random: undercut.Random) -> str:
        """Choose one of view.legal."""
        throws = [action for action in view.legal if action.verb == "discard"]
        if len(throws) < len(view.legal):  # it is another decision, or one could knock
            return teacher.act(view, random)
        with torch.no_grad():
            liked = self.network(torch.tensor(numbers_of(view)))
        return max(throws, key=lambda action: float(liked[action.cards[0].number]))


torch.manual_seed(1)
inputs, targets = lessons(deals=int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
network = torch.nn.Sequential(torch.nn.Linear(156, 128), torch.nn.ReLU(), torch.nn.Linear(128, 52))
optimizer = torch.optim.Adam(network.parameters(), lr=0.005)
for _ in range(200):
    loss = torch.nn.functional.cross_entropy(network(inputs), targets)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()
print(f"{len(targets):,} lessons, loss {loss.item():.2f}")
games = int(sys.argv[2]) if len(sys.argv) > 2 else 100
print(undercut.match(game, Pupil(network), "random", games=games, seed=1))
