"""The optimiser of a training run, as a CUDA graph can replay its steps."""

from collections.abc import Sequence

import torch


def primed_adam(parameters: Sequence[torch.Tensor], rate: torch.Tensor | float) -> torch.optim.Adam:
    """Adam with its state allocated, without any learning; `rate` is a tensor on a GPU."""
    on_gpu = isinstance(rate, torch.Tensor)
    adam = torch.optim.Adam(parameters, lr=rate, capturable=on_gpu, fused=on_gpu)
    for each in parameters:
        each.grad = torch.zeros_like(each)
    adam.step()
    for each in parameters:
        adam.state[each]["step"].zero_()
    return adam
