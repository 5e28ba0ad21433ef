"""What can be wrong with what someone gives us. All are ValueErrors with one clear line."""


class UndercutError(ValueError):
    """Something given to undercut is wrong; the message names it and what is allowed."""


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
