"""The errors of the package. All are ValueErrors with a message of one line."""

import sysconfig
from pathlib import Path
from traceback import extract_tb

from undercut.text.printable import printable

_PACKAGE = str(Path(__file__).parents[1])


def plain(error: object) -> str:
    """An error's message as one printable line, even if it quotes a line break.

    >>> from undercut.text.errors import plain
    >>> plain("not a card: '\\x1b[31m'")
    "not a card: '\\\\x1b[31m'"
    """
    return printable(str(error))


def raised(error: Exception) -> str:
    """An exception of other code in one line: its type, its message, its file and line.

    >>> from undercut.text.errors import raised
    >>> raised(RuntimeError("I am\\nlost"))
    'RuntimeError: I am lost'
    """
    told = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return told + place_of(error)


def place_of(error: Exception) -> str:
    """The last line of the user's own code in the traceback of an error, in brackets."""
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).exists()]
    libraries = (_PACKAGE, *map(sysconfig.get_path, ("stdlib", "purelib", "platlib")))
    own = [frame for frame in frames if not frame.filename.startswith(libraries)]
    last = (own or frames)[-1:]
    return "".join(f" ({shown_path(frame.filename)}, line {frame.lineno})" for frame in last)


def shown_path(path: str) -> str:
    """A path, relative to the working directory if it is below it.

    >>> from undercut.text.errors import shown_path
    >>> shown_path("/elsewhere/bot.py")
    '/elsewhere/bot.py'
    """
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


class UndercutError(ValueError):
    """A wrong input; the message names it and what is allowed."""

    def __str__(self) -> str:
        """One line that is safe to print, whatever it quotes."""
        return plain(super().__str__())


class NotationError(UndercutError):
    """Text that is not a card, an action, a position or a spec."""


class OptionsError(UndercutError):
    """A game option that does not exist or has an impossible value."""


class IllegalAction(UndercutError):
    """An action that the rules do not allow now; the state is unchanged."""


class AgentError(UndercutError):
    """An agent raised an error, or its answer is not a legal action."""


class Forfeit(AgentError):
    """An agent in another process crashed, hung or gave a wrong answer: it loses the match."""


class KernelError(UndercutError):
    """A kernel that cannot be compiled."""


class RulesError(UndercutError):
    """A game that breaks its contract, `Rules` in games/contract.py."""


class RecordError(UndercutError):
    """A record that cannot be read, or that does not replay as written."""
