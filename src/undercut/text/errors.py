"""What can be wrong with what someone gives us. All are ValueErrors with one clear line."""

from undercut.text.printable import printable


def plain(error: object) -> str:
    """An error's message in one line that can be printed, even where it quotes a line break.

    >>> plain("not a card: '\\x1b[31m'")
    "not a card: '\\\\x1b[31m'"
    """
    return printable(str(error))


def raised(error: Exception) -> str:
    """Somebody else's error in one line: its kind, and its message.

    >>> raised(RuntimeError("I am\\nlost"))
    'RuntimeError: I am lost'
    """
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


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


class RecordError(UndercutError):
    """A record that cannot be read, or that does not replay as it says."""
