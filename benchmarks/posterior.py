"""The other hand against `simple`, as exactly as one likes: a particle filter.

A seat sees what `simple` takes, leaves and throws. Given its hand, all of this is known up to ties
between discards. So the chance of a hidden hand is that of the deal times that of every move seen.
A particle is a deal of the hidden cards. Particles begin as deals that fit the first moves. They
follow the others one by one: at each, the likely ones are copied (resampling), and then all change
by random swaps that keep their distribution (Gilks and Berzuini: Following a moving target, 2001).
"""

from typing import Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE, PACK, Card, each, size
from undercut.cards.melds import in_melds
from undercut.games.gin.players.simple import best_discards
from undercut.games.gin.rules.layout import (
    VIEW,
    Options,
    View,
    knock_limit,
    note,
    thrown,
    was_taken,
)
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Array, Buffer, Floats, new
from undercut.kernels.rng import GENERATOR, Generator
from undercut.text.errors import UndercutError

HAND = 10  # cards dealt to the other seat
PARTICLES = 2048
TRIES = 8  # deals for each particle, of which it takes one by their chances
FIRST = 2  # moves that these must fit
MORE = 4  # times as many particles and tries if none fits
MOST = 1 << 15  # particles
SWAPS = 20  # tried for each particle after each move
ROUNDS = 10  # of as many swaps after the last move, which all count


class NoParticle(UndercutError):
    """No deal that was tried fits the moves: it is very rare, or another player made them."""


class Story(NamedTuple):
    """What `simple` was seen to do, and which cards it may have done it with.

    The hidden cards are dealt to places: those of the first hand, those of its draws from the stock
    in their order, and the rest. A card that it threw lies in a place that came before.
    """

    moves: Buffer  # offered card or NONE, is taken, place of the drawn card, thrown card, turn
    cards: Buffer  # hidden at the start; those with early limits first
    limits: Buffer  # for each card of the pack the number of first places that it may lie in
    places: int  # of the first hand and of the draws
    first_upcard: Card
    scratch: View  # with the history; `best_discards` reads it


class Cloud(NamedTuple):
    """Particles: each a deal of the hidden cards, in the order of the places."""

    particles: Array
    chances: Floats  # that all moves so far are made
    weights: Floats  # that the last one is made
    new_particles: Array
    new_chances: Floats
    counts: Buffer  # for each card how often it is in the other hand


def read_story(view: View) -> Story:
    """The story of the other seat of a view, whose hands are still hidden."""
    him, places = 1 - int(view.me), HAND
    moves, limits, taken = list[tuple[int, ...]](), np.full(52, 52), set[Card]()
    first = int(view.first_upcard)
    took_first = view.opener == him and view.turn > 0 and was_taken(view, 0)
    if not took_first and (view.starter == him or view.passes == 2):
        moves.append((first, 0, NONE, NONE, 0))
    for turn in range((him - int(view.opener)) % 2, int(view.turn), 2):
        offered = thrown(view, turn - 1) if turn else first if took_first else NONE
        takes, card = was_taken(view, turn), thrown(view, turn)
        moves.append((offered, int(takes), NONE if takes else places, card, turn))
        if takes:
            taken.add(offered)
        else:
            places += 1
        if card not in taken:
            limits[card] = min(limits[card], places)
    unseen = ~(int(view.hand) | int(view.pile) | int(view.theirs)) & PACK
    early = [card for card in limits.argsort(kind="stable").tolist() if limits[card] <= places]
    scratch = new(VIEW, 1)[0]
    scratch.history = view.history
    cards = np.array([*early, *each(unseen)], dtype=np.int64)
    rows = np.array(moves, dtype=np.int64).reshape(-1, 5)
    return Story(rows, cards, limits.astype(np.int64), places, first, scratch)


@kernel
def likelihood(story: Story, options: Options, cards: Array, count: int) -> float:
    """The chance that `simple` makes the first moves if the hidden cards lie like this."""
    moves, view = story.moves, story.scratch
    limit = knock_limit(options, story.first_upcard)
    hand, chance = 0, 1.0
    for place in range(HAND):
        hand |= 1 << int(cards[place])
    for row in range(count):
        offered, takes, place = moves[row, 0], moves[row, 1], moves[row, 2]
        card, turn = moves[row, 3], moves[row, 4]
        if offered != NONE:
            single = 1 << int(offered)
            if (in_melds(hand | single) & single != 0) != (takes == 1):
                return 0.0
        if card == NONE:
            continue
        new_card = int(offered) if takes else int(cards[place])
        view.taken = new_card if takes else NONE
        note(view.history[:], 16 * int(turn), new_card)
        hand |= 1 << new_card
        view.hand, view.turn = hand, turn
        best, left = best_discards(view, options)
        if left <= limit or (best >> int(card)) & 1 == 0:
            return 0.0
        chance /= size(best)
        hand ^= 1 << int(card)
    return chance


@kernel
def deal_cards(story: Story, out: Array, generator: Generator) -> float:
    """Lay the hidden cards in random places; return how much too seldom this deal comes.

    Every deal within the limits is equally likely. Cards with limits come first, the earliest
    first. The places of a card include those of the cards before it, so each of these takes away
    one. Half of the time a thrown card gets the last place that it may have: a high card is mostly
    thrown as soon as it is drawn, and few other deals fit.
    """
    cards, limits, weight = story.cards, story.limits, 1.0
    for place in range(len(cards)):
        out[place] = NONE
    for number in range(len(cards)):
        card = int(cards[number])
        free = min(int(limits[card]), len(cards)) - number
        skipped = rng.below(generator, free)
        if limits[card] <= story.places:
            if rng.below(generator, 2) == 0:
                skipped = free - 1
            weight /= 0.5 + 0.5 * free if skipped == free - 1 else 0.5
        place = 0
        while skipped > 0 or out[place] != NONE:
            if out[place] == NONE:
                skipped -= 1
            place += 1
        out[place] = card
    return weight


@cold_kernel
def follow(story: Story, options: Options, cloud: Cloud, tries: int, generator: Generator) -> bool:
    """Take particles through all moves and count their hands; false if none fits."""
    particles, moves = cloud.particles, len(story.moves)
    first = min(FIRST, moves)
    for number in range(len(particles)):
        _choose_deal(story, options, cloud, number, first, tries, generator)
    for move in range(first, moves + 1):
        if move > first:
            _weigh(story, options, cloud, move)
        if not _resample(cloud, generator):
            return False
        for number in range(len(particles)):
            _change(story, options, cloud, number, move, generator)
    for _ in range(ROUNDS):
        for number in range(len(particles)):
            _change(story, options, cloud, number, moves, generator)
            for place in range(story.places):
                card = int(particles[number, place])
                if story.limits[card] > story.places:
                    cloud.counts[card] += 1
    return True


@cold_kernel
def _choose_deal(
    story: Story,
    options: Options,
    cloud: Cloud,
    number: int,
    count: int,
    tries: int,
    generator: Generator,
) -> None:
    """Let a particle be one of some deals, by the chances of the first moves; add up its weight."""
    tried, total = cloud.new_particles[number], 0.0
    for _ in range(tries):
        weight = deal_cards(story, tried, generator)
        chance = likelihood(story, options, tried, count)
        weight *= chance
        total += weight
        if rng.uniform(generator) * total < weight:
            cloud.chances[number] = chance
            for place in range(len(tried)):
                cloud.particles[number, place] = tried[place]
    cloud.weights[number] = total


@cold_kernel
def _weigh(story: Story, options: Options, cloud: Cloud, count: int) -> None:
    """Weigh the particles by the last move."""
    for number in range(len(cloud.particles)):
        chance = likelihood(story, options, cloud.particles[number], count)
        cloud.weights[number] = chance / cloud.chances[number]
        cloud.chances[number] = chance


@cold_kernel
def _resample(cloud: Cloud, generator: Generator) -> bool:
    """Draw as many particles by their weights, at even distances; false if all weigh nothing."""
    particles, weights = cloud.particles, cloud.weights
    total = 0.0
    for number in range(len(particles)):
        total += weights[number]
    if total == 0.0:
        return False
    step = total / len(particles)
    at, reached, source = rng.uniform(generator) * step, weights[0], 0
    for number in range(len(particles)):
        while reached <= at and source + 1 < len(particles):
            source += 1
            reached += weights[source]
        cloud.new_chances[number] = cloud.chances[source]
        for place in range(particles.shape[1]):
            cloud.new_particles[number, place] = particles[source, place]
        at += step
    for number in range(len(particles)):
        cloud.chances[number] = cloud.new_chances[number]
        for place in range(particles.shape[1]):
            particles[number, place] = cloud.new_particles[number, place]
    return True


@cold_kernel
def _change(
    story: Story, options: Options, cloud: Cloud, number: int, count: int, generator: Generator
) -> None:
    """Try to swap a card of the other hand with another one (Metropolis)."""
    cards = cloud.particles[number]
    for _ in range(SWAPS):
        one, other = rng.below(generator, story.places), rng.below(generator, len(cards))
        if other >= story.limits[cards[one]] or one >= story.limits[cards[other]]:
            continue
        cards[one], cards[other] = cards[other], cards[one]
        chance = likelihood(story, options, cards, count)
        if chance > rng.uniform(generator) * cloud.chances[number]:
            cloud.chances[number] = chance
        else:
            cards[one], cards[other] = cards[other], cards[one]


def posterior(view: View, options: Any, seed: int, particles: int = PARTICLES) -> Floats:
    """The chance of each card to be in the other hand, if it is that of `simple`.

    `options` are packed.
    """
    story = read_story(view)
    found = filtered(story, options, seed, particles)
    known = int(view.theirs)
    found[[card for card in range(52) if known >> card & 1]] = 1.0
    return found


def filtered(
    story: Story, options: Any, seed: int, particles: int = PARTICLES, tries: int = TRIES
) -> Floats:
    """The chance of each hidden card to be in the other hand."""
    generator = new(GENERATOR, 1)[0]
    rng.start(generator, seed)
    shape = particles, len(story.cards)
    cloud = Cloud(
        np.zeros(shape, dtype=np.int8),
        np.zeros(particles),
        np.zeros(particles),
        np.zeros(shape, dtype=np.int8),
        np.zeros(particles),
        np.zeros(52, dtype=np.int64),
    )
    if not follow(story, options, cloud, tries, generator):
        if particles > MOST:
            raise NoParticle("no particle fits the moves: was it another player?")
        return filtered(story, options, seed, MORE * particles, MORE * tries)
    chances: Floats = cloud.counts / (ROUNDS * particles)
    return chances
