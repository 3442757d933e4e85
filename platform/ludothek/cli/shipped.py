"""The files that come with the program: an example configuration, and the contents of deploy/."""

import re
import shutil
from pathlib import Path

import click

from ludothek.contract import registry as games
from ludothek.settings.fields import SettingsError, nearest

# In a wheel they are part of the package; in a source tree, of the repository around it.
_PACKED = Path(__file__).parents[1] / "shipped"
_SOURCE = Path(__file__).parents[3]

_PLACES = {
    "config": Path("config"),
    "deploy": Path("deploy"),
    "install.md": Path("docs/install.md"),
    "requirements.lock": Path("requirements.lock"),
}


def find(name: str) -> Path:
    """The path of a file or folder that is shipped."""
    packed = _PACKED / name
    return packed if packed.exists() else _SOURCE / _PLACES[name]


def example(names: tuple[str, ...] = ()) -> str:
    """The commented platform.toml, with the hosts of all games or of these."""
    text = (find("config") / "platform.toml").read_text(encoding="utf-8")
    if not names:
        return text
    common, *hosts = re.split(r"^(?=\[\[host\]\])", text, flags=re.MULTILINE)
    return common + "".join(host for host in hosts if _game_of(host) in names)


def _game_of(host: str) -> str:
    found = re.search(r'^game = "(\w+)"', host, re.MULTILINE)
    return found[1] if found else ""


@click.command("config")
@click.option("--example", "shown", is_flag=True, help="Print the commented platform.toml.")
@click.option(
    "--game", "names", multiple=True, metavar="NAME", help="Only with the hosts of this game."
)
@click.option(
    "--files",
    "directory",
    type=click.Path(path_type=Path, file_okay=False),
    help="Copy config/, deploy/, install.md and requirements.lock into this directory.",
)
def config_command(shown: bool, names: tuple[str, ...], directory: Path | None) -> None:
    """Show or copy the files that an administrator needs; install.md explains them."""
    if not shown and directory is None:
        raise click.UsageError("expected --example or --files DIR")
    for name in names:
        if name not in games.names():
            known = nearest(name, games.names())
            raise SettingsError(f"--game: there is no game {name!r}{known}")
    if shown:
        click.echo(example(names), nl=False)
    if directory is not None:
        _copy(directory)


def _copy(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for name in _PLACES:
        source, target = find(name), directory / name
        if source.is_dir():
            # Not with the permissions of the installation, which may be anything.
            shutil.copytree(source, target, copy_function=shutil.copyfile, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)
        click.echo(target)
