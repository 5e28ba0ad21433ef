"""Each kernel is compiled for one kind of arguments: a second would double the time to start.

Workers begin with this, and the other tests find what it has compiled.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import helpers_for
from rulesets import SHIPPED
from undercut.games.families import find_family
from undercut.kernels.cache import cache_folder

# Everything a user can make run: batches, lock-step, checked deals, agents, completed views.
# Numba says when it compiles one.
USE = """
import json
from collections import Counter

from numba.core import event

compiled = Counter()

class Count(event.Listener):
    def on_start(self, started):
        dispatcher = started.data["dispatcher"]
        function = dispatcher.py_func
        way = "linked" if "no_cpython_wrapper" in dispatcher.targetoptions else "called"
        compiled[f"{{function.__module__}}.{{function.__qualname__}} {{way}}"] += 1
    def on_end(self, ended):
        pass

event.register("numba:compile", Count())

from helpers import helpers_for
from rulesets import quick_agents
from undercut.players.catalog import parse_agent
from undercut.play.agent import Random
from undercut.kernels.records import new, pack
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
            view = deal.observe()
            game.rules.complete(view, pack(game.options), chance.generator, state)
            deal.apply(agent.act(view, deal.actions, chance))
        deal.points(), deal.next_starter()
game = parse_game({family!r})
agents = [parse_agent(helpers_for(game).usual[0], game)] * game.seats
play_batch(game, agents, 4, max_deals=2)
play_batch(game, [*agents[1:], Python()], 4, max_deals=2)
print(json.dumps(compiled))
"""


def _compiled(family: str, package: Path, cache: Path) -> dict[str, int]:
    """How often each kernel of the package is compiled, beginning with an empty cache."""
    paths = os.pathsep.join([str(package.parent), str(Path(__file__).parents[1])])
    places = {"PYTHONPATH": paths, "UNDERCUT_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", USE.format(family=family)],
        env={**os.environ, **places},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    start = "undercut."
    counts = json.loads(done.stdout).items()
    return {name.removeprefix(start): count for name, count in counts if name.startswith(start)}


def _leave_to_others(cache: Path) -> None:
    """Put what was compiled where the suite keeps its kernels, unless it is there by now.

    Numba reads an index first, so that comes last, and at once.
    """
    compiled = cache / "undercut" / "kernels" / cache_folder().name
    for index in compiled.rglob("*.nbi"):
        target = cache_folder() / index.relative_to(compiled)
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        for code in index.parent.glob(f"{index.stem}.*.nbc"):
            shutil.copy(code, target.parent)
        arriving = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copy(index, arriving)
        arriving.replace(target)


@pytest.mark.first
@pytest.mark.compiled
@pytest.mark.parametrize("family", SHIPPED)
def test_each_kernel_has_one_signature(family: str, package: Path, tmp_path: Path) -> None:
    compiled = _compiled(family, package, tmp_path)
    _leave_to_others(tmp_path)
    often = {name for name, count in compiled.items() if count > 1}
    rules = find_family(family).rules
    often.discard("players.bits.take_first linked")  # weights of another size in each network
    allowed = tuple(f"games.{rules.NAME}.{start}" for start in helpers_for(rules).compiled_often)
    assert [name for name in often if not name.startswith(allowed)] == []
    assert all(any(name.startswith(start) for name in often) for start in allowed)
    assert len(compiled) > 60
