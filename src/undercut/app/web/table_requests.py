"""What a page may ask of one table, and the refusal of what cannot be done.

The server answers these messages itself, or the interpreting process does that plays the first
moves of a table (first_moves.py).
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import methodcaller

from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.app.stored_games import StoreError
from undercut.app.web import protocol
from undercut.app.web.table import Watcher
from undercut.app.web.tables import Tables
from undercut.kernels.records import Seat
from undercut.text.errors import AgentError, UndercutError
from undercut.text.translation import say

_log = logging.getLogger(__name__)


async def carry_out(
    tables: Tables, asked: protocol.AtTable, watcher: Watcher, seat: Seat | None
) -> None:
    """Do what a watcher asks of a table; None is the owner's seat."""
    match asked:
        case protocol.Open():
            await tables.watch(asked.number, watcher, seat)
        case protocol.Play():
            choose = methodcaller("choose", asked.action)
            await tables.change(asked.number, asked.ply, choose, seat)
        case protocol.Assist():
            await tables.change(asked.number, asked.ply, _assist, seat)
        case protocol.Next():
            await tables.change(asked.number, asked.ply, Session.deal_again, seat)
        case protocol.Undo():
            await tables.change(asked.number, asked.ply, Session.undo, seat)
        case protocol.Leave():
            await tables.change(asked.number, asked.ply, Session.leave)
        case protocol.Hint():
            await tables.insight.hint(asked, watcher, seat)
        case protocol.Judge():
            watcher.tell(await tables.insight.judge(asked, seat))
        case protocol.Belief():
            if (found := await tables.insight.belief(asked, seat)) is not None:
                watcher.tell(found)
        case protocol.Agree():
            await tables.change(asked.number, asked.ply, Session.agree, seat)
        case protocol.Look():
            watcher.tell(await tables.insight.look_back(asked, seat))
        case protocol.Vary():
            watcher.tell(await tables.insight.vary(asked, seat))
        case protocol.Review():
            await tables.insight.review(asked, watcher, seat)


def _assist(session: Session) -> None:
    Shown(session).play_best()


@contextmanager
def refusing(tell: Callable[[protocol.Told], None]) -> Iterator[None]:
    """Tell why something could not be done; no details of our own mistakes."""
    try:
        yield
    except AgentError:  # its message names actions of the other seat
        _log.exception("an opponent could not answer")
        tell(refused(say("an opponent could not answer; the game is kept as it was")))
    except StoreError as error:
        tell(refused(error.told))
    except UndercutError as error:
        tell(refused(str(error)))
    except Exception:
        _log.exception("a message could not be answered")
        tell(refused(say("Something went wrong on the server. Your game is unchanged.")))


def refused(why: str) -> protocol.Refused:
    """A refusal in one line."""
    return protocol.Refused(" ".join(why.split()))
