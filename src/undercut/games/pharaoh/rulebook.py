"""Pharaoh and Prší explained in a few lines, as the options have it."""

from undercut.games.description import Sentences, counted, who_begins
from undercut.games.packs import GERMAN
from undercut.games.pharaoh.rules import Options


def aim(options: Options) -> Sentences:
    """What a newcomer has to know, in three lines."""
    several = "." if options.most_cards == 1 else ", several of a kind at once."
    suits = ", ".join(f"{suit.letter} {suit.name}" for suit in GERMAN.suits)
    return (
        f"Get rid of your cards: match the top's suit or value{several}",
        "Sevens make the next player take cards, aces skip players, overs name a suit.",
        f"Cards: XL, UH. {suits}; U under, O over, A ace.",
    )


def rules(options: Options) -> Sentences:
    """The rules of the game, as they are played here."""
    return (
        f"Each player gets {counted(_each(options), 'card')} of 32. The next card is turned up and begins the pile"
        + _upcard_rule(options)
        + " The others are the stock.",
        _move_rule(options),
        "You may always draw a card instead, and keep it for your next turn. If nothing you hold fits, you draw unasked.",
        f"A seven is a penalty of {counted(options.seven_cards, 'card')} for the next player, who takes the penalty or plays another seven: the player after that takes for all of them.",
        _ace_rule(options),
        _over_rule(options),
        *_leaves_under_rules(options),
        *_quad_rules(options),
        "When the stock is empty, the pile without its top card is shuffled and becomes the stock. If there is no card at all, you pass.",
        *_heart_seven_rules(options),
        _end_rule(options),
        "You score two points for every player behind you and one for every player with the same place.",
        _match_rule(options),
    )


def _each(options: Options) -> int:
    return min(options.deal, (32 - 5) // options.players)


def _upcard_rule(options: Options) -> str:
    return "; a seven or an ace counts as if played." if options.upcard_effects else "."


def _move_rule(options: Options) -> str:
    first = "A turn is one move: play a card of the suit or of the value on top."
    if options.most_cards == 1:
        return first
    most = f"Up to {options.most_cards} cards" if options.most_cards < 4 else "Cards"
    return f"{first} {most} of one value may be played at once: the first must fit, the last lies on top."


def _ace_rule(options: Options) -> str:
    first = "An ace skips the next player, who draws nothing; each ace more skips one more."
    if not options.aces_stack:
        return first
    return f"{first} A player who should be skipped may answer with aces: one skip is then served, and these are added."


def _over_rule(options: Options) -> str:
    where = "anything" if options.over_on_active else "anything but a seven or an ace that counts"
    return f"An over goes on {where}. Whoever plays it names the suit that is to be matched."


def _leaves_under_rules(options: Options) -> list[str]:
    if not options.leaves_under:
        return []
    return [
        "The under of leaves UL goes on anything but an ace that counts, and cancels a penalty. On UL goes any card."
    ]


def _quad_rules(options: Options) -> list[str]:
    if not options.quads or options.most_cards < 4:
        return []
    effect = (
        "Four sevens or aces count for that player"
        if options.quad_effects
        else "They cancel what counted, and have no other effect than the suit that overs name"
    )
    return [f"Whoever plays four cards of one value at once moves again. {effect}."]


def _heart_seven_rules(options: Options) -> list[str]:
    if not options.heart_seven_returns:
        return []
    return ["Whoever goes out takes the penalty and is back if the very next move plays 7H."]


def _end_rule(options: Options) -> str:
    end = (
        "The deal ends when the first player has no cards left: he wins, the others are equal."
        if options.first_out_wins
        else "Players without cards are out, and places go by the order of going out. The deal ends when one player is left."
    )
    return f"{end} It also ends when no card is played or taken for {counted(options.stop_rounds, 'round')}, or after {counted(options.max_moves, 'move')}."


def _match_rule(options: Options) -> str:
    first = who_begins(options.first_starter)
    if options.deals == 1:
        return f"{first}. The match is one deal."
    return f"{first}; then the players take turns. The match has {options.deals} deals: the highest total wins, equal totals share the win."
