"""The network in torch, and its way into the form that plays without torch."""

from typing import Any

import numpy as np

from undercut.kernels.records import Array
from undercut.lab.extras import need
from undercut.players.belief import Belief
from undercut.text.errors import UndercutError

_LAYERS = {"hidden1": 0, "hidden2": 2, "output": 4}  # places in the Sequential


def build(belief: Belief, seed: int, device: str) -> Any:
    """A fresh network that ends in logits: the sigmoid belongs to the loss."""
    torch = need("torch", "train")
    torch.manual_seed(seed)
    layers, hidden = torch.nn, belief.hidden_units
    return layers.Sequential(
        layers.Linear(belief.features, hidden),
        layers.ReLU(),
        layers.Linear(hidden, hidden),
        layers.ReLU(),
        layers.Linear(hidden, belief.cards),
    ).to(device)


def export(model: Any) -> dict[str, Array]:
    """The weights as the network of a game names and turns them."""
    tensors: dict[str, Array] = {}
    for name, place in _LAYERS.items():
        weight = model[place].weight.detach().cpu().numpy()  # (out, in)
        tensors[f"{name}.weight"] = np.ascontiguousarray(weight.T)
        tensors[f"{name}.bias"] = model[place].bias.detach().cpu().numpy()
    return tensors


def check_device(device: str) -> None:
    """Refuse a device that torch does not have, before any work is done."""
    torch = need("torch", "train")
    if device == "cuda" and not torch.cuda.is_available():
        raise UndercutError("--device cuda: torch finds no NVIDIA GPU here (--device cpu works)")
