"""The rules of Pharaoh and Prší in sentences, for given options."""

from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.rules.deal import Options
from undercut.games.table.description import Sentences, who_begins
from undercut.text.translation import say, say_count


def aim(options: Options) -> Sentences:
    """The aim of the game for newcomers, in three lines."""
    several = say(
        "Get rid of your cards: match the top's suit or value, several of a kind at once."
    )
    if options.most_cards == 1:
        several = say("Get rid of your cards: match the top's suit or value.")
    suits = ", ".join(f"{suit.letter} {GERMAN.name_suit(suit.name)}" for suit in GERMAN.suits)
    return (
        several,
        say("Sevens make the next player take cards, aces skip players, overs name a suit."),
        say("Cards: XL, UH. {suits}; U under, O over, A ace.", suits=suits),
    )


def rules(options: Options) -> Sentences:
    """The rules of the game with these options."""
    under = say(
        "The under of leaves UL goes on anything but an ace that counts, and cancels a penalty. On UL goes any card."
    )
    heart = say("Whoever goes out takes the penalty and is back if the very next move plays 7H.")
    return (
        _deal_rule(options),
        _move_rule(options),
        say(
            "You may always draw a card instead, and keep it for your next turn. If nothing you hold fits, you draw unasked."
        ),
        say_count(
            "A seven is a penalty of {count} card for the next player, who takes the penalty or plays another seven: the player after that takes for all of them.",
            "A seven is a penalty of {count} cards for the next player, who takes the penalty or plays another seven: the player after that takes for all of them.",
            options.seven_cards,
        ),
        _ace_rule(options),
        _over_rule(options),
        *([under] if options.leaves_under else []),
        *_quad_rules(options),
        say(
            "When the stock is empty, the pile without its top card is shuffled and becomes the stock. If there is no card at all, you pass."
        ),
        *([heart] if options.heart_seven_returns else []),
        _end_rule(options),
        say(
            "You score two points for every player behind you and one for every player with the same place."
        ),
        _match_rule(options),
    )


def _deal_rule(options: Options) -> str:
    each = min(options.deal, (32 - 5) // options.players)
    if options.upcard_effects:
        return say_count(
            "Each player gets {count} card of 32. The next card is turned up and begins the pile; a seven or an ace counts as if played. The others are the stock.",
            "Each player gets {count} cards of 32. The next card is turned up and begins the pile; a seven or an ace counts as if played. The others are the stock.",
            each,
        )
    return say_count(
        "Each player gets {count} card of 32. The next card is turned up and begins the pile. The others are the stock.",
        "Each player gets {count} cards of 32. The next card is turned up and begins the pile. The others are the stock.",
        each,
    )


def _move_rule(options: Options) -> str:
    first = say("A turn is one move: play a card of the suit or of the value on top.")
    if options.most_cards == 1:
        return first
    several = say(
        "Cards of one value may be played at once: the first must fit, the last lies on top."
    )
    if options.most_cards < 4:
        several = say_count(
            "Up to {count} card of one value may be played at once: the first must fit, the last lies on top.",
            "Up to {count} cards of one value may be played at once: the first must fit, the last lies on top.",
            options.most_cards,
        )
    return f"{first} {several}"


def _ace_rule(options: Options) -> str:
    first = say("An ace skips the next player, who draws nothing; each ace more skips one more.")
    if not options.aces_stack:
        return first
    answer = say(
        "A player who should be skipped may answer with aces: one skip is then served, and these are added."
    )
    return f"{first} {answer}"


def _over_rule(options: Options) -> str:
    if options.over_on_active:
        return say(
            "An over goes on anything. Whoever plays it names the suit that is to be matched."
        )
    return say(
        "An over goes on anything but a seven or an ace that counts. Whoever plays it names the suit that is to be matched."
    )


def _quad_rules(options: Options) -> list[str]:
    if not options.quads or options.most_cards < 4:
        return []
    again = say("Whoever plays four cards of one value at once moves again.")
    effect = say(
        "They cancel what counted, and have no other effect than the suit that overs name."
    )
    if options.quad_effects:
        effect = say("Four sevens or aces count for that player.")
    return [f"{again} {effect}"]


def _end_rule(options: Options) -> str:
    end = say(
        "Players without cards are out, and places go by the order of going out. The deal ends when one player is left."
    )
    if options.first_out_wins:
        end = say(
            "The deal ends when the first player has no cards left: he wins, the others are equal."
        )
    rounds = say_count("for {count} round", "for {count} rounds", options.stop_rounds)
    moves = say_count("after {count} move", "after {count} moves", options.max_moves)
    limit = say(
        "It also ends when no card is played or taken {rounds}, or {moves}.",
        rounds=rounds,
        moves=moves,
    )
    return f"{end} {limit}"


def _match_rule(options: Options) -> str:
    first = who_begins(options.first_starter)
    if options.deals == 1:
        return say("{first}. The match is one deal.", first=first)
    return say_count(
        "{first}; then the players take turns. The match has {count} deal: the highest total wins, equal totals share the win.",
        "{first}; then the players take turns. The match has {count} deals: the highest total wins, equal totals share the win.",
        options.deals,
        first=first,
    )
