"""Themes of errors in Pharaoh and Prší."""

from typing import Any

from undercut.games.pharaoh.table.readable import PharaohView
from undercut.games.table.actions import Action
from undercut.games.table.themes import Decision, Theme
from undercut.text.translation import mark

Pharaoh = Decision[PharaohView]
_SEVEN, _ACE, _OVER = "7", "A", "O"


def _ranks(action: Action) -> set[str]:
    """The ranks that a move plays: one, or none if it plays no card."""
    return {card[0] for card in action.cards}


def _is_answer(view: PharaohView) -> bool:
    """Whether the seat has to answer sevens or aces."""
    return bool(view.penalty or view.skips)


def _wasted(rank: str, decision: Pharaoh) -> bool:
    played, better = _ranks(decision.played), _ranks(decision.better)
    return played == {rank} and better != {rank} and not _is_answer(decision.view)


def _held_back(rank: str, decision: Pharaoh) -> bool:
    played, better = _ranks(decision.played), _ranks(decision.better)
    return better == {rank} and played != {rank} and not _is_answer(decision.view)


def _wasted_a_seven(decision: Pharaoh) -> bool:
    return _wasted(_SEVEN, decision)


def _wasted_an_ace(decision: Pharaoh) -> bool:
    return _wasted(_ACE, decision)


def _wasted_an_over(decision: Pharaoh) -> bool:
    return _wasted(_OVER, decision)


def _held_a_seven_back(decision: Pharaoh) -> bool:
    return _held_back(_SEVEN, decision)


def _held_an_ace_back(decision: Pharaoh) -> bool:
    return _held_back(_ACE, decision)


def _held_an_over_back(decision: Pharaoh) -> bool:
    return _held_back(_OVER, decision)


def _named_the_wrong_suit(decision: Pharaoh) -> bool:
    played, better = decision.played, decision.better
    return played.cards == better.cards and played.target != better.target


def _split_equal_cards(decision: Pharaoh) -> bool:
    played, better = decision.played.cards, decision.better.cards
    return bool(played) and {*played} < {*better}


def _spent_equal_cards(decision: Pharaoh) -> bool:
    played, better = decision.played.cards, decision.better.cards
    return bool(better) and {*better} < {*played}


def _left_the_wrong_card_on_top(decision: Pharaoh) -> bool:
    """The same cards in another order: the last one lies on top."""
    played, better = decision.played.cards, decision.better.cards
    return {*played} == {*better} and played != better


def _drew_with_a_card_to_play(decision: Pharaoh) -> bool:
    played, better = decision.verbs
    return played == "draw" and better == "play" and not _is_answer(decision.view)


def _should_have_drawn(decision: Pharaoh) -> bool:
    played, better = decision.verbs
    return played == "play" and better == "draw"


def _did_not_answer(decision: Pharaoh) -> bool:
    played, better = decision.verbs
    return played != "play" and better == "play" and _is_answer(decision.view)


def _helped_the_next_player(decision: Pharaoh) -> bool:
    plays = decision.played != decision.better and decision.verbs == ("play", "play")
    return plays and decision.is_answered_more


THEMES: tuple[Theme[Any], ...] = (
    Theme(mark("wasted a seven"), _wasted_a_seven),
    Theme(mark("wasted an ace"), _wasted_an_ace),
    Theme(mark("wasted an over"), _wasted_an_over),
    Theme(mark("held a seven back"), _held_a_seven_back),
    Theme(mark("held an ace back"), _held_an_ace_back),
    Theme(mark("held an over back"), _held_an_over_back),
    Theme(mark("named the wrong suit"), _named_the_wrong_suit),
    Theme(mark("split equal cards"), _split_equal_cards),
    Theme(mark("played too many equal cards"), _spent_equal_cards),
    Theme(mark("left the wrong card on top"), _left_the_wrong_card_on_top),
    Theme(mark("drew with a card to play"), _drew_with_a_card_to_play),
    Theme(mark("should have drawn"), _should_have_drawn),
    Theme(mark("did not answer a seven or an ace"), _did_not_answer),
    Theme(mark("gave the next player a card to play"), _helped_the_next_player),
)
