"""A question and its choices in lines of text."""

from collections.abc import Sequence

from rich.text import Text

from undercut.app.terminal.colours import Lines, Painter
from undercut.app.terminal.drawing import offer, offer_cards, rows
from undercut.games.table.description import Choice, Group, Question
from undercut.text.translation import say


class Asked:
    """A question with numbered choices, in the order of the cards in the hand."""

    def __init__(self, question: Question, hand: Sequence[str]) -> None:
        """`hand` is the order of the cards."""
        self._shortcut = question.shortcut
        self._groups: list[tuple[Group, list[Choice]]] = []
        self._open: list[Choice] = []  # the last group whose choices need a second word
        self.numbered: list[Choice] = []
        for group in question.groups:
            if group.place == "named":
                continue
            choices = [*group.choices]
            if group.place == "hand":
                choices.sort(key=lambda choice: hand.index(choice.cards[0]))
            self._groups.append((group, choices))
            self.numbered += choices
            if any(choice.more for choice in choices):
                self._open = choices

    def on_hand(self) -> dict[str, int] | None:
        """The numbers of the cards in the hand; None if the question is not about cards."""
        asked = [choices for group, choices in self._groups if group.place == "hand"]
        if not asked:
            return None
        return {choice.cards[0]: self._number(choice) for choice in asked[0]}

    def draw(self, painter: Painter) -> Lines:
        lines: Lines = []
        if self._shortcut:
            words = say("auto: {words} (or just Enter)", words=self._shortcut)
            lines += offer("a", words, painter)
        for group, choices in self._groups:
            lines += self._draw_group(group, choices, painter)
        return lines

    def _draw_group(self, group: Group, choices: list[Choice], painter: Painter) -> Lines:
        lines = painter.wrapped("  ", group.question) if group.question else []
        if group.place == "hand":
            lines = _ask_card(group.question, choices, painter)
        elif group.place == "row":
            drawn = [offer_cards(str(self._number(each)), each.cards, painter) for each in choices]
            lines += rows(Text(), drawn, painter.width)
        else:
            for choice in choices:
                key = f" ({choice.key})" if choice.key else ""
                lines += offer(str(self._number(choice)), choice.words + key, painter)
        if choices is self._open:
            lines += painter.wrapped("  ", self._explain())
        return lines

    def _number(self, choice: Choice) -> int:
        return self.numbered.index(choice) + 1

    def _explain(self) -> str:
        """How to type the second word of a choice."""
        choice = next(choice for choice in self.numbered if choice.more)
        return say(
            "{asks}: {number} {word}, or {name} {word}.",
            asks=choice.asks,
            number=self._number(choice),
            name=" ".join(choice.cards),
            word=choice.more[-1].words,
        )


def _ask_card(question: str, choices: Sequence[Choice], painter: Painter) -> Lines:
    """A question for a card, with an example of an answer."""
    example = ([choice for choice in choices if not choice.more] or choices)[-1].cards[0]
    painted, spoken = painter.card(example), painter.name(example)
    named = f" ({spoken})" if spoken else ""
    if painted.plain == example:
        words = say(
            "{question} Type its number, or its name: {letters}.",
            question=question,
            letters=example + named,
        )
    else:
        words = say(
            "{question} Type its number, or its name: {letters} is {card}.",
            question=question,
            letters=example,
            card=painted.plain + named,
        )
    lines = [Text(line) for line in painter.broken("  ", words)]
    for line in lines:
        line.highlight_words([painted.plain], painted.style)
    return lines
