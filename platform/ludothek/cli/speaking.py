"""Lines for people on stderr."""

import sys
from io import TextIOWrapper

import click

from ludothek.contract.names import printable
from ludothek.observe import log


def complain(message: str) -> None:
    """Print one line, whatever the message quotes: a file's name, a server's words."""
    with log.patient(sys.stderr):
        click.echo(log.last_words(printable(" ".join(message.splitlines()))), err=True)


def escape_unencodable() -> None:
    """Escape characters that the terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
