"""Reviews as one HTML page that needs no network: it works as an attachment of a mail."""

from collections.abc import Iterator, Sequence
from html import escape

from undercut.lab.review import words
from undercut.lab.review.graph import graph
from undercut.lab.review.judgement import Judgement
from undercut.lab.review.profile_page import profiles
from undercut.lab.review.review import Review
from undercut.lab.review.worth import POINTS
from undercut.text.translation import say

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
.wide { overflow-x: auto } table { border-collapse: collapse }
th, td { padding: .25rem .8rem .25rem 0; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
thead th { border-bottom: 1px solid var(--line) } tr.sum td { border-top: 1px solid var(--line) }
ol { padding: 0; list-style: none } li { padding: .6rem .8rem; margin: .5rem 0; border-radius: .5rem;
  background: var(--soft); border-left: .3rem solid var(--kind, #888) }
.blunder { --kind: #d33; } .mistake { --kind: #e80; } .inaccuracy { --kind: #ca0; }
small { opacity: .75 } svg { width: 100%; height: auto; display: block }
"""


def page(reviews: Sequence[Review]) -> str:
    """The page of one or more reviews."""
    sections = profiles(reviews) if len(reviews) > 1 else ""
    sections += "".join(map(section, reviews))
    title = escape(words.heading(reviews[0]) if len(reviews) == 1 else say("Reviews"))
    return (
        '<!doctype html><html><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>{sections}</body></html>\n"
    )


def section(review: Review) -> str:
    """A review as HTML without head and style."""
    return "".join(
        [
            f"<h1>{escape(words.heading(review))}</h1>",
            *(f"<p>{escape(words.story(review, seat))}</p>" for seat in range(len(review.players))),
            graph(review),
            f"<h2>{escape(say('Luck and skill'))}</h2>{_accounts(review)}",
            f"<h2>{escape(say('How well each one played'))}</h2>{_players(review)}",
            f"<h2>{escape(say('Errors'))}</h2>{_errors(review)}",
            f"<p><small>{escape(_method(review))}</small></p>",
        ]
    )


def _accounts(review: Review) -> str:
    account = review.account(POINTS)
    if account is None:
        return f"<p>{escape(say('No deal was finished.'))}</p>"
    columns = [list(words.account_rows(account, seat)) for seat in range(len(review.players))]
    rows = [
        (name, *(words.signed(column[place][1]) for column in columns))
        for place, (name, _) in enumerate(columns[0])
    ]
    noise = say(
        "Points. Luck of the draws and of the unseen are known to about ± {noise}.",
        noise=f"{2 * account.noise:.1f}",
    )
    return _table(("", *review.players), rows, with_sum=True) + f"<p><small>{escape(noise)}</small>"


def _players(review: Review) -> str:
    headings = ("", say("decisions"), say("points lost a decision"), say("errors"))
    rows = [
        (each.player, str(each.decisions), f"{each.error_rate:.2f}", words.error_counts(each))
        for each in review.seats
    ]
    return _table(headings, rows)


def _errors(review: Review) -> str:
    if not review.errors:
        return f"<p>{escape(say('None that the samples show.'))}</p>"
    return f"<ol>{''.join(_error(review, each) for each in review.errors)}</ol>"


def _error(review: Review, judgement: Judgement) -> str:
    place = say("Deal {deal}, move {move}", deal=judgement.deal + 1, move=judgement.ply + 1)
    lines = [
        f"<b>{escape(place)}, {escape(review.players[judgement.seat])}: "
        f"{escape(judgement.played.text)}</b>",
        escape(say("Better: {move}", move=judgement.best.text)),
        escape(words.verdict(judgement)),
        *([f"<i>{escape(words.themes(judgement))}</i>"] if judgement.themes else []),
        f"<small>{escape(words.comparison(judgement))}</small>",
    ]
    return f'<li class="{judgement.kind}">{"<br>".join(lines)}</li>'


def _method(review: Review) -> str:
    return say(
        "Errors are measured with {samples} samples of the hidden cards, from what each player "
        "could know; ± is twice the standard error. Smaller costs than that are not called errors.",
        samples=review.samples,
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], with_sum: bool = False) -> str:
    def lines() -> Iterator[str]:
        for number, row in enumerate(rows, 1):
            mark = ' class="sum"' if with_sum and number == len(rows) else ""
            yield f"<tr{mark}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"

    top = "".join(f"<th>{escape(each)}</th>" for each in headings)
    return (
        f'<div class="wide"><table><thead><tr>{top}</tr></thead>'
        f"<tbody>{''.join(lines())}</tbody></table></div>"
    )
