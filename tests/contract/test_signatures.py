"""Each kernel is compiled for one kind of arguments: a second would double the time to start."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from undercut.core.jit import COMPILED

# Everything a user can make run at gin: batches, lock-step, checked deals, agents, completed views.
# (Rummy reads states and views with the same kernels, so there each has two.)
USE = """
from undercut.agents.catalog import ENTRIES, parse_agent
from undercut.core.agent import Random
from undercut.core.game import new, pack
from undercut.games.catalog import parse_game, rule_sets
from undercut.play.batch import play_batch
from undercut.play.deal import Deal

class Python:
    name = "python"
    def act(self, view, legal, random):
        return random.choice(legal)

for name in rule_sets("gin"):
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
"""


def _compiled(cache: Path) -> Counter[str]:
    """How often each kernel of the package was compiled: the cache has a file for each time."""
    files = (path.relative_to(cache) for path in cache.rglob("*.nbc"))
    return Counter(f"{path.parent.name}/{path.name.rsplit('.', 2)[0]}" for path in files)


def test_each_kernel_has_one_signature(package: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env=os.environ | {"PYTHONPATH": str(package.parent), "UNDERCUT_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    compiled = _compiled(tmp_path)
    assert [name for name, count in compiled.items() if count > 1] == []
    assert len(compiled) > 60 or not COMPILED
