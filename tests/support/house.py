"""An endpoint without a core: a reception, its tables, and clients; it can end and be made anew."""

import random
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from ludothek.contract import plain
from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import (
    Admit,
    Close,
    Effect,
    Effects,
    Ended,
    Explain,
    Inform,
    Kick,
    Open,
    Pass,
    Release,
    Renew,
    Retire,
    Send,
    Tell,
)
from ludothek.contract.game import Game
from ludothek.contract.orders import OrderRefused, Shutdown
from ludothek.contract.table import Table
from ludothek.testing.dummies import DummyClient
from tests.support.desk import GenerousDesk


@attrs.define
class Note:
    """A happening at a table, and what the table answered."""

    time: float
    act: str
    args: bytes
    message: Any  # in place of an argument, since these need not be plain data
    answer: bytes = b""


@attrs.define(eq=False)
class Lobby:
    """A table, and all that is needed to make it once more."""

    key: str
    table: Table
    seed: int | str
    recipe: bytes
    since: float
    notes: list[Note] = attrs.field(factory=list)
    clients: dict[DummyClient, None] = attrs.field(factory=dict)


class House(GenerousDesk):
    """Performs effects as the core does, and keeps every byte that clients are sent."""

    def __init__(self, game: Game, settings: Any, seed: int = 1) -> None:
        self.game, self.settings = game, settings
        self.now = 0.0
        self.clock = Clock(lambda: self.now)
        self.codec = game.codec(self.clock, settings)
        self.sent: list[tuple[int, bytes]] = []
        self.ended: list[Ended] = []
        self.clients: dict[int, DummyClient] = {}  # connected
        self.met: dict[int, DummyClient] = {}  # ever
        self.lobbies: dict[str, Lobby] = {}
        self._ghosts: dict[int, DummyClient] = {}  # the clients that are gone, as tables knew them
        self._chance = Chance(seed)
        self._package = game.settings.__module__.rpartition(".")[0]
        self._pending: deque[Callable[[], None]] = deque()
        self.reception = game.reception(self, settings)
        self._let(self.reception.begin)

    # What the reception looks up

    ids = random.Random(1)
    draining = False
    directory: Path | None = None
    room = 1000
    has_room = True

    @property
    def tables(self) -> Mapping[str, Table]:
        return {key: lobby.table for key, lobby in self.lobbies.items()}

    def chance_for(self, lobby: str, nth: int = 0) -> Chance:
        return self._chance.child("lobby", lobby, nth)

    def has_hung_up(self, client: Client) -> bool:
        return client not in self.clients.values()

    def exempts(self, host: str) -> bool:
        return False

    def note_disk_failure(self) -> None:
        pass

    # What happens

    def connect(self) -> DummyClient:
        client = DummyClient(len(self.met) + 1)
        self.clients[client.number] = self.met[client.number] = client
        self._let(self.reception.arrive, client)
        return client

    def say(self, client: DummyClient, message: Any) -> None:
        """As if it came over the wire; clients that are gone say nothing."""
        if client.number not in self.clients:
            return
        message = self.codec.decode_request(self.codec.encode(message))
        lobby = self._listening(client)
        if lobby is None:
            self._let(self.reception.receive, client, message)
        else:
            self._step(lobby, "receive", client, message=message)
            self._catch_up()

    def hang_up(self, client: DummyClient) -> None:
        if self.clients.pop(client.number, None) is None:
            return
        self._ghosts[client.number] = ghost = DummyClient(client.number)
        ghost.name, ghost.visitor = client.name, copy(client.visitor)
        for key in client.places:
            self._forget(self.lobbies[key], client)
            self._step(self.lobbies[key], "leave", client)
        self._let(self.reception.leave, client)

    def order(self, key: str, order: Any) -> bool:
        """Whether the table obeys."""
        obeyed = self._step(self.lobbies[key], "order", order)
        self._catch_up()
        return obeyed

    def ask_reception(self, act: str, *args: Any) -> bool:
        """Whether the reception does what an organiser wants."""
        try:
            self._let(getattr(self.reception, act), *args)
        except OrderRefused:
            return False
        return True

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (found := self._first_due())[0] <= end:
            self.now = max(self.now, found[0])
            if found[1] is None:
                self._let(self.reception.time_up, self.reception.timers.take_due())
            else:
                self._step(found[1], "time_up")
                self._catch_up()
        self.now = end

    def restart(self, lost: Iterable[str] = (), *, forgetful: bool = False) -> None:
        """End this process, and go on in another one; some lobbies do not come over.

        A forgetful one cannot read what the reception has remembered.

        Fails unless all tables that are made again answer everything as they did before.
        """
        memory = self.read(self.write(self.reception.remember()))
        for key in lost:
            for client in self.lobbies.pop(key).clients:
                client.places = tuple(each for each in client.places if each != key)
        self.met.update(self._ghosts)  # nobody has told the new process that their visitors left
        for lobby in self.lobbies.values():
            self._make_again(lobby)
        self.reception = self.game.reception(self, self.settings)
        known = None if forgetful else memory
        self._let(self.reception.recall, known, [*self.clients.values()])

    def play(
        self,
        happenings: Sequence[Callable[["House", random.Random], object]],
        rng: random.Random,
        steps: int,
        deaths: Collection[int] = (),
    ) -> "House":
        """The same for the same generator, if nobody notices when the process ends."""
        for step in range(steps):
            if step in deaths:
                self.restart()
            happen = rng.choice(happenings)
            happen(self, rng)
        return self

    def heard(self, client: DummyClient) -> list[bytes]:
        """All frames that a client was sent."""
        return [frame for number, frame in self.sent if number == client.number]

    def write(self, value: Any) -> bytes:
        return plain.write(value)

    def read(self, data: bytes) -> Any:
        return plain.read(data, self._package, self.met.get)

    # Steps

    def _let(self, act: Callable[..., Effects], *args: Any) -> None:
        for effect in [*act(*args)]:
            self._perform(effect, None)
        self._catch_up()

    def _step(self, lobby: Lobby, act: str, *args: Any, message: Any = None) -> bool:
        note = Note(self.now, act, self.write(args), message)
        lobby.notes.append(note)
        effects = self._answer(lobby.table, note)
        if effects is None:
            return False
        note.answer = self.write(_told(effects))
        for effect in effects:
            self._perform(effect, lobby)
        return True

    def _answer(self, table: Table, note: Note) -> Sequence[Effect] | None:
        """What a table answers; None if it refuses an order."""
        if note.act == "time_up":
            return tuple(table.time_up(table.timers.take_due()))
        said = () if note.message is None else (note.message,)
        try:
            return tuple(getattr(table, note.act)(*self.read(note.args), *said))
        except OrderRefused:
            assert note.act == "order", "a table refuses what nobody has ordered"
            return None

    def _catch_up(self) -> None:
        while self._pending:
            self._pending.popleft()()

    def _first_due(self) -> tuple[float, Lobby | None]:
        due: tuple[float, Lobby | None] = self.reception.timers.deadline, None
        for lobby in self.lobbies.values():
            if lobby.table.timers.deadline < due[0]:
                due = lobby.table.timers.deadline, lobby
        return due

    def _make_again(self, lobby: Lobby) -> None:
        now, known = self.now, {one: (one.name, one.chats) for one in self.met.values()}
        self.now = lobby.since
        recipe, rng = self.read(lobby.recipe), Chance(lobby.seed).random()
        lobby.table = self.game.table(recipe, self.clock, rng)
        for note in lobby.notes:
            self.now = note.time
            effects = self._answer(lobby.table, note)
            assert note.answer == (b"" if effects is None else self.write(_told(effects)))
        self.now = now
        for client, (name, chats) in known.items():
            client.name, client.chats = name, chats

    # Effects

    def _perform(self, effect: Effect, lobby: Lobby | None) -> None:
        match effect:
            case Send(to=to, message=message):
                frame = self.codec.encode(message)
                for client in to if isinstance(to, Iterable) else (to,):
                    self.sent.append((client.number, frame))
            case Open(lobby=key, table=table, chance=chance):
                recipe = self.write(table.recipe)
                self.lobbies[key] = Lobby(key, table, chance.seed, recipe, self.now)
            case Admit() | Pass() | Tell() | Retire():
                if found := self.lobbies.get(effect.lobby):
                    self._involve(found, effect)
            case Kick(client=client):
                self.sent.append((client.number, b"kicked"))
                self._pending.append(partial(self.hang_up, self.met[client.number]))
            case Ended():
                self.ended.append(effect)
            case Explain():
                pass  # for organisers
            case _:
                assert lobby is not None, effect
                self._perform_for_table(effect, lobby)

    def _perform_for_table(self, effect: Effect, lobby: Lobby) -> None:
        match effect:
            case Release(client=client):
                self._let_go(lobby, self.met[client.number])
            case Close():
                self._close(lobby)
            case Inform(notice=notice):
                self._pending.append(partial(self._inform, lobby.key, notice))
            case Renew(recipe=recipe, chance=chance):
                lobby.seed = f"after {lobby.seed}"
                chance.seed(lobby.seed)
                lobby.recipe, lobby.since = self.write(recipe), self.now
                lobby.notes = []

    def _involve(self, lobby: Lobby, effect: Admit | Pass | Tell | Retire) -> None:
        match effect:
            case Admit(client=client, admission=admission):
                known = self.met[client.number]
                lobby.clients[known] = None
                known.places = (*known.places, lobby.key)
                self._step(lobby, "enter", client, admission)
            case Pass(client=client, message=message):
                self._step(lobby, "receive", client, message=message)
            case Tell(notice=notice):
                self._step(lobby, "told", notice)
            case Retire() if lobby.table.summary.idle:
                self._step(lobby, "order", Shutdown())
                self._close(lobby)

    def _inform(self, key: str, notice: Any) -> None:
        for effect in [*self.reception.informed(key, notice)]:
            self._perform(effect, None)

    def _let_go(self, lobby: Lobby, client: DummyClient) -> None:
        if self._forget(lobby, client):
            self._pending.append(partial(self._take_leave, lobby, client))

    def _take_leave(self, lobby: Lobby, client: DummyClient) -> None:
        if lobby.key in self.lobbies:
            self._step(lobby, "leave", client)
        self._take_back(client)

    def _take_back(self, client: DummyClient) -> None:
        if client.number in self.clients:
            for effect in [*self.reception.come_back(client)]:
                self._perform(effect, None)

    def _forget(self, lobby: Lobby, client: DummyClient) -> bool:
        if client not in lobby.clients:
            return False
        del lobby.clients[client]
        client.places = tuple(key for key in client.places if key != lobby.key)
        return True

    def _close(self, lobby: Lobby) -> None:
        if self.lobbies.pop(lobby.key, None) is not None:
            for client in tuple(lobby.clients):
                self._forget(lobby, client)
                self._pending.append(partial(self._take_back, client))

    def _listening(self, client: DummyClient) -> Lobby | None:
        return self.lobbies[client.places[-1]] if client.places else None


def _told(effects: Iterable[Effect]) -> list[Any]:
    """Effects as they can be compared: a source of randomness is not plain data."""
    return [each.recipe if isinstance(each, Renew) else each for each in effects]
