"""One hand of gin played in OpenSpiel and here side by side: the same cards, the same actions.

At every decision the two engines must agree on whose turn it is, on the hands, the deadwood and
the legal actions, and at the end on the points. Where OpenSpiel is known to differ, the difference
must be exactly the known one, and is counted by name; docs/oracles.md describes each. Anything
else is a `Divergence`.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Set
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np
import pyspiel

from undercut.cards.french import NONE, Card, Cards, each, format_cards, mask, points, size
from undercut.cards.melds import deadwood, find_meld, in_melds, is_run, meld_cards
from undercut.games.families import parse_game
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Outcome
from undercut.kernels import rng
from undercut.kernels.records import Action, new
from undercut.play.deal import Deal

TAKE, DRAW, PASS, KNOCK = (
    pyspiel.gin_rummy.DRAW_UPCARD_ACTION,
    pyspiel.gin_rummy.DRAW_STOCK_ACTION,
    pyspiel.gin_rummy.PASS_ACTION,
    pyspiel.gin_rummy.KNOCK_ACTION,
)
MELD = pyspiel.gin_rummy.MELD_ACTION_BASE
ANY_DEADWOOD = pyspiel.gin_rummy.MAX_POSSIBLE_DEADWOOD
Phase = pyspiel.gin_rummy.Phase

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
_GAME = pyspiel.load_game("gin_rummy")
_FRESH = _GAME.new_initial_state()  # a copy of it is a hundred times quicker than another new one
_OURS = parse_game("gin")
LIMIT = _OURS.options.knock_limit

# OpenSpiel's suits are in the order spades, clubs, diamonds, hearts.
OUR_CARD = [13 * ((card // 13 + 3) % 4) + card % 13 for card in range(52)]
_OUR_SINGLE = [1 << card for card in OUR_CARD]
THEIR_CARD = [OUR_CARD.index(card) for card in range(52)]
OUR_MELD = {
    number: find_meld(mask(OUR_CARD[card] for card in cards))
    for number, cards in UTILS.int_to_meld.items()
}
THEIR_MELD = {meld: number for number, meld in OUR_MELD.items()}

KNOWN = {
    "throw back": "the card just taken may be discarded",
    "knock by throwing back": "a knock whose only discard is the card just taken",
    "eleven cards": "deadwood of eleven cards too high",
    "eleven cards, no knock": "deadwood of eleven cards too high, so that no knock is offered",
    "long run": "runs of six cards or more are not melds of their own",
    "one place": "a card that fits a set and a run counts on both",
    "third lay-off": "a third card in a chain cannot be laid off",
    "late lay-off": "no lay-offs once the defender has begun to meld",
    "wall": "the last turn, with two cards in the stock: pass, or knock with the upcard",
    "wall knock": "of these, a knock was on offer",
    "takes": "the first upcard is not among the fifty takes, and the last take ends the hand",
    "equal": "equal deadwood scores nothing",
}
"""The differences, by the name under which they are counted."""


PLAYERS = ((0.0, 0.0), (0.8, 1.0), (0.9, 0.9), (0.95, 0.5), (0.98, 0.1), (0.95, 1.0))
"""The players of a hand: how often they play with care, and then knock at once if they can."""


class Divergence(AssertionError):
    """The engines disagree, and not in a way that is known."""


class Mirror:
    """A hand in both engines; `seen` counts the decisions and the known differences."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.ours = Deal(_OURS, seed, starter=0)
        self.theirs = _FRESH.clone()
        self.deck = iter(THEIR_CARD[card] for card in shuffled_deck(seed))
        self.seen: Counter[str] = Counter()
        self.played: list[str] = []
        self.hands: list[Cards] = []
        self.first_upcard_taken = False
        for _ in range(21):
            self.theirs.apply_action(next(self.deck))

    def compare(self) -> dict[Action, list[int]]:
        """Compare a decision; return what both allow, each action with its form there."""
        self.seen["decisions"] += 1
        theirs = self.theirs
        self._require(theirs.current_player() == self.ours.seat, "whose turn it is")
        self.knocked = any(theirs.knocked())
        views = [self.ours.observe(seat) for seat in (0, 1)]
        self.hands = [int(view.hand) for view in views]
        if self.knocked:
            self.hands = [int(view.hand) & ~int(view.melded[view.me]) for view in views]
        self.view = views[self.ours.seat]
        self.hand = self.hands[self.ours.seat]
        for seat, cards in enumerate(theirs.hands()):
            held = sum([_OUR_SINGLE[card] for card in cards])
            self._require(held == self.hands[seat], "the hands")
        self._compare_deadwood()
        ours, legal = set(self.ours.actions), set(theirs.legal_actions())
        phase = theirs.current_phase()
        if phase in (Phase.FIRST_UPCARD, Phase.DRAW):
            return self._compare_draw(ours, legal)
        if phase == Phase.DISCARD:
            return self._compare_discard(ours, legal)
        if phase == Phase.KNOCK:
            return self._compare_spread(ours, legal)
        self._require(phase == Phase.LAYOFF, "the phase")
        return self._compare_defence(ours, legal)

    def apply(self, action: Action, forms: list[int]) -> None:
        """Play an action of `compare` in both engines."""
        self.played.append(_OURS.notation.format_action(action))
        first_take = action == gin.TAKE and self.theirs.current_phase() == Phase.FIRST_UPCARD
        self.first_upcard_taken |= first_take
        self.ours.apply(action)
        for form in forms:
            self._require(form in self.theirs.legal_actions(), "that this action is legal")
            self.theirs.apply_action(form)
            if form == KNOCK:
                discards = {OUR_CARD[card] for card in self.theirs.legal_actions()}
                self._require(discards == self.knock_discards, "the discards of a knock")
        if self.theirs.is_chance_node():
            self.theirs.apply_action(next(self.deck))

    def _compare_deadwood(self) -> None:
        for hand, given in zip(self.hands, self.theirs.deadwood(), strict=True):
            if self.knocked:
                self._require(given == points(hand, 10), "the points still in hand")
            elif size(hand) == 10:
                self._require(given == deadwood(hand, 10), "the deadwood")
            else:
                self._compare_eleven(hand, given)

    def _compare_eleven(self, hand: Cards, given: int) -> None:
        """With eleven cards OpenSpiel means the deadwood after the best discard."""
        least = min(deadwood(hand & ~(1 << card), 10) for card in each(hand))
        if given != least:
            self.seen["eleven cards"] += 1
            cards = their_cards(hand)
            parts = [[card for card in cards if card != other] for other in cards]
            right = min(UTILS.min_deadwood(part) for part in parts)
            self._require(given > least == right, "the deadwood of eleven cards")

    def _compare_draw(self, ours: Set[Action], legal: Set[int]) -> dict[Action, list[int]]:
        forms = {gin.TAKE: TAKE, gin.DRAW: DRAW, gin.PASS: PASS}
        self._require({forms[action] for action in ours} == legal, "the draws")
        return {action: [forms[action]] for action in sorted(ours)}

    def _compare_discard(self, ours: Set[Action], legal: Set[int]) -> dict[Action, list[int]]:
        offered = KNOCK in legal
        discards = {action for action in ours if action < gin.KNOCK}
        knocks = {action - gin.KNOCK for action in ours - discards}
        taken = set() if self.view.taken == NONE else {int(self.view.taken)}
        self._require(
            {OUR_CARD[card] for card in legal - {KNOCK}} - taken == discards, "the discards"
        )
        self.seen["throw back"] += len(taken)
        cards = their_cards(self.hand)
        self.knock_discards = {OUR_CARD[card] for card in UTILS.legal_discards(cards, LIMIT)}
        self._require(self.knock_discards - taken == knocks, "the knocks")
        if offered and not knocks:
            self._require(self.knock_discards == taken, "whether to knock")
            self.seen["knock by throwing back"] += 1
        if not offered and self.knock_discards:
            self._require(UTILS.min_deadwood(cards) > LIMIT, "whether to knock")
            self.seen["eleven cards, no knock"] += 1
        forms = {card: [THEIR_CARD[card]] for card in sorted(discards)}
        if offered:
            forms |= {gin.KNOCK + card: [KNOCK, THEIR_CARD[card]] for card in sorted(knocks)}
        return forms

    def _compare_melds(self, ours: Set[Action], numbers: Iterable[int]) -> dict[Action, int]:
        melds = {action for action in ours if gin.MELD <= action < gin.LAY_ON_SET}
        short = {action for action in melds if action - gin.MELD in THEIR_MELD}
        for action in melds - short:
            cards = meld_cards(action - gin.MELD)
            self._require(is_run(cards) and size(cards) >= 6, "the melds")
            self.seen["long run"] += 1
        self._require({gin.MELD + OUR_MELD[number] for number in numbers} == short, "the melds")
        return {action: MELD + THEIR_MELD[action - gin.MELD] for action in sorted(short)}

    def _compare_spread(self, ours: Set[Action], legal: Set[int]) -> dict[Action, list[int]]:
        melds = self._compare_melds(ours, {action - MELD for action in legal - {PASS}})
        self._require((gin.DONE in ours) == (PASS in legal), "whether the knocker may stop")
        forms = {action: [form] for action, form in melds.items()}
        return forms | ({gin.DONE: [PASS]} if gin.DONE in ours else {})

    def _compare_defence(self, ours: Set[Action], legal: Set[int]) -> dict[Action, list[int]]:
        self._require(gin.DONE in ours and PASS in legal, "whether the defender may stop")
        layoffs = {action for action in ours if action >= gin.LAY_ON_SET}
        if self.theirs.finished_layoffs():
            melds = self._compare_melds(ours, {action - MELD for action in legal - {PASS}})
            if layoffs:
                is_gin = self.theirs.deadwood()[1 - self.ours.seat] == 0
                self._require(not is_gin, "that nothing is laid off on gin")
                self.seen["late lay-off"] += 1
            return {action: [form] for action, form in melds.items()} | {gin.DONE: [PASS]}
        # There the lay-offs come first, and a pass ends them.
        numbers = UTILS.legal_melds(their_cards(self.hand), ANY_DEADWOOD)
        melds = self._compare_melds(ours, numbers)
        forms = {action: [PASS, form] for action, form in melds.items()}
        return forms | self._compare_layoffs(layoffs, legal - {PASS}) | {gin.DONE: [PASS, PASS]}

    def _compare_layoffs(self, layoffs: Set[Action], legal: Set[int]) -> dict[Action, list[int]]:
        cards = {OUR_CARD[card] for card in legal}
        forms = {}
        for action in sorted(layoffs):
            kind, card = divmod(action - gin.LAY_ON_SET, 52)
            if card not in cards:
                self._require(self._is_third(card, kind), "the lay-offs")
                self.seen["third lay-off"] += 1
            elif kind == 0 and layoffs & {gin.LAY_ON_HIGHER + card, gin.LAY_ON_LOWER + card}:
                self.seen["one place"] += 1  # only on the run can it carry further cards
            else:
                forms[action] = [THEIR_CARD[card]]
        offered = {(action - gin.LAY_ON_SET) % 52 for action in layoffs}
        self._require(cards <= offered, "the lay-offs")
        return forms

    def _is_third(self, card: Card, kind: int) -> bool:
        """Whether two cards were laid off before this one at its end of a run."""
        step = 1 if kind == 1 else -1
        laid = int(self.view.melded[self.ours.seat])
        return kind != 0 and all(laid >> (card + step * place) & 1 for place in (1, 2))

    def compare_end(self) -> None:
        """Compare a deal that is over here: how it ended, and the points."""
        gained = self.ours.points()
        view = self.ours.observe(0)
        if view.outcome == Outcome.VOID:
            self._require(gained == [0, 0], "the points")
            self._end_void(view)
        if not self.theirs.is_terminal():
            return
        returns = self.theirs.returns()
        expected = gained[0] - gained[1]
        if view.outcome == Outcome.UNDERCUT and len(set(self.theirs.deadwood())) == 1:
            self._require(sorted(gained) == [0, _OURS.options.undercut_bonus], "the points")
            self.seen["equal"] += 1
            expected = 0
        self._require(returns == [expected, -expected], "the points")
        self.seen[Outcome(view.outcome).name.lower()] += 1

    def _end_void(self, view: Any) -> None:
        if view.takes == _OURS.options.max_discard_takes:
            self.seen["takes"] += 1
            # Without the first upcard, that was the last take there too, else the last but one.
            self._require(self.theirs.is_terminal() != self.first_upcard_taken, "the last take")
            return
        self._require(self.theirs.current_phase() == Phase.WALL, "the wall")
        self._require(self.theirs.stock_size() == view.stock == 2, "the stock at the wall")
        self.seen["wall"] += 1
        self.seen["wall knock"] += KNOCK in self.theirs.legal_actions()
        self.theirs.apply_action(PASS)

    def _require(self, agreed: bool, what: str) -> None:
        if not agreed:
            legal = [_OURS.notation.format_action(action) for action in self.ours.actions]
            raise Divergence(
                f"seed {self.seed}: the engines disagree about {what}\n"
                f"played: {', '.join(self.played)}\n"
                f"hands: {' / '.join(format_cards(hand) for hand in self.hands)}\n"
                f"legal here: {', '.join(legal)}\n"
                f"legal there: {[self._their_text(a) for a in self.theirs.legal_actions()]}\n"
                f"{self.theirs}"
            )

    def _their_text(self, action: int) -> str:
        return self.theirs.action_to_string(self.theirs.current_player(), action).split(": ")[-1]


def their_cards(cards: Cards) -> list[int]:
    """A set of cards as OpenSpiel's numbers."""
    return [THEIR_CARD[card] for card in each(cards)]


def shuffled_deck(seed: int) -> list[Card]:
    """The deck of a deal, in the order in which it is drawn."""
    dealer = new(rng.GENERATOR, 1)[0]
    deck = np.arange(52)
    rng.start(dealer, seed)
    rng.shuffle(dealer, deck, 0, 52)
    return deck.tolist()


def play_hand(seed: int) -> Counter[str]:
    """Play one hand in both engines and count what was seen."""
    mirror = Mirror(seed)
    chance = Random(seed)
    care, haste = PLAYERS[seed % len(PLAYERS)]
    while not mirror.ours.is_over:
        if mirror.theirs.is_terminal():  # by the last take; here a discard is still to come
            mirror.ours.apply(mirror.ours.actions[0])
            continue
        forms = mirror.compare()
        wanted = list(forms)
        if chance.random() < care:
            wanted = promising(mirror, wanted, chance.random() < haste)
        action = chance.choice(wanted)
        mirror.apply(action, forms[action])
    mirror.compare_end()
    mirror.seen["hands"] += 1
    return mirror.seen


def promising(mirror: Mirror, actions: list[Action], is_hasty: bool) -> list[Action]:
    """Actions that lower deadwood; a knock for hasty players, and gin for all."""
    if gin.DRAW in actions or gin.TAKE in actions:
        return _promising_draws(mirror, actions)
    if actions[0] < gin.KNOCK:
        knocks = [action for action in actions if action >= gin.KNOCK]
        if knocks and is_hasty:
            return knocks
        left = {card: deadwood(mirror.hand & ~(1 << card), 10) for card in actions if card < 52}
        best = [card for card, cost in left.items() if cost == min(left.values())]
        gins = [gin.KNOCK + card for card in best if left[card] == 0]
        return [knock for knock in gins if knock in knocks] or best
    return [action for action in actions if action != gin.DONE] or actions


def _promising_draws(mirror: Mirror, actions: list[Action]) -> list[Action]:
    upcard = 1 << int(mirror.view.upcard)
    fits = in_melds(mirror.hand | upcard) & upcard != 0
    return [action for action in actions if (action == gin.TAKE) == fits] or actions


def play_hands(seeds: Iterable[int]) -> Counter[str]:
    """Play a hand for each seed; return the summed counts."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        seen.update(play_hand(seed))
    return seen


def play_in_processes(first: int, count: int, workers: int = 2) -> Counter[str]:
    """Play hands in several processes; return the summed counts."""
    parts = [range(first + worker, first + count, workers) for worker in range(workers)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return sum(pool.map(play_hands, parts), Counter())


def main() -> None:
    """Print how often each known difference was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first hand")
    arguments = parser.parse_args()
    seen = play_in_processes(arguments.seed, arguments.hands)
    for name, count in sorted(seen.items()):
        print(f"{count:>10,}  {name:<24}{KNOWN.get(name, '')}")


if __name__ == "__main__":
    main()
