"""The command line. Commands import heavy modules only when they run."""

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from undercut import __version__
from undercut.cli import screen
from undercut.cli.belief import belief
from undercut.cli.bench import bench
from undercut.cli.check import check
from undercut.cli.completion import completion
from undercut.cli.distil import distil
from undercut.cli.engine import engine
from undercut.cli.estimator import generate, score, train
from undercut.cli.exploit import exploit
from undercut.cli.export import export
from undercut.cli.hint import hint
from undercut.cli.listings import agents, rules
from undercut.cli.match import match
from undercut.cli.play import games, play, replay
from undercut.cli.reproduce import reproduce
from undercut.cli.review import review
from undercut.cli.selfplay import selfplay
from undercut.cli.tournament import tournament
from undercut.cli.tune import tune
from undercut.cli.verify import deal, verify
from undercut.text.errors import UndercutError
from undercut.text.spec import one_of

BAD_INPUT = 2
STOPPED = 130  # the exit code of shells for Ctrl-C
READER_GONE = 1  # a closed pipe, without a message
_RENAMED = {"evaluate": "score"}  # commands by their earlier names


class Commands(click.Group):
    """Commands in the order of their registration; every error is one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] in _RENAMED:
            new = _RENAMED[args[0]]
            raise click.UsageError(
                f"the command {args[0]!r} is called {new!r} now (see undercut {new} --help)"
            )
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            known = one_of(self.commands, args[0])
            raise click.UsageError(f"unknown command {args[0]!r}: {known}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command, without the empty line that click prints on Ctrl-C."""
        try:
            return super().invoke(ctx)
        except (EOFError, KeyboardInterrupt):
            raise click.Abort from None

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> NoReturn:
        options["standalone_mode"] = False
        try:
            code = super().main(args, *rest, **options)
            sys.stdout.flush()
        except click.Abort:  # Ctrl-C, or the end of input at a question
            if sys.stderr.isatty():
                click.echo(err=True)  # after the ^C of the terminal
            _leave("stopped", STOPPED)
        except click.ClickException as error:
            _leave(error.format_message() + _where_to_look(error), BAD_INPUT)
        except BrokenPipeError:
            # Python flushes at exit, and would complain again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(READER_GONE)
        except (UndercutError, OSError) as error:
            _leave(str(error), BAD_INPUT)
        sys.exit(code if isinstance(code, int) else 0)


def _where_to_look(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return "" if context is None else f" (see {context.command_path} --help)"


def _leave(message: str, code: int) -> NoReturn:
    screen.echo(f"undercut: {' '.join(message.split())}", err=True)
    sys.exit(code)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="undercut %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Rummy games: play them, let agents play each other, measure.

    \b
    undercut play                          a game of gin against the computer
    undercut match gin simple patient      two agents, 1000 games
    undercut rules distilled+knock         the rules of a game and their values
    undercut COMMAND --help                everything about a command
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


_PLAYING = (play, games, match, tournament, replay, verify, deal, hint, review, export)
_LEARNING = (generate, train, score, tune, reproduce, selfplay, exploit, belief, distil)
_OTHERS = (rules, agents, check, engine, bench, completion)
for command in (*_PLAYING, *_LEARNING, *_OTHERS):
    main.add_command(command)
