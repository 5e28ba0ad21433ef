"""Events of a deal, in sentences."""

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
    """Events in sentences: one for consecutive actions of a seat, and one for each verb of `apart`.

    `phrase` returns an event as part of a sentence, for the viewer in the second person.
    """

    def topic(event: Event) -> tuple[int, Event | None]:
        return event.seat, event if event.verb in apart else None

    told = []
    for (seat, _), group in groupby(events, key=topic):
        phrases = [phrase(event, company.is_you(seat)) for event in group]
        deeds = both([part for part in phrases if part])
        if not deeds:
            continue
        if company.is_you(seat):  # some languages omit "you"
            told.append(as_sentence(say("You {deeds}.", deeds=deeds)))
        else:
            told.append(say("{name} {deeds}.", name=company.names[seat], deeds=deeds))
    return tuple(told)
