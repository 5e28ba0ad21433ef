"""Places in a deal of Pharaoh or Prší, from the first to the eighth."""

from undercut.text.translation import mark, say, say_as

_PLACES = (
    *(mark("first"), mark("second"), mark("third"), mark("fourth")),
    *(mark("fifth"), mark("sixth"), mark("seventh"), mark("eighth")),
)


def name_place(place: int) -> str:
    """The name of a place.

    >>> name_place(1), name_place(8)
    ('first', 'eighth')
    """
    return say(_PLACES[place - 1])


def out_in_place(place: int, is_you: bool) -> str:
    """The message that a player is out, as part of a sentence.

    >>> out_in_place(2, is_you=False)
    'is out second'
    """
    named = name_place(place)
    yours = say_as("you", "are out {place}", place=named)
    return yours if is_you else say("is out {place}", place=named)
