"""Games of people: 256 bits from the system unless they name a seed, kept and shown to nobody."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from undercut.app.host import Host
from undercut.app.rematch import begin_again
from undercut.app.session import Session
from undercut.app.store import OVER, Kept, Store
from undercut.app.web.tables import begin_game
from undercut.cli import main
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.play.agent import Random
from undercut.play.records.record import format_record, parse_record, verify
from undercut.play.secret_seeds import SecretChance, is_secret
from web_page import connect, serve, visit

pytestmark = pytest.mark.compiled
GIN = "gin:first_starter=0,target=20"


def undercut(*arguments: object, typed: str = "") -> Any:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=typed)


def test_games_that_name_no_seed_have_secrets_of_their_own(tmp_path: Path) -> None:
    """Whichever way they are begun, and whatever words are mixed in."""
    with visit(serve(tmp_path)) as client, connect(client) as page:
        asked = {"game": GIN, "opponents": ["beginner"]}
        for words in ("", "", "a cat", "a cat"):
            if words:
                page.ask("seal")
            page.ask("begin", **asked, words=words)
    for _ in range(2):
        undercut("play", GIN, "--opponent", "simple", "--data", tmp_path, typed="1\n")
    store = Store(tmp_path)
    for _ in range(2):
        begin_game(store, parse_game(GIN), ["simple"])
    store.note(1, OVER, (100, 0), [])
    for _ in range(2):
        begin_again(store, store.find(1), "rematch")
    found = store.games()
    assert len(found) == 10
    assert all(is_secret(stored.seed) for stored in found)
    assert len({stored.seed for stored in found}) == 10
    pledges = [stored.pledge for stored in found if stored.pledge]
    assert all(is_secret(pledge.seed) for pledge in pledges)
    assert len({pledge.seed for pledge in pledges}) == len({each.salt for each in pledges}) == 2
    assert begin_again(store, store.find(1), "same").seed == store.find(1).seed
    store.close()


def test_a_seed_that_is_named_is_kept_as_it_is(tmp_path: Path) -> None:
    undercut("play", GIN, "--opponent", "simple", "--seed", 3, "--data", tmp_path, typed="1\n")
    store = Store(tmp_path)
    begin_game(store, parse_game(GIN), ["simple"], seed=4)
    assert {stored.seed for stored in store.games()} == {3, 4}
    store.close()


@pytest.mark.parametrize("secret", ["1" * 64, f"12e{'4' * 61}", "0" * 64, "f" * 64])
def test_a_secret_is_kept_to_the_last_digit_and_listed_nowhere(tmp_path: Path, secret: str) -> None:
    """SQLite makes numbers of texts that look like them, where a column is of numbers."""
    store = Store(tmp_path)
    begun = store.begin(parse_game(GIN), ["you", "simple"], secret)
    assert begun.seed == store.find(begun.number).seed == secret
    store.close()
    told = undercut("games", "--data", tmp_path, "--json").stdout
    assert secret not in told
    assert not {"seed", "pledge", "entropy", "secret"} & set(json.loads(told)["games"][0])
    assert secret not in undercut("games", "--data", tmp_path).stdout


def play_on(host: Host, choices: int) -> None:
    """A person who picks any legal action, always the same at the same ply."""
    session = Session.at(host, 0)
    for _ in range(choices):
        if session.is_over:
            return
        if session.is_deal_over:
            session.next_deal()
        else:
            session.play(Random.from_seed(host.acted).choice(session.choices()))


def test_a_game_with_a_secret_goes_on_as_it_was_and_its_record_verifies(tmp_path: Path) -> None:
    game: Game = parse_game("prsi:players=3,deals=2")
    store = Store(tmp_path)
    stored = store.begin(game, ["you", "random", "random"], "ab" * 32)
    whole = Kept(store, stored).host
    play_on(whole, 3)
    while not whole.match.is_over:
        again = Kept(store, store.find(stored.number)).host
        assert again._notes == whole._notes
        assert again.match.deal.observe(0).tobytes() == whole.match.deal.observe(0).tobytes()
        play_on(whole, 3)
    text = format_record(whole.record())
    assert '"schema":"undercut-record/3"' in text
    assert verify(parse_record(text)).scores == list(whole.scores)
    chance = SecretChance("ab" * 32)
    assert [result.seed for result in whole.results] == [chance.deal(0), chance.deal(1)]
    assert "ab" * 32 not in text
    store.close()


def test_a_host_without_a_seed_draws_its_secret_from_the_system() -> None:
    game = parse_game(GIN)
    secrets = {Host(game, [None, None]).seed for _ in range(5)}
    assert len(secrets) == 5
    assert all(map(is_secret, secrets))
