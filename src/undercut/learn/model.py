"""The network in torch, and its export to the form that plays without torch."""

from typing import TYPE_CHECKING

import numpy as np

from undercut.kernels.records import Array
from undercut.lab.extras import need
from undercut.players.belief import Belief
from undercut.text.errors import UndercutError

if TYPE_CHECKING:
    import torch

_LAYERS = {"hidden1": 0, "hidden2": 2, "output": 4}  # places in the Sequential


def build(belief: Belief, seed: int, device: str) -> "torch.nn.Module":
    """A fresh network that ends in logits: the sigmoid belongs to the loss."""
    nn = need("torch.nn", "train")
    need("torch", "train").manual_seed(seed)
    hidden = belief.hidden_units
    model: torch.nn.Module = nn.Sequential(
        nn.Linear(belief.features, hidden),
        nn.ReLU(),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
        nn.Linear(hidden, belief.cards),
    )
    return model.to(device)


def export(model: "torch.nn.Module") -> dict[str, Array]:
    """The weights, named and transposed as in the network of a game."""
    arrays = {name: each.detach().cpu().numpy() for name, each in model.named_parameters()}
    tensors: dict[str, Array] = {}
    for name, place in _LAYERS.items():
        weight = arrays[f"{place}.weight"]  # (out, in)
        tensors[f"{name}.weight"] = np.ascontiguousarray(weight.T)
        tensors[f"{name}.bias"] = arrays[f"{place}.bias"]
    return tensors


def check_device(device: str) -> None:
    """Raise an error for a device that torch does not have, before any work is done."""
    torch = need("torch", "train")
    if device == "cuda" and not torch.cuda.is_available():
        raise UndercutError("--device cuda: torch finds no NVIDIA GPU here (--device cpu works)")
