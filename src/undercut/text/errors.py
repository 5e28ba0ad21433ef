"""What can be wrong with what someone gives us. All are ValueErrors with one clear line."""

import sysconfig
from pathlib import Path
from traceback import extract_tb

from undercut.text.printable import printable

_PACKAGE = str(Path(__file__).parents[1])


def plain(error: object) -> str:
    """An error's message in one line that can be printed, even where it quotes a line break.

    >>> plain("not a card: '\\x1b[31m'")
    "not a card: '\\\\x1b[31m'"
    """
    return printable(str(error))


def raised(error: Exception) -> str:
    """Somebody else's error in one line: its kind, its message, and the file and line that raised it.

    >>> raised(RuntimeError("I am\\nlost"))
    'RuntimeError: I am lost'
    """
    told = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return told + place_of(error)


def place_of(error: Exception) -> str:
    """The last line of the user's own code in a traceback, in brackets."""
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).exists()]
    libraries = (_PACKAGE, *map(sysconfig.get_path, ("stdlib", "purelib", "platlib")))
    own = [frame for frame in frames if not frame.filename.startswith(libraries)]
    last = (own or frames)[-1:]
    return "".join(f" ({shown_path(frame.filename)}, line {frame.lineno})" for frame in last)


def shown_path(path: str) -> str:
    """A file as one would type it here.

    >>> shown_path("/elsewhere/bot.py")
    '/elsewhere/bot.py'
    """
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


class UndercutError(ValueError):
    """Something given to undercut is wrong; the message names it and what is allowed."""

    def __str__(self) -> str:
        """One line that a terminal can show, whatever is quoted in it."""
        return plain(super().__str__())


class NotationError(UndercutError):
    """Text that is not a card, an action, a position or a spec."""


class OptionsError(UndercutError):
    """A game option that does not exist or has an impossible value."""


class IllegalAction(UndercutError):
    """An action that the rules do not allow now; the state is unchanged."""


class AgentError(UndercutError):
    """An agent raised, or answered with something that is not a legal action."""


class Forfeit(AgentError):
    """An agent in another process has crashed, hung or answered wrongly: it loses that game."""


class KernelError(UndercutError):
    """A kernel that cannot be compiled."""


class RulesError(UndercutError):
    """A game that breaks its contract, `Rules` in games/contract.py."""


class RecordError(UndercutError):
    """A record that cannot be read, or that does not replay as it says."""
