"""A session as one message: the table as its seat sees it."""

from undercut.app.coach import Advice
from undercut.app.marks import marks_of
from undercut.app.presentation import Shown
from undercut.app.rematch import other_levels
from undercut.app.result_text import verdict
from undercut.app.session import Session
from undercut.app.stored_games import Pledge
from undercut.app.web.lobby_catalog import pack_shown
from undercut.app.web.protocol import (
    DealOver,
    HintShown,
    MoveShown,
    PledgeShown,
    RulesShown,
    TableShown,
)


def rules_of(session: Session, number: int) -> RulesShown:
    """The parts of a game's table that stay the same."""
    shown = Shown(session)
    return RulesShown(number, pack_shown(shown.pack), shown.aim(), shown.rules())


def snapshot(
    session: Session, number: int, opponents: tuple[str, ...], pledge: Pledge | None = None
) -> TableShown:
    """The table of a game as the seat of a session sees it."""
    shown = Shown(session)
    table, company = shown.table(), session.company
    return TableShown(
        number=number,
        ply=session.acted,
        game=session.game.name,
        title=shown.title,
        goal=shown.goal,
        names=shown.names,
        faces=tuple(player.face for player in company),
        levels=tuple(player.level for player in company),
        opponents=opponents,
        rematches=other_levels(session.game, opponents),
        seat=session.person,
        people=session.people,
        on_turn=session.on_turn,
        starter=session.starter,
        deal=session.deal_number + 1,
        scores=session.scores,
        areas=table.areas,
        orders=table.orders,
        marks=marks_of(session.events, session.person),
        question=shown.question() if session.choices() else None,
        told=shown.tell(session.events),
        summary=shown.summary() if session.is_deal_over else None,
        deals=tuple(
            DealOver(each.points, each.commitment, str(each.seed), each.salt, each.ply)
            for each in session.results
        ),
        commitment=session.commitment,
        pledge=_pledged(pledge, session) if pledge else None,
        verdict=verdict(session),
        is_training=session.is_training,
        is_coached=session.is_coached,
        agreed=session.agreed,
        can_undo=not session.why_no_undo,
        is_over=session.is_over,
        is_left=session.is_left,
    )


def move_shown(session: Session) -> MoveShown:
    """The table between two moves, as the seat of a session sees it."""
    shown = Shown(session)
    table, told = shown.table(), shown.tell(session.events)
    return MoveShown(
        ply=session.acted,
        deal=session.deal_number + 1,
        starter=session.starter,
        commitment=session.commitment,
        on_turn=session.on_turn,
        areas=table.areas,
        orders=table.orders,
        marks=marks_of(session.events, session.person),
        told=len(told),
        last=told[-1] if told else "",
    )


def hint_shown(number: int, ply: int, advice: Advice) -> HintShown:
    """The coach's advice as a message."""
    return HintShown(
        number=number,
        ply=ply,
        text=advice.sentence,
        position=advice.position,
        moves=advice.moves,
        answer=advice.answer,
        samples=advice.samples,
    )


def _pledged(pledge: Pledge, session: Session) -> PledgeShown:
    """A pledge; its seed, which determines all cards, only after the match."""
    if session.is_over or session.is_left:
        return PledgeShown(pledge.seal, pledge.words, str(pledge.seed), pledge.salt)
    return PledgeShown(pledge.seal, pledge.words)
