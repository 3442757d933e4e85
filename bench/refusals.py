"""What it costs to refuse a message, now and at another commit.

    python -m bench.refusals --commit COMMIT

Both take turns on the same machine. Clients of each game send messages that are refused, in the
process that serves them, and the median of the time from frame to answer is shown. All refusals are
logged: there are as few of each client, and as few in each process, as the log bears.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import click
import trio
from trio.testing import wait_all_tasks_blocked

from bench.former import ROOT, checked_out
from ludothek.contract.registry import load
from ludothek.observe import log
from ludothek.testing.fair import Fair, open_fair

ROUNDS, CLIENTS, MESSAGES = 9, 50, 8
UNKNOWN = "293076c0-bbed-4bfd-8cb2-24b5654eb0d6"


def _json(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


# What clients say first, and then, over and over again; USER is who they are.
GREETINGS = {
    "qwirkle": _json(uniqueId=100, clientName="Anna", clientType="PLAYER"),
    "roborally": _json(
        messageType="HelloServer",
        messageBody={"group": "Trolls", "isAI": False, "protocol": "Version 2.0"},
    ),
}
FRAMES: Mapping[str, Mapping[str, bytes]] = {
    "hexxagon": {
        "a field of the wrong type": _json(messageType="LeaveLobby", userId="USER", lobbyId="7"),
        "a message out of place": _json(messageType="LeaveLobby", userId="USER", lobbyId="USER"),
        "accepted, for comparison": _json(messageType="GetAvailableLobbies", userId="USER"),
    },
    "penguins": {
        "a field that is missing": b"<joinRoom/>",
        "a message out of place": f'<cancel roomId="{UNKNOWN}"/>'.encode(),
    },
    "qwirkle": {
        "a field of the wrong type": _json(uniqueId=302, gameId="seven"),
        "a message out of place": _json(uniqueId=405),
        "accepted, for comparison": _json(uniqueId=300),
    },
    "roborally": {
        "a field of the wrong type": _json(
            messageType="PlayerValues", messageBody={"name": "A", "figure": "5"}
        ),
        "a message out of place": _json(messageType="SetStatus", messageBody={"ready": True}),
    },
    "quidditch": {  # which ends the connection
        "a field of the wrong type": _json(payloadType="joinRequest", payload={"lobby": 7}),
        "a message out of place": _json(payloadType="getReplay", payload={}),
    },
}


@click.command()
@click.option("--commit", help="Compare with this commit.")
@click.option("--once", help="Measure this game in this program only, and print JSON.")
def main(commit: str | None, once: str | None) -> None:
    """Measure refusals."""
    if once is not None:
        log.setup("json")
        click.echo(json.dumps(trio.run(_measure, once)))
        return
    if commit is None:
        raise click.UsageError("expected --commit")
    with checked_out(commit) as tree:
        trees = {commit: tree, "now": ROOT}
        for game in FRAMES:
            found: dict[str, list[dict[str, float]]] = {name: [] for name in trees}
            for _ in range(ROUNDS):
                for name, each in trees.items():
                    found[name].append(_measured_in(each, game))
            for kind in FRAMES[game]:
                click.echo(f"{game}, {kind}: {_compared(kind, found)}")


def _compared(kind: str, found: Mapping[str, Sequence[Mapping[str, float]]]) -> str:
    medians = {name: statistics.median(one[kind] for one in found[name]) for name in found}
    return ", ".join(f"{name} {value:.1f} µs" for name, value in medians.items())


def _measured_in(tree: Path, game: str) -> dict[str, float]:
    path = os.pathsep.join(map(str, (tree, tree / "platform")))
    # This file, with the program of that tree: without -P, its neighbours would take precedence.
    command = [sys.executable, "-P", str(Path(__file__)), "--once", game]
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


async def _measure(game: str) -> dict[str, float]:
    times: dict[str, list[int]] = {kind: [] for kind in FRAMES[game]}
    async with open_fair(load(game)) as fair:
        for _ in range(CLIENTS):
            for kind, frame in FRAMES[game].items():
                times[kind] += await _measure_client(fair, game, frame)
    return {kind: statistics.median(each) / 1000 for kind, each in times.items()}


async def _measure_client(fair: Fair, game: str, frame: bytes) -> list[int]:
    link = fair.connect()
    if game in GREETINGS:
        await link.send(GREETINGS[game])
    await wait_all_tasks_blocked()
    client = max(fair.endpoint.clients, key=lambda each: each.number)
    if game == "hexxagon":
        welcome = await link.receive()
        assert isinstance(welcome, bytes)
        frame = frame.replace(b"USER", json.loads(welcome)["userId"].encode())
    times = []
    for _ in range(1 if game == "quidditch" else MESSAGES):
        begun = perf_counter_ns()
        client._hear(frame)
        times.append(perf_counter_ns() - begun)
        await wait_all_tasks_blocked()
    await link.aclose()
    await wait_all_tasks_blocked()
    return times


if __name__ == "__main__":
    main()
