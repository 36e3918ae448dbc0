"""The `kubli` command."""

import click

from kubli import __version__

__all__ = ["main"]


@click.group()
@click.version_option(__version__, prog_name="kubli")
def main() -> None:
    """Card games of hidden information."""
