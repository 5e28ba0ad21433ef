"""Records of the games of a match, one file a game."""

from pathlib import Path

from undercut.play.batch import Batch
from undercut.play.records.record import write_record
from undercut.play.records.trace import record_events
from undercut.text.errors import RecordError


class RecordFolder:
    """A folder of records, named by the numbers of their games."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RecordError(
                f"cannot write records into {str(folder)!r}: {error.strerror}"
            ) from None

    def keep(self, batch: Batch) -> None:
        """Write all games of a traced batch; reading a record detects damage."""
        for index in range(len(batch)):
            path = self._folder / f"{batch.first + index:06}.jsonl"
            write_record(path, record_events(batch, index), wait=False)
