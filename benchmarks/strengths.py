"""How strong the agents are: each against the reference of its game, every deal in both seatings.

Writes src/undercut/players/strengths.json, which `undercut agents` shows, and the table of
docs/results.md. What was measured with the same settings and seed and enough games is not measured
again: stopped or killed, the same command goes on. With --keep also within the games of an agent.
"""

import argparse
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from zlib import crc32

import msgspec
import numpy as np

from undercut.games.families import FAMILIES, find_family, parse_game
from undercut.kernels.records import Settings
from undercut.lab.compare import play_match
from undercut.lab.results_file import Heading, Ledger
from undercut.lab.timing import time_decisions
from undercut.lab.workers import Setup
from undercut.play.agent import KernelAgent
from undercut.players.catalog import find_agent, parse_agent
from undercut.players.search.champion import Champion
from undercut.players.strengths import FILE, Ladder, Strength, load_ladders, measured_specs, ranked
from undercut.text import files
from undercut.text.spec import split_spec

_PAGE = Path(__file__).parents[1] / "docs" / "results.md"

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
    keep: Path | None = None,
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
            ladders = _with(
                ladders, name, spec, _play(name, spec, count, seed, Setup(device, workers), keep)
            )
            yield ladders


def _found(ladders: Ladders, name: str, spec: str) -> Strength | None:
    """What was measured of an agent against the one that is the reference now."""
    known = ladders.get(name)
    is_same = known is not None and known.reference == find_family(name).reference
    return known.strengths.get(spec) if known is not None and is_same else None


def _is_current(found: Strength, name: str, spec: str, games: int, seed: int) -> bool:
    is_enough = found.games >= games and found.seed == seed
    return is_enough and found.settings == settings_of(name, spec)


def _play(name: str, spec: str, games: int, seed: int, setup: Setup, keep: Path | None) -> Strength:
    game, reference = parse_game(find_family(name).measured_at), find_family(name).reference
    agents = [parse_agent(each, game) for each in (spec, reference)]
    settings = settings_of(name, spec)
    heading = Heading(game.name, game.rules.VERSION, [f"{spec} {settings}", reference], seed)
    file = None if keep is None else keep / f"{name}-{crc32(str(heading).encode()):08x}.db"
    with closing(Ledger(file, heading)) as ledger:
        result = play_match(game, agents, games, seed, setup, ledger=ledger)
    words = ["undercut", "match", game.name, spec, reference, "-n", result.games, "--seed", seed]
    return Strength(
        win_rate=result.moments.win_rate(0),
        ci95=result.moments.win_interval(0),
        games=result.games,
        seed=seed,
        device=setup.device,
        command=shlex.join(map(str, words)),
        settings=settings,
        microseconds=round(time_decisions(game, agents[0]).mean, 1),
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


def settings_of(name: str, spec: str) -> dict[str, float]:
    """What an agent plays with now: its numbers, and the checksum of a network."""
    agent = parse_agent(spec, parse_game(find_family(name).measured_at))
    if isinstance(agent, Champion):  # the network of its rollouts counts too
        return _plain(agent.evaluator.player.settings) | _plain(agent.settings)
    assert isinstance(agent, KernelAgent)
    return _plain(agent.settings)


def _plain(settings: Settings) -> dict[str, float]:
    found: dict[str, float] = {}
    for field, value in settings._asdict().items():
        if isinstance(value, int | float):
            found[field] = value
        elif isinstance(value, np.ndarray):
            found[field] = crc32(np.ascontiguousarray(value).tobytes())
    return found


def save_ladders(ladders: dict[str, Ladder], file: Path = FILE) -> None:
    """Write it down, whole or not at all."""
    text = msgspec.json.format(msgspec.json.encode(ladders), indent=1) + b"\n"
    files.write_bytes(file, text)


def to_markdown(ladders: dict[str, Ladder]) -> str:
    """The tables of docs/results.md, the strongest agent first."""
    return "\n\n".join(_table(ladder) for ladder in ladders.values())


def _table(ladder: Ladder) -> str:
    rows: list[tuple[str, ...]] = [
        (
            ladder.game,
            f"wins against `{ladder.reference}`",
            "95 % interval",
            "matches",
            "measured by",
        ),
        ("---",) * 5,
    ]
    for spec in ranked(list(ladder.strengths), ladder):
        each = ladder.strengths[spec]
        low, high = each.ci95
        interval = f"{100 * low:.2f} – {100 * high:.2f}"
        command = f"`{each.command}`" + (" (on a GPU)" if each.device == "cuda" else "")
        rows.append((f"`{spec}`", f"{each.win_rate:.2%}", interval, f"{each.games:,}", command))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    """Measure and write down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="*", help="only these; by default all")
    parser.add_argument("--rules", choices=list(FAMILIES), action="append", help="only these games")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument(
        "--slow-games", type=int, default=20_000, help="of agents that sample or search"
    )
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--workers", type=int)
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the results of games here"
    )
    arguments = parser.parse_args()

    def games(rules: str, spec: str) -> int:
        return int(arguments.slow_games if is_slow(rules, spec) else arguments.games)

    ladders = load_ladders() if FILE.exists() else {}
    for name in arguments.rules or list(FAMILIES):  # a mistake here must not end hours of matches
        for spec in measured_specs(name):
            settings_of(name, spec)
    for found in measure(
        ladders,
        arguments.rules or list(FAMILIES),
        games,
        arguments.seed,
        device=arguments.device,
        workers=arguments.workers,
        keep=arguments.keep,
        only=arguments.agents,
        announce=print,
    ):
        save_ladders(found)
    table = to_markdown(load_ladders())
    _PAGE.write_text(put_between_marks(_PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()
