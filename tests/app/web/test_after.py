"""Before a match words of one's own, after it another game, a look back, and what came of it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from undercut.app.store import Kept, Store
from undercut.app.web import tables
from undercut.cli import main
from undercut.play import commitment
from undercut.play.records.record import parse_record, verify
from undercut.play.secret_seeds import is_secret
from web_page import Page, TestClient, connect, first_action, serve, visit

GAME = "gin:target=40,first_starter=0"
SEEN = ("ply", "deal", "areas", "orders", "question", "told", "summary", "deals", "scores")


@dataclass
class Played:
    """A match of Gin that was played to its end, and all tables that were seen on the way."""

    page: Page
    client: TestClient
    folder: Path
    tables: list[dict[str, Any]] = field(default_factory=list)

    @property
    def last(self) -> dict[str, Any]:
        return self.tables[-1]

    @property
    def number(self) -> int:
        return int(self.last["number"])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder, seeds = tmp_path_factory.mktemp("games"), count(10**18)
    with (
        pytest.MonkeyPatch.context() as patched,
        visit(serve(folder)) as client,
        connect(client) as page,
    ):
        patched.setattr(tables, "new_secret", lambda: f"{next(seeds):064x}")
        match = Played(page, client, folder, [page.begin(GAME, "beginner")])
        while not match.last["is_over"]:
            match.tables.append(page.go_on(match.last))
        yield match


def test_every_ply_is_shown_as_it_was_seen(played: Played) -> None:
    for table in played.tables[:-1:4] + played.tables[-1:]:
        past = played.page.ask("look", number=played.number, ply=table["ply"], deal=table["deal"])
        assert past["kind"] == "past"
        assert [past["table"][name] for name in SEEN] == [table[name] for name in SEEN]
        assert [len(hand) > 0 for hand in past["hands"]] == [True, True], "the match is over"
    assert len({table["deal"] for table in played.tables}) == len(played.last["deals"])
    ends = [deal["ply"] for deal in played.last["deals"]]
    assert ends == [table["ply"] for table in played.tables if table["summary"]]


def test_what_is_prepared_is_counted(played: Played) -> None:
    told = [json.loads(each) for each in played.page.heard if '"preparing"' in each]
    parts = [(each["ready"], each["of"], each["part"], each["name"]) for each in told]
    assert parts == [(0, 3, "rules", ""), (1, 3, "opponent", "Nina"), (2, 3, "table", "")]


def test_any_ply_has_a_hint(played: Played) -> None:
    asked = [table for table in played.tables if table["question"]][-1]
    where = {"number": played.number, "ply": asked["ply"], "deal": asked["deal"]}
    hint = played.page.ask("hint", **where)["text"]
    assert re.search(r": [+-]\d+\.\d points on average, and \d+ % of matches won$", hint)
    over = {"number": played.number, "ply": played.last["ply"], "deal": played.last["deal"]}
    assert played.page.ask("hint", **over)["why"] == "there is nothing to choose now"
    for wrong in ({"ply": 10**6}, {"deal": 99}, {"deal": 0}):
        assert played.page.ask("look", **where | wrong)["kind"] == "refused"


def test_looking_back_in_play_shows_what_the_seat_saw_and_no_secret(played: Played) -> None:
    table = played.page.begin(GAME, "beginner")
    while table["deal"] == 1 and len(table["told"]) < 6:
        table = played.page.go_on(table)
    store = Store(played.folder)
    match = Kept(store, store.find(table["number"])).host
    seed, salt = match.match._seeds(table["deal"] - 1)
    begun = table["deals"][-1]["ply"] if table["deals"] else 0
    for ply in range(begun, table["ply"] + 1):
        asked = {"number": table["number"], "ply": ply, "deal": table["deal"]}
        answer = played.page.ask("look", **asked)
        assert answer["hands"] == [], "the deal is not over"
        past = answer["table"]
        assert (past["ply"], past["seat"]) == (ply, 0)
        finished = past["told"][:-1]  # the last sentence may go on
        assert finished == table["told"][: len(finished)]
        for secret in (seed, salt, match.seed):
            assert str(secret) not in played.page.heard[-1]
    store.close()


def test_all_hands_are_shown_when_a_deal_is_over(played: Played) -> None:
    table = played.page.begin("gin:target=500", "beginner")
    while not table["summary"]:
        table = played.page.go_on(table)
    assert not table["is_over"]
    first = played.page.ask("look", number=table["number"], ply=0, deal=1)
    assert [len(hand) for hand in first["hands"]] == [10, 10]
    (mine,) = [area for area in first["table"]["areas"] if area["kind"] == "hand"]
    assert {*first["hands"][0]} == {card for part in mine["parts"] for card in part["cards"]}


def test_a_record_is_downloaded_when_the_match_has_ended(played: Played) -> None:
    def ticket(number: int) -> str:
        return str(played.page.ask("ticket", number=number)["ticket"])

    path = f"/records/{played.number}"
    given = ticket(played.number)
    sent = played.client.get(f"{path}?ticket={given}")
    assert f'filename="undercut-{played.number}.jsonl"' in sent.headers["content-disposition"]
    assert sent.headers["content-type"] == "application/jsonl"
    assert verify(parse_record(sent.text)).is_over
    again = played.client.get(f"{path}?ticket={given}")
    assert again.status_code == 403, "a ticket is good for one download"
    assert again.text == "Download records from the page of the table.\n"
    assert played.client.get(path).status_code == 403
    running = played.page.begin(GAME, "beginner")["number"]
    refused = played.client.get(f"/records/{running}?ticket={ticket(running)}")
    assert (refused.status_code, "still in play" in refused.text) == (409, True)
    missing = played.client.get(f"/records/99999?ticket={ticket(99999)}")
    assert (missing.status_code, missing.text) == (404, "There is no such game.\n")
    for other in (running, "0" + path[-1], "9" * 4400, "x", f"{played.number}%20"):
        refused = played.client.get(f"/records/{other}?ticket={ticket(played.number)}")
        assert refused.status_code == 403, other


def test_the_same_deal_the_other_seat_and_a_rematch(played: Played) -> None:
    first = played.tables[0]
    running = played.page.begin(GAME, "beginner")
    for how in ("rematch", "same", "seats"):
        refused = played.page.ask("again", number=running["number"], how=how)
        assert "still in play" in refused["why"]
    same = played.page.ask("again", number=played.number, how="same")
    assert [same[name] for name in SEEN] == [first[name] for name in SEEN]
    other = played.page.ask("again", number=played.number, how="seats")
    assert (other["seat"], other["names"]) == (1, ["Nina", "You"])
    assert other["commitment"] == first["commitment"]
    rematch = played.page.ask("again", number=played.number, how="rematch")
    assert rematch["commitment"] != first["commitment"]
    training = [each["is_training"] for each in (same, other, rematch)]
    assert training == [True, True, False], "who knows the cards is in training"


def test_results_are_counted_by_game_and_opponent(played: Played) -> None:
    found = played.page.ask("statistics")["statistics"]
    (game,) = [each for each in found["played"]["games"] if each["game"] == played.last["game"]]
    assert game["against"][0]["opponents"] == ["Nina (beginner)"]
    assert game["deals_won"]["of"] == len(played.last["deals"])
    won = played.last["scores"][0] > played.last["scores"][1]
    assert game["won"]["count"] == won
    assert (game["streak"]["current"] > 0) == won
    low, high = game["won"]["interval"]
    assert 0 <= low < high <= 1


def test_words_of_ones_own_are_mixed_into_a_seed_that_was_sealed_before(tmp_path: Path) -> None:
    words = "a black cat"
    with visit(serve(tmp_path)) as client, connect(client) as page:
        asked = {"game": GAME, "opponents": ["beginner"], "words": words}
        assert "ask for a seal before" in page.ask("begin", **asked)["why"]
        seal = page.ask("seal")["seal"]
        table = page.ask("begin", **asked)
        assert table["pledge"] == {"seal": seal, "words": words, "seed": "", "salt": ""}
        assert "ask for a seal" in page.ask("begin", **asked)["why"], "it serves for one game"
        (stored,) = Store(tmp_path).games()
        assert stored.pledge is not None
        assert stored.seed == commitment.mix(stored.pledge.seed, words)
        assert is_secret(stored.pledge.seed)
        while not table["is_over"]:
            assert str(stored.pledge.seed) not in "".join(page.heard)
            table = page.go_on(table)
        told = table["pledge"]
    given = ["verify", told["seed"], told["salt"], seal, "--words", words, "--deals", "2"]
    shown = CliRunner().invoke(main, given)
    assert shown.exit_code == 0
    seeds = re.findall(r"^deal \d: seed ([0-9a-f]{64})$", shown.stdout, re.M)
    assert seeds == [deal["seed"] for deal in table["deals"]][:2] + seeds[len(table["deals"]) :]


def test_every_seal_has_a_salt_of_its_own(tmp_path: Path) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as page:
        for words in ("one", "two"):
            page.ask("seal")
            page.ask("begin", game=GAME, opponents=["beginner"], words=words)
    salts = {each.pledge.salt for each in Store(tmp_path).games() if each.pledge}
    assert len(salts) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", salt) for salt in salts)


def test_another_move_of_a_finished_deal_is_played_out(played: Played) -> None:
    page, number = played.page, played.last["number"]
    page.ask("open", number=number)
    seen = (table for table in played.tables if table["question"] and table["deal"] == 1)
    at = next(table for table in seen if len(table["told"]) > 3)
    choice = at["question"]["groups"][0]["choices"][0]
    action = (choice["more"] or [choice])[0]["action"]
    asked = {"number": number, "ply": at["ply"], "deal": 1, "action": action}
    found = page.ask("vary", **asked)
    assert (found["kind"], found["ply"], found["action"]) == ("varied", at["ply"], action)
    assert found == page.ask("vary", **asked), "the same each time"
    assert len(found["points"]) == len(at["names"])
    assert found["told"]
    assert found["told"][0] not in at["told"], "it begins where the moves differ"
    refused = page.ask("vary", **{**asked, "action": "fly"})
    assert "cannot be played now" in refused["why"]


def test_a_deal_in_play_has_no_variations(tmp_path: Path) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as page:
        table = page.begin("gin", "beginner")
        asked = {"number": table["number"], "ply": table["ply"], "deal": 1}
        action = first_action(table)
        assert page.ask("vary", action=action, **asked)["why"] == "the deal is not over"
