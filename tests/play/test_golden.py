"""What a seed plays, it plays for ever: matches of every game and agent against their digests.

golden.json was written before the package was rebuilt. Where an agent or a rule is meant to play
otherwise, the new digest is in the failure, and goes into golden.json and into CHANGELOG.md.
Pharaoh's records and positions were digested anew when acorns got a letter of their own: with the
old letter all 70 were as before.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.match import play_match
from undercut.play.records.events import Event
from undercut.play.records.record import format_record, header
from undercut.players.catalog import parse_agent

GOLDEN: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("golden.json").read_text())


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def seated(line: str) -> tuple[Any, list[Any], list[str]]:
    """`gin: simple; thrifty:link=2` as a game, its agents and their specs."""
    rules, _, players = line.partition(": ")
    specs = players.split("; ")
    game = parse_game(rules)
    made = {spec: parse_agent(spec, game) for spec in specs}
    return game, [made[spec] for spec in specs], specs


def record_digest(line: str) -> str:
    """One match, in full and as its seats may know it."""
    game, agents, specs = seated(line)
    text = ""
    for seat in (None, 0, game.seats - 1):
        events: list[Event] = [header(game, specs, seat)]
        play_match(game, agents, 2026, number=5, pair=2, max_deals=2, note=events.append, seat=seat)
        text += format_record(events)
    return digest(text)


def batch_digest(line: str) -> str:
    """Many matches: who sat where, and what came of it."""
    game, agents, _ = seated(line)
    batch = play_batch(game, agents, 96, 7, max_deals=5, first=24)
    results, tally = batch.results, len(game.rules.TALLY)
    kept = [
        batch.lineups,
        results.deals,
        results.actions,
        results.scores[:, : game.seats],
        results.tally[:, :tally],
    ]
    return digest(str([np.asarray(each, dtype=np.int64).tolist() for each in kept]))


def position_digest(rules: str) -> str:
    """The position strings of the seats in turn, and what is legal, in words, along some deals."""
    game, said = parse_game(rules), []
    for seed in range(4):
        deal = Deal(game, seed, seed % game.seats, tuple(range(seed, seed + game.seats)))
        for step in range(150):
            said.append(format_position(game, deal.observe(step % game.seats)))
            said += deal.legal
            if deal.is_over:
                said.append(f"{deal.points()} {deal.next_starter()}")
                break
            deal.apply(deal.actions[(seed + 7 * step) % len(deal.actions)])
    return digest("\n".join(said))


@pytest.mark.compiled
@pytest.mark.parametrize("line", GOLDEN["records"])
def test_a_match_is_still_the_same(line: str) -> None:
    assert record_digest(line) == GOLDEN["records"][line]


@pytest.mark.compiled
@pytest.mark.parametrize("line", GOLDEN["batches"])
def test_a_batch_is_still_the_same(line: str) -> None:
    assert batch_digest(line) == GOLDEN["batches"][line]


@pytest.mark.compiled
@pytest.mark.parametrize("rules", GOLDEN["positions"])
def test_positions_are_still_written_the_same(rules: str) -> None:
    assert position_digest(rules) == GOLDEN["positions"][rules]
