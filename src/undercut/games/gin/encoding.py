"""What a network sees of Gin: planes of 52 cards, the course of the deal, the score and the rules."""

from typing import Any

from undercut.core.cards import Cards, lowest
from undercut.core.jit import kernel
from undercut.core.melds import deadwood, deadwood_without, in_melds
from undercut.core.records import Action, Buffer, Options, Seat, State, View
from undercut.core.rng import Generator
from undercut.games.bits import single, thermometer
from undercut.games.encoding import Encoding
from undercut.games.gin.layout import (
    DRAW,
    PASS,
    Phase,
    drawn,
    thrown,
    was_taken,
)
from undercut.games.gin.strategy.laying import WORKSPACE, lay_cheapest

OUTPUTS = 106  # discards, knocks, draw or pass, take

RECENT = 3  # throws of each seat whose order is kept
TURNS = 8  # of each seat, whether a card was taken

_CARDS = 52
_HAND, _UPCARD, _DEAD, _THEIRS, _THROWN, _REFUSED, _SHOWN, _MELDED, _BEST = range(9)
_MY_THROWS = 9
_HIS_THROWS = _MY_THROWS + RECENT
_HIS_TAKE = _HIS_THROWS + RECENT
_COURSE = _HIS_TAKE + 1
_DEADWOOD, _SCORES, _RULES, _TURN, _OFFER = range(_COURSE + 1, _COURSE + 6)
PLANES = (*(_CARDS,) * _COURSE, 38, 42, 50, 19, 40, 12)


@kernel
def encode(view: View, options: Options, words: Buffer) -> None:
    """Fill the words of PLANES."""
    for i in range(len(words)):
        words[i] = 0
    hand, face_points = int(view.hand), int(options.face_points)
    words[_HAND] = hand
    words[_THEIRS] = int(view.theirs)
    words[_SHOWN] = int(view.shown)
    upcard = single(int(view.upcard))
    words[_UPCARD] = upcard
    words[_DEAD] = int(view.pile) & ~upcard
    melded = in_melds(hand)
    words[_MELDED] = melded
    least = deadwood(hand, face_points)
    if view.phase == Phase.DISCARD:
        least = _best_discards(view, hand, melded, least, face_points, words)
    words[_DEADWOOD] = (1 << min(least, 30)) | (thermometer(least // 6, 11) << 31)
    _encode_course(view, words)
    _encode_history(view, words)
    words[_SCORES] = _score(view, 0, options) | (_score(view, 1, options) << 25)
    words[_RULES] = _rules(options)
    if view.phase != Phase.DISCARD:
        _encode_offer(hand, upcard, least, face_points, words)


@kernel
def _best_discards(
    view: View, hand: Cards, melded: Cards, whole: int, face_points: int, words: Buffer
) -> int:
    """Note the discards that leave least deadwood; returns how much that is."""
    least, best = 1 << 20, 0
    cards = hand & ~single(int(view.taken))
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        left = deadwood_without(hand, card, melded, whole, face_points)
        if left <= least:
            best = best | (1 << card) if left == least else 1 << card
            least = left
    words[_BEST] = best
    return least


@kernel
def _encode_course(view: View, words: Buffer) -> None:
    phase = 1 << min(int(view.phase), 2)
    passes = thermometer(int(view.passes), 1) << 3
    starter = int(view.starter == view.me) << 4
    taken = int(view.taken >= 0) << 5
    words[_COURSE] = phase | passes | starter | taken | (thermometer(int(view.stock), 32) << 6)


@kernel
def _encode_history(view: View, words: Buffer) -> None:
    """Who threw, took and refused what; the latest throws and takes in their order."""
    me, last = int(view.me), int(view.turn)
    words[_TURN] = thermometer(last, 24)
    mine, his, turn = 0, 0, last - 1
    while turn >= 0:
        card = thrown(view, turn)
        took = was_taken(view, turn)
        if (int(view.opener) + turn) % 2 == me:
            if mine < RECENT:
                words[_MY_THROWS + mine] = single(card)
            if mine < TURNS and took:
                words[_TURN] |= 1 << (24 + mine)
            mine += 1
        else:
            words[_THROWN] |= single(card)
            if his < RECENT:
                words[_HIS_THROWS + his] = single(card)
            if took and words[_HIS_TAKE] == 0:
                words[_HIS_TAKE] = single(drawn(view, turn))
            if his < TURNS and took:
                words[_TURN] |= 1 << (24 + TURNS + his)
            if not took:
                refused = thrown(view, turn - 1) if turn > 0 else int(view.first_upcard)
                words[_REFUSED] |= single(refused)
            his += 1
        turn -= 1


@kernel
def _encode_offer(hand: Cards, upcard: Cards, whole: int, face_points: int, words: Buffer) -> None:
    """What the upcard would bring."""
    joined = hand | upcard
    gain = whole - deadwood(joined, face_points)
    words[_OFFER] = int(in_melds(joined) & upcard != 0) | (thermometer(gain, 11) << 1)


@kernel
def _score(view: View, other: int, options: Options) -> int:
    seat = int(view.me) ^ other
    return thermometer(25 * int(view.scores[seat]) // int(options.target), 25)


@kernel
def _rules(options: Options) -> int:
    rules = int(options.knock) | (int(options.upcard) << 1) | (int(options.automatic_gin) << 2)
    rules |= int(options.layoffs) << 3
    rules |= int(options.face_points > 10) << 4
    rules |= thermometer(int(options.gin_bonus) // 5, 5) << 5
    rules |= thermometer(int(options.undercut_bonus) // 5, 5) << 10
    return rules | (thermometer(int(options.target) // 25, 4) << 15)


@kernel
def output_of(action: Action) -> int:
    """Discards and knocks as they are numbered; to draw and to pass are never legal at once."""
    return DRAW if action == PASS else action


@kernel
def is_asked(view: View, who: int) -> bool:
    """Laying down is not for networks."""
    return who == 0 and int(view.phase) <= Phase.DISCARD


@kernel
def lay_down(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Any,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """After a knock, what leaves least."""
    return lay_cheapest(view, legal, options, workspace)


@kernel
def reveal(state: State, options: Options, seat: Seat, words: Buffer) -> None:
    """The other hand."""
    words[0] = int(state.hands[1 - seat])


ENCODING = Encoding(
    planes=PLANES,
    encode=encode,
    outputs=OUTPUTS,
    output_of=output_of,
    is_asked=is_asked,
    rest=lay_down,
    workspace=WORKSPACE,
    remembered=(_DEAD, _THEIRS, _THROWN, _REFUSED, _SHOWN, *range(_MY_THROWS, _COURSE)),
    hidden=(_CARDS,),
    reveal=reveal,
)
