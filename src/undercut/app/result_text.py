"""The result of a match in a sentence."""

from undercut.app.session import Session
from undercut.games.table.description import YOU, as_sentence, both
from undercut.text.translation import say


def verdict(session: Session) -> str:
    """The winner; players with equal scores share the win. "" while the match is in play."""
    if session.is_left:
        return say("The match was left before its end.")
    if not session.is_over:
        return ""
    winners = [session.names[seat] for seat in session.winners()]
    if winners == [YOU]:
        return say("You win the match!")
    if len(winners) == 1:
        return say("{name} wins the match.", name=winners[0])
    others = [name for name in winners if name != YOU]
    names = both([say(YOU), *others] if YOU in winners else others)
    told = say("{names} share the win, 1/{count} each.", names=names, count=len(winners))
    return as_sentence(told) if YOU in winners else told
