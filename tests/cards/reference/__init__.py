"""Slow, obvious twins of the kernels: plain Python, sets of card names, no tricks."""
