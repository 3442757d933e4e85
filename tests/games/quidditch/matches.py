"""Whole Quidditch matches, many at once over real sockets, and what every client must have seen."""

import random
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import attrs
import orjson
import trio

from games.quidditch.bots import DIFFICULTIES
from games.quidditch.codec.frames import READER
from games.quidditch.messages import MatchFinish, Snapshot
from games.quidditch.player import QuidditchPlayer
from games.quidditch.rules import Phase, apply_delta
from games.quidditch.rules import Snapshot as Pitch
from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.player import PlayerOptions, Report
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.runtime.playing import play
from ludothek.settings.config_file import make_host
from ludothek.storage.state import StateDirectory
from tests.games.quidditch.audit import audit
from tests.games.quidditch.scene import BRIEF, CODEC
from transports import open_poller

FOLDERS = {"replays": "replay", "replays-with-snapshots": "replayWithSnapshot"}

DOOR = 20  # how many may come in at once


class Follower:
    """Follows a match from its first snapshot on by deltas alone; or just watches."""

    def __init__(self, *, checks: bool) -> None:
        self._checks = checks
        self.steps = 0
        self.shown: Pitch | None = None
        self._believed: Pitch | None = None
        self._apart = 0

    def follow(self, shown: Pitch) -> None:
        self.steps += 1
        self.shown = shown
        if self._checks:
            audit(shown)
            self._compare(shown)

    def _compare(self, shown: Pitch) -> None:
        if self._believed is None:
            self._believed = shown
        else:
            self._believed = apply_delta(self._believed, shown.delta)
        # While one player is on another's cell, a snapshot shows the other one where his own
        # move, one or two deltas later, will put him; then both views agree again.
        self._apart = 0 if self._believed == shown else self._apart + 1
        assert self._apart <= 2, (self._believed, shown)
        if self._apart:
            assert _without_pushed(self._believed, shown) == shown

    def end(self, finish: MatchFinish) -> None:
        assert self.shown is not None
        assert self._apart == 0
        assert self.shown.phase is Phase.FINISH
        assert (finish.end_round, finish.left_points, finish.right_points) == (
            self.shown.round,
            self.shown.left_points,
            self.shown.right_points,
        )


def _without_pushed(believed: Pitch, shown: Pitch) -> Pitch:
    """What was believed, with one player who was pushed (and the quaffle in his hands) as shown."""
    pairs = zip(believed.players, shown.players, strict=True)
    (pushed,) = (one.entity for one, other in pairs if one != other)
    changes: dict[str, Any] = {"players": shown.players}
    if believed.holder is pushed:
        changes["quaffle"] = shown.quaffle
    return attrs.evolve(believed, **changes)


@attrs.define(eq=False)
class Watchful:
    """A computer player and what it has seen of its match."""

    player: QuidditchPlayer
    follower: Follower
    seated: trio.Event = attrs.field(factory=trio.Event)
    finish: MatchFinish | None = None
    reports: list[Report] = attrs.field(factory=list)

    def greet(self) -> Iterable[Any]:
        return self.player.greet()

    def hear(self, message: Any) -> Iterable[Any]:
        self.seated.set()
        if isinstance(message, Snapshot):
            self.follower.follow(message.snapshot)
        if isinstance(message, MatchFinish):
            self.finish = message
            self.follower.end(message)
        return self.player.hear(message)

    def idle(self) -> Iterable[Any]:
        return self.player.idle()


def open_endpoint(state: Path, lobbies: int) -> Endpoint:
    settings = {"match": str(BRIEF), "accounts": "memory", "max_lobbies": lobbies}
    host = make_host("quidditch", "test", settings, port=0)
    return Endpoint(host, Clock(), Chance(1), state=StateDirectory(state))


async def play_matches(count: int, state: Path) -> list[tuple[Watchful, Watchful]]:
    """So many matches at once on one endpoint; returns when all are over and saved.

    One player of each checks every snapshot; both hear the same, so the other one need not.
    """
    pairs = [
        (_player(n, "left", checks=True), _player(n, "right", checks=False)) for n in range(count)
    ]
    door = trio.CapacityLimiter(DOOR)
    async with open_poller() as poller, trio.open_nursery() as nursery:
        endpoint = open_endpoint(state, count)
        port = int((await endpoint.bind()).rpartition(":")[2])
        await nursery.start(endpoint.listen, Guarded(nursery), nursery, poller)
        async with trio.open_nursery() as matches:
            for left, right in pairs:
                matches.start_soon(_pair, endpoint, port, door, left, right)
        assert endpoint.hall.crashes == 0
        nursery.cancel_scope.cancel()
    assert endpoint.state is not None
    endpoint.state.close(seconds=60)  # what waits for the disk is still written
    return pairs


def _player(number: int, place: str, *, checks: bool) -> Watchful:
    options = PlayerOptions(
        lobby=f"lobby{number}", username=f"{place}{number}", difficulty=len(DIFFICULTIES) - 1
    )
    player = QuidditchPlayer(options, random.Random(f"{number}/{place}"))
    return Watchful(player, Follower(checks=checks))


async def _pair(
    endpoint: Endpoint, port: int, door: trio.CapacityLimiter, left: Watchful, right: Watchful
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_run, endpoint, port, door, left)
        await left.seated.wait()
        nursery.start_soon(_run, endpoint, port, door, right)


async def _run(endpoint: Endpoint, port: int, door: trio.CapacityLimiter, who: Watchful) -> None:
    async with AsyncExitStack() as stack:
        async with door:  # not all at once, or the last ones wait too long
            link = await stack.enter_async_context(
                endpoint.game.transport.connect("127.0.0.1", port)
            )
        await play(link, CODEC, who, who.reports.append)


def read_replays(state: Path) -> dict[str, dict[str, Any]]:
    """All replays that were saved, by kind and lobby."""
    kept: dict[str, dict[str, Any]] = {}
    for folder, kind in FOLDERS.items():
        containers = [orjson.loads(path.read_bytes()) for path in (state / folder).iterdir()]
        assert {each["payloadType"] for each in containers} == {kind}
        kept[kind] = {each["payload"]["lobby"]: each["payload"] for each in containers}
        assert len(kept[kind]) == len(containers)
    return kept


def follow_replay(replay: Any) -> Pitch:
    """Where a replay without snapshots leads from its first one."""
    snapshot: Pitch = READER.read("snapshot", replay["firstSnapshot"]).snapshot
    for entry in replay["log"][:-1]:
        snapshot = apply_delta(snapshot, READER.read("deltaBroadcast", entry["payload"]).delta)
    return snapshot
