"""The open lobbies of one endpoint."""

from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import trio

from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.effects import Chore, Save
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.table import Table
from ludothek.kit.reports import careful
from ludothek.observe.traffic import Traffic
from ludothek.runtime.bout import Conclusion
from ludothek.runtime.companions import BringBots
from ludothek.runtime.foyer import Foyer
from ludothek.runtime.front_desk import FrontDesk
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.quotas import Quotas
from ludothek.runtime.supervisor import Supervisor
from ludothek.settings.limits import LIMITS, Limits
from ludothek.storage.state import StateDirectory
from transports import Turns

if TYPE_CHECKING:
    from ludothek.runtime.annals import Annals
    from ludothek.runtime.recovery import PastLobby
    from ludothek.runtime.rerun import Rerun

# How many long messages (replays) are made at the same time. Each takes several times its size in
# memory, and every thread that makes one takes time from the games.
FETCHES = 2

# Has written what a step of a lobby leaves behind: the result of a match with its seconds, if one
# has ended, and files of the game.
Keep = Callable[[Lobby, Conclusion | None, Sequence[Save]], None]

# Makes the codec of an endpoint with another clock.
CodecAt = Callable[[Clock], Codec]

# Waits until everything that had arrived by a given time is handled.
Settle = Callable[[float], Awaitable[None]]


class Hall:
    """Opens lobbies and isolates them: if one crashes, the others do not notice."""

    def __init__(
        self,
        nursery: trio.Nursery,
        codec: Codec,
        clock: Clock,
        chance: Chance,
        bring_bots: BringBots | None = None,
        state: StateDirectory | None = None,
        traffic: Traffic | None = None,
        limits: Limits = LIMITS,
        keep: Keep = lambda lobby, conclusion, files: None,
        facts: Mapping[str, Any] | None = None,
        settle: Settle | None = None,
        turns: Turns | None = None,
        about: Mapping[str, Any] | None = None,
        codec_at: CodecAt | None = None,
    ) -> None:
        self.make_lobby: Callable[..., Lobby] = Lobby
        self.kind: Callable[[Any], type] = type  # of a message of the server
        self.game = str((about or {}).get("game", ""))  # its name
        self._about = dict(about or {})  # what records say: the game, versions
        self.turns = turns or Turns()
        self.clock = clock
        self.codec = codec
        self.codec_at = codec_at or (lambda clock: codec)  # the same with another clock
        self.bring_bots = bring_bots
        self.quotas = Quotas(limits)
        self.desk = FrontDesk(self, chance, self.quotas, state)
        self.traffic = traffic or Traffic()
        self.facts = dict(facts or {})
        self.settle = settle
        self.keep = keep
        self.lobbies: dict[str, Lobby] = {}
        self.tables: dict[str, Table] = {}  # of the lobbies
        self.opened = 0  # since the start
        self.crashes = 0
        self.draining = False  # nothing new may begin here
        self.fetching = trio.CapacityLimiter(FETCHES)
        self.pending: deque[Callable[[], None]] = deque()  # consequences of the current step
        self.foyer: Foyer
        self.annals: Annals | None = None  # None: nothing survives this process
        self._stamped, self._stamp = 0, (0.0, 0.0)  # the turn of the latest stamp
        self._nursery = nursery
        self._chance = chance
        self._state = state
        self._supervisor = Supervisor(self, nursery, state)

    @property
    def about(self) -> dict[str, Any]:
        """What a record of now says apart from its match; some protocols write local times."""
        return {**self._about, "zone": self.clock.date().astimezone().strftime("%z")}

    def receive_clients(
        self, make: Callable[[Desk], Reception], begin: Callable[[], None] | None = None
    ) -> None:
        """Set up the reception, which may open lobbies from now on."""
        self.foyer = Foyer(self, make(self.desk))
        (begin or self.foyer.begin)()
        self._nursery.start_soon(self.foyer.run)

    def adopt(self, codec: Codec, bring_bots: BringBots | None, codec_at: CodecAt) -> None:
        """Use these for lobbies that open from now on."""
        self.codec, self.bring_bots, self.codec_at = codec, bring_bots, codec_at

    def stamp(self) -> tuple[float, float]:
        """The time of this turn, for deadlines and as a date in seconds since 1970."""
        turn = self.turns.number
        if turn != self._stamped or not turn:
            self._stamped = turn
            self._stamp = self.clock.time(), self.clock.date().timestamp()
        return self._stamp

    def catch_up(self) -> None:
        """Perform everything that follows from the steps taken."""
        while self.pending:
            self.pending.popleft()()

    def seed_after(self, lobby: str, seed: int | str) -> int | str:
        """The next seed of a lobby, which nobody can compute from that one."""
        return self._chance.child("after", lobby, seed).seed

    # Lobbies

    def open(self, key: str, table: Table, chance: Chance, opener: Client | None = None) -> Lobby:
        """Open a lobby at once.

        As long as it is open, it counts for the address of the client that opened it.
        """
        lobby = self.make_lobby(self, key, table, chance.seed)
        self.opened += 1
        if opener is not None and not opener.hosted:
            lobby.opened_from = opener.origin
        self._run(lobby)
        if self.annals is not None:
            self.annals.opened(lobby)
        if self.draining:
            lobby.finish()
        return lobby

    def reopen(self, past: "PastLobby", rerun: "Rerun") -> Lobby:
        """Continue with a lobby of another process, whose table was made again."""
        lobby = Lobby(self, past.beginning.lobby, rerun.table, past.beginning.seed)
        lobby.resume(past, rerun)
        self._run(lobby)
        return lobby

    def _run(self, lobby: Lobby) -> None:
        self.lobbies[lobby.key], self.tables[lobby.key] = lobby, lobby.table
        self.quotas.open(lobby)
        self._supervisor.run(lobby)

    def find(self, key: str) -> Lobby | None:
        """The open lobby of that key."""
        return self.lobbies.get(key)

    def forget(self, lobby: Lobby) -> None:
        """A lobby has closed."""
        if self.lobbies.get(lobby.key) is lobby:
            del self.lobbies[lobby.key], self.tables[lobby.key]
        if self.annals is not None:
            self.annals.closed(lobby)
        self.quotas.close(lobby)

    def save(self, save: Save | Chore) -> None:
        """Have a file written; without a state directory nothing outlives the daemon."""
        if self._state is not None:
            self.turns.after(partial(self._put, self._state, save))

    def _put(self, state: StateDirectory, save: Save | Chore) -> None:
        with careful("a file to be kept"):
            state.archive.put(save)

    def drain(self) -> None:
        """Close every lobby as soon as no match is running in it."""
        self.draining = True
        with self.turns.turn():
            for lobby in tuple(self.lobbies.values()):
                lobby.finish()
            self.catch_up()

    async def wait_empty(self) -> None:
        """Wait until the last lobby has closed."""
        await self._supervisor.wait_idle()

    def close(self) -> None:
        """Let every table say goodbye in its protocol's words."""
        for lobby in tuple(self.lobbies.values()):
            with careful("the end of a lobby"), self.turns.turn():
                lobby.shut_down()
                self.catch_up()
