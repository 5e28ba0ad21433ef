"""Knocks of Gin agents, and their melds and lay-offs after a knock."""

from undercut.cards.french import NONE, Card, Cards
from undercut.cards.melds import (
    LAYOUT,
    MELD_BUFFER,
    deadwood,
    defended_deadwood,
    first_meld,
    has_one_layout,
    list_layouts,
    meld_cards,
    meld_number,
)
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer
from undercut.kernels.rng import Generator

LAYOUTS = 32  # room for the layouts of one hand with the least deadwood; at most 13 (tested)
WORKSPACE = MELD_BUFFER + LAYOUT * LAYOUTS


@kernel
def knock_if_legal(card: Card, legal: Buffer) -> Action:
    """The knock with a discard if it is legal, else the discard."""
    for action in legal:
        if action == gin.KNOCK + card:
            return gin.KNOCK + card
    return card


@cold_kernel
def lay_any_cheapest(
    view: View, legal: Buffer, options: Options, generator: Generator, workspace: Buffer
) -> Action:
    """Lay a random layout with the least deadwood, then lay off all cards that fit."""
    cards = unlaid(view)
    if has_one_layout(cards):
        meld = first_meld(cards)
        return lay_off_any(legal) if meld == NONE else gin.MELD + meld
    found = list_layouts(
        cards, options.face_points, workspace[:MELD_BUFFER], workspace[MELD_BUFFER:]
    )
    return _next_meld(workspace[MELD_BUFFER:], found, _last_laid(view), legal, generator)


@kernel
def unlaid(view: View) -> Cards:
    """The cards still in hand after a knock."""
    return int(view.hand) & ~int(view.melded[view.me])


@kernel
def _last_laid(view: View) -> int:
    """The highest number among this seat's melds on the table, or NONE."""
    last = NONE
    for i in range(LAYOUT):
        laid = int(view.melds[view.me, i])
        if laid:
            last = max(last, meld_number(laid))
    return last


@kernel
def _next_meld(
    layouts: Buffer, found: int, last: int, legal: Buffer, generator: Generator
) -> Action:
    # Melds go down in the order of their numbers. So there is one way to each layout, and all
    # layouts stay equally likely.
    fitting = 0
    for i in range(found):
        if layouts[LAYOUT * i] > last:
            fitting += 1
    if fitting == 0:
        if layouts[0] == NONE:
            return lay_off_any(legal)
        last, fitting = NONE, found  # earlier melds have another order: any layout will do
    chosen = rng.below(generator, fitting)
    for i in range(found):
        if layouts[LAYOUT * i] > last:
            if chosen == 0:
                return int(gin.MELD + layouts[LAYOUT * i])
            chosen -= 1
    return gin.DONE


@kernel
def lay_off_any(legal: Buffer) -> Action:
    """A lay-off, if possible on a run, where further cards can follow; else done."""
    best = gin.DONE
    for action in legal:
        if action >= gin.LAY_ON_SET:
            best = max(best, int(action))
    return best


@cold_kernel
def lay_cheapest(view: View, legal: Buffer, options: Options, workspace: Buffer) -> Action:
    """Lay for the least deadwood; the defender considers melds and lay-offs together."""
    left = unlaid(view)
    least = _least(view, left, options, workspace)
    for action in legal:
        if gin.MELD <= action < gin.LAY_ON_SET:
            rest = left & ~meld_cards(action - gin.MELD)
            if _least(view, rest, options, workspace) == least:
                return int(action)
    return lay_off_any(legal)


@kernel
def _least(view: View, cards: Cards, options: Options, workspace: Buffer) -> int:
    if view.phase == gin.Phase.SPREAD or not options.layoffs or _is_gin(view):
        return deadwood(cards, options.face_points)
    opposing = view.melds[view.knocker]
    return defended_deadwood(cards, opposing, options.face_points, workspace[:MELD_BUFFER])


@kernel
def _is_gin(view: View) -> bool:
    is_gin: bool = view.theirs == view.melded[view.knocker]
    return is_gin
