"""The last field of a Gin position: the table after a knock, and the outcome."""

from undercut.cards.french import HIDDEN, NONE, Cards, format_cards, parse_cards, points
from undercut.cards.french import size as count_cards
from undercut.cards.melds import LAYOUT, deadwood, find_meld
from undercut.games.gin.rules.deal import Options, Outcome, Phase
from undercut.games.gin.rules.layout import View, knock_limit
from undercut.games.table.position_fields import read_letter, require, split_field
from undercut.kernels.records import Buffer

_PHASES = {Phase.SPREAD: "s", Phase.DEFEND: "d", Phase.OVER: "o"}
_OUTCOMES = {Outcome.KNOCK: "k", Outcome.GIN: "g", Outcome.UNDERCUT: "u", Outcome.VOID: "v"}


def format_table(view: View) -> str:
    """The last field of a position; nothing before a knock."""
    phase = Phase(int(view.phase))
    if phase not in _PHASES:
        return ""
    outcome = _OUTCOMES.get(Outcome(int(view.outcome)), "")
    knocker = "" if view.knocker == NONE else str(int(view.knocker))
    melds = [
        "~".join(format_cards(int(meld), "") for meld in view.melds[seat] if meld)
        for seat in range(2)
    ]
    return "-".join(
        [_PHASES[phase] + outcome + knocker, format_cards(int(view.theirs), ""), *melds]
    )


def is_void(view: View, options: Options) -> bool:
    """Whether the deal is void, so that no turn can begin."""
    return bool(view.stock <= options.void_stock or view.takes >= options.max_discard_takes)


def read_table(view: View, text: str, options: Options) -> None:
    """Parse the table after a knock, or the outcome."""
    head, theirs, *melds = split_field(text, "-", 4)
    require(view.phase == Phase.DRAW and view.turn > 0, f"a turn must precede {text!r}")
    knocker = 1 - int(view.seat)
    view.phase = read_letter(head[:1], _PHASES)
    if view.phase == Phase.OVER:
        view.outcome = read_letter(head[1:2], _OUTCOMES)
    if view.outcome == Outcome.VOID:
        require(is_void(view, options), "the deal is not void")
        require(view.upcard != HIDDEN, "only a knock card lies face down")
        return
    view.knocker = view.seat = knocker
    known = int(view.theirs)  # from the turns
    view.theirs = parse_cards(theirs)
    for seat in range(2):
        _read_melds(view, seat, melds[seat])
    if view.outcome == Outcome.GIN and options.automatic_gin:
        _check_gin(view, known)
    else:
        _check_knock(view, known, options)


def _read_melds(view: View, seat: int, text: str) -> None:
    melds = text.split("~") if text else []
    require(len(melds) <= LAYOUT, f"more than {LAYOUT} melds: {text!r}")
    for place, cards in enumerate(melds):
        view.melds[seat, place] = parse_cards(cards)
        require(find_meld(int(view.melds[seat, place])) != NONE, f"not a meld: {cards!r}")


def _hands(view: View) -> tuple[Cards, Cards]:
    """The known cards of the knocker, and those of the other player."""
    hands = int(view.hand), int(view.theirs)
    return hands if view.knocker == view.me else hands[::-1]


def _check_gin(view: View, known: Cards) -> None:
    """Automatic gin: both hands lie open, and no melds are on the table."""
    hand, _ = _hands(view)
    require(view.upcard != HIDDEN, "only a knock card lies face down")
    require(not view.melds.any() and deadwood(hand, 10) == 0, "not a hand all in melds")
    _check_theirs(view, known, 10)
    view.melded[view.knocker] = hand


def _check_knock(view: View, known: Cards, options: Options) -> None:
    knocker, other = int(view.knocker), 1 - int(view.knocker)
    is_face_down = bool(options.knock_face_down) and view.me == other and view.phase != Phase.OVER
    require(bool(options.knock), "nobody may knock")
    require((view.upcard == HIDDEN) == is_face_down, "the knock card lies the wrong way up")
    laid = [_sum_up(view.melds[seat]) for seat in range(2)]
    require(laid[0] & laid[1] == 0, "a card is in two melds")
    hand, others = _hands(view)
    if view.phase == Phase.SPREAD:
        require(
            laid[other] == 0, "only the knocker has melds on the table before the other seat's turn"
        )
        require(laid[knocker] & ~hand == 0, "a meld has cards of the other seat")
        require(count_cards(laid[knocker]) <= 10, "more than ten cards are laid down")
        view.melded[knocker] = laid[knocker]
    else:
        view.melded[knocker] = laid[knocker] & hand
        view.melded[other] = laid[other] | (laid[knocker] & ~hand)
        require(int(view.melded[other]) & ~others == 0, "a meld has cards of the other seat")
        view.seat = other
    _check_open_cards(view, known)
    if view.phase != Phase.SPREAD:
        _check_layout(view, options)


def _sum_up(melds: Buffer) -> Cards:
    """The cards of some melds, which must be disjoint."""
    cards = 0
    for meld in melds:
        require(cards & int(meld) == 0, "a card is in two melds")
        cards |= int(meld)
    return cards


def _check_open_cards(view: View, known: Cards) -> None:
    """The known cards of the other hand: all of them, or its takes and its melds on the table."""
    other = 1 - int(view.me)
    is_open = view.phase == Phase.OVER or (view.phase == Phase.DEFEND and other == view.knocker)
    theirs = int(view.theirs)
    if not is_open:
        fits = theirs == known | int(view.melded[other])
        require(fits, "not the known cards of the other hand")
    _check_theirs(view, known, 10 if is_open else count_cards(theirs))


def _check_theirs(view: View, known: Cards, size: int) -> None:
    """The cards of the other hand: their number, and among them all that it took and kept."""
    theirs, face_down = int(view.theirs), int(view.upcard == HIDDEN)
    held = count_cards(theirs)
    require(held == size <= 10 + face_down, f"{held} cards in the other hand")
    require(not theirs & (int(view.hand) | int(view.pile)), "a card is in two places")
    require(count_cards(known & ~theirs) <= face_down, "a taken card is missing")


def _check_layout(view: View, options: Options) -> None:
    """The knocker's melds, the lay-offs on them, and the outcome."""
    hand, others = _hands(view)
    melded, laid_off = int(view.melded[view.knocker]), 0
    for meld in view.melds[view.knocker]:
        require(
            not meld or find_meld(int(meld) & hand) != NONE,
            "a meld is not made of the knocker's cards",
        )
        laid_off |= int(meld) & ~hand
    left = points(hand & ~melded, options.face_points)
    limit = knock_limit(options, int(view.first_upcard))
    require(left <= limit, f"nobody may knock with {left} points")
    is_made = options.layoffs and left > 0
    by_itself = options.eaai_auto_layoff and view.phase != Phase.OVER
    require(not laid_off or bool(is_made and not by_itself), "no card may be laid off")
    if view.phase == Phase.OVER:
        theirs = points(others & ~int(view.melded[1 - view.knocker]), options.face_points)
        beaten = Outcome.UNDERCUT if theirs <= left else Outcome.KNOCK
        outcome = beaten if left else Outcome.GIN
        require(view.outcome == outcome, f"the outcome must be {outcome.name.lower()}")
