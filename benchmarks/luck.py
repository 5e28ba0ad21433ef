"""Train the network that says what the cards of Gin were worth: docs/adjust.md.

Plays matches, learns from them, and writes
src/undercut/games/gin/players/network/luck.safetensors. Run tools/networks.py afterwards,
which puts its checksum into the source.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from undercut.games.gin.players.network.luck import INNER, NETWORK, PLANES, WIDTH
from undercut.learn.luck import Config, take_notes, train
from undercut.players.luck.weights import save_judge


def main() -> None:
    """Play, train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=Config.seed)
    parser.add_argument("--epochs", type=float, default=Config.epochs)
    parser.add_argument("--out", type=Path, default=NETWORK.path)
    given = parser.parse_args()
    config = replace(Config(), seed=given.seed, epochs=given.epochs, width=WIDTH, inner=INNER)
    judge = train(config, PLANES, *take_notes(config))
    print(save_judge(given.out, judge, PLANES))


if __name__ == "__main__":
    main()
