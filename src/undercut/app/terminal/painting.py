"""Cards in colour: each suit has its own, and its symbol sets it apart without colour too."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import wrap
from unicodedata import normalize

from rich.text import Text

from undercut.core.cards import RANKS, SUITS, SYMBOLS

Lines = list[Text]

_PLAIN = {"│": "|", "─": "-", "·": "-", "“": '"', "”": '"'}  # for terminals without the left ones


@dataclass(frozen=True)
class Pack:
    """How cards look whose text is the letter of a rank, then the letter of a suit."""

    ranks: Mapping[str, str]  # how a rank is shown, by its letter
    symbols: Mapping[str, str]  # by the letter of a suit
    styles: Mapping[str, str]


FRENCH = Pack(
    ranks={rank: rank for rank in RANKS} | {"T": "10"},
    symbols=dict(zip(SUITS, SYMBOLS, strict=True)),
    styles={"c": "bold green", "d": "bold bright_blue", "h": "bold bright_red", "s": "bold"},
)


def paint_card(card: str, width: int = 0, pack: Pack = FRENCH) -> Text:
    """A card given as text, in the colour of its suit; a ten is written 10.

    >>> paint_card("Th").plain, paint_card("8s", width=3).plain
    ('10♥', ' 8♠')
    """
    rank, suit = card[0], card[1]
    return Text((pack.ranks[rank] + pack.symbols[suit]).rjust(width), style=pack.styles[suit])


def paint_cards(cards: Iterable[str], pack: Pack = FRENCH) -> Text:
    """Cards given as text, side by side."""
    return Text(" ").join(paint_card(card, pack=pack) for card in cards)


def paint(sentence: str, style: str = "", pack: Pack = FRENCH) -> Text:
    """A sentence in which every card, written as 8h, becomes a card in colour.

    >>> paint("You take Th.").plain
    'You take 10♥.'
    """
    painted = Text(style=style)
    place = 0
    for match in re.finditer(rf"\b[{''.join(pack.ranks)}][{''.join(pack.symbols)}]\b", sentence):
        painted.append(sentence[place : match.start()])
        painted.append_text(paint_card(match.group(), pack=pack))
        place = match.end()
    painted.append(sentence[place:])
    return painted


def number_sentences(sentences: Iterable[str], pack: Pack = FRENCH) -> Lines:
    """Sentences as a numbered list that fits a terminal."""
    lines = []
    for number, sentence in enumerate(sentences, start=1):
        lines += wrap(sentence, 78, initial_indent=f"{number:>2}. ", subsequent_indent="    ")
    return [paint(line, pack=pack) for line in lines]


def to_ascii(line: Text, pack: Pack = FRENCH) -> Text:
    """The same line in letters that every terminal can show.

    >>> to_ascii(paint("You take Th.")).plain, to_ascii(Text("zelený spodek")).plain
    ('You take 10h.', 'zeleny spodek')
    """
    letters = {symbol: letter for letter, symbol in pack.symbols.items()}
    plain = line.copy()
    for symbol, letter in (_PLAIN | letters).items():
        plain.plain = plain.plain.replace(symbol, letter)
    plain.plain = normalize("NFKD", plain.plain).encode("ascii", "ignore").decode("ascii")
    return plain
