"""Whether the program, as it is installed now, could take over."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import trio

from ludothek.contract.orders import OrderRefused
from ludothek.daemon.guarded import RUNTIME_DIR
from ludothek.daemon.program import installed_program
from ludothek.runtime.annals import RETIRED
from ludothek.runtime.recovery import BadChronicle, Past
from ludothek.settings.config_file import Host
from transports.recovered_ledger import NoLedger, read_back

# How long it may take to load, and to read its configuration and what it would continue from.
REHEARSAL_SECONDS = 60.0

# To read what another process is just writing: its log only grows, but its tape is used again.
TRIES = 3


async def rehearse(directory: Path) -> None:
    """See whether it can be called like this process, and reads what that directory has.

    Raises:
      OrderRefused: it would end at once, or lose all matches.
    """
    # People read what it says.
    words = [*sys.argv[1:], "--rehearse", "--log-format", "console"]
    problem = "it takes too long to start"
    with trio.move_on_after(REHEARSAL_SECONDS):
        try:
            done = await trio.run_process(
                [*installed_program(), *words],
                env={**os.environ, RUNTIME_DIR: str(directory)},
                capture_stdout=True,
                capture_stderr=True,
                check=False,
            )
        except OSError as error:
            problem = error.strerror or str(error)
        else:
            if done.returncode == 0:
                return
            said = done.stderr.decode(errors="replace").strip().splitlines()
            problem = said[-1] if said else f"exit code {done.returncode}"
    raise OrderRefused(f"the installed program cannot be started: {problem}")


def loss(directory: Path, hosts: Iterable[Host]) -> str | None:
    """Why a daemon of these hosts could not go on from what a running one has there; None if it
    could."""
    problem = ""
    for _ in range(TRIES):
        try:
            past = Past(read_back(directory).notes)
        except (NoLedger, BadChronicle) as found:
            problem = str(found)
        else:
            return homeless(past, [host.identity for host in hosts])
    return problem


def homeless(past: Past, hosts: Sequence[tuple[str, str, int]]) -> str | None:
    """Who plays at a host that would not be there; None: nobody."""
    # A port that is free is kept.
    places = [" ".join(map(str, host if host[2] else host[:2])) + " " for host in hosts]
    for identity, endpoint in past.endpoints.items():
        host, retired, _ = identity.partition(RETIRED)
        if endpoint.occupied and (retired or not f"{host} ".startswith(tuple(places))):
            where = "{} on {} port {}".format(*host.split(" "))
            problem = "was removed by a reload" if retired else "is not configured any more"
            return f"{where} {problem}, and is still being played on"
    return None
