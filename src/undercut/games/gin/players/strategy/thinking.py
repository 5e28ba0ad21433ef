"""The paper's heuristic player: Mishra and Aggarwal, Opponent Hand Estimation in Gin Rummy (2021).

docs/paper-agent.md compares the paper's text with this code. The player is a template: bound to a
belief about the other hand (games/gin/players/belief: counting, a network) it becomes an agent.
"""

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np

from undercut.cards.french import NONE, PACK, Card, Cards, card_points, lowest, points, size
from undercut.cards.melds import LAYOUT, MELD_BUFFER, deadwood
from undercut.games.gin.players.belief.sample import SAMPLER, draw_numbered, prepare
from undercut.games.gin.players.strategy.draw import (
    forced,
    utility_of_stock,
    utility_with,
    utility_without,
)
from undercut.games.gin.players.strategy.laying import LAYOUTS, knock_if_legal
from undercut.games.gin.players.strategy.melding import lay_down
from undercut.games.gin.players.strategy.outlook import (
    OUTLOOK,
    TIE,
    Outlook,
    Terms,
    look,
    pack_from,
    skip,
    terms_of,
    urgent,
)
from undercut.games.gin.players.strategy.utility import (
    choose_melding,
    hand_utility,
    share_of,
    weigh_together,
)
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, hole, kernel, meet
from undercut.kernels.records import Action, Buffer, Floats, Record, pack, record_in, words_for
from undercut.kernels.rng import GENERATOR, Generator
from undercut.play.agent import Turn
from undercut.text.spec import Option

Thought: TypeAlias = Record  # of the layout THOUGHT
Scratch: TypeAlias = Record  # of the layout SCRATCH
Guess: TypeAlias = Record  # of the layout GUESS


class Settings(NamedTuple):
    """The paper's eight numbers, then the number of samples, then its variants (0 or 1)."""

    meld_bonus: Annotated[
        float,
        Option(-100.0, 100.0, "the worth of each three-card meld that a loose card may still make"),
    ] = 1.5
    combination_bonus: Annotated[
        float,
        Option(-100.0, 100.0, "the further worth of such a meld if another card of it is held"),
    ] = 4.0
    deadwood_bonus: Annotated[
        float,
        Option(-100.0, 100.0, "the worth of each point that a loose card counts less than five"),
    ] = 1.0
    knock_bonus: Annotated[
        float, Option(-1000.0, 1000.0, "the worth of a hand that can be knocked with")
    ] = 10.0
    gin_bonus: Annotated[float, Option(-1000.0, 1000.0, "the worth of a hand that is gin")] = 20.0
    opponent: Annotated[
        float, Option(0.0, 100.0, "how much the other player's gain counts against a discard")
    ] = 0.77
    low_card_bonus: Annotated[
        float, Option(-100.0, 100.0, "the worth of an ace; a deuce is worth half of it")
    ] = 0.2
    emergency_booster: Annotated[
        float, Option(0.0, 100.0, "multiplies deadwood_bonus when one card away from a knock")
    ] = 2.5
    samples: Annotated[int, Option(1, 10_000, "hands of the other player that are tried")] = 100
    remember: Annotated[
        int, Option(0, 1, "whether cards that either player was seen taking are known to be held")
    ] = 0
    count_once: Annotated[
        int, Option(0, 1, "leave out melds that a held card makes count double")
    ] = 0
    take_extensions: Annotated[int, Option(0, 1, "always take a card that fits into a meld")] = 0
    competition: Annotated[
        int, Option(0, 1, "all four changes: knock_carefully to meld_against_layoffs")
    ] = 0
    knock_carefully: Annotated[
        int, Option(0, 1, "knock only with low_deadwood if the other player seems close to a knock")
    ] = 0
    force_carefully: Annotated[
        int, Option(0, 1, "throw the highest card for a knock only under the same condition")
    ] = 0
    meld_for_layoffs: Annotated[
        int, Option(0, 1, "of equal meldings, take the one with the most to lay off on the knocker")
    ] = 0
    meld_against_layoffs: Annotated[
        int, Option(0, 1, "when knocking, take the melding on which least can be laid off")
    ] = 0
    close_deadwood: Annotated[
        float, Option(0.0, 100.0, "the other player seems close with this mean deadwood")
    ] = 18.0
    low_deadwood: Annotated[
        int, Option(0, 100, "the deadwood that is then low enough to knock with")
    ] = 6


PUBLISHED = Settings(
    meld_bonus=0.8, combination_bonus=1.5, count_once=1, take_extensions=1, competition=1
)
"""The settings of the agent that the authors published, which differs from their paper."""

# Reasons for an action.
BY_VALUE, BY_KNOCK, BY_GIN, BY_DEADWOOD, BY_UTILITY, BY_LAYOUT = range(6)

GAINS = 12  # numbers of a sampled hand: its deadwood, then its gain by each discard

THOUGHT = np.dtype(
    [
        ("settings", pack(Settings()).dtype),
        ("reason", "i8"),
        ("loose", "i8"),  # the cards of the hand that are not melded
        ("candidates", "i8"),  # the possible discards
        ("utility", "f8", 52),  # of the hand without a card
        ("gain", "f8", 52),  # the other player's mean gain by that card
        ("value", "f8", 52),
        ("take_utility", "f8"),  # the utilities of the two draws
        ("stock_utility", "f8"),
        ("their_deadwood", "f8"),  # its mean, if it was estimated
    ],
    align=True,
)
"""The numbers behind a decision; they stay in the workspace afterwards."""

SCRATCH = np.dtype(
    [
        ("mine", OUTLOOK),
        ("sampler", SAMPLER),
        ("seed", "i8"),  # of the sampled hands
        ("chance", GENERATOR),  # of sampled hands after a knock
        ("melds", "i8", MELD_BUFFER),
        ("layouts", "i8", LAYOUT * LAYOUTS),
        ("merits", "f8", LAYOUTS),  # of the layouts
        ("opposing", "i8", LAYOUT),
    ],
    align=True,
)
"""The working memory of a decision."""

GUESS = np.dtype([("theirs", OUTLOOK), ("gains", "f8", GAINS), ("chance", GENERATOR)], align=True)
"""The working memory for a sampled hand of the other player."""

_SIZES = [words_for(layout) for layout in (THOUGHT, SCRATCH, GUESS)]
THOUGHT_END, SCRATCH_END, WORKSPACE = (sum(_SIZES[:end]) for end in range(1, 4))
_THOUGHT, _SCRATCH, _GUESS = np.dtype(THOUGHT), np.dtype(SCRATCH), np.dtype(GUESS)


@cold_kernel
def decide(
    view: View,
    legal: Buffer,
    options: Options,
    generator: Generator,
    thought: Thought,
    scratch: Scratch,
    guess: Guess,
) -> Action:
    """The action, with settings and belief already in the workspace."""
    action = begin(view, legal, options, generator, thought, scratch, 0, 1)
    if action != NONE:
        return action
    for number in range(thought.settings.samples):
        hand = draw_numbered(scratch.sampler, scratch.seed, number, guess.chance)
        find_gains(view, hand, options, thought, guess.theirs, guess.gains[:], 0, 1)
        add_gains(thought, guess.gains[:])
    return conclude(view, legal, options, generator, thought)


@cold_kernel
def begin(
    view: View,
    legal: Buffer,
    options: Options,
    generator: Generator,
    thought: Thought,
    scratch: Scratch,
    lane: int,
    lanes: int,
) -> Action:
    """The action, or NONE if it depends on sampled hands, for which the sampler is then ready.

    Several lanes may work on it; lane 0 returns the action.
    """
    settings, mine, hand = thought.settings, scratch.mine, int(view.hand)
    mine.dead = view.pile
    mine.unseen = PACK & ~(hand | int(view.pile))
    look(mine, lane, lanes)
    terms = terms_of(view, settings, options)
    loose = hand & ~choose_melding(mine, int(view.pile), hand, terms)
    terms = urgent(terms, hand, loose, settings.emergency_booster)
    if view.phase == Phase.DISCARD:
        thought.their_deadwood = -1.0
        choices = _weigh_own(view, terms, thought, scratch.mine, lane, lanes)
        action = _throw_at_once(view, legal, options, terms, generator, thought, choices)
        if action == NONE:
            thought.their_deadwood = 0.0
            scratch.seed = rng.next_seed(generator)
            prepare(scratch.mine.chances[:], scratch.sampler, lane, lanes)
        return action
    if view.phase == Phase.DRAW or view.phase == Phase.OFFER:
        if _is_worth_taking(view, terms, thought, mine, lane, lanes):
            return gin.TAKE
        return gin.DRAW if view.phase == Phase.DRAW else gin.PASS
    thought.reason = BY_LAYOUT
    if lane > 0:
        return gin.PASS
    return lay_down(view, legal, options, settings, terms, generator, scratch)


# Drawing


@cold_kernel
def _is_worth_taking(
    view: View, terms: Terms, thought: Thought, mine: Outlook, lane: int, lanes: int
) -> bool:
    hand = int(view.hand)
    upcard = 1 << int(view.upcard)
    thought.stock_utility = utility_of_stock(mine, hand, 0, terms, lane, lanes)
    dead = int(view.pile) & ~upcard
    thought.take_utility = utility_with(mine, dead, hand | upcard, upcard, terms)
    before = deadwood(hand, terms.face_points)
    if thought.settings.take_extensions:
        before += points(upcard, terms.face_points)
    thought.reason = BY_DEADWOOD
    if deadwood(hand | upcard, terms.face_points) < before:
        return True
    thought.reason = BY_UTILITY
    return thought.take_utility > thought.stock_utility


# Throwing


@kernel
def _is_careful(settings: Settings) -> bool:
    """Whether the decision depends on how close to a knock the other player seems."""
    return bool(settings.competition or settings.knock_carefully or settings.force_carefully)


@cold_kernel
def _throw_at_once(
    view: View,
    legal: Buffer,
    options: Options,
    terms: Terms,
    generator: Generator,
    thought: Thought,
    choices: Cards,
) -> Action:
    """A discard that does not depend on the other hand; NONE if there is none."""
    settings, settled = thought.settings, 0
    if not _is_careful(settings):
        settled = _settle(view, choices, terms, settings, thought)
    if settled == 0:
        return NONE
    card = _best(thought.utility, settled, generator)
    return _knock_if_wise(view, card, legal, options, settings, thought)


@cold_kernel
def conclude(
    view: View, legal: Buffer, options: Options, generator: Generator, thought: Thought
) -> Action:
    """The action, after the gains of all sampled hands have been added."""
    settings, choices = thought.settings, int(thought.candidates)
    thought.their_deadwood /= settings.samples
    cards = choices
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        thought.gain[card] /= settings.samples
        thought.value[card] = thought.utility[card] - settings.opponent * thought.gain[card]
    settled = 0
    if _is_careful(settings):
        settled = _settle(view, choices, terms_of(view, settings, options), settings, thought)
    if settled:
        card = _best(thought.utility, settled, generator)
    else:
        thought.reason = BY_VALUE
        card = _best(thought.value, choices, generator)
    return _knock_if_wise(view, card, legal, options, settings, thought)


@cold_kernel
def _weigh_own(
    view: View, terms: Terms, thought: Thought, mine: Outlook, lane: int, lanes: int
) -> Cards:
    """Write the utility of the hand after each possible discard; return these cards."""
    hand, dead = int(view.hand), int(view.pile)
    allowed = hand if view.taken == NONE else hand & ~(1 << int(view.taken))
    melded = choose_melding(mine, dead, hand, terms)
    loose = hand & ~melded
    thought.loose = loose
    choices = loose & allowed
    thought.candidates = choices if choices else allowed
    total = weigh_together(mine, loose, melded, terms, lane, lanes)
    left = points(loose, terms.face_points)
    cards = int(thought.candidates)
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        if choices == 0:  # nothing is loose, or only the card just taken
            thought.utility[card] = utility_without(mine, dead, hand, card, terms)
        else:
            rest = left - card_points(card, terms.face_points)
            mean = (total - mine.loss[card]) * share_of(size(loose) - 1)
            thought.utility[card] = hand_utility(mean, size(melded), rest, terms)
        thought.gain[card] = 0.0
    return int(thought.candidates)


@cold_kernel
def _settle(
    view: View, choices: Cards, terms: Terms, settings: Settings, thought: Thought
) -> Cards:
    """The discards that need no comparison: they allow a knock, or keep gin."""
    loose = int(thought.loose)
    if loose == 0:
        thought.reason = BY_GIN
        return _keeping_gin(int(view.hand), choices, terms)
    if choices & ~loose:
        return 0
    thought.reason = BY_KNOCK
    left = points(loose, terms.face_points)
    highest = forced(choices, left, terms)
    is_careful = settings.competition or settings.force_carefully
    if highest and is_careful and _seems_close(settings, thought):
        left -= card_points(lowest(highest), terms.face_points)
        return highest if left <= settings.low_deadwood else 0
    return highest


@kernel
def _keeping_gin(hand: Cards, choices: Cards, terms: Terms) -> Cards:
    kept = 0
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        if deadwood(hand & ~(1 << card), terms.face_points) == 0:
            kept |= 1 << card
    return kept


@cold_kernel
def _best(values: Floats, cards: Cards, generator: Generator) -> Card:
    """A card with the highest value, ties by chance."""
    best, most, ties = NONE, -1e300, 0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        if values[card] > most + TIE:
            best, most, ties = card, values[card], 1
        elif values[card] >= most - TIE:
            ties += 1
            if rng.below(generator, ties) == 0:
                best = card
    return best


@cold_kernel
def find_gains(
    view: View,
    hand: Cards,
    options: Options,
    thought: Thought,
    theirs: Outlook,
    gains: Floats,
    lane: int,
    lanes: int,
) -> None:
    """Write the deadwood of a sampled hand, then its gain by each discard."""
    settings, choices = thought.settings, int(thought.candidates)
    shown = int(view.shown) if settings.remember else 0
    imagine(view, hand, shown, theirs, lane, lanes)
    terms = terms_of(view, settings, options)
    loose = hand & ~choose_melding(theirs, int(view.pile), hand, terms)
    gains[0] = points(loose, options.face_points)
    terms = urgent(terms, hand, loose, settings.emergency_booster)
    stock = utility_of_stock(theirs, hand, choices, terms, lane, lanes)
    place, choices = 1 + lane, skip(choices, lane)
    while choices:
        gains[place] = max(0.0, theirs.takes[lowest(choices)] - stock)
        place, choices = place + lanes, skip(choices, lanes)


@cold_kernel
def add_gains(thought: Thought, gains: Floats) -> None:
    """Add the numbers of one sampled hand to the sums."""
    thought.their_deadwood += gains[0]
    choices, place = int(thought.candidates), 1
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        thought.gain[card] += gains[place]
        place += 1


@cold_kernel
def imagine(view: View, hand: Cards, shown: Cards, outlook: Outlook, lane: int, lanes: int) -> None:
    """Compute the other player's outlook with a given hand, by counting."""
    unseen = PACK & ~(hand | int(view.pile))
    chance = (10 - size(shown)) / max(1, size(unseen & ~shown))
    cards = pack_from(lane)
    while cards:
        card = lowest(cards)
        cards = pack_from(card + lanes)
        outlook.chances[card] = 0.0
        if (unseen >> card) & 1:
            outlook.chances[card] = 1.0 if (shown >> card) & 1 else chance
    outlook.dead = view.pile
    outlook.unseen = unseen
    meet(lanes)
    look(outlook, lane, lanes)


# Knocking


@kernel
def _seems_close(settings: Settings, thought: Thought) -> bool:
    is_close: bool = thought.their_deadwood <= settings.close_deadwood
    return is_close


@cold_kernel
def _knock_if_wise(
    view: View, card: Card, legal: Buffer, options: Options, settings: Settings, thought: Thought
) -> Action:
    if settings.competition or settings.knock_carefully:
        left = deadwood(int(view.hand) & ~(1 << card), options.face_points)
        if left > settings.low_deadwood and _seems_close(settings, thought):
            return card
    return knock_if_legal(card, legal)


# The player as a template of agents


@cold_kernel
def copy_settings(settings: Settings, out: Record) -> None:
    """Copy the player's own settings from those of an agent, which may have more fields.

    Therefore all such agents share the kernels above, which are compiled once.
    """
    out.meld_bonus = settings.meld_bonus
    out.combination_bonus = settings.combination_bonus
    out.deadwood_bonus = settings.deadwood_bonus
    out.knock_bonus = settings.knock_bonus
    out.gin_bonus = settings.gin_bonus
    out.opponent = settings.opponent
    out.low_card_bonus = settings.low_card_bonus
    out.emergency_booster = settings.emergency_booster
    out.samples = settings.samples
    out.remember = settings.remember
    out.count_once = settings.count_once
    out.take_extensions = settings.take_extensions
    out.competition = settings.competition
    out.knock_carefully = settings.knock_carefully
    out.force_carefully = settings.force_carefully
    out.meld_for_layoffs = settings.meld_for_layoffs
    out.meld_against_layoffs = settings.meld_against_layoffs
    out.close_deadwood = settings.close_deadwood
    out.low_deadwood = settings.low_deadwood


@hole
def estimate(
    view: View,
    options: Options,
    settings: Settings,
    workspace: Buffer,
    chances: Floats,
    lane: int,
    lanes: int,
) -> None:
    """A belief about the other hand, such as counting.estimate."""


def template(view: View, turn: Turn[Options, Settings]) -> Action:
    """Draw and throw by utility; knock at once."""
    thought = record_in(turn.workspace[:THOUGHT_END], _THOUGHT)
    scratch = record_in(turn.workspace[THOUGHT_END:SCRATCH_END], _SCRATCH)
    guess = record_in(turn.workspace[SCRATCH_END:WORKSPACE], _GUESS)
    copy_settings(turn.settings, thought.settings)
    estimate(
        view, turn.options, turn.settings, turn.workspace[WORKSPACE:], scratch.mine.chances[:], 0, 1
    )
    return decide(view, turn.legal, turn.options, turn.generator, thought, scratch, guess)
