"""Measures how strong the agents are, each against the reference of its game."""

import shlex
from collections.abc import Callable, Iterable, Iterator

from undercut.games.families import FAMILIES, find_family, parse_game
from undercut.lab.compare import play_match
from undercut.players.catalog import find_agent, parse_agent
from undercut.players.strengths import (
    Ladder,
    Strength,
    measured_specs,
    settings_of,
)
from undercut.text.spec import split_spec

Ladders = dict[str, Ladder]
SLOW = {"iterations", "samples"}  # agents with such a setting search or sample

BEGIN, END = "<!-- strengths: python benchmarks/strengths.py -->", "<!-- end of strengths -->"


def is_slow(name: str, spec: str) -> bool:
    """Whether an agent of a game searches or samples."""
    family = find_family(name)
    agent = split_spec(family.played_by(spec))[0]
    return bool(SLOW & set(find_agent(family, agent).options))


def measure(
    ladders: Ladders,
    names: Iterable[str],
    games: Callable[[str, str], int],
    seed: int,
    *,
    device: str = "cpu",
    workers: int | None = None,
    only: Iterable[str] = (),
    announce: Callable[[str], None] | None = None,
) -> Iterator[Ladders]:
    """Measure what is missing, and give what is known after each agent.

    An agent is missing if it was not measured, or with other settings, another seed or fewer games.
    """
    wanted = set(only)
    for name in names:
        for spec in measured_specs(name):
            if wanted and spec not in wanted:
                continue
            count, found = games(name, spec), _found(ladders, name, spec)
            if found and _is_current(found, name, spec, count, seed):
                continue
            if announce is not None:
                family = find_family(name)
                played = f"{spec} against {family.reference}, {count:,} games"
                announce(f"{family.measured_at}: {played}")
            ladders = _with(ladders, name, spec, _play(name, spec, count, seed, device, workers))
            yield ladders


def _found(ladders: Ladders, name: str, spec: str) -> Strength | None:
    """What was measured of an agent against the one that is the reference now."""
    known = ladders.get(name)
    is_same = known is not None and known.reference == find_family(name).reference
    return known.strengths.get(spec) if known is not None and is_same else None


def _is_current(found: Strength, name: str, spec: str, games: int, seed: int) -> bool:
    is_enough = found.games >= games and found.seed == seed
    return is_enough and found.settings == settings_of(name, spec)


def _play(
    name: str, spec: str, games: int, seed: int, device: str, workers: int | None
) -> Strength:
    game, reference = parse_game(find_family(name).measured_at), find_family(name).reference
    agents = [parse_agent(each, game) for each in (spec, reference)]
    result = play_match(game, agents, games, seed, device=device, workers=workers)
    words = ["undercut", "match", game.name, spec, reference, "-n", result.games, "--seed", seed]
    return Strength(
        win_rate=result.moments.win_rate(0),
        ci95=result.moments.win_interval(0),
        games=result.games,
        seed=seed,
        device=device,
        command=shlex.join(map(str, words)),
        settings=settings_of(name, spec),
    )


def _with(ladders: Ladders, name: str, spec: str, strength: Strength) -> Ladders:
    """The ladders with one more agent, all in order."""
    family = find_family(name)
    rows = [
        (each, strength if each == spec else _found(ladders, name, each))
        for each in measured_specs(name)
    ]
    ordered = {each: found for each, found in rows if found is not None}
    more = {**ladders, name: Ladder(family.measured_at, family.reference, ordered)}
    return {each: more[each] for each in FAMILIES if each in more}


def put_between_marks(page: str, table: str) -> str:
    """A page with its table of strengths replaced.

    >>> put_between_marks(f"before {BEGIN} old {END} after", "new").split("-->")[1].split()[0]
    'new'
    """
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    assert mark, f"the page lacks {BEGIN} or {END}"
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"
