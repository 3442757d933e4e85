"""The open lobbies of one endpoint."""

import json
import random
import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

import orjson
import structlog
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.table import Chore, Ended, Save, Table
from ludothek.kit.reports import careful
from ludothek.observe.traffic import Traffic
from ludothek.runtime.client import Client
from ludothek.runtime.lobby import Company, Lobby, Settle
from ludothek.settings.limits import LIMITS, Limits, origin
from ludothek.storage.archive import Archive
from ludothek.storage.crash_names import crash_claim, crash_file
from ludothek.storage.state import StateDirectory
from transports import BUGS

log = structlog.get_logger()

# How long a report may take to be written, also during shutdown.
REPORT_SECONDS = 1.0

# Long messages (replays) that are made at the same time. Each takes some times its size, and every
# thread that makes one takes time from the games.
FETCHES = 2


class Hall:
    """Opens lobbies and stands between them: one may crash, the others do not notice."""

    def __init__(
        self,
        nursery: trio.Nursery,
        codec: Codec,
        clock: Clock,
        chance: Chance,
        company: Company | None = None,
        state: StateDirectory | None = None,
        traffic: Traffic | None = None,
        limits: Limits = LIMITS,
        tell: Callable[[Lobby, Ended, float], None] | None = None,
        settle: Settle | None = None,
    ) -> None:
        self.clock = clock
        self.limits = limits
        self.ids = chance.child("ids").random()
        self.lobbies: dict[str, Lobby] = {}
        self.opened = 0  # since the start
        self.crashes = 0
        self.draining = False  # nobody shall begin anything new here
        self._nursery = nursery
        self._codec = codec
        self._chance = chance
        self._company = company
        self.state = state
        self._archive: Archive | None = None
        self._traffic = traffic
        self._tell = tell  # how a match has ended
        self._settle = settle
        self._fetching = trio.CapacityLimiter(FETCHES)
        self._closed_one = trio.lowlevel.ParkingLot()
        self._opened_from: Counter[str] = Counter()  # the lobbies that are there, by origin

    def adopt(self, codec: Codec, company: Company | None) -> None:
        """Open lobbies with these from now on."""
        self._codec, self._company = codec, company

    def open(
        self,
        key: str,
        build: Callable[[random.Random], Table],
        *,
        nth: int = 0,
        opener: Client | None = None,
    ) -> Lobby:
        """Open a lobby at once; its table is built with a chance of its own.

        Where a key comes again, `nth` keeps the second lobby from repeating the first one. As long
        as it is there, it counts for the address of the client that has opened it.
        """
        chance = self._chance.child("lobby", key, *([nth] if nth else []))
        table = build(chance.random())
        lobby = Lobby(
            key,
            table,
            self._codec,
            self.clock,
            chance.seed,
            self._company,
            self._traffic,
            self._save if self.state else None,
            self._tell,
            self._fetching,
            self._settle,
        )
        self.lobbies[key] = lobby
        self.opened += 1
        if opener is not None and not opener.hosted:
            lobby.opened_from = origin(opener.host)
            self._opened_from[lobby.opened_from] += 1
        self._nursery.start_soon(self._supervise, lobby, name=f"lobby {key}")
        if self.draining:
            lobby.finish()
        return lobby

    @property
    def has_room(self) -> bool:
        """Whether somebody may open another lobby."""
        return len(self.lobbies) < self.limits.max_lobbies and not self.draining

    def has_room_for(self, opener: Client) -> bool:
        """Whether this client may open another lobby."""
        return self.has_room and not self.has_enough(opener)

    def has_enough(self, opener: Client) -> bool:
        """Whether clients of its address have opened as many lobbies as they may."""
        most = self.limits.max_lobbies_per_address
        opened = self._opened_from[origin(opener.host)]
        return 0 < most <= opened and self._is_counted(opener)

    def is_crowded(self, lobby: Lobby, client: Client) -> bool:
        """Whether a client may not come into a lobby any more, not even to watch."""
        summary = lobby.table.summary
        if len(summary.players) + len(summary.spectators) >= self.limits.max_clients_per_lobby:
            return True
        most = self.limits.max_clients_per_lobby_and_address
        return 0 < most <= lobby.guests_from(origin(client.host)) and self._is_counted(client)

    def _is_counted(self, client: Client) -> bool:
        return not client.hosted and self.limits.counts(client.host)

    def find(self, key: str) -> Lobby | None:
        """The lobby of that key, if there is one and it has not closed."""
        lobby = self.lobbies.get(key)
        return lobby if lobby is not None and lobby.open else None

    def _save(self, save: Save | Chore) -> None:
        if self._archive is None:
            assert self.state is not None
            self._archive = Archive(self.state)
            self._nursery.start_soon(self._archive.run)
        self._archive.put(save)

    async def _supervise(self, lobby: Lobby) -> None:
        log.debug("lobby opened", lobby=lobby.key, seed=lobby.seed)
        structlog.contextvars.unbind_contextvars("client")  # from here on it is everybody's
        with structlog.contextvars.bound_contextvars(lobby=lobby.key):
            try:
                await lobby.run()
            except* BUGS as bugs:
                self.crashes += 1
                with careful("lobby crashed"):
                    await self._report(lobby, bugs)
            finally:
                # Another one may have taken its place already.
                if self.lobbies.get(lobby.key) is lobby:
                    del self.lobbies[lobby.key]
                self._forget_opening(lobby.opened_from)
                self._closed_one.unpark_all()
            log.debug("lobby closed")

    async def _report(self, lobby: Lobby, bugs: BaseException) -> None:
        inputs: list[str] = []
        with careful("what led to the crash of a lobby"):
            inputs.extend(str(happening) for happening in lobby.journal)
        with careful("lobby crashed"):
            log.error("lobby crashed", seed=lobby.seed, inputs=inputs, exc_info=bugs)
        await self._keep_report(lobby, inputs, bugs)

    def _forget_opening(self, place: str | None) -> None:
        if place is None:
            return
        self._opened_from[place] -= 1
        if not self._opened_from[place]:
            del self._opened_from[place]

    async def _keep_report(self, lobby: Lobby, inputs: list[str], bugs: BaseException) -> None:
        """Keep what led to a crash: with the seed and the inputs it can be repeated."""
        if self.state is None:
            return
        now = self.clock.date()
        report = {
            "time": now.isoformat(),
            "lobby": lobby.key,
            "seed": lobby.seed,
            "inputs": inputs,
            "traceback": "".join(traceback.format_exception(bugs)),
        }
        name = crash_file(now, bugs, lobby.key)
        with trio.move_on_after(REPORT_SECONDS, shield=True):
            await self.state.keep("crashes", name, _write(report), crash_claim)

    def drain(self) -> None:
        """End every lobby as soon as no match is running in it."""
        self.draining = True
        for lobby in tuple(self.lobbies.values()):
            lobby.finish()

    async def wait_empty(self) -> None:
        """Wait until the last lobby has closed."""
        while self.lobbies:
            await self._closed_one.park()

    def close(self) -> None:
        """Let every table say goodbye in its protocol's words."""
        for lobby in tuple(self.lobbies.values()):
            with careful("the end of a lobby"):
                lobby.shut_down()


def _write(report: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(report)
    except TypeError:  # half a character in what somebody has sent
        return json.dumps(report).encode()
