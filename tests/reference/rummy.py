"""Two-player Rummy the slow and obvious way: cards are text, melds are lists of cards."""

from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "cdhs"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
RANK_NAMES = [
    "aces",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
]


def order(card: str) -> int:
    return PACK.index(card)


def rank(card: str) -> int:
    return RANKS.index(card[0])


def value(card: str) -> int:
    return min(rank(card) + 1, 10)


def is_set(cards: list[str]) -> bool:
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1


def is_run(cards: list[str]) -> bool:
    ranks = sorted(rank(card) for card in cards)
    in_a_row = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return len(cards) >= 3 and len({card[1] for card in cards}) == 1 and in_a_row


def melds_in(hand: set[str]) -> list[list[str]]:
    """Every set and every run that can be made of a hand."""
    found = []
    for name in RANKS:
        same = sorted((card for card in hand if card[0] == name), key=order)
        for count in (3, 4):
            found += [list(cards) for cards in combinations(same, count)]
    for suit in SUITS:
        for first in range(13):
            for last in range(first + 2, 13):
                cards = [RANKS[i] + suit for i in range(first, last + 1)]
                if set(cards) <= hand:
                    found.append(cards)
    return found


class Round:
    """One round between two seats, played by the text of its actions."""

    def __init__(self, deck: list[str], starter: int, rules: dict[str, int]) -> None:
        self.rules = rules
        self.hands = [set(), set()]
        self.hands[starter] = set(deck[:10])
        self.hands[1 - starter] = set(deck[10:20])
        self.pile = [deck[20]]  # the top is last
        self.stock = deck[21:]  # the next card to draw is first
        self.melds: list[list[str]] = []
        self.seat = starter
        self.has_drawn = False
        self.taken = None
        self.has_put_down = [False, False]  # before this turn
        self.puts_down = False  # in this turn
        self.turns = 0
        self.turnovers = 0
        self.is_over = False
        self.is_tied = False
        self.winner = None
        self.is_rummy = False
        # What each seat has seen with its own eyes.
        self.known = [set(self.hands[0]) | {deck[20]}, set(self.hands[1]) | {deck[20]}]

    def legal(self) -> set[str]:
        if self.is_over:
            return set()
        if not self.has_drawn:
            return {"take", "draw"} if self.stock else {"take", "turn over"}
        hand = self.hands[self.seat]
        may_throw = set(hand)
        if self.taken and not self.rules["may_discard_taken"]:
            may_throw.discard(self.taken)
        put_downs = {}
        for meld in melds_in(hand):
            put_downs["meld " + " ".join(meld)] = meld
        for card in hand:
            for meld in self.melds:
                if is_set([*meld, card]):
                    put_downs[f"lay {card} on {RANK_NAMES[rank(card)]}"] = [card]
                elif is_run([*meld, card]):
                    neighbour = rank(card) + (1 if rank(card) < rank(meld[0]) else -1)
                    put_downs[f"lay {card} on {RANKS[neighbour]}{card[1]}"] = [card]
        allowed = {"discard " + card for card in may_throw}
        for text, cards in put_downs.items():
            left = hand - set(cards)
            if not left or left & may_throw:
                allowed.add(text)
        return allowed

    def play(self, text: str) -> None:
        verb, *rest = text.split()
        hand = self.hands[self.seat]
        if verb == "discard":
            hand.remove(rest[0])
            self.pile.append(rest[0])
            self.know(rest[0])
            if hand:
                self.end_turn()
        elif verb == "meld":
            self.put_down(rest)
            self.melds.append(sorted(rest, key=order))
        elif verb == "lay":
            self.put_down(rest[:1])
            self.lay(rest[0], rest[2])
        else:
            self.draw(verb)
        if self.has_drawn and not hand:
            self.is_over = True
            self.winner = self.seat
            self.is_rummy = not self.has_put_down[self.seat]
            self.turns += 1
            self.know(*self.hands[0], *self.hands[1])

    def draw(self, verb: str) -> None:
        self.has_drawn = True
        if verb == "take":
            self.taken = self.pile.pop()
            self.hands[self.seat].add(self.taken)
            return
        if verb == "turn":
            self.turnovers += 1
            self.stock, self.pile = self.pile, []
        card = self.stock.pop(0)
        self.hands[self.seat].add(card)
        self.known[self.seat].add(card)

    def know(self, *cards: str) -> None:
        for known in self.known:
            known |= set(cards)

    def put_down(self, cards: list[str]) -> None:
        for card in cards:
            self.hands[self.seat].remove(card)
        self.know(*cards)
        self.puts_down = True

    def lay(self, card: str, target: str) -> None:
        for meld in self.melds:
            longer = sorted([*meld, card], key=order)
            if target in RANK_NAMES:
                fits = is_set(longer)
            else:
                fits = is_run(longer) and target in (meld[0], meld[-1])
            if fits:
                meld[:] = longer
                return
        raise AssertionError(f"{card} fits no meld at {target}")

    def end_turn(self) -> None:
        self.turns += 1
        self.has_put_down[self.seat] |= self.puts_down
        self.puts_down = False
        self.seat = 1 - self.seat
        self.has_drawn = False
        self.taken = None
        is_burned = not self.stock and self.turnovers == self.rules["turnovers"]
        if is_burned or self.turns >= self.rules["max_turns"]:
            self.is_over = self.is_tied = True
            self.know(*self.hands[0], *self.hands[1])

    def score(self) -> list[int]:
        if self.is_tied:
            return [self.rules["tie_points"]] * 2
        points = [0, 0]
        factor = 2 if self.is_rummy and self.rules["rummy_doubles"] else 1
        points[self.winner] = factor * sum(value(card) for card in self.hands[1 - self.winner])
        return points

    def certain(self, seat: int) -> set[str]:
        """The cards of the other hand that a seat can be sure of."""
        other = self.hands[1 - seat]
        unseen = set(PACK) - self.known[seat]
        if unseen == other - self.known[seat]:
            return set(other)
        return other & self.known[seat]
