"""What it costs to refuse a message, now and at another commit.

    python -m bench.refusals --commit COMMIT

Both take turns on the same machine. Clients of Hexxagon send messages that are refused, in the
process that serves them, and the median of the time from frame to answer is shown. All refusals are
logged: there are as few of each client, and as few in all, as the log bears.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter_ns

import click
import orjson
import trio

from bench.former import ROOT, checked_out
from ludothek.contract.registry import load
from ludothek.observe import log
from ludothek.testing.fair import Fair, Peer, open_fair

ROUNDS, CLIENTS, MESSAGES = 9, 50, 8
KINDS = ("a field of the wrong type", "a message out of place", "accepted, for comparison")


@click.command()
@click.option("--commit", help="Compare with this commit.")
@click.option("--once", is_flag=True, help="Measure this program only, and print JSON.")
def main(commit: str | None, once: bool) -> None:
    """Measure refusals."""
    if once:
        log.setup("json")
        click.echo(json.dumps(trio.run(_measure)))
        return
    if commit is None:
        raise click.UsageError("expected --commit")
    with checked_out(commit) as tree:
        trees = {commit: tree, "now": ROOT}
        found: dict[str, list[dict[str, float]]] = {name: [] for name in trees}
        for _ in range(ROUNDS):
            for name, each in trees.items():
                found[name].append(_measured_in(each))
    for kind in found["now"][0]:
        medians = {name: statistics.median(one[kind] for one in found[name]) for name in found}
        shown = ", ".join(f"{name} {value:.1f} µs" for name, value in medians.items())
        click.echo(f"{kind}: {shown}")


def _measured_in(tree: Path) -> dict[str, float]:
    path = os.pathsep.join(map(str, (tree, tree / "platform")))
    # This file, with the program of that tree: without -P, its neighbours would take precedence.
    command = [sys.executable, "-P", str(Path(__file__)), "--once"]
    done = subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _message(kind: str, user: str, **fields: str) -> bytes:
    return orjson.dumps({"messageType": kind, "userId": user, **fields})


async def _measure() -> dict[str, float]:
    times: dict[str, list[int]] = {kind: [] for kind in KINDS}
    async with open_fair(load("hexxagon")) as fair:
        for _ in range(CLIENTS):
            for kind in KINDS:
                times[kind] += await _measure_client(fair, kind)
    return {kind: statistics.median(each) / 1000 for kind, each in times.items()}


async def _measure_client(fair: Fair, kind: str) -> list[int]:
    peer = Peer(fair.connect())
    user = (await peer.hear())["userId"]
    client = max(fair.endpoint.clients, key=lambda each: each.number)
    frame = {
        "a field of the wrong type": _message("LeaveLobby", user, lobbyId="7"),
        "a message out of place": _message("LeaveLobby", user, lobbyId=user),
        "accepted, for comparison": _message("GetAvailableLobbies", user),
    }[kind]
    times = []
    for _ in range(MESSAGES):
        begun = perf_counter_ns()
        client._hear(frame)
        times.append(perf_counter_ns() - begun)
        await peer.hear()
    return times


if __name__ == "__main__":
    main()
