"""Matches and tournaments in one call."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from undercut.api.agents import answering
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.lab.compare import Comparison, play_match
from undercut.lab.recording import RecordFolder
from undercut.lab.tournament import Standings, Tournament
from undercut.lab.workers import Setup
from undercut.play.agent import AnyAgent
from undercut.players.python_agent import Agent
from undercut.text.errors import OptionsError

Entrant: TypeAlias = Agent[Any] | AnyAgent | str


def match(
    game: Game | str,
    *agents: Entrant,
    games: int = 1000,
    seed: int = 0,
    device: str = "cpu",
    workers: int | None = None,
    adjust: bool = False,
    record: str | Path | None = None,
) -> Comparison:
    """Compare agents: they play every deal in every seating.

    An agent is a spec, or an Agent of your own. `adjust` subtracts the luck of the cards, in games
    that can compute it. `record` is a folder for a record of every match. The result prints like
    `undercut match`.

    >>> import undercut
    >>> undercut.match("gin", "simple", "random", games=20, seed=1).win_rate
    1.0
    """
    rules = parse_game(game, len(agents)) if isinstance(game, str) else game
    if len(agents) != rules.seats:
        raise OptionsError(f"{len(agents)} agents: {rules.name} is for {rules.seats}")
    return play_match(
        rules,
        _players(agents, rules),
        games,
        seed,
        Setup(device, workers, keep=None if record is None else RecordFolder(Path(record)).keep),
        adjust=adjust,
    )


def tournament(
    game: Game | str,
    *agents: Entrant,
    games: int = 1000,
    seed: int = 0,
    device: str = "cpu",
    workers: int | None = None,
    adjust: bool = False,
    path: str | Path | None = None,
) -> Standings:
    """A round robin with ratings: every combination of agents plays the same `games` matches.

    With `path` the tournament is stored in that file, and an interrupted one continues.
    """
    rules = parse_game(game) if isinstance(game, str) else game
    players = _players(agents, rules)
    entrants = {player.name: player for player in players}
    if len(entrants) < len(players):
        raise OptionsError("two agents have the same name: a tournament has each agent once")
    kept = None if path is None else Path(path)
    with Tournament(rules, entrants, games, seed, kept, adjust) as contest:
        return contest.play(Setup(device, workers))


def _players(agents: Sequence[Entrant], game: Game) -> list[AnyAgent]:
    """The agents that play; a spec that is given twice is one agent."""
    by_spec = {each: answering(each, game) for each in agents if isinstance(each, str)}
    return [by_spec[each] if isinstance(each, str) else answering(each, game) for each in agents]
