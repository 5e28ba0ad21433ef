"""A few decisions, made once for all tests of training."""

from pathlib import Path

from undercut.games.families import parse_game
from undercut.kernels.jit import COMPILED
from undercut.learn.generate import Generated, even_pairings, generate

GAME = parse_game("gin:target=30")
AGENTS = ["simple", "thrifty"]
DECISIONS = 3000 if COMPILED else 400


def make(folder: Path, seed: int, decisions: int = DECISIONS, shard: int = 8) -> Generated:
    """Decisions of short matches, in several files."""
    return generate(folder, GAME, even_pairings(AGENTS, decisions), seed, shard=shard)
