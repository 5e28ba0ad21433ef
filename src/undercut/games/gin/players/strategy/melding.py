"""The paper's player after a knock: its choice among the layouts with the least deadwood."""

from undercut.cards.french import NONE, Cards, points, size
from undercut.cards.melds import LAYOUT, in_melds, layoff, list_layouts, meld_cards
from undercut.games.gin.players.belief.sample import draw_numbered, prepare
from undercut.games.gin.players.strategy.laying import lay_off_any, unlaid
from undercut.games.gin.players.strategy.outlook import TIE, Terms
from undercut.games.gin.players.strategy.utility import weigh
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer, Record, Settings
from undercut.kernels.rng import Generator


@cold_kernel
def lay_down(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Settings,
    terms: Terms,
    generator: Generator,
    scratch: Record,
) -> Action:
    """Lay the next meld of the best layout, then lay off all cards that fit."""
    cards = unlaid(view)
    # With [:] they have the usual array type, for which these kernels are compiled already.
    found = list_layouts(cards, options.face_points, scratch.melds[:], scratch.layouts[:])
    if found > 1:
        _weigh_layouts(view, cards, found, settings, terms, generator, scratch)
    best = 0
    for i in range(1, found):
        if scratch.merits[i] > scratch.merits[best] + TIE:
            best = i
    meld = int(scratch.layouts[LAYOUT * best])
    return lay_off_any(legal) if meld == NONE else gin.MELD + meld


@cold_kernel
def _weigh_layouts(
    view: View,
    cards: Cards,
    found: int,
    settings: Settings,
    terms: Terms,
    generator: Generator,
    scratch: Record,
) -> None:
    """Write the merit of every layout: by its loose cards, or by lay-offs."""
    is_knocker = view.phase == Phase.SPREAD
    against = is_knocker and (settings.competition or settings.meld_against_layoffs)
    towards = not is_knocker and (settings.competition or settings.meld_for_layoffs)
    for i in range(found):
        melded = _melded(scratch.layouts, i)
        loose = cards & ~melded
        scratch.merits[i] = 0.0
        if towards:
            laid = layoff(loose, view.melds[view.knocker])
            scratch.merits[i] = points(laid, terms.face_points)
        elif not against and loose:
            dead = int(scratch.mine.dead)
            total, _ = weigh(scratch.mine, dead, loose, melded, loose, terms)
            scratch.merits[i] = total / size(loose)
    if against:
        _expect_layoffs(view, found, settings, terms, generator, scratch)


@kernel
def _melded(layouts: Buffer, place: int) -> Cards:
    cards = 0
    for i in range(LAYOUT):
        meld = int(layouts[LAYOUT * place + i])
        if meld != NONE:
            cards |= meld_cards(meld)
    return cards


@cold_kernel
def _expect_layoffs(
    view: View, found: int, settings: Settings, terms: Terms, generator: Generator, scratch: Record
) -> None:
    """Subtract from each layout's merit the lay-offs of sampled hands, of cards in no meld."""
    prepare(scratch.mine.chances[:], scratch.sampler, 0, 1)
    seed = rng.next_seed(generator)
    for number in range(settings.samples):
        hand = draw_numbered(scratch.sampler, seed, number, scratch.chance)
        loose = hand & ~in_melds(hand)
        for i in range(found):
            _table(view, scratch, i)
            laid = layoff(loose, scratch.opposing[:])
            scratch.merits[i] -= points(laid, terms.face_points)


@kernel
def _table(view: View, scratch: Record, place: int) -> None:
    """Write the melds on the table after a layout: those already there and its own."""
    count = 0
    for i in range(LAYOUT):
        scratch.opposing[i] = view.melds[view.me, i]
        if view.melds[view.me, i]:
            count += 1
    for i in range(LAYOUT - count):
        meld = int(scratch.layouts[LAYOUT * place + i])
        if meld != NONE:
            scratch.opposing[count + i] = meld_cards(meld)
