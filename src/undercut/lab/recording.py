"""The games of a match written down, one record a game."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from undercut.core.errors import RecordError
from undercut.games.contract import Game
from undercut.play.events import Event
from undercut.play.match import play_match
from undercut.play.record import header, write_record
from undercut.play.seating import line_ups, seatings


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
    size = len(seatings(agents))
    for number, lineup in enumerate(line_ups(agents, seed, np.arange(count)).tolist()):
        players = [agents[place] for place in lineup]
        events: list[Event] = [header(game, [player.name for player in players])]
        play_match(game, players, seed, number=number, pair=number // size, note=events.append)
        write_record(folder / f"{number:06}.jsonl", events)
        progress(1)
