"""What the folder of a run says of itself."""

import json
from pathlib import Path

import pytest

from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.saving import RUN, saved_config
from undercut.learn.shards import DataError


def _write(folder: Path, config: dict[str, object]) -> None:
    (folder / RUN).write_text(json.dumps({"checkpoint": "checkpoint-1", "config": config}))


def test_a_run_of_an_earlier_version_has_the_defaults_of_this_one(tmp_path: Path) -> None:
    assert saved_config(tmp_path) is None
    earlier = Config(rows=77).as_dict()
    del earlier["cost"]
    _write(tmp_path, earlier)
    assert saved_config(tmp_path) == Config(rows=77)


def test_a_run_of_a_later_version_is_refused_by_name(tmp_path: Path) -> None:
    _write(tmp_path, {**Config().as_dict(), "courage": 3, "wit": 1})
    with pytest.raises(DataError, match="settings that this version does not know: courage, wit"):
        saved_config(tmp_path)
