"""The games of a match written down, one record a game."""

from pathlib import Path

from undercut.play.batch import Batch
from undercut.play.records.record import write_record
from undercut.play.records.trace import record_events
from undercut.text.errors import RecordError


class RecordFolder:
    """A folder that games are written into as they have been played, by their numbers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RecordError(
                f"cannot write records into {str(folder)!r}: {error.strerror}"
            ) from None

    def keep(self, batch: Batch) -> None:
        """Write all games of a batch that was traced; a record that is damaged says so when read."""
        for index in range(len(batch)):
            path = self._folder / f"{batch.first + index:06}.jsonl"
            write_record(path, record_events(batch, index), wait=False)
