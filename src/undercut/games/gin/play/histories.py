"""Convert deals of Gin to OpenSpiel's histories and back; default `gin_rummy` is our `gin`.

A history is the list of numbers that `state.history()` returns there, including chance. Player 0
plays first. docs/oracles.md lists the differences between the two engines: a deal that one of them
does not allow raises an error.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from undercut.cards.french import each, mask, parse_card, parse_cards
from undercut.cards.melds import find_meld
from undercut.games.contract import Choice, Game
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.layout import Options, Phase
from undercut.games.gin.table.text import format_action, parse_action
from undercut.kernels.records import Action, State, new, pack
from undercut.text.errors import NotationError, RecordError

TAKE, DRAW, PASS, KNOCK, MELD = 52, 53, 54, 55, 56  # their numbers; cards are below

# Their suits are in the order spades, clubs, diamonds, hearts.
OUR_CARD = [13 * ((card // 13 + 3) % 4) + card % 13 for card in range(52)]
THEIR_CARD = [OUR_CARD.index(card) for card in range(52)]


def _their_melds() -> Iterator[list[int]]:
    """Their melds in the order of their numbers: sets of three and four by rank, then runs."""
    for rank in range(13):
        four = [13 * suit + rank for suit in range(4)]
        yield from ([card for card in four if card != left_out] for left_out in four)
        yield four
    for length in (3, 4, 5):
        for suit in range(4):
            for first in range(14 - length):
                yield [13 * suit + first + step for step in range(length)]


OUR_MELD = [find_meld(mask(OUR_CARD[card] for card in cards)) for cards in _their_melds()]
THEIR_MELD = {meld: number for number, meld in enumerate(OUR_MELD)}


def agrees(options: Options) -> bool:
    """Whether OpenSpiel's deals have these rules; options of a match may differ."""
    usual, of_a_match = gin.PRESETS["gin"]._asdict(), {"target", "first_starter", "void_alternates"}
    return all(
        getattr(options, name) == value for name, value in usual.items() if name not in of_a_match
    )


def to_history(
    starter: int, hands: Sequence[str], upcard: str, moves: Sequence[tuple[str, str]], outcome: str
) -> list[int]:
    """The history of a deal that is over; each move is an action and the cards drawn unseen.

    There the defender lays off before melding, so the order of these moves may change.
    """
    cards = [*each(parse_cards(hands[starter])), *each(parse_cards(hands[1 - starter]))]
    history = [THEIR_CARD[card] for card in (*cards, parse_card(upcard))]
    writer = _Writer(is_gin=outcome == "gin")
    for text, drawn in _lay_offs_first(moves):
        history += writer.write(parse_action(text))
        history += [THEIR_CARD[card] for card in each(parse_cards(drawn))]
    if outcome == "void":
        if writer.takes == gin.PRESETS["gin"].max_discard_takes:
            raise RecordError("the deal ends by its takes, which OpenSpiel counts differently")
        history.append(PASS)  # there the last player may still knock
    return history


def _lay_offs_first(moves: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The moves with the lay-offs directly after the knocker's last move."""
    lays = [move for move in moves if move[0].startswith("lay ")]
    if not lays:
        return list(moves)
    first = next(place for place, move in enumerate(moves) if move[0] == "done") + 1
    rest = [move for move in moves[first:] if move not in lays]
    return [*moves[:first], *lays, *rest]


class _Writer:
    """Our actions in their numbers, which depend on earlier actions of the deal."""

    def __init__(self, is_gin: bool) -> None:
        self.takes = 0
        self._is_gin, self._has_knocked, self._is_defending = is_gin, False, False
        self._is_laying = False  # whether the defender, who there lays off first, may still do so
        self._laid: set[int] = set()

    def write(self, action: Action) -> list[int]:
        """An action in their numbers."""
        if action < gin.KNOCK:
            return [THEIR_CARD[action]]
        if action < gin.DRAW:
            self._has_knocked = True
            return [KNOCK, THEIR_CARD[action - gin.KNOCK]]
        self.takes += action == gin.TAKE
        if action in _DRAWS:
            return [_DRAWS[action]]
        if action >= gin.LAY_ON_SET:
            return self._lay(action)
        ended = [PASS] if self._is_laying else []
        self._is_laying = False
        if action == gin.DONE:
            is_knocker = self._has_knocked and not self._is_defending
            self._is_defending, self._is_laying = True, is_knocker and not self._is_gin
            return [*ended, PASS]
        if action - gin.MELD not in THEIR_MELD:
            raise RecordError(f"{format_action(action)}: OpenSpiel has no melds of six cards")
        return [*ended, MELD + THEIR_MELD[action - gin.MELD]]

    def _lay(self, action: Action) -> list[int]:
        kind, card = divmod(action - gin.LAY_ON_SET, 52)
        step = 1 if kind == 1 else -1
        if kind != 0 and {card + step, card + 2 * step} <= self._laid:
            raise RecordError(f"{format_action(action)}: OpenSpiel has no third lay-off in a chain")
        self._laid.add(card)
        return [THEIR_CARD[card]]


_DRAWS = {gin.TAKE: TAKE, gin.DRAW: DRAW, gin.PASS: PASS}
_OUR_DRAWS = {form: action for action, form in _DRAWS.items()}


def from_history(game: Game, history: Sequence[int]) -> tuple[list[Choice], list[int]]:
    """The decisions of a history, and each seat's points, none before its end.

    Seat 0 plays first.
    """
    reader = _Reader(game, history)
    return reader.choices, reader.read()


class _Reader:
    """The replay of a history by our rules."""

    def __init__(self, game: Game, history: Sequence[int]) -> None:
        dealt = {*history[:21]}
        if len(dealt) != 21 or not dealt <= {*range(52)}:
            raise NotationError("not a history: it begins with 21 cards")
        self._history, self._place, self._rules = list(history), 21, game.rules
        self._options, self._game = pack(game.options), game
        self._state: State = new(gin.STATE, 1)[0]
        self._state["deck"][:] = self._deck()
        self._rules.begin(self._state, self._options, 0, np.zeros(2, dtype=np.int64))
        self._out = np.zeros(gin.LEGAL, dtype=np.int64)
        self._is_laying, self.choices = True, list[Choice]()

    def _deck(self) -> list[int]:
        """The cards in the order of their draws, then the others."""
        drawn, play = self._history[:21], self._history[21:]
        drawn += [card for draw, card in pairwise(play) if draw == DRAW]
        rest = [card for card in range(52) if card not in drawn]
        if sorted(drawn + rest) != [*range(52)]:
            raise NotationError("not a history: a draw is no card, or repeats one")
        return [OUR_CARD[card] for card in drawn + rest]

    def read(self) -> list[int]:
        """Replay the history; return the points."""
        while self._place < len(self._history) and not self._rules.is_over(self._state):
            action = self._next_action()
            if action is not None:
                self._apply(action)
        left = self._history[self._place :]
        if self._rules.is_over(self._state):
            if left not in ([], [PASS]):  # in a void deal the last player passes
                raise self._error("our deal is over here")
            points = np.zeros(2, dtype=np.int64)
            self._rules.score(self._state, self._options, points)
            return points.tolist()
        return []

    def _apply(self, action: Action) -> None:
        count = int(self._rules.legal(self._state, self._options, self._out))
        legal = self._out[:count].tolist()
        if action not in legal:
            raise self._error(f"{format_action(action)!r} is not allowed by our rules")
        if count > 1:
            seat = int(self._state["seat"])
            view = new(gin.VIEW, 1)[0]
            self._rules.observe(self._state, self._options, seat, view)
            self.choices.append(Choice(seat, view, legal, action))
        self._rules.apply(self._state, self._options, action)

    def _next_action(self) -> Action | None:
        """Our action for the next numbers; None if they have no equivalent."""
        number, phase = self._take(), self._state["phase"]
        if phase in (Phase.OFFER, Phase.DRAW):
            if number == DRAW:
                self._take()  # the outcome of the chance node
            if number not in _OUR_DRAWS:
                raise self._error(f"{number} is not a draw")
            return _OUR_DRAWS[number]
        if phase == Phase.DISCARD:
            return (
                gin.KNOCK + self._discard(self._take())
                if number == KNOCK
                else self._discard(number)
            )
        if phase == Phase.DEFEND and self._is_laying and not self._is_gin():
            if number != PASS:
                return self._lay_off(number)
            self._is_laying = False
            return None
        if number == PASS:
            return gin.DONE
        if not MELD <= number < MELD + len(OUR_MELD):
            raise self._error(f"{number} is not a meld")
        return gin.MELD + OUR_MELD[number - MELD]

    def _is_gin(self) -> bool:
        knocker = int(self._state["knocker"])
        return not int(self._state["hands"][knocker]) & ~int(self._state["melded"][knocker])

    def _discard(self, number: int) -> Action:
        if not 0 <= number < 52:
            raise self._error(f"{number} is not a card")
        return OUR_CARD[number]

    def _lay_off(self, number: int) -> Action:
        """A lay-off, on a run if it fits there: only there can further cards follow."""
        card = self._discard(number)
        count = int(self._rules.legal(self._state, self._options, self._out))
        places = (gin.LAY_ON_HIGHER, gin.LAY_ON_LOWER, gin.LAY_ON_SET)
        legal = {*self._out[:count].tolist()}
        found = [place + card for place in places if place + card in legal]
        return found[0] if found else gin.LAY_ON_SET + card

    def _take(self) -> int:
        if self._place == len(self._history):
            raise self._error("it ends in the middle of an action")
        self._place += 1
        return self._history[self._place - 1]

    def _error(self, what: str) -> RecordError:
        return RecordError(f"number {self._place} of the history: {what}")
