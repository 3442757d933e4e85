"""Where a daemon has kept what outlives it."""

import os
from pathlib import Path
from typing import Any

import click

from ludothek.storage.state import usual_directory


def _find(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path:
    found = value or usual_directory(os.environ)
    if found is None:
        raise click.UsageError("there is no state directory; use --state-dir to name it")
    return found


def state_option(function: Any) -> Any:
    """The same option as that of `platform run`."""
    return click.option(
        "--state-dir",
        "state",
        type=click.Path(path_type=Path, file_okay=False),
        callback=_find,
        help="The daemon's state directory.  [$XDG_STATE_HOME/ludothek]",
    )(function)
