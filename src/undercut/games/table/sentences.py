"""The events of a table, in sentences."""

from collections.abc import Callable, Sequence
from itertools import groupby

from undercut.games.table.description import Company, Event, Sentences, as_sentence, both
from undercut.text.translation import say


def tell_events(
    events: Sequence[Event],
    phrase: Callable[[Event, bool], str],
    company: Company,
    apart: tuple[str, ...] = (),
) -> Sentences:
    """Events in sentences: one for the actions of a seat in a row, and one for each verb of `apart`.

    `phrase` makes an event part of a sentence, its verb in the second person for the viewer.
    """

    def topic(event: Event) -> tuple[int, Event | None]:
        return event.seat, event if event.verb in apart else None

    told = []
    for (seat, _), group in groupby(events, key=topic):
        phrases = [phrase(event, company.is_you(seat)) for event in group]
        deeds = both([part for part in phrases if part])
        if not deeds:
            continue
        if company.is_you(seat):  # a language may leave "you" out
            told.append(as_sentence(say("You {deeds}.", deeds=deeds)))
        else:
            told.append(say("{name} {deeds}.", name=company.names[seat], deeds=deeds))
    return tuple(told)
