"""Places in a deal of Pharaoh or Prší, from the first to the eighth."""

from undercut.text.translation import mark, say, say_as

_PLACES = (
    *(mark("first"), mark("second"), mark("third"), mark("fourth")),
    *(mark("fifth"), mark("sixth"), mark("seventh"), mark("eighth")),
)


def name_place(place: int) -> str:
    """A place by its name.

    >>> name_place(1), name_place(8)
    ('first', 'eighth')
    """
    return say(_PLACES[place - 1])


def out_in_place(place: int, is_you: bool) -> str:
    """That somebody is out in a place, as part of a sentence.

    >>> out_in_place(2, is_you=False)
    'is out second'
    """
    if is_you:
        return say_as("you", "are out {place}", place=name_place(place))
    return say("is out {place}", place=name_place(place))
