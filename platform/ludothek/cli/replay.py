"""platform replay: repeat a match or a crash from its record."""

import os
import re
import sys
import time
import traceback
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

import click

from ludothek import __version__
from ludothek.cli.console import show_value
from ludothek.cli.playing_on import serve_continuation
from ludothek.cli.state_option import state_option
from ludothek.contract import registry
from ludothek.contract.client import Client
from ludothek.contract.game import Game
from ludothek.contract.names import printable
from ludothek.observe import log
from ludothek.observe.terminal_json import harmless
from ludothek.runtime.continuation import CannotGoOn, Continuation
from ludothek.runtime.record import MOST_BYTES, BadRecord, Record
from ludothek.runtime.replay import Differs, Replay
from ludothek.settings.config_file import LOCAL
from ludothek.storage import crash_reports, match_files
from ludothek.storage.crash_reports import bug_place
from transports import brief

STILL_THERE = 1


class NoRecord(click.ClickException):
    """There is nothing to repeat."""

    exit_code = 2


@click.command()
@click.argument("name", metavar="RECORD")
@click.option("--show", type=int, metavar="N", help="Draw the state after note N; -1 is the last.")
@click.option("--frames", metavar="CLIENT", help="Print what a client was sent: number or name.")
@click.option("--text", is_flag=True, help="Print the record as lines of JSON, unchecked.")
@click.option("--at", "place", type=int, metavar="N", help="Play on after note N; with --serve.")
@click.option("--serve", is_flag=True, help="Let clients and bots play on from there.")
@click.option("--host", default=LOCAL, metavar="HOST", help="Address to listen on; * means all.")
@click.option("-p", "--port", type=click.IntRange(0, 65535), help="Port; 0 picks a free one.")
@state_option
def replay(
    name: str,
    show: int | None,
    frames: str | None,
    text: bool,
    place: int | None,
    serve: bool,
    host: str,
    port: int | None,
    state: Path,
) -> None:
    """Repeat a match from its record, and check that every byte and the result are the same.

    RECORD is a file, or the beginning of the name of one in the state directory, as `platform
    matches` shows it. The exit code is 0 if all is the same, 1 if something differs, and 2 if
    there is no such record. For the report of a crash it is 1 as long as the bug is there.
    """
    if serve is not (place is not None):
        raise click.UsageError("--at and --serve belong together")
    if [show, frames, text or None, place].count(None) < 3:
        raise click.UsageError("--show, --frames, --text and --at exclude each other")
    log.setup("console", 0, quiet=True)  # what games log is about matches of today
    record = _read(name, state)
    if text:
        for line in record.text():
            _print_frame(line.rstrip())
        return
    _adopt_zone(record)
    try:
        if place is not None:
            _serve(record, _place(record, place, "--at"), host, port)
            return
        repeated = Replay(_game(record), record)
        _repeat(repeated, show, frames)
    except Differs as difference:
        raise click.ClickException(f"{_sum_up(record)}: {difference}{_versions(record)}") from None
    if repeated.is_report:
        _tell_crash(repeated)
    elif show is None and frames is None:
        click.echo(printable(f"{_sum_up(record)}: every byte and the result are the same"))


def _repeat(replay: Replay, show: int | None, frames: str | None) -> None:
    """Repeat all of it, and print what is wanted; raises Differs."""
    try:
        if show is not None:
            _show(replay, show)
        if frames is not None:
            _print_frames(replay, frames)
        for _ in replay:
            pass
    except Differs:
        if not (replay.is_report and replay.cured):  # that is how one hopes that it differs
            raise


def _adopt_zone(record: Record) -> None:
    """Be where the match was played: some protocols write local times."""
    zone = str(record.about.get("zone", ""))
    if zone == _local_zone(record):
        return  # which may have changed during the match, as it does in spring and autumn
    if found := re.fullmatch(r"([+-])(\d\d)(\d\d)", zone):
        sign, hours, minutes = found.groups()
        # What the rest of the world calls east is negative here.
        os.environ["TZ"] = f"<{zone}>{'-' if sign == '+' else '+'}{hours}:{minutes}"
        time.tzset()


def _local_zone(record: Record) -> str:
    """The time zone of this place at the end of the match."""
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        return datetime.fromisoformat(record.about["time"]).astimezone().strftime("%z")
    return ""


# Finding it


def _read(name: str, state: Path) -> Record:
    folders = [state / folder for folder in (match_files.FOLDER, crash_reports.FOLDER)]
    try:
        path = match_files.find_file(name, folders)
        with path.open("rb") as file:
            return Record.read(file.read(MOST_BYTES))
    except match_files.NoSuchFile as problem:
        raise NoRecord(str(problem)) from None
    except OSError as error:
        raise NoRecord(f"{name}: {error.strerror or error}") from None
    except BadRecord as problem:
        raise NoRecord(f"{path}: {problem}") from None


def _game(record: Record) -> Game:
    name = record.about.get("game")
    if name not in registry.names():
        raise NoRecord(f"there is no game {name!r} here")
    try:
        return registry.load(str(name))
    except registry.BrokenGame as broken:
        raise NoRecord(str(broken)) from None


# Telling what it is


def _sum_up(record: Record) -> str:
    about = record.about
    words = [str(about.get("game"))]
    with suppress(KeyError, TypeError):
        words += [f"{each['name']} {show_value(each['score'])}" for each in about["players"]]
    words.append(str(about.get("reason") or about.get("bug") or "crashed"))
    return f"{', '.join(words)}, {len(record.notes)} notes"


def _versions(record: Record) -> str:
    """What may be the reason of a difference."""
    written = record.about.get("program")
    return "" if written == __version__ else f" (recorded by version {written}, not {__version__})"


def _tell_crash(replay: Replay) -> None:
    recorded = replay.record.about.get("bug")
    if replay.bug is None:
        click.echo(printable(f"{_sum_up(replay.record)}: it does not crash any more"))
        return
    for line in "".join(traceback.format_exception(replay.bug)).splitlines():
        click.echo(printable(line))
    found = bug_place(replay.bug)
    verdict = "the same crash" if found == recorded else f"another crash; recorded was {recorded}"
    click.echo(printable(f"{found}: {verdict}"))
    click.get_current_context().exit(STILL_THERE)


# Playing on


def _serve(record: Record, place: int, host: str, port: int | None) -> None:
    game = _game(record)
    try:
        position = Continuation(game, record, place)
    except CannotGoOn as problem:
        raise click.ClickException(str(problem)) from None
    log.setup("console")
    serve_continuation(position, host, game.port if port is None else port)


# Looking into it


def _show(replay: Replay, number: int) -> None:
    place = _place(replay.record, number, "--show")
    for _ in islice(replay, place):
        pass
    click.echo(printable(_describe(replay, place)))
    for line in replay.rerun.game.draw(replay.rerun.table).splitlines():
        click.echo(printable(line))


def _place(record: Record, number: int, option: str) -> int:
    count = len(record.notes)
    place = number if number >= 0 else count + 1 + number
    if not 0 <= place <= count:
        raise click.UsageError(f"{option}: this record has {count} notes")
    return place


def _describe(replay: Replay, place: int) -> str:
    notes = replay.record.notes
    if not place:
        return f"before the first of {len(notes)} notes"
    note = notes[place - 1]
    client = replay.rerun.clients.get(note.client)
    by = "" if client is None else f" client {client.number} ({client.name})"
    what = note.content.decode(errors="replace")
    seconds = note.time - replay.record.beginning.time
    words = f"note {place} of {len(notes)}, {seconds:.3f} s: {note.kind.name.lower()}{by}"
    return f"{words} {brief(what)}".rstrip()


def _print_frames(replay: Replay, who: str) -> None:
    sent: list[tuple[Client, bytes]] = []
    try:
        for step in replay:
            sent += step
    finally:  # up to where it differs
        wanted = _client(replay, who)
        for client, frame in sent:
            if client is wanted:
                _print_frame(frame)


def _client(replay: Replay, who: str) -> Client:
    clients = replay.rerun.clients
    numbered = [client for number, client in clients.items() if str(number) == who]
    match numbered or [client for client in clients.values() if client.name == who]:
        case [only]:
            return only
        case []:
            known = ", ".join(f"{each.number} ({each.name})" for each in clients.values())
            raise NoRecord(f"there is no client {who} in this record; known are {known or 'none'}")
        case many:
            numbers = ", ".join(str(each.number) for each in many)
            raise NoRecord(f"several clients are called {who}: {numbers}")


def _print_frame(frame: bytes) -> None:
    if sys.stdout.isatty():
        click.echo(harmless(frame.decode(errors="backslashreplace")))
    else:
        click.echo(frame)
