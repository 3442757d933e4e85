"""platform ctl wire: what is recorded, and what should be."""

import click

from ludothek.cli.columns import align
from ludothek.cli.console import Console, form, pass_console, read_id, table, where


@click.command("wire")
@click.argument("target", required=False, metavar="[GAME|LOBBY|CLIENT]")
@click.argument("switch", required=False, type=click.Choice(["on", "off"]))
@click.option("--client", is_flag=True, help="GAME/ID is a client, not a lobby.")
@where
@form
@pass_console
def switch_wire(console: Console, target: str | None, switch: str | None, client: bool) -> None:
    """Record every message of a game, a lobby or a client to a file; or list what is recorded.

    Read such a file with `platform wire FILE`.
    """
    if target is None:
        answer = console.ask("GET", "wire")
        console.show(answer, table(("id", "kind", "lines", "lost", "file"), answer))
        return
    if switch is None:
        raise click.UsageError("say on or off")
    words = _words(target, client)
    answer = console.ask("POST", *words, "wire", body={"on": switch == "on"})
    console.show(answer, align([(answer["id"], switch, answer["file"] or "")]))


def _words(target: str, client: bool) -> tuple[str, ...]:
    if "/" not in target and not client:
        return "endpoints", target
    return "clients" if client else "lobbies", *read_id(target)
