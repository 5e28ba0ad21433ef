"""The events of a deal of Pharaoh or Prší, as each seat sees them, and in sentences."""

from collections.abc import Sequence

from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.table.places import out_in_place
from undercut.games.pharaoh.table.readable import PharaohView
from undercut.games.table.actions import Action
from undercut.games.table.description import Company, Effect, Event, both
from undercut.text.translation import say, say_as, say_count


def name_cards(cards: Sequence[str], company: Company) -> str:
    """The names of cards in brackets, if the company wants them.

    >>> name_cards(["7L", "7H"], Company((), names_cards=True))
    ' (seven of leaves, seven of hearts)'
    """
    names = ", ".join(GERMAN.name_card(card) for card in cards)
    return f" ({names})" if company.names_cards and names else ""


def see(action: Action, before: PharaohView, after: PharaohView) -> Event:
    """An action of the seat on turn and its effects, as the viewer saw them.

    Of another player's draw the viewer sees the number of cards. `skip` is the pass of a skipped
    player.
    """
    seat, effects = before.seat, _effects(action, before, after)
    if action == "pass":
        return Event(seat, "skip" if before.skips else "pass", effects=effects)
    if action != "draw":
        return Event(seat, "play", action.cards.texts, action.target, effects=effects)
    if seat == after.me:
        return Event(seat, "draw", (after.hand - before.hand).texts, effects=effects)
    return Event(seat, "draw", unseen=after.held[seat] - before.held[seat], effects=effects)


def _effects(action: Action, before: PharaohView, after: PharaohView) -> tuple[Effect, ...]:
    effects, seat = [], before.seat
    is_own_draw = action == "draw" and seat == after.me
    if is_own_draw and not int(after.record["denied"][seat]) & int(before.record.hand):
        effects.append(Effect("unasked"))  # the draw was a forced move
    if after.record.reshuffles > before.record.reshuffles:
        effects.append(Effect("shuffled"))
    for other, (was, now) in enumerate(zip(before.places, after.places, strict=True)):
        if was is None and now is not None:
            effects.append(Effect("out", now))
        if was is not None and now is None:
            effects.append(Effect("back", other))
    return tuple(effects)


def phrase(event: Event, is_you: bool, company: Company) -> str:
    """An event as part of a sentence.

    >>> event = Event(0, "play", ("OH",), "acorns", effects=(Effect("out", 1),))
    >>> phrase(event, False, Company(()))
    'plays OH, asks for acorns and is out first'
    """
    effects = [_phrase_effect(each, is_you, company) for each in event.effects]
    told = [*_phrase_action(event, is_you, company), *effects]
    if Effect("unasked") in event.effects:
        told.insert(0, say_as("you", "have nothing that fits"))
    return both([part for part in told if part])


def _phrase_action(event: Event, is_you: bool, company: Company) -> list[str]:
    if event.verb == "skip":
        return [say_as("you", "are skipped") if is_you else say("is skipped")]
    if event.verb == "pass":
        return [say_as("you", "find no card to draw") if is_you else say("finds no card to draw")]
    cards = " ".join(event.cards) + name_cards(event.cards, company)
    if event.verb == "draw" and not is_you:
        return [say_count("draws a card", "draws {count} cards", event.unseen)]
    if event.verb == "draw":
        return [say_as("you", "draw {cards}", cards=cards)]
    suit = GERMAN.name_suit(event.target) if event.target else ""
    if is_you:
        played = say_as("you", "play {cards}", cards=cards)
        return [played, say_as("you", "ask for {suit}", suit=suit)] if suit else [played]
    played = say("plays {cards}", cards=cards)
    return [played, say("asks for {suit}", suit=suit)] if suit else [played]


def _phrase_effect(effect: Effect, is_you: bool, company: Company) -> str:
    """An effect of an action as part of a sentence, whose subject is the seat that acted."""
    if effect.kind == "shuffled":
        return say_as("you", "shuffle the pile") if is_you else say("shuffles the pile")
    if effect.kind == "out":
        return out_in_place(effect.number, is_you)
    if effect.kind != "back":
        return ""
    if is_you:
        return say_as("you", "bring {name} back", name=company.names[effect.number])
    if company.is_you(effect.number):
        return say("brings you back")
    return say("brings {name} back", name=company.names[effect.number])
