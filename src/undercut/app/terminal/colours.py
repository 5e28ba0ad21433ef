"""Cards in colour: each suit has its own colour and symbol."""

import re
from collections.abc import Iterable
from textwrap import wrap
from unicodedata import normalize

from rich.text import Text

from undercut.cards.packs import Colour, Pack
from undercut.games.table.description import Cards

Lines = list[Text]

WIDTH = 80  # columns at most

_PLAIN = {"│": "|", "─": "-", "·": "-", "“": '"', "”": '"'}  # for terminals that show only ASCII
_STYLES: dict[Colour, str] = {
    "red": "bold bright_red",
    "black": "bold",
    "green": "bold green",
    "blue": "bold bright_blue",
    "yellow": "bold yellow",
    "purple": "bold magenta",
}


class Painter:
    """Paints the cards of a pack, and lines that fit a terminal."""

    def __init__(self, pack: Pack, width: int = WIDTH) -> None:
        self._pack, self.width = pack, width
        self._ranks = dict(pack.ranks)
        self._symbols = {suit.letter: suit.symbol for suit in pack.suits}
        self._styles = {suit.letter: _STYLES[suit.colour] for suit in pack.suits}
        self._names = {pack.name_suit(suit.name): suit.letter for suit in pack.suits}
        self._pattern = self._find_cards()

    def card(self, card: str, width: int = 0) -> Text:
        """A card given as text, in the colour of its suit.

        >>> from undercut.cards.packs import FRENCH
        >>> Painter(FRENCH).card("Th").plain, Painter(FRENCH).card("8s", width=3).plain
        ('10♥', ' 8♠')
        """
        if self._pattern is None:
            return Text(card.rjust(width))
        rank, suit = card[0], card[1]
        shown = self._ranks[rank] + self._symbols[suit]
        return Text(shown.rjust(width), style=self._styles[suit])

    def choice(self, number: int, text: Text) -> Text:
        """The text of a numbered choice, or of its card; a full screen makes it clickable."""
        return text

    def name(self, card: str) -> str:
        """The name of a card; "" in a pack whose letters are common."""
        return self._pack.name_card(card) if self._pack.is_strange else ""

    def cards(self, cards: Cards) -> Text:
        return Text(" ").join(map(self.card, cards))

    def sentence(self, sentence: str, style: str = "") -> Text:
        """A sentence in which every card, written as 8h, and every suit is in colour.

        >>> from undercut.cards.packs import FRENCH
        >>> Painter(FRENCH).sentence("You take Th.").plain
        'You take 10♥.'
        """
        painted = Text(style=style)
        place = 0
        for match in self._pattern.finditer(sentence) if self._pattern else ():
            painted.append(sentence[place : match.start()])
            painted.append_text(self._word(match.group()))
            place = match.end()
        return painted.append(sentence[place:])

    def numbered(self, sentences: Iterable[str]) -> Lines:
        """Sentences as a numbered list that fits a terminal."""
        lines: Lines = []
        for number, sentence in enumerate(sentences, start=1):
            lines += self.wrapped(f"{number:>2}. ", sentence)
        return lines

    def wrapped(self, start: str, sentence: str, style: str = "") -> Lines:
        """A sentence after `start`, in as many indented lines as it needs."""
        return [self.sentence(line, style) for line in self.broken(start, sentence)]

    def broken(self, start: str, text: str) -> list[str]:
        """The same without colours and symbols."""
        indent = " " * len(start)
        lines = wrap(text, self.width - 2, initial_indent=start, subsequent_indent=indent)
        return lines or [start]

    def to_ascii(self, line: Text) -> Text:
        """The same line in ASCII.

        >>> from undercut.cards.packs import FRENCH
        >>> painter = Painter(FRENCH)
        >>> painter.to_ascii(painter.sentence("You take Th.")).plain
        'You take 10h.'
        >>> painter.to_ascii(Text("zelený spodek")).plain
        'zeleny spodek'
        """
        letters = {symbol: letter for letter, symbol in self._symbols.items()}
        plain = line.copy()
        for symbol, letter in (_PLAIN | letters).items():
            plain.plain = plain.plain.replace(symbol, letter)
        plain.plain = normalize("NFKD", plain.plain).encode("ascii", "ignore").decode("ascii")
        return plain

    def _find_cards(self) -> re.Pattern[str] | None:
        if not self._symbols:
            return None
        card = f"[{''.join(self._ranks)}][{''.join(self._symbols)}]"
        suits = [f"(?:{letter} )?{name}" for name, letter in self._names.items()]
        return re.compile(rf"\b(?:{'|'.join([card, *suits])})\b")

    def _word(self, word: str) -> Text:
        """A card, or the name of a suit."""
        name = word.split()[-1]
        if name in self._names:
            return Text(word, style=self._styles[self._names[name]])
        return self.card(word)
