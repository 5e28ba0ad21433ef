"""`undercut play`, `games` and `replay`: play games, list them, and show their records."""

import os
import sys
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from undercut.app.new_game import NewGame
from undercut.cli import arguments, screen
from undercut.text.printable import printable, printable_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from undercut.app.account import Account, Share, Streak
    from undercut.app.store import Store
    from undercut.play.records.record import Record


LEAST = (60, 20)  # columns and rows of a full-screen table

_data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the games; by default UNDERCUT_DATA, or the system's folder for user data.",
)


class Screen(NamedTuple):
    """The options that choose between browser and terminal."""

    web: bool
    terminal: bool
    lines: bool
    record: Path | None
    language: str | None

    def is_browser(self, people: int) -> bool:
        """Whether the game is played in a browser; without options, if the person can see one."""
        if self.web and self.terminal:
            raise click.UsageError("--web or --terminal, not both")
        only = {"--record": self.record, "--language": self.language, "--lines": self.lines or None}
        for name, value in only.items():
            if self.web and value is not None:
                raise click.UsageError(
                    f"{name} is for the terminal (undercut games export keeps records)"
                )
        if self.is_chosen(people):
            return self.web
        return sys.stdin.isatty() and _has_screen()

    def is_chosen(self, people: int) -> bool:
        """Whether an option decides; otherwise the browser is there for whoever looks for it."""
        asked = (self.web, self.terminal, self.lines, self.record, self.language, people > 1)
        return any(asked)

    @property
    def is_full(self) -> bool:
        """Whether the table has the whole terminal; scripts and screen readers want lines."""
        columns, rows = get_terminal_size()
        is_terminal = all(each.isatty() for each in (sys.stdin, sys.stdout, sys.stderr))
        is_able = os.environ.get("TERM") != "dumb" and columns >= LEAST[0] and rows >= LEAST[1]
        return is_terminal and is_able and not self.lines


class Server(NamedTuple):
    """The address and the key of the server of the browser table."""

    host: str
    port: int | None
    new_key: bool


@click.command()
@click.argument("game", required=False)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="AGENT",
    help="A level or an agent of `undercut agents`; by default skilled. May be given several"
    " times, once for each opponent; the last one takes all remaining seats. In the terminal also"
    " python:FILE:CLASS and engine:COMMAND, which run code with your rights.",
)
@arguments.number_option("--seats", 2, 8, "N", "The number of players, if the game allows several.")
@arguments.number_option(
    "--seed",
    0,
    arguments.SEED_LIMIT - 1,
    "S",
    "Determines the cards; by default every game has new ones.",
)
@arguments.file_option("--record", "Record the game.")
@click.option(
    "--language",
    metavar="LANGUAGE",
    help="The language of the table: en, cs or sk; by default that of the system.",
)
@click.option(
    "--people",
    type=arguments.whole_number("--people", 1, 8),
    default=1,
    metavar="N",
    help="The number of people who play: they take turns at the terminal, or each gets a link"
    " for a browser.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="The address of the browser's table: 0.0.0.0 lets other machines join; by default only"
    " this machine can.",
)
@click.option("--training", is_flag=True, help="Allow undo; the record says so.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[N]",
    help="Continue game N of `undercut games`; without N the last one.",
)
@click.option("--web", is_flag=True, help="Play in a browser, and print the link.")
@click.option("--terminal", is_flag=True, help="Play in this terminal.")
@click.option(
    "--lines",
    is_flag=True,
    help="Play line by line, not on the whole screen: for screen readers and scripts.",
)
@arguments.number_option(
    "--port",
    0,
    65535,
    "P",
    "The port of the browser's table; by default the last one, or any free one.",
)
@click.option(
    "--new-key",
    is_flag=True,
    help="Make a new key for the browser's table: earlier links no longer open it."
    " Guests' links stay valid.",
)
@_data_option
@arguments.gathered("new", NewGame)
@arguments.gathered("shown", Screen)
@arguments.gathered("server", Server)
def play(
    new: NewGame, resume: str | None, shown: Screen, server: Server, data: Path | None
) -> None:
    """Play against the computer: GAME, or a game that you choose in the lobby.

    The table is a page in your browser, which only this computer can open. Over ssh, without a
    screen, and with --terminal, --record or --language, you play GAME, by default gin, in the
    terminal. With --web --people N each of the others gets a link to his own seat.

    Every move is stored before it counts. You can close the page or the terminal, or pull the plug,
    and continue the game later.

    \b
    undercut play
    undercut play --terminal
    undercut play rummy --opponent expert
    undercut play pharaoh --opponent beginner --opponent master
    undercut play prsi --language cs
    undercut play pharaoh --people 3 --opponent master
    undercut play gin --web --people 2 --host 0.0.0.0
    undercut play distilled+knock --opponent thrifty --training
    undercut play gin:target=50 --record evening.jsonl
    undercut play --resume
    """
    number = _resumed(resume, new)
    if shown.is_browser(new.people):
        goes_on = resume is not None
        begun = None if goes_on or new == NewGame() else new
        _play_in_browser(partial(_open_game, begun, goes_on, number), server, data)
        return
    if resume is None and not shown.is_chosen(new.people):
        click.echo("In a browser: undercut play --web")
    if resume is not None:
        _check_in_play(number, data)
    language, full = _language(shown.language), shown.is_full
    if sys.stdout.isatty():
        _greet(language)
    from undercut.app.terminal.table import play as play_at_terminal
    from undercut.app.terminal.table import resume as resume_at_terminal

    if resume is None:
        play_at_terminal(new, shown.record, language, data, full_screen=full)
    else:
        resume_at_terminal(number, shown.record, language, data, full_screen=full)


def _greet(language: str | None) -> None:
    """Print a first line at once: imports and the compiler take a while."""
    from undercut.text.translation import ENGLISH, say, speaking

    with speaking(language or ENGLISH):
        click.echo(say("Setting the table …"))


def _check_in_play(number: int | None, data: Path | None) -> None:
    """Refuse a game that cannot be continued, before anything else is printed."""
    from undercut.app.data_folder import data_folder
    from undercut.app.store import Store
    from undercut.app.terminal.table import find_in_play

    if number is not None:
        store = Store(data or data_folder())
        try:
            find_in_play(store, number)
        finally:
            store.close()


def _language(given: str | None) -> str | None:
    """The language of the table: the given one, or that of the system; None for English."""
    from undercut.text.translation import ENGLISH, language_of, parse_language

    if given is not None:
        return parse_language(given)
    found = language_of()
    return None if found == ENGLISH else found


def _resumed(resume: str | None, new: NewGame) -> int | None:
    """The number of the game to continue; None for the last one or a new one."""
    if resume is None:
        return None
    given = {"GAME": new.game, "--opponent": new.opponents, "--seats": new.seats}
    given |= {"--seed": new.seed, "--training": new.training, "--people": new.people - 1}
    for name, value in given.items():
        if value:
            raise click.UsageError(f"{name} cannot be changed in a game that goes on")
    if resume and not resume.isdecimal():
        raise click.UsageError(f"--resume {resume}: must be the number of a game: undercut games")
    return int(resume) if resume else None


def _has_screen() -> bool:
    """Whether the person would see a browser of this machine."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(shown) or sys.platform in ("darwin", "win32")


def _play_in_browser(
    begin: "Callable[[Store], int | None]", server: Server, data: Path | None
) -> None:
    """Serve the table until Ctrl-C; `begin` opens the first game."""
    from undercut.app.data_folder import data_folder
    from undercut.app.web.supervisor import supervise

    opens = sys.stdin.isatty() and _has_screen()
    code = supervise(data or data_folder(), *server, begin, opens, click.echo)
    if code:
        sys.exit(code)


def _open_game(
    new: NewGame | None, goes_on: bool, number: int | None, store: "Store"
) -> int | None:
    """The number of the game to open first, None for the lobby; the server calls this."""
    if not goes_on:
        return None if new is None else _begin(store, new)
    if number is None:
        _name_damaged(store)
        return store.last().number
    return store.find(number).number


def _begin(store: "Store", new: NewGame) -> int:
    from undercut.app.terminal.table import invite, spec_of
    from undercut.app.web import tables

    game, agents = invite(new.spec, new.opponents, new.seats, new.people)
    specs = [spec_of(agent) for agent in agents]
    tables.invite(game.name, specs, new.people)  # none of them is refused there
    return tables.begin_game(store, game, specs, new.training, new.seed, new.people)


@click.group(invoke_without_command=True, short_help="List, export or delete your games.")
@_data_option
@click.option("--statistics", is_flag=True, help="Show statistics instead.")
@arguments.json_option
@click.pass_context
def games(context: click.Context, data: Path | None, statistics: bool, as_json: bool) -> None:
    """List your games, the last one first.

    \b
    undercut games
    undercut games --json
    undercut games --statistics
    undercut games export 12 evening.jsonl
    undercut games delete 12
    undercut play --resume 12
    """
    from undercut.app.data_folder import data_folder
    from undercut.app.store import Store

    store = Store(data or data_folder())
    context.obj = store
    if context.invoked_subcommand is not None:
        return
    _name_damaged(store)
    if statistics:
        _show_statistics(store, as_json)
    else:
        _list_games(store, as_json)


def _name_damaged(store: "Store") -> None:
    """Print a line for each game that cannot be read."""
    for each in store.damaged():
        screen.echo(f"game {each.number} is damaged, and left out: {each.why}", err=True)


def _damaged_fields(store: "Store") -> dict[str, object]:
    return {"damaged": [{"number": each.number, "why": each.why} for each in store.damaged()]}


@games.command()
@click.argument("number", type=int)
@click.argument("file", type=arguments.OUT_FILE)
@click.pass_obj
def export(store: "Store", number: int, file: Path) -> None:
    """Write the record of game NUMBER, finished or abandoned, into FILE.

    \b
    undercut games export 12 evening.jsonl
    """
    from undercut.app.store import Kept
    from undercut.app.terminal.table import check_record
    from undercut.play.records.record import write_record

    check_record(file)
    write_record(file, Kept(store, store.find(number)).host.record())
    click.echo(f"game {number} is recorded in {file}")


@games.command()
@click.argument("number", type=int)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(store: "Store", number: int, yes: bool) -> None:
    """Delete game NUMBER for good.

    \b
    undercut games delete 12
    """
    from undercut.app.stored_games import Stored

    stored = store.read(number)
    what = f"{stored.game} of {stored.touched}" if isinstance(stored, Stored) else "damaged"
    if not yes:
        click.confirm(printable(f"Delete game {number}, {what}?"), abort=True)
    store.delete(number)
    click.echo(f"game {number} is deleted")


def _show_statistics(store: "Store", as_json: bool) -> None:
    from dataclasses import asdict

    from undercut.app.statistics import statistics

    found = statistics(store)
    if as_json:
        told = asdict(found, dict_factory=_plain_fields) | _damaged_fields(store)
        screen.print_json(told, "statistics")
        return
    for heading, account in (("Games", found.played), ("Training", found.training)):
        if account.games:
            _show_account(heading, account)
    if not found.played.games and not found.training.games:
        click.echo("No game has been played to its end yet: undercut play")
    if found.left:
        click.echo(f"\nLeft before the end, and not counted: {found.left}")


def _plain_fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The fields of a share, with the names of rates in all JSON outputs."""
    return {"rate_ci95" if name == "interval" else name: value for name, value in pairs}


def _show_account(heading: str, account: "Account") -> None:
    click.echo(f"\n{heading}: {_share(account.won)} won, {_streak(account.streak)}")
    for game in account.games:
        table = screen.plain_table()
        for name in (game.title, "won", "of", "95 % interval"):
            table.add_column(name, justify="left" if name == game.title else "right")
        for each in game.against:
            _add_share(table, f"against {', '.join(each.opponents)}", each.won)
        _add_share(table, "deals", game.deals_won)
        for ending in game.endings:
            shares = {"you": ending.mine, "others": ending.theirs, "nobody": ending.nobody}
            for who, share in shares.items():
                if share.count:
                    _add_share(table, f"{ending.outcome}, {who}", share)
        click.echo()
        screen.console().print(table)


def _add_share(table: "Table", name: str, share: "Share") -> None:
    from undercut.lab.result_tables import percents

    table.add_row(name, f"{share.count:g}", str(share.of), percents(share.interval))


def _share(share: "Share") -> str:
    return f"{share.count:g} of {share.of}"


def _streak(streak: "Streak") -> str:
    now = f"{abs(streak.current)} {'won' if streak.current > 0 else 'lost'} in a row now"
    return f"{now}, at most {streak.longest} won in a row"


def _list_games(store: "Store", as_json: bool) -> None:
    from dataclasses import asdict

    found = store.games()
    if as_json:
        left_out = ("seed", "pledge", "named")  # two determine hidden cards, one names people
        rows = [{k: v for k, v in asdict(each).items() if k not in left_out} for each in found]
        screen.print_json({"games": rows, **_damaged_fields(store)}, "games")
        return
    if not found:
        click.echo("There are no games yet: undercut play")
        return
    table = screen.plain_table()
    for heading in ("game", "last move (UTC)", "rules", "players", "points", ""):
        table.add_column(heading)
    for each in found:
        points = " : ".join(map(str, each.scores))
        state = f"{each.state}, training" if each.training else each.state
        when = each.touched.replace("T", " ").removesuffix("+00:00")
        table.add_row(str(each.number), when, each.game, ", ".join(each.players), points, state)
    screen.console().print(table)


@click.command(short_help="Show or verify a recorded game.")
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--verify", is_flag=True, help="Replay the record by the rules and compare every line."
)
@click.option("--step", is_flag=True, help="Show one event at a time: Enter continues, q stops.")
@arguments.number_option(
    "--position",
    0,
    10**9,
    "PLY",
    "Print the position after PLY actions, as the seat on turn sees it, for `hint`.",
)
@arguments.json_option
def replay(record: Path, verify: bool, step: bool, position: int | None, as_json: bool) -> None:
    """Show a recorded game, one event a line, or verify it.

    \b
    undercut replay evening.jsonl
    undercut replay evening.jsonl --step
    undercut replay evening.jsonl --verify
    undercut replay evening.jsonl --json
    undercut hint $(undercut replay evening.jsonl --position 12)
    """
    from msgspec import to_builtins

    from undercut.play.records.record import read_record
    from undercut.play.records.record import verify as verify_events

    read = read_record(record)
    if position is not None:
        _print_position(read, position)
        return
    if verify:
        verify_events(read)
    events = to_builtins([read.header, *read.events])
    if as_json:
        told = {"record": str(record), "verified": verify, "events": events}
        screen.print_json(told, "replay")
    elif verify:
        click.echo(f"{record}: verified, all {len(events)} events follow from the rules and seeds")
    else:
        for place, event in enumerate(events):
            click.echo(tell(printable_values(event), printable_values(read.header.players)))
            if step and place < len(events) - 1 and not _goes_on():
                return


def _print_position(read: "Record", ply: int) -> None:
    from undercut.games.table.position import format_position
    from undercut.play.records.record import replay_to

    deal = replay_to(read, ply).deal
    if deal.is_over:
        raise click.UsageError(f"--position {ply}: the match is over there, and nobody on turn")
    click.echo(format_position(read.game, deal.observe(deal.seat)))


def _goes_on() -> bool:
    try:
        return input().strip().lower() not in ("q", "quit")
    except EOFError:
        return False


def tell(event: dict[str, Any], players: list[str]) -> str:
    """An event in words; fields of one game alone keep their names."""
    fields = dict(event)
    kind = fields.pop("event")
    if kind == "match":
        return f"{fields['game']}: {' v '.join(players)}"
    if kind == "action":
        hidden = f" ({fields['cards']})" if "cards" in fields else ""
        return f"  {players[fields['seat']]}: {fields['action']}{hidden}"
    lines = [_heading(kind, fields, players)]
    for player, hand in zip(players, fields.pop("hands", []), strict=False):
        held = "hidden cards" if hand is None else hand or "no cards"
        lines.append(f"  {player} holds {held}")
    lines += [f"  {name}: {_plain(value)}" for name, value in fields.items()]
    return "\n".join(lines)


def _heading(kind: str, fields: dict[str, Any], players: list[str]) -> str:
    if kind == "deal":
        return f"deal {fields.pop('deal') + 1}: {players[fields.pop('starter')]} plays first"
    if kind == "end":
        return f"end of deal {fields.pop('deal') + 1}: {fields.pop('outcome')}"
    if kind == "left":
        return f"{players[fields.pop('seat')]} left before the match was over: nobody has won"
    return "the match is over" if kind == "over" else kind


def _plain(value: object) -> str:
    return " : ".join(str(each) for each in value) if isinstance(value, list) else str(value)
