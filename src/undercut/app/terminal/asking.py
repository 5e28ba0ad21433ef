"""What a person is asked, and the answers there are, in lines of text."""

from collections.abc import Sequence

from rich.text import Text

from undercut.app.terminal.drawing import offer, rows
from undercut.app.terminal.painting import Lines, Painter
from undercut.games.description import Choice, Group, Question


class Asked:
    """A question whose choices are numbered: those on the hand as it lies, then the others."""

    def __init__(self, question: Question, hand: Sequence[str]) -> None:
        """`hand` is the order in which the cards lie."""
        self._shortcut = question.shortcut
        self._groups: list[tuple[Group, list[Choice]]] = []
        self._open: list[Choice] = []  # the last in which more is to be said
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
        """The numbers of the cards in the hand; None if none is asked for."""
        asked = [choices for group, choices in self._groups if group.place == "hand"]
        if not asked:
            return None
        return {choice.cards[0]: self._number(choice) for choice in asked[0]}

    def draw(self, painter: Painter) -> Lines:
        """The question and its answers."""
        lines: Lines = []
        for group, choices in self._groups:
            lines += self._draw_group(group, choices, painter)
        if self._shortcut:
            lines.append(offer("a", Text(f"auto: {self._shortcut} (or just Enter)")))
        return lines

    def _draw_group(self, group: Group, choices: list[Choice], painter: Painter) -> Lines:
        lines: Lines = [Text(f"  {group.question}")] if group.question else []
        if group.place == "hand":
            lines = [_ask_card(group.question, choices, painter)]
        else:
            drawn = [self._offer(choice, group, painter) for choice in choices]
            lines += rows(Text(), drawn) if group.place == "row" else drawn
        if choices is self._open:
            lines.append(painter.sentence(f"  {self._explain()}"))
        return lines

    def _number(self, choice: Choice) -> int:
        return self.numbered.index(choice) + 1

    def _offer(self, choice: Choice, group: Group, painter: Painter) -> Text:
        number = str(self._number(choice))
        if group.place == "row":
            return offer(number, painter.cards(choice.cards))
        key = f" ({choice.key})" if choice.key else ""
        return offer(number, painter.sentence(choice.words + key))

    def _explain(self) -> str:
        """How to say what else is to be said."""
        choice = next(choice for choice in self.numbered if choice.more)
        name, word = " ".join(choice.cards), choice.more[-1].words
        return f"{choice.asks}: {self._number(choice)} {word}, or {name} {word}."


def _ask_card(question: str, choices: Sequence[Choice], painter: Painter) -> Text:
    """Which card, and how to name one."""
    example = ([choice for choice in choices if not choice.more] or choices)[-1].cards[0]
    line = Text(f"  {question} Type its number, or its name: {example}")
    spoken, painted = painter.name(example), painter.card(example)
    if painted.plain != example:
        line.append(" is ").append_text(painted)
    return line.append(f" ({spoken})." if spoken else ".")
