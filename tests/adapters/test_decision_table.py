"""Records as tables, and OpenSpiel's histories of gin, from there and back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import jsonschema
import pyarrow.parquet
import pyspiel
import pytest
from click.testing import CliRunner, Result

from undercut.adapters.decision_table import (
    COLUMNS,
    Row,
    histories_of,
    read_rows,
    rows_of,
    rows_of_history,
    to_dataframe,
)
from undercut.cli import main
from undercut.games.families import parse_game
from undercut.games.gin.play import histories
from undercut.games.table.position import parse_position
from undercut.play.batch import play_batch
from undercut.play.deal import legal_actions
from undercut.play.records.events import Dealt, Ended, Over
from undercut.play.records.record import Record, parse_record, read_record, verify
from undercut.play.records.trace import record_of
from undercut.players.catalog import parse_agent
from undercut.schemas import schema
from undercut.text.errors import RecordError, UndercutError

SAMPLES = sorted((Path(__file__).parents[2] / "examples" / "records").glob("*.jsonl"))
GIN = parse_game("gin:target=1")


def export(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


def test_there_is_a_sample_of_every_game() -> None:
    games = {read_record(path).game.family.name for path in SAMPLES}
    assert games == {"gin", "rummy", "pharaoh"}
    assert {path.stem for path in SAMPLES} >= {"gin", "distilled", "rummy", "pharaoh", "prsi"}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_fits_its_schema_and_is_a_table_of_decisions(path: Path) -> None:
    assert path.stat().st_size < 60_000
    validator = jsonschema.Draft202012Validator(schema("record"))
    for line in path.read_text().splitlines():
        validator.validate(json.loads(line))
    record = read_record(path)
    verify(record)
    rows = list(rows_of(record, path.stem))
    assert rows
    for row in rows[:: max(1, len(rows) // 10)]:
        assert [*row] == [*COLUMNS]
        game, view = parse_position(row["position"])
        texts = [game.notation.format_action(each) for each in legal_actions(game, view)]
        assert texts == row["legal"]
        assert row["legal"][row["choice"]] == row["action"]
        assert int(view["me"]) == row["seat"]
        assert row["hand"] == game.notation.format_hand(view)
    ended = [event for event in record.events if isinstance(event, Ended)]
    assert {row["deal"] for row in rows} <= {event.deal for event in ended}
    starters = {event.deal: event.starter for event in record.events if isinstance(event, Dealt)}
    assert all(row["starter"] == starters[row["deal"]] for row in rows)
    assert all(row["player"] == record.header.players[row["seat"]] for row in rows)
    before = [[0] * record.game.seats, *(event.scores for event in ended)]
    assert all(row["scores"] == before[row["deal"]] for row in rows)
    assert all(row["points"] == ended[row["deal"]].points[row["seat"]] for row in rows)


def test_a_match_without_an_end_has_no_shares() -> None:
    record = read_record(SAMPLES[0])
    events = [event for event in record.events if not isinstance(event, Over)]
    rows = list(rows_of(replace(record, events=events), "left"))
    assert len(rows) == len(list(rows_of(record, "")))
    assert {row["share"] for row in rows} == {None}


def test_a_table_is_written_and_read_by_others(tmp_path: Path) -> None:
    folder = SAMPLES[0].parent
    done = export(folder, tmp_path / "d.parquet", "--json")
    table = pyarrow.parquet.read_table(tmp_path / "d.parquet")
    assert json.loads(done.stdout)["decisions"] == len(table)
    assert table.column_names == [*COLUMNS]
    about = table.schema.field("position").metadata[b"about"].decode()
    assert about == COLUMNS["position"].about
    assert table.schema.metadata[b"format"] == b"undercut-decisions/1"
    assert export(folder, tmp_path / "d.jsonl").exit_code == 0
    lines = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text().splitlines()]
    assert lines == table.to_pylist() == list(read_rows([folder]))
    frame = to_dataframe([SAMPLES[0]])
    assert list(frame.columns) == [*COLUMNS]
    assert export(folder, tmp_path / "d.xls").exit_code == 2
    assert export(tmp_path / "none.jsonl", tmp_path / "d.jsonl").exit_code == 2


def their_state(history: list[int]) -> pyspiel.State:
    """The state that OpenSpiel has after a history, every number of it allowed there."""
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    for place, number in enumerate(history):
        assert number in state.legal_actions(), f"number {place}: {number}\n{state}"
        state.apply_action(number)
    return state


def test_numbers_are_open_spiel_s() -> None:
    there = pyspiel.gin_rummy
    utils = there.GinRummyUtils(13, 4, 10)
    assert list(histories._their_melds()) == [utils.int_to_meld[i] for i in range(185)]
    ours = (histories.TAKE, histories.DRAW, histories.PASS, histories.KNOCK, histories.MELD)
    assert ours == (
        there.DRAW_UPCARD_ACTION,
        there.DRAW_STOCK_ACTION,
        there.PASS_ACTION,
        there.KNOCK_ACTION,
        there.MELD_ACTION_BASE,
    )


def played(one: str, other: str, count: int) -> Iterator[Record]:
    """Matches of one deal."""
    agents = [parse_agent(name, GIN) for name in (one, other)]
    batch = play_batch(GIN, agents, count, seed=4, trace=None, max_deals=1)
    for number in range(count):
        yield parse_record(record_of(batch, number))


def until_a_knock(rows: list[Row]) -> list[tuple[str, str]]:
    """What was held and played before the order of the defender's actions may differ."""
    played = [(row["hand"], row["action"]) for row in rows]
    return [each for each in played if each[1].split()[0] in ("take", "draw", "pass", "discard")]


def laid(row: Row) -> str:
    """An action without the meld that a card was laid on: there it counts on all that it fits."""
    return str(row["action"]).partition(" on ")[0]


def test_our_deals_are_played_there_and_read_back() -> None:
    outcomes, read, refused = set(), 0, 0
    for record in [*played("simple", "random", 24), *played("random", "random", 4)]:
        try:
            found = histories_of(record)
        except RecordError:  # a long run, a third lay-off
            refused += 1
            continue
        ended = [event for event in record.events if isinstance(event, Ended)]
        rows = list(rows_of(record, ""))
        for deal, (history, end) in enumerate(zip(found, ended, strict=True)):
            state = their_state(history)
            assert state.is_terminal()
            mine = [row for row in rows if row["deal"] == deal]
            starter = next(
                each.starter for each in record.events if getattr(each, "deal", None) == deal
            )
            lead = end.points[starter] - end.points[1 - starter]
            is_equal = end.outcome == "undercut" and state.returns()[0] == 0
            assert is_equal or state.returns() == [lead, -lead]
            again = list(rows_of_history(GIN, history, ""))
            assert until_a_knock(again) == until_a_knock(mine)
            assert sorted(map(laid, again)) == sorted(map(laid, mine))
            outcomes.add(end.outcome)
            read += 1
    assert outcomes >= {"knock", "void"}
    assert read >= 24
    assert refused <= 6


def test_deals_of_open_spiel_are_read(tmp_path: Path) -> None:
    chance, game = Random(2), pyspiel.load_game("gin_rummy")
    lines, refused = [], 0
    for _ in range(10):
        state, top, last = game.new_initial_state(), -1, -1
        while not state.is_terminal():
            legal = state.legal_actions()
            if last == histories.TAKE and chance.random() < 0.98:
                legal = [each for each in legal if each != top]  # it is not thrown back
            knock = histories.KNOCK in legal
            chosen = histories.KNOCK if knock else chance.choice(legal)
            top, last = chosen if chosen < histories.TAKE else top, chosen
            state.apply_action(chosen)
        try:
            rows = list(rows_of_history(GIN, state.history(), ""))
        except RecordError:  # a card thrown back, a knock at the wall
            refused += 1
            continue
        assert len(rows) > 2
        lines.append(" ".join(map(str, state.history())))
    assert len(lines) >= 3
    assert refused > 0
    path = tmp_path / "deals.history"
    path.write_text("\n".join(lines))
    assert export(path, tmp_path / "d.jsonl").exit_code == 0
    for wrong in ("1 2 3", " ".join(["0"] * 21), "x", lines[0] + " 99"):
        path.write_text(wrong)
        assert export(path, tmp_path / "d.jsonl").exit_code == 2


def test_only_gin_by_its_usual_rules_has_histories(tmp_path: Path) -> None:
    for name in ("rummy", "distilled"):
        path = next(path for path in SAMPLES if path.stem == name)
        with pytest.raises(UndercutError, match="OpenSpiel does not play"):
            histories_of(read_record(path))
    gin = next(path for path in SAMPLES if path.stem == "gin")
    done = export(gin, tmp_path / "gin.history", "--json")
    assert json.loads(done.stdout)["deals"] == len(
        (tmp_path / "gin.history").read_text().splitlines()
    )
