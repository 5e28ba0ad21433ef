"""Checks whether a parsed view of Rummy is possible: turns, cards, put-downs."""

from undercut.cards.french import NONE, Cards
from undercut.cards.french import size as count_cards
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Options, Outcome, Phase
from undercut.games.rummy.rules.layout import View
from undercut.games.table.position_fields import require


def check_view(view: View, options: Options) -> None:
    """Refuse an impossible view, and derive the size of the other hand."""
    _check_turn(view, options)
    _check_draws(view, options)
    _check_cards(view)
    _check_put_downs(view, options)
    _check_memory(view)


def _turn_now(view: View) -> int:
    """The number of the current turn, or of the turn in which a player went out."""
    return int(view.turn) - (view.winner != NONE)


def _is_in_turn(view: View) -> bool:
    """Whether the seat on turn has drawn, and may have put cards down."""
    return bool(view.phase == Phase.PLAY or view.winner != NONE)


def _check_turn(view: View, options: Options) -> None:
    """The seat on turn, and the outcome."""
    is_over = view.phase == Phase.OVER
    has_winner = view.outcome in (Outcome.OUT, Outcome.RUMMY)
    require(is_over == (view.outcome != Outcome.NONE), "phase and outcome do not agree")
    require(has_winner == (view.winner != NONE), "outcome and winner do not agree")
    require(not has_winner or view.winner == view.seat, "the winner must be on turn")
    on_turn = (int(view.starter) + _turn_now(view)) % 2
    require(view.seat == on_turn and _turn_now(view) >= 0, f"the seat on turn must be {on_turn}")
    is_burned = view.stock == 0 and view.turnovers == options.turnovers
    is_tied = bool(is_burned or view.turn >= options.max_turns)
    if view.phase == Phase.PLAY:
        is_tied = bool(view.turn >= options.max_turns)
    if not has_winner:
        require(is_tied == (view.outcome == Outcome.TIE), "tie and outcome do not agree")


def _check_draws(view: View, options: Options) -> None:
    """The turns determine the stock, since every turn draws or takes one card."""
    draws = int(view.turn) + (view.phase == Phase.PLAY) - int(view.takes)
    require(draws >= 0, f"{int(view.takes)} takes in {int(view.turn)} turns")
    require(view.front == (1 + draws) % rummy.QUEUE, "the stock begins at another place")
    if view.turnovers:
        require(draws >= 31 + view.turnovers, "the pile was turned over too early")
        too_often = 0 <= options.turnovers < view.turnovers
        require(not too_often, "the pile was turned over too often")
    else:
        require(view.stock == 31 - draws, f"the stock has {31 - draws} cards")
    require(bool(view.pile > 0 or _is_in_turn(view)), "the discard pile is empty")


def _check_cards(view: View) -> None:
    """Every card is in one place, and each seat has the right number of cards."""
    laid = int(view.laid[0]) | int(view.laid[1])
    places = [int(view.hand), int(view.theirs), laid]
    places += [1 << int(card) for card in view.queue if card != NONE]
    together = 0
    for place in places:
        require(not together & place, "a card is in two places")
        together |= place
    mine = count_cards(int(view.hand))
    held = 52 - int(view.stock) - int(view.pile) - count_cards(laid) - mine
    require(0 <= held <= 11, f"the other seat would hold {held} cards")
    view.held = held
    for seat, count in ((int(view.me), mine), (1 - int(view.me), held)):
        is_winner = view.winner == seat
        had = count + count_cards(int(view.laid[seat]))
        may_have = (
            (10, 11) if is_winner else (11,) if _is_in_turn(view) and seat == view.seat else (10,)
        )
        require(had in may_have, f"seat {seat} has {had} cards, put down or in hand")
        require((count == 0) == is_winner, f"seat {seat} holds {count} cards")


def _check_put_downs(view: View, options: Options) -> None:
    """The put-downs of each seat and their turns, and the card that the seat on turn took."""
    seat, now = int(view.seat), _turn_now(view)
    laid, fresh, in_turn = int(view.laid[seat]), int(view.fresh), _is_in_turn(view)
    for each_seat in range(2):
        opened = int(view.opened[each_seat])
        require((opened == NONE) == (view.laid[each_seat] == 0), "put-downs and turns do not agree")
        is_past = opened < now or (opened == now and in_turn)
        is_own = opened == NONE or (int(view.starter) + opened) % 2 == each_seat
        require(is_past and is_own, f"seat {each_seat} cannot have put down in turn {opened}")
    require(not fresh & ~laid and (in_turn or not fresh), "cards put down in another turn")
    opens = bool(laid) and view.opened[seat] == now
    require(not in_turn or opens == (fresh == laid != 0), "put-downs and turns do not agree")
    if view.winner != NONE:
        require(
            opens == (view.outcome == Outcome.RUMMY),
            "a player has rummy exactly if he goes out at once",
        )
    if view.taken != NONE:
        _check_taken(view, options)


def _check_taken(view: View, options: Options) -> None:
    taken = 1 << int(view.taken)
    hand = int(view.hand) if view.seat == view.me else int(view.theirs)
    has_thrown = view.winner != NONE and count_cards(int(view.laid[view.seat])) == 10
    is_thrown = has_thrown and options.may_discard_taken and view.taken == view.upcard
    is_there = bool(taken & (hand | int(view.fresh)) or is_thrown)
    require(
        _is_in_turn(view) and view.takes > 0 and is_there, "the card taken is in the wrong place"
    )
    held = count_cards(int(view.hand)) if view.seat == view.me else int(view.held)
    is_stuck = not options.may_discard_taken and held == 1 and bool(hand & taken)
    require(not is_stuck, "the seat on turn has no legal action")


def _check_memory(view: View) -> None:
    """Each seat's knowledge of the other: cards taken and kept, thrown, and passed over."""
    hand, theirs = int(view.hand), int(view.theirs)
    shown, known = int(view.shown), count_cards(theirs)
    require(not shown & ~hand, "a shown card is not in the hand")
    if view.turnovers or view.stock == 0 or view.phase == Phase.OVER:
        require(shown == hand and known == view.held, "both hands are known")
    else:
        taken = count_cards(shown) + known
        require(known <= view.held and taken <= view.takes, "more cards are known than were taken")
    public = int(view.thrown[0]) | int(view.thrown[1])
    noted = public | int(view.refused[0]) | int(view.refused[1])
    require(not noted & rummy.unseen(view), "an unseen card cannot have been thrown or refused")
    if view.turnovers == 0:
        _check_first_pile(view, public)


def _check_first_pile(view: View, thrown: Cards) -> None:
    """Before the first turnover, a player has thrown each card of the pile except the first."""
    pile = [1 << rummy.pile_card(view, number) for number in range(int(view.pile))]
    require(not sum(pile[1:]) & ~thrown, "neither seat threw a card of the discard pile")
    for seat, hand in ((int(view.me), int(view.hand)), (1 - int(view.me), int(view.theirs))):
        noted = int(view.thrown[seat]) | int(view.refused[seat])
        require(not noted & hand, "a card in hand cannot have been thrown or refused")
