"""All readers."""

from fuzz import messages, stored, texts

READERS = [*texts.READERS, *stored.READERS, *messages.READERS]
