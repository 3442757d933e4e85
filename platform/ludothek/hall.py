"""The open lobbies of one endpoint."""

import random
import traceback
from collections.abc import Callable

import orjson
import structlog
import trio

from ludothek.archive import Archive
from ludothek.chance import Chance
from ludothek.clock import Clock
from ludothek.codec import Codec
from ludothek.lobby import Company, Lobby
from ludothek.orders import Shutdown
from ludothek.state import StateDirectory
from ludothek.table import Save, Table

log = structlog.get_logger()

# How long a report may take to be written, also during shutdown.
REPORT_SECONDS = 1.0


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
    ) -> None:
        self.clock = clock
        self.ids = chance.child("ids").random()
        self.lobbies: dict[str, Lobby] = {}
        self.crashes = 0
        self._nursery = nursery
        self._codec = codec
        self._chance = chance
        self._company = company
        self.state = state
        self._archive: Archive | None = None

    def open(self, key: str, build: Callable[[random.Random], Table], *, nth: int = 0) -> Lobby:
        """Open a lobby at once; its table is built with a chance of its own.

        Where a key comes again, `nth` keeps the second lobby from repeating the first one.
        """
        chance = self._chance.child("lobby", key, *([nth] if nth else []))
        table = build(chance.random())
        save = self._save if self.state else None
        lobby = Lobby(key, table, self._codec, self.clock, chance.seed, self._company, save)
        self.lobbies[key] = lobby
        self._nursery.start_soon(self._supervise, lobby, name=f"lobby {key}")
        return lobby

    def find(self, key: str) -> Lobby | None:
        """The lobby of that key, if there is one and it has not closed."""
        lobby = self.lobbies.get(key)
        return lobby if lobby is not None and lobby.open else None

    def _save(self, save: Save) -> None:
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
            except* Exception as bugs:
                self.crashes += 1
                inputs = [str(happening) for happening in lobby.journal]
                log.error("lobby crashed", seed=lobby.seed, inputs=inputs, exc_info=bugs)
                await self._keep_report(lobby, inputs, bugs)
            finally:
                # Another one may have taken its place already.
                if self.lobbies.get(lobby.key) is lobby:
                    del self.lobbies[lobby.key]
            log.debug("lobby closed")

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
        name = f"{now:%Y%m%d-%H%M%S}-{lobby.key}.json"
        with trio.move_on_after(REPORT_SECONDS, shield=True):
            await self.state.keep("crashes", name, orjson.dumps(report))

    def close(self) -> None:
        """Let every table say goodbye in its protocol's words."""
        for lobby in tuple(self.lobbies.values()):
            lobby.let(lobby.table.order, Shutdown())
            lobby.close()
