"""`undercut completion`: shell completion of commands and options."""

import click

_VARIABLE = "_UNDERCUT_COMPLETE"
_ADVICE = {
    "bash": 'eval "$(undercut completion bash)"   in ~/.bashrc',
    "zsh": 'eval "$(undercut completion zsh)"    in ~/.zshrc',
    "fish": "undercut completion fish > ~/.config/fish/completions/undercut.fish",
}


@click.command(short_help="Complete commands and options in your shell.")
@click.argument("shell", type=click.Choice([*_ADVICE]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script for SHELL that completes the commands and options of undercut.

    \b
    undercut completion bash
    eval "$(undercut completion zsh)"
    undercut completion fish > ~/.config/fish/completions/undercut.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None, "one of the choices"
    click.echo(f"# {_ADVICE[shell]}")
    click.echo(found(context.find_root().command, {}, "undercut", _VARIABLE).source())
