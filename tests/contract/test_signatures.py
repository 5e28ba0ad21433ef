"""Each kernel is compiled for one kind of arguments: a second would double the time to start."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from helpers import helpers_for
from rulesets import SHIPPED
from undercut.games.families import find_family

# Everything a user can make run: batches, lock-step, checked deals, agents, completed views.
USE = """
from helpers import helpers_for
from rulesets import quick_agents
from undercut.games.agents import parse_agent
from undercut.core.agent import Random
from undercut.core.records import new, pack
from undercut.games.families import parse_game, rule_sets
from undercut.play.batch import play_batch
from undercut.play.deal import Deal

class Python:
    name = "python"
    def act(self, view, legal, random):
        return random.choice(legal)

for name in rule_sets({family!r}):
    game = parse_game(name)
    for spec in quick_agents(game):
        agent, chance = parse_agent(spec, game), Random.from_seed(1)
        deal = Deal(game, seed=2)
        while not deal.is_over:
            state = new(game.rules.STATE, 1)[0]
            view = deal.view()
            game.rules.complete(view, pack(game.options), chance.generator, state)
            deal.apply(agent.act(view, deal.legal, chance))
        deal.points(), deal.next_starter()
game = parse_game({family!r})
agents = [parse_agent(helpers_for(game).usual[0], game)] * game.seats
play_batch(game, agents, 4, max_deals=2)
play_batch(game, [*agents[1:], Python()], 4, max_deals=2)
"""


def _compiled(cache: Path) -> Counter[str]:
    """How often each kernel of the package was compiled: the cache has a file for each time."""
    files = (path.relative_to(cache) for path in cache.rglob("*.nbc"))
    return Counter(f"{path.parent.name}/{path.name.rsplit('.', 2)[0]}" for path in files)


@pytest.mark.compiled
@pytest.mark.parametrize("family", SHIPPED)
def test_each_kernel_has_one_signature(family: str, package: Path, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(package.parent), str(Path(__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", USE.format(family=family)],
        env=os.environ | {"PYTHONPATH": paths, "UNDERCUT_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    compiled = _compiled(tmp_path)
    often = {name.partition("/")[2] for name, count in compiled.items() if count > 1}
    allowed = helpers_for(find_family(family).rules).compiled_often
    assert [name for name in often if not name.startswith(allowed)] == []
    assert all(any(name.startswith(start) for name in often) for start in allowed)
    assert len(compiled) > 60
