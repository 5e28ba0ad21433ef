"""The games of a match written down, one record a game."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from undercut.core.errors import RecordError
from undercut.core.game import Game
from undercut.play.batch import seatings
from undercut.play.match import Event, play_match
from undercut.play.record import header, write_record


def write_games(
    folder: Path,
    game: Game,
    agents: Sequence[Any],
    count: int,
    seed: int,
    progress: Callable[[int], None],
) -> None:
    """Play the first `count` games of a match again, one by one, and write them into a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"cannot write records into {str(folder)!r}: {error.strerror}") from None
    lineups = seatings(game.seats)
    for number in range(count):
        players = [agents[place] for place in lineups[number % len(lineups)]]
        events: list[Event] = [header(game, [player.name for player in players])]
        pair = number // len(lineups)
        play_match(game, players, seed, number=number, pair=pair, note=events.append)
        write_record(folder / f"{number:06}.jsonl", events)
        progress(1)
