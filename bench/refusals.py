"""What it costs to refuse a message, now and at another commit.

    python -m bench.refusals --commit COMMIT

Both take turns on the same machine. Clients of each game send messages that are refused, in the
process that serves them. Two medians are shown: of the time from the frame until its answer leaves,
and, in brackets, of the time until everything is done, lines of the log included. All refusals are
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

import attrs
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


@attrs.frozen
class Cost:
    """Microseconds since a frame came."""

    answer: float  # until the answer has left
    all: float


@click.command()
@click.option("--commit", help="Compare with this commit.")
@click.option("--once", help="Measure this game in this program only, and print JSON.")
def main(commit: str | None, once: str | None) -> None:
    """Measure refusals."""
    if once is not None:
        log.setup("json")
        measured = trio.run(_measure, once)
        click.echo(json.dumps({kind: attrs.asdict(each) for kind, each in measured.items()}))
        return
    if commit is None:
        raise click.UsageError("expected --commit")
    with checked_out(commit) as tree:
        trees = {commit: tree, "now": ROOT}
        for game in FRAMES:
            found: dict[str, list[dict[str, Cost]]] = {name: [] for name in trees}
            for _ in range(ROUNDS):
                for name, each in trees.items():
                    found[name].append(_measured_in(each, game))
            for kind in FRAMES[game]:
                click.echo(f"{game}, {kind}: {_compared(kind, found)}")


def _compared(kind: str, found: Mapping[str, Sequence[Mapping[str, Cost]]]) -> str:
    medians = {name: _median([one[kind] for one in found[name]]) for name in found}
    return ", ".join(
        f"{name} {each.answer:.1f} ({each.all:.1f}) µs" for name, each in medians.items()
    )


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(each.answer for each in costs),
        statistics.median(each.all for each in costs),
    )


def _measured_in(tree: Path, game: str) -> dict[str, Cost]:
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
    return {kind: Cost(**each) for kind, each in json.loads(done.stdout).items()}


async def _measure(game: str) -> dict[str, Cost]:
    costs: dict[str, list[Cost]] = {kind: [] for kind in FRAMES[game]}
    async with open_fair(load(game)) as fair:
        for _ in range(CLIENTS):
            for kind, frame in FRAMES[game].items():
                costs[kind] += await _measure_client(fair, game, frame)
    return {kind: _median(each) for kind, each in costs.items()}


async def _measure_client(fair: Fair, game: str, frame: bytes) -> list[Cost]:
    link = fair.connect()
    if game in GREETINGS:
        await link.send(GREETINGS[game])
    await wait_all_tasks_blocked()
    client = max(fair.endpoint.clients, key=lambda each: each.number)
    if game == "hexxagon":
        welcome = await link.receive()
        assert isinstance(welcome, bytes)
        frame = frame.replace(b"USER", json.loads(welcome)["userId"].encode())
    turns, left, costs = fair.endpoint.hall.turns, [0], []
    for _ in range(1 if game == "quidditch" else MESSAGES):
        begun = perf_counter_ns()
        with turns.turn():
            turns.after(lambda: left.append(perf_counter_ns()))
            client._hear(frame)
        costs.append(Cost((left[-1] - begun) / 1000, (perf_counter_ns() - begun) / 1000))
        await wait_all_tasks_blocked()
    await link.aclose()
    await wait_all_tasks_blocked()
    return costs


if __name__ == "__main__":
    main()
