"""`undercut verify` and `undercut deal`: check a deal, and deal it again."""

import re

import click

from undercut.cli import arguments, screen


def _seed(value: str | int) -> int | str:
    """Parse a seed, or a secret of 64 hexadecimal digits."""
    if re.fullmatch("[0-9a-fA-F]{64}", str(value)):
        return str(value).lower()
    try:
        return arguments.whole_number("SEED", 0, arguments.SEED_LIMIT - 1)(value)
    except click.UsageError as error:
        raise click.UsageError(f"{error.message}, or 64 hexadecimal digits") from None


@click.command(short_help="Check the seal of a deal.")
@click.argument("seed", type=_seed)
@click.argument("salt")
@click.argument("seal")
@click.option("--words", help="The words that you mixed into the cards of a match.")
@arguments.number_option(
    "--deals", 1, 1000, "N", "With --words: the number of deals whose seeds are shown.", default=1
)
def verify(seed: int | str, salt: str, seal: str, words: str | None, deals: int) -> None:
    """Check that SEAL, shown before a deal, fits SEED and SALT, shown after it.

    A seed is a number. Games that people begin without --seed have secrets of 64 hexadecimal digits
    instead. `undercut deal` deals the cards of a seed or secret again. With --words, SEAL belongs
    to a match with your words. Then the command shows the seeds of the deals, which must equal
    those that you saw after each deal.

    \b
    undercut verify 8193472149655565506 3c8a5e807bc8265e c1fc08b5f8a1…
    undercut verify 5150 3c8a5e807bc8265e c1fc08b5f8a1… --words cat --deals 3
    """
    from undercut.play.commitment import check, commit, mix
    from undercut.play.seeds import chance_of

    if not check(seal.strip().lower(), seed, salt):
        raise click.ClickException(f"the seal of {seed} {salt} is {commit(seed, salt)}, not {seal}")
    if words is None:
        click.echo("the seal fits: these cards were fixed before the deal")
        return
    click.echo("the seal fits: this seed was fixed before your words were known")
    match = chance_of(mix(seed, words))
    for number in range(deals):
        click.echo(f"deal {number + 1}: seed {match.deal(number)}")


@click.command(short_help="Deal the cards of a seed.")
@click.argument("game")
@click.argument("seed", type=_seed)
@arguments.number_option("--starter", 0, 7, "SEAT", "Who plays first.", default=0)
@arguments.json_option
def deal(game: str, seed: int | str, starter: int, as_json: bool) -> None:
    """Deal the cards of SEED at GAME, and show every hand.

    SEED is a number, or a secret of 64 hexadecimal digits.

    \b
    undercut deal gin 8193472149655565506 --starter 1
    undercut deal rummy 7 --json
    """
    from undercut.games.families import parse_game
    from undercut.play.deal import Deal

    rules = parse_game(game)
    if starter >= rules.seats:
        raise click.UsageError(
            f"--starter {starter}: {rules.name} has seats 0 to {rules.seats - 1}"
        )
    with screen.compiling():
        dealt = Deal(rules, seed, starter)
        views = [dealt.observe(seat) for seat in range(rules.seats)]
    hands = [rules.notation.format_hand(view) for view in views]
    upcard = rules.notation.format_upcard(views[0])
    if as_json:
        found = {"game": rules.name, "seed": seed, "starter": starter}
        screen.print_json({**found, "hands": hands, "upcard": upcard}, "deal")
        return
    for seat, hand in enumerate(hands):
        click.echo(f"seat {seat}: {hand}")
    if upcard:
        click.echo(f"upcard: {upcard}")
