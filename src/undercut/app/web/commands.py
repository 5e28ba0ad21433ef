"""What a person can do at a table: whether it can be done now, and how."""

from collections.abc import Callable
from dataclasses import dataclass

from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.text.translation import say


@dataclass(frozen=True)
class Deed:
    """Something that changes a session; what agents answer to it comes after."""

    problem: Callable[[Session], str]  # why it cannot be done now, "" if it can
    do: Callable[[Session], None]


def play(text: str) -> Deed:
    """Choose an action, by its text."""

    def problem(session: Session) -> str:
        if text in session.choices():
            return ""
        why = say("it is not allowed now") if session.choices() else _standing(session)
        return say("{action!r} cannot be played: {why}", action=text, why=why)

    return Deed(problem, lambda session: session.choose(text))


def _standing(session: Session) -> str:
    if session.is_over or session.is_left:
        return say("the match has ended")
    return say("the deal is over") if session.is_deal_over else say("it is not your turn")


def _no_proposal(session: Session) -> str:
    asked = session.choices() and Shown(session).question().shortcut
    return "" if asked else say("nothing is proposed now")


def _no_deal(session: Session) -> str:
    if session.is_over or session.is_left:
        return say("the match has ended: there is no other deal")
    return "" if session.is_deal_over else say("the deal is not over")


def _no_leaving(session: Session) -> str:
    is_ended = session.is_over or session.is_left
    return say("the match has ended: it cannot be left") if is_ended else ""


ASSIST = Deed(_no_proposal, lambda session: Shown(session).play_best())
NEXT = Deed(_no_deal, Session.deal_again)
UNDO = Deed(lambda session: session.why_no_undo, Session.undo)
LEAVE = Deed(_no_leaving, Session.leave)
