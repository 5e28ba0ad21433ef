"""Matches played by messages, with every byte that is sent to a page looked at.

What a seat is sent must be, byte for byte, what it would be sent with any other hidden cards. And
no message names what the cards of a deal in play follow from.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec

from typed_table import redealt
from undercut.app.agent_pool import seat_agent
from undercut.app.history import Moment, Past
from undercut.app.host import Host
from undercut.app.session import Session
from undercut.app.store import Store
from undercut.app.web.protocol import format_told
from undercut.app.web.snapshot import move_shown, snapshot
from undercut.games.families import parse_game
from undercut.play.agent import Random
from web_page import Page, connect, joined, next_step, serve, visit

TRIES = 3  # while another chooses melds, most hands that one may think of have none


class Mirror:
    """The match as the server has it, hidden cards included."""

    def __init__(self, store: Store) -> None:
        stored, self._store, self._known = store.games()[0], store, 0
        game, self.number = parse_game(stored.game), stored.number
        self.opponents = tuple(spec for spec in stored.players if spec != "you")
        players = [None if spec == "you" else seat_agent(spec, game) for spec in stored.players]
        self.host = Host(game, players, stored.seed, asks_all=stored.asks_all)

    def catch_up(self) -> None:
        """Take what was written since."""
        for entry in self._store.entries(self.number)[self._known :]:
            self.host._take(entry)
            self._known += 1

    def secrets(self) -> Iterator[str]:
        """What names cards that are still hidden."""
        yield str(self.host.seed)
        for deal in range(len(self.host.results), len(self.host.results) + 2):
            seed, salt = self.host.match._seeds(deal)
            yield str(seed)
            yield salt


class Party:
    """Everybody who sits at one table, each at a page."""

    def __init__(self, folder: Path, rooms: ExitStack, chance: Random) -> None:
        self._chance = chance
        self._client = rooms.enter_context(visit(serve(folder)))
        self._rooms = rooms
        self.pages: dict[int, Page] = {}
        self.tables: dict[int, dict[str, Any]] = {}

    def begin(self, game: str, opponents: Sequence[str], people: int) -> None:
        owner = self._rooms.enter_context(connect(self._client))
        number = owner.begin(game, *opponents, people=people)["number"]
        self.pages[0] = owner
        for invitation in owner.hear()["invitations"] if people > 1 else []:
            guest = self._rooms.enter_context(joined(self._client, invitation["path"]))
            self.pages[invitation["seat"]] = guest
        for seat, page in self.pages.items():
            self.tables[seat] = page.ask("open", number=number)

    def go_on(self) -> None:
        """Whose turn it is plays any action, or deals again; all see it."""
        on_turn = self.tables[0]["on_turn"] or 0
        self.pages[on_turn].say(**next_step(self.tables[on_turn], self._chance))
        for seat, page in self.pages.items():
            self.tables[seat] = page.answer()
            assert self.tables[seat]["kind"] == "table", self.tables[seat]


def overhear(
    folder: Path, game: str, opponents: Sequence[str], people: int = 1, most: int = 10**9
) -> int:
    """Play a match, or so many tables of it, and compare; how many tables were compared."""
    chance, compared = Random.from_seed(5), 0
    with ExitStack() as rooms:
        party = Party(folder, rooms, chance)
        party.begin(game, opponents, people)
        mirror = Mirror(rooms.enter_context(closing(Store(folder))))
        while True:
            mirror.catch_up()
            for seat, page in party.pages.items():
                compared += _compare(mirror, seat, page.heard, chance)
            if party.tables[0]["is_over"] or compared >= most:
                return compared
            party.go_on()


def _compare(mirror: Mirror, seat: int, heard: list[str], chance: Random) -> int:
    """Compare the last table that a page was sent; whether there was something to compare."""
    for message in heard:
        assert not any(secret in message for secret in mirror.secrets()), message
        for move in msgspec.json.decode(message).get("moves", ()):
            _compare_move(mirror, seat, move, chance)
    sent = heard[-1]
    heard.clear()
    if mirror.host.on_turn is None:
        return 0  # what the deal was is open now
    session = Session.beside(mirror.host, seat)
    possible = _twin(session, chance)
    for told in (session, *possible):
        assert format_told(snapshot(told, mirror.number, mirror.opponents)) == sent, sent
    return len(possible)


def _twin(session: Session, chance: Random) -> list[Session]:
    """The same session with other hidden cards, if some were found."""
    twins = [redealt(session, chance) for _ in range(TRIES)]
    return [twin for twin in twins if not twin.is_deal_over][:1]


def _compare_move(mirror: Mirror, seat: int, sent: dict[str, Any], chance: Random) -> None:
    """Compare the table between two moves with the match as it was then."""
    past = Past(Moment.of(mirror.host), sent["ply"], sent["deal"] - 1)
    session = Session.beside(past, seat)
    for told in (session, *_twin(session, chance)):
        assert msgspec.json.decode(msgspec.json.encode(move_shown(told))) == sent
