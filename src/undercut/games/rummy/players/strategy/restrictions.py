"""Voluntary restrictions of Rummy agents: the four of the game's source.

They are habits of agents, not rules. Each is a switch with a telling name. `as_coded` is the
behaviour of the original program, with its quirks:

- it puts down all its sets or all its runs, never a set and a run in the same turn;
- it lays off single cards on melds that were there at the beginning of the turn, so no further card
  follows a lay-off, and no card goes on a new meld;
- a card that fits two melds goes on the older one.

At least one action is always left. If the switches would exclude all of them, `longest` is ignored.
"""

from typing import Annotated, NamedTuple

from undercut.cards.french import NONE, Cards, lowest
from undercut.cards.melds import fitting, is_run, meld_cards, meld_number, run_starts, set_ranks
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.layout import View
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer, Settings
from undercut.text.spec import Option

_ACES: Cards = sum(1 << 13 * suit for suit in range(4))


class Restrictions(NamedTuple):
    """An agent's restrictions: 1 for each that holds."""

    meld_everything: Annotated[
        int,
        Option(
            0, 1, "no discard while anything can be put down (MELD_EVERYTHING_IN_HAND_MELDABLE)"
        ),
    ] = 0
    prefer_new: Annotated[
        int,
        Option(
            0, 1, "no lay-off while a new meld can be made (PREFER_NEW_MELDS_OVER_EXISTING_MELDS)"
        ),
    ] = 0
    longest: Annotated[
        int,
        Option(
            0,
            1,
            "no new meld that a card of the hand could lengthen (LONGEST_LENGTH_NEW_MELD_PREFERRED)",
        ),
    ] = 0
    prefer_runs: Annotated[
        int,
        Option(
            0,
            1,
            "a card that fits a run and a set goes on the run (PREFER_SEQUENCE_OVER_N_OF_KIND_FOR_EXISTING)",
        ),
    ] = 0
    as_coded: Annotated[
        int, Option(0, 1, "all four as the original program did them, instead of the switches")
    ] = 0


ALL = Restrictions(meld_everything=1, prefer_new=1, longest=1, prefer_runs=1)


@kernel
def restrict(view: View, legal: Buffer, restrictions: Settings, out: Buffer) -> int:
    """Write the legal actions that the restrictions leave, at least one; return their number.

    `restrictions` may have other fields too.
    """
    if legal[len(legal) - 1] < rummy.MELD:
        return _copy(legal, 0, out)  # no put-down is legal
    if restrictions.as_coded:
        return _restrict_as_coded(view, legal, out)
    return _restrict_as_documented(view, legal, restrictions, out)


@kernel
def _copy(legal: Buffer, below: Action, out: Buffer) -> int:
    """Write the legal actions below a number, or all for 0."""
    count = 0
    for action in legal:
        if below == 0 or action < below:
            out[count] = action
            count += 1
    return count


@kernel
def _restrict_as_documented(view: View, legal: Buffer, restrictions: Settings, out: Buffer) -> int:
    count = _keep(view, legal, restrictions, int(restrictions.longest), out)
    if count == 0:
        # The longest meld may be illegal, since it would leave only a card that may not be thrown.
        # `longest` is always the cause: without it every new meld is left, or if there is none, a
        # lay-off.
        count = _keep(view, legal, restrictions, 0, out)
    return count


@cold_kernel
def _keep(view: View, legal: Buffer, restrictions: Settings, longest: int, out: Buffer) -> int:
    hand = int(view.hand)
    new_melds = 0
    on_runs: Cards = 0
    for action in legal:
        if rummy.MELD <= action < rummy.LAY_ON_SET:
            new_melds += 1
        elif action >= rummy.LAY_ON_HIGHER:
            on_runs |= rummy.put_down_cards(action)
    count = 0
    for action in legal:
        if action < rummy.MELD:
            is_left = not restrictions.meld_everything
        elif action < rummy.LAY_ON_SET:
            is_left = not longest or _is_longest(hand, action)
        else:
            is_left = not restrictions.prefer_new or new_melds == 0
            if restrictions.prefer_runs and action < rummy.LAY_ON_HIGHER:
                is_left = is_left and on_runs & rummy.put_down_cards(action) == 0
        if is_left:
            out[count] = action
            count += 1
    return count


@kernel
def _is_longest(hand: Cards, action: Action) -> bool:
    """Whether no further card of the hand fits a new meld."""
    return fitting(meld_cards(action - rummy.MELD)) & hand == 0


@cold_kernel
def _restrict_as_coded(view: View, legal: Buffer, out: Buffer) -> int:
    """The next meld of each allowed kind, else the next lay-off, else the discards.

    The original program makes all put-downs of an option, so the first represents the option.
    """
    laid_set, laid_run = _kinds_laid(view)
    set_action = NONE if laid_run else _first_set(int(view.hand))
    run_action = NONE if laid_set else _first_run(int(view.hand))
    lay_off = _first_lay_off(view)
    count = 0
    for action in legal:
        if action in (set_action, run_action):
            out[count] = action
            count += 1
    if count > 0:
        return count
    for action in legal:
        if action == lay_off:
            out[0] = action
            return 1
    return _copy(legal, rummy.DRAW, out)


@kernel
def _kinds_laid(view: View) -> tuple[bool, bool]:
    """Whether a player made a set, and whether a run, in this turn."""
    laid_set, laid_run = False, False
    fresh, sets = int(view.fresh), int(view.sets)
    for number in range(int(view.melds)):
        card = int(view.table[number])
        if (fresh >> card) & 1:
            if (sets >> card) & 1:
                laid_set = True
            else:
                laid_run = True
    return laid_set, laid_run


@kernel
def _first_set(hand: Cards) -> Action:
    """The lowest set of a hand, of four cards if possible; NONE without a set."""
    ranks = set_ranks(hand)
    if ranks == 0:
        return NONE
    return rummy.MELD + meld_number(hand & (_ACES << lowest(ranks)))


@kernel
def _first_run(hand: Cards) -> Action:
    """The lowest run of a hand in its full length; NONE without a run."""
    starts = run_starts(hand)
    if starts == 0:
        return NONE
    first = lowest(starts)
    last = first
    while (starts >> last) & 1:
        last += 1
    return rummy.MELD + meld_number((1 << (last + 2)) - (1 << first))


@kernel
def _first_lay_off(view: View) -> Action:
    """The lowest card that fits a meld without this turn's cards, on the first such meld."""
    best, found = 64, NONE
    fresh, hand = int(view.fresh), int(view.hand)
    for number in range(int(view.melds)):
        meld = rummy.meld_on_table(view, number) & ~fresh
        if meld == 0:
            continue
        cards = fitting(meld) & hand
        if cards and lowest(cards) < best:
            best = lowest(cards)
            found = lay_off(best, meld)
    return found


@kernel
def lay_off(card: int, meld: Cards) -> Action:
    """The action that lays a card on a meld that it fits."""
    if not is_run(meld):
        return rummy.LAY_ON_SET + card
    if card < lowest(meld):
        return rummy.LAY_ON_HIGHER + card
    return rummy.LAY_ON_LOWER + card
