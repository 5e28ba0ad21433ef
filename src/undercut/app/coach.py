"""The coach: what each move is worth in a person's position, and which cards the others may hold.

Everything is computed from the person's own view, so no answer can depend on a hidden card.
"""

from dataclasses import dataclass

from undercut.app.presentation import words_of
from undercut.app.session import Session
from undercut.games.table.description import Company, Question
from undercut.games.table.plain_description import description_of
from undercut.lab.review.judgement import Judge, Judgement
from undercut.lab.review.words import changes
from undercut.play.hindsight import Moment
from undercut.players.search.evaluate import Evaluation, MoveValue, evaluator_of
from undercut.players.search.marginals import marginals
from undercut.text.errors import IllegalAction
from undercut.text.translation import say

SAMPLES = (48, 256, 1024)  # a first answer, and sharper ones while the person looks
TUTORED = 256  # samples of the tutor, and of a hint in the terminal


@dataclass(frozen=True)
class Advised:
    """A move with its value, as a person reads it."""

    action: str
    words: str
    points: float  # of the deal, on average
    win: float | None  # the chance to win the match; None where points count
    behind: float  # how far the best move leads it, in chances to win or in points
    noise: float  # twice the standard error of `behind`
    answered: float | None  # how often the next player takes the card or has an answer
    answer_cost: float | None  # how much less the move is worth then, in chances or in points
    answer_noise: float | None  # twice the standard error of `answer_cost`


@dataclass(frozen=True)
class Advice:
    """All moves of a position, the best first."""

    position: str
    sentence: str
    moves: tuple[Advised, ...]
    answer: str  # what `answered` counts
    samples: int


@dataclass(frozen=True)
class Believed:
    """The chance that another seat holds each card that it may hold."""

    seat: int
    cards: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Outs:
    """The unseen cards that would lie in a meld with a card of the hand."""

    card: str
    cards: tuple[str, ...]


def outs(session: Session) -> tuple[Outs, ...]:
    """The outs of each card of the person's hand that has some, the one with the most first."""
    view = session.view()
    found = (Outs(str(card), view.outs(card).texts) for card in view.hand)
    return tuple(sorted((each for each in found if each.cards), key=lambda each: -len(each.cards)))


def advise(session: Session, samples: int) -> Advice:
    """What each move of the person is worth now."""
    if not session.choices():
        raise IllegalAction(say("there is nothing to choose now"))
    view, game = session.view(), session.game
    question = description_of(game.family).question(view, Company(session.names))
    found = evaluator_of(game.name).evaluate(view.record, view.actions, samples)
    return Advice(
        position=view.position,
        sentence=_sentence(found, question),
        moves=tuple(_advised(found, move, question) for move in found.moves),
        answer=say(found.answer),
        samples=samples,
    )


def judge(session: Session, action: str) -> str:
    """What a move of the person would be: an inaccuracy, a mistake or a blunder, or "" for none."""
    found = judgement(session, action)
    return "" if found is None else found.kind


def judgement(session: Session, action: str) -> Judgement | None:
    """The review's judgement of a move of the person; None if it is forced or obvious."""
    view, game = session.view(), session.game
    number = game.notation.parse_action(action)
    if number not in view.actions:
        raise IllegalAction(say("{action} cannot be played now", action=action))
    moment = Moment(
        deal=session.deal_number,
        ply=session.acted,
        seat=session.person,
        view=view.record,
        legal=[*view.actions],
        action=number,
        hands=(),
        draws=False,
    )
    return Judge(evaluator_of(game.name), TUTORED, seed=0).judge(moment, session.scores)


def believe(session: Session) -> tuple[Believed, ...]:
    """Where the cards may be that the person does not see."""
    view, game = session.view(), session.game
    chances = marginals(evaluator_of(game.name), view.record)
    cards, seats = [text for text, _ in game.family.pack.names], game.seats
    return tuple(
        Believed(
            seat=(session.person + 1 + other) % seats,
            cards=tuple(
                (card, float(chance))
                for card, chance in zip(cards, row, strict=False)
                if chance > 0
            ),
        )
        for other, row in enumerate(chances)
    )


def _advised(found: Evaluation, move: MoveValue, question: Question) -> Advised:
    return Advised(
        action=move.text,
        words=words_of(question, move.text),
        points=move.points,
        win=move.win,
        behind=max(0.0, move.behind),
        noise=2 * move.behind_error,
        answered=move.answered if found.answer else None,
        answer_cost=move.answer_cost,
        answer_noise=None if move.answer_cost_error is None else 2 * move.answer_cost_error,
    )


def _sentence(found: Evaluation, question: Question) -> str:
    """The best move with its value, and the reason if there is a clear one."""
    best, *others = found.moves
    values = {
        "move": words_of(question, best.text),
        "points": f"{best.points:+.1f}",
        "share": "" if best.win is None else f"{100 * best.win:.0f}",
    }
    told = (
        say("{move}: {points} points on average", **values)
        if best.win is None
        else say("{move}: {points} points on average, and {share} % of matches won", **values)
    )
    worse = next((move for move in others if move.behind > 2 * move.behind_error), None)
    if worse is None or not (parts := changes(found, best, worse)):
        return told
    reason = say("Instead, {move}: {parts}", move=words_of(question, worse.text), parts=parts)
    return f"{told}. {reason}."
