"""Measures how strong the agents of the catalog are, each against the reference of its game."""

import shlex
from collections.abc import Callable, Iterable, Iterator

from undercut.core.spec import split_spec
from undercut.games.agents import ENTRIES, parse_agent
from undercut.games.families import parse_game
from undercut.games.strengths import (
    GAMES,
    REFERENCES,
    Ladder,
    Strength,
    measured_specs,
    settings_of,
)
from undercut.lab.compare import play_match

Ladders = dict[str, Ladder]
SLOW = {"iterations", "samples"}  # agents with such a setting search or sample

BEGIN, END = "<!-- strengths: python benchmarks/strengths.py -->", "<!-- end of strengths -->"


def is_slow(rules: str, spec: str) -> bool:
    """Whether an agent searches or samples."""
    return bool(SLOW & set(ENTRIES[rules][split_spec(spec)[0]].limits or {}))


def measure(
    ladders: Ladders,
    rules: Iterable[str],
    games: Callable[[str, str], int],
    seed: int,
    *,
    device: str = "cpu",
    workers: int | None = None,
    only: Iterable[str] = (),
    announce: Callable[[str], None] | None = None,
) -> Iterator[Ladders]:
    """Measure what is missing, and give what is known after each agent.

    An agent is lacking if it was not measured, or with other settings, another seed or fewer games.
    """
    wanted = set(only)
    for name in rules:
        for spec in measured_specs(name):
            if wanted and spec not in wanted:
                continue
            count, known = games(name, spec), ladders.get(name)
            found = known.strengths.get(spec) if known else None
            if found and _is_current(found, name, spec, count, seed):
                continue
            if announce is not None:
                announce(f"{GAMES[name]}: {spec} against {REFERENCES[name]}, {count:,} games")
            ladders = _with(ladders, name, spec, _play(name, spec, count, seed, device, workers))
            yield ladders


def _is_current(found: Strength, rules: str, spec: str, games: int, seed: int) -> bool:
    is_enough = found.games >= games and found.seed == seed
    return is_enough and found.settings == settings_of(rules, spec)


def _play(
    rules: str, spec: str, games: int, seed: int, device: str, workers: int | None
) -> Strength:
    game, reference = parse_game(GAMES[rules]), REFERENCES[rules]
    agents = [parse_agent(each, game) for each in (spec, reference)]
    result = play_match(game, agents, games, seed, device=device, workers=workers)
    words = ["undercut", "match", GAMES[rules], spec, reference, "-n", result.games, "--seed", seed]
    return Strength(
        win_rate=result.moments.win_rate(0),
        ci95=result.moments.win_interval(0),
        games=result.games,
        seed=seed,
        device=device,
        command=shlex.join(map(str, words)),
        settings=settings_of(rules, spec),
    )


def _with(ladders: Ladders, rules: str, spec: str, strength: Strength) -> Ladders:
    """The ladders with one more agent, all in the order of the catalog."""
    known = {**(ladders[rules].strengths if rules in ladders else {}), spec: strength}
    ordered = {each: known[each] for each in measured_specs(rules) if each in known}
    more = {**ladders, rules: Ladder(GAMES[rules], REFERENCES[rules], ordered)}
    return {name: more[name] for name in GAMES if name in more}


def put_between_marks(page: str, table: str) -> str:
    """A page with its table of strengths replaced.

    >>> put_between_marks(f"before {BEGIN} old {END} after", "new").split("-->")[1].split()[0]
    'new'
    """
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    assert mark, f"the page lacks {BEGIN} or {END}"
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"
