"""Gin in plain data and sentences: the table, the choices, why not, what happened, the end."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from undercut.cards.french import parse_card
from undercut.games.gin.rules import deal as rules
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.table import rulebook, text, words
from undercut.games.gin.table.sight import Sight, deadwood_after, format_seen, look
from undercut.games.gin.table.summary import summarise
from undercut.games.gin.table.waste import Waste
from undercut.games.table.description import (
    Area,
    Choice,
    Company,
    Group,
    Part,
    Question,
    Sentences,
    Summary,
    Table,
)
from undercut.games.table.melding.description import (
    MeldingDescription,
    hand_area,
    layoff_choice,
    meld_choice,
    orders_of,
    phrase_action,
    piles_area,
    throws,
    why_not_thrown,
)
from undercut.games.table.melding.hand import held
from undercut.games.table.melding.layoffs import is_laid_on
from undercut.kernels.records import Action, Seat, View
from undercut.text.translation import mark, say, say_as, say_count

HAND = 10  # cards that the other player holds


class GinDescription(MeldingDescription):
    """What a person sees of gin, and what the words typed mean."""

    titles: ClassVar = {"gin": mark("Gin Rummy"), "distilled": mark("Distilled Gin")}
    help = words.HELP

    def aim(self, options: Any) -> Sentences:
        """What a newcomer has to know."""
        return rulebook.aim(options)

    def rules(self, options: Any) -> Sentences:
        """The rules, as the options have them."""
        return rulebook.rules(options)

    def table(self, view: View, company: Company) -> Table:
        """The upcard and what the other one took, or what was laid down; then the hand."""
        sight = look(view, company.options)
        above = _laid(sight, company) if _is_laying(sight) else _piles(sight, company)
        hand = hand_area(sight.hand, say("deadwood {count}", count=sight.hand.deadwood), sight.me)
        return Table((*above, hand), orders_of(sight.hand))

    def question(self, view: View, legal: Sequence[str], company: Company) -> Question:
        """A draw, a throw or a knock, or melds to lay down."""
        sight = look(view, company.options)
        if sight.phase == Phase.DISCARD:
            knocks = _knocks(view, legal, company.options)
            return Question((throws(sight.hand, legal), *knocks), begins_turn=False)
        if _is_laying(sight):
            return _lay_down(sight, legal, Waste(view, company.options))
        return Question((Group("", "list", tuple(_choice(action, sight) for action in legal)),))

    def refusal(self, view: View, action: str, legal: Sequence[str], company: Company) -> str:
        """Why an action is not allowed now."""
        sight, options = look(view, company.options), company.options
        verb, _, rest = action.partition(" ")
        hand = held(sight.hand)
        if sight.phase == Phase.DISCARD and verb in ("discard", "knock"):
            if rest not in hand or rest == sight.taken:
                return why_not_thrown(rest, hand)
            return _why_no_knock(view, rest, options)
        if _is_laying(sight) and verb == "meld" and set(rest.split()) - set(hand):
            return say("you do not hold all of {cards}", cards=rest)
        if _is_laying(sight) and verb in ("meld", "done"):
            return say_count(
                "after a knock at most {count} point may be left over",
                "after a knock at most {count} points may be left over",
                options.knock_limit,
            )
        return say("{word!r} is not possible now", word=say_as("typed", verb))

    def seen(self, action: Action, before: View, after: View, seat: Seat) -> str:
        """An action as one who looked on saw it."""
        return format_seen(action, before, after, seat)

    def phrase(self, action: str, is_you: bool) -> str:
        """An action as part of a sentence; nothing for a meld, which lies there to be seen."""
        verb, _, rest = action.partition(" ")
        if verb == "pass":
            return say_as("you", "pass") if is_you else say("passes")
        if verb == "knock" and rest:
            yours = say_as("you", "knock, throwing {card}", card=rest)
            return yours if is_you else say("knocks, throwing {card}", card=rest)
        if verb == "knock":
            return say("knocks, throwing a card face down")
        return phrase_action(action, is_you)

    def summary(self, view: View, points: Sequence[int], company: Company) -> Summary:
        """Both hands as they lie, how the deal ended, and where the points come from."""
        return summarise(look(view, company.options), company)

    def read(self, text: str, view: View, choices: Sequence[str]) -> str:
        """The action that was typed."""
        return words.read_action(text, choices)


DESCRIPTION = GinDescription(rules, text)


def _is_laying(sight: Sight) -> bool:
    return sight.phase in (Phase.SPREAD, Phase.DEFEND)


def _piles(sight: Sight, company: Company) -> list[Area]:
    """The upcard, how much lies on the pile and in the stock, and what the other one took."""
    other = 1 - sight.me
    told = say("{name} took and still holds", name=company.names[other]) if sight.known else ""
    hidden = HAND - len(sight.known)
    known = Area("players", say("Known"), (Part(sight.known, told, face_down=hidden, seat=other),))
    return [piles_area(sight), known]


def _laid(sight: Sight, company: Company) -> list[Area]:
    """The melds that have been laid down, and what the other player, having knocked, has left."""
    areas = []
    for seat, melds in enumerate(sight.laid):
        if melds:
            label = say("{name} laid down", name=company.names[seat])
            if company.is_you(seat):
                label = say("You laid down")
            areas.append(Area("laid", label, tuple(map(Part, melds)), seat=seat))
    other = 1 - sight.me
    hand, name = sight.hands[other], company.names[other]
    if hand is not None and hand.deadwood == 0:
        gin = Part(before=say("no deadwood, and nothing may be laid off"))
        areas.append(Area("laid", say("{name} has gin:", name=name), (gin,), seat=other))
    elif hand is not None:
        note = say("deadwood {count}", count=hand.deadwood)
        kept = say("{name} kept", name=name)
        areas.append(Area("laid", kept, (Part(hand.loose),), note, other))
    return areas


def _knocks(view: View, legal: Sequence[str], options: Any) -> list[Group]:
    """The knocks there are, the best first."""
    found = []
    for action in legal:
        if action.startswith("knock "):
            card = action.split()[1]
            left = deadwood_after(view, parse_card(card), options)
            words = say("knock, throwing {card} (deadwood {count})", card=card, count=left)
            if left == 0:
                words = say("knock, throwing {card} (gin, no deadwood)", card=card)
            found.append((left, Choice(action, words, (card,))))
    choices = tuple(choice for _, choice in sorted(found, key=lambda each: each[0]))
    return [Group(say("Or knock, which ends the deal:"), "list", choices)] if choices else []


def _lay_down(sight: Sight, legal: Sequence[str], waste: Waste) -> Question:
    """What can be laid down, whatever leaves the least deadwood first."""
    wasted = {action: waste.of(action) for action in legal}
    choices = tuple(
        replace(_choice(action, sight), warning=_warn(wasted[action], waste.is_certain))
        for action in sorted(legal, key=lambda each: wasted[each])
    )
    asked = say("Lay down your melds:")
    if any(action.startswith("lay ") for action in legal):
        asked = say("Lay down your melds, and lay off cards that fit the knocker's:")
    shortcut = say("lay down whatever leaves the least deadwood")
    if waste.is_certain:
        shortcut = say("lay down whatever leaves the least deadwood: {count}", count=waste.least)
    return Question((Group(asked, "list", choices),), shortcut=shortcut)


def _warn(wasted: int, is_certain: bool) -> str:
    if not wasted or not is_certain:
        return ""
    return say_count(
        "That leaves {count} point more deadwood than you need.",
        "That leaves {count} points more deadwood than you need.",
        wasted,
    )


def _choice(action: str, sight: Sight) -> Choice:
    """Anything but a throw or a knock, as it is offered."""
    if action == "draw":
        return Choice(action, say("draw from the stock"), key="d")
    if action == "take":
        assert sight.upcard is not None, "only a card that lies open is taken"
        return Choice(action, say("take {card}", card=sight.upcard), (sight.upcard,), "t")
    if action == "pass":
        return Choice(action, say("pass, leave it there"), key="p")
    if action == "done":
        own = sight.hands[sight.me]
        assert own is not None, "one's own hand can always be seen"
        words = say_count(
            "done, with {count} point of deadwood",
            "done, with {count} points of deadwood",
            own.deadwood,
        )
        return Choice(action, words)
    if action.startswith("meld "):
        return meld_choice(action)
    theirs = sight.laid[1 - sight.me]
    return layoff_choice(action, next((meld for meld in theirs if is_laid_on(action, meld)), ()))


def _why_no_knock(view: View, card: str, options: Any) -> str:
    if not options.knock:
        return say("nobody knocks in this game: a deal ends when all cards of a hand are in melds")
    left = deadwood_after(view, parse_card(card), options)
    if left == 0:
        return say("that is gin: just throw the card, and the deal ends by itself")
    return say_count(
        "that leaves {count} point of deadwood; {limit} is the most to knock",
        "that leaves {count} points of deadwood; {limit} is the most to knock",
        left,
        limit=options.knock_limit,
    )
