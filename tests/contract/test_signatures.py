"""Each kernel is compiled for one kind of arguments: a second would double the time to start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from undercut.core.jit import COMPILED

# Everything a user can make run: batches, lock-step, checked deals, agents, completed views.
USE = """
import gc
import numpy as np
from undercut.agents.catalog import ENTRIES, parse_agent
from undercut.core import melds, rng
from undercut.core.agent import Random
from undercut.core.game import new, pack
from undercut.games.catalog import parse_game, rule_sets
from undercut.play.batch import play_batch
from undercut.play.deal import Deal

class Python:
    name = "python"
    def act(self, view, legal, random):
        return random.choice(legal)

for name in rule_sets():
    game = parse_game(name)
    for spec in ENTRIES[game.rules.NAME]:
        agent, chance = parse_agent(spec, game), Random.from_seed(1)
        deal = Deal(game, seed=2)
        while not deal.is_over:
            state = new(game.rules.STATE, 1)[0]
            view = deal.view()
            game.rules.complete(view, pack(game.options), chance.generator, state)
            deal.apply(agent.act(view, deal.legal, chance))
        deal.points(), deal.next_starter()
game = parse_game("gin")
simple = parse_agent("simple", game)
play_batch(game, [simple, simple], 4)
play_batch(game, [simple, Python()], 4, max_deals=2)
melds.deadwood(5, 10)

found = 0
for kernel in gc.get_objects():
    if type(kernel).__name__ == "CPUDispatcher" and kernel.__module__.startswith("undercut."):
        found += bool(kernel.signatures)
        if len(kernel.signatures) > 1:
            print(kernel.__qualname__, *kernel.signatures, sep="\\n  ")
print(found, "kernels")
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_each_kernel_has_one_signature(package: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env=os.environ | {"PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *twice, count = done.stdout.splitlines()
    assert not twice, "\n".join(twice)
    assert int(count.split()[0]) > 40
