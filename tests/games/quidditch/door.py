"""A reception without Trio: clients log in, in virtual time."""

import random
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

import attrs

from games.quidditch.accounts import Accounts, Unregistered, Verdict
from games.quidditch.logins import Ticket
from games.quidditch.messages import JoinRequest, PrivateError
from games.quidditch.reception import QuidditchReception
from games.quidditch.settings import Settings
from ludothek.contract import plain
from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import (
    Admit,
    Chore,
    Effect,
    Effects,
    Kick,
    Open,
    Send,
    Unhold,
    Work,
)
from ludothek.contract.table import Table
from ludothek.settings.fields import build
from ludothek.testing.dummies import DummyClient
from tests.support.desk import GenerousDesk

HOME, LAB, EVIL = "10.0.0.1", "134.60.0.1", "10.6.6.6"


class Slow:
    """Accounts whose passwords take a second to check; each is the user's name."""

    slow = True

    def admit(self, name: str, password: str, *, register: bool = True) -> Verdict:
        if name.startswith("new") and not register:
            raise Unregistered(name)
        return Verdict.KNOWN if password == name else Verdict.WRONG

    def played(self, names: Iterable[str]) -> None:
        raise AssertionError("no match is played here")

    def remember(self) -> str:
        return ""

    def recall(self, memory: str) -> None:
        pass


@attrs.define
class DummyDesk(GenerousDesk):
    """A desk with room for everything; many people share one address."""

    clock: Clock
    tables: dict[str, Table] = attrs.field(factory=dict)
    ids: random.Random = attrs.field(factory=lambda: random.Random(1))
    draining: bool = False
    directory: Path | None = None
    has_room: bool = True
    room: int = 1000
    gone: set[Client] = attrs.field(factory=set)

    def chance_for(self, lobby: str, nth: int = 0) -> Chance:
        return Chance(nth)

    def has_hung_up(self, client: Client) -> bool:
        return client in self.gone

    def exempts(self, host: str) -> bool:
        return host == LAB

    def note_disk_failure(self) -> None:
        raise AssertionError("there is no disk")


class Door:
    """Where clients come to log in, and what they are told."""

    def __init__(self, accounts: Accounts | None = None, **settings: Any) -> None:
        self.time = 0.0
        self.begun: list[str] = []  # names whose passwords are sent to a thread
        self.answers: dict[Client, str] = {}  # "in", or why not
        self.opened: list[str] = []  # lobbies
        self.chores: list[Chore] = []
        self.effects: list[Effect] = []
        self.clients: list[DummyClient] = []  # who are connected
        self.held: dict[Client, JoinRequest] = {}  # what clients said that wait for an answer
        self._numbers = count(1)
        self._working: list[tuple[float, Work]] = []
        self._accounts = accounts
        self._settings = build(Settings, settings, "test")
        self.desk = DummyDesk(Clock(time=lambda: self.time))
        self.reception = self._receive_clients()

    def _receive_clients(self) -> QuidditchReception:
        reception = QuidditchReception(self.desk, self._settings)
        if self._accounts is not None:
            reception._accounts = self._accounts
        return reception

    def succeed(self) -> None:
        """Another process goes on; clients that wait for an answer ask again."""
        memory = _again(self.reception.remember())
        for client in self.clients:
            client.visitor = _again(client.visitor)
        held, self.held = self.held, {}
        self._working.clear()
        self.reception = self._receive_clients()
        self.perform(self.reception.recall(memory, self.clients))
        for waiting, request in held.items():
            self.say(waiting, request)

    @property
    def waiting(self) -> int:
        return self.reception._logins.waiting

    def knock(self, name: str, password: str, address: str = HOME) -> Client:
        """A client arrives and wants to log in."""
        client = self.connect(address)
        self.join(client, name, password)
        return client

    def connect(self, address: str = HOME) -> DummyClient:
        client = DummyClient(next(self._numbers), host=address)
        self.clients.append(client)
        self.perform(self.reception.arrive(client))
        return client

    def join(self, client: Client, name: str, password: str, lobby: str = "hogwarts") -> None:
        request = JoinRequest(
            lobby=lobby,
            user_name=name,
            password=password,
            is_artificial_intelligence=False,
            mods=[],
        )
        self.say(client, request)

    def say(self, client: Client, message: Any) -> None:
        if isinstance(message, JoinRequest):
            self.held[client] = message
        self.perform(self.reception.receive(client, message))

    def log_in(self, name: str, password: str, address: str = HOME) -> str:
        """Log in and wait for the answer."""
        client = self.knock(name, password, address)
        while client not in self.answers:
            assert self._go_on(self._next), "nobody will ever answer"
        return self.answers[client]

    def guess(self, times: int, address: str, name: str = "harry") -> float:
        """The seconds that so many wrong passwords take, one after another."""
        start = self.time
        for _ in range(times):
            assert self.log_in(name, "wrong", address) == "wrong password"
        return self.time - start

    def hang_up(self, client: Client, *, noticed: bool = True) -> None:
        self.desk.gone.add(client)
        self.clients = [each for each in self.clients if each is not client]
        self.held.pop(client, None)
        if noticed:
            self.perform(self.reception.leave(client))

    def wait(self, seconds: float) -> None:
        """Let time pass, and what is due happen."""
        end = self.time + seconds
        while self._go_on(end):
            pass
        self.time = end

    @property
    def _next(self) -> float:
        return min([self.reception.timers.deadline, *(due for due, _ in self._working)])

    def _go_on(self, end: float) -> bool:
        """Let the next thing happen, if it is due by then."""
        due = self._next
        if due > end or due == float("inf"):
            return False
        self.time = max(self.time, due)
        if (timer := self.reception.timers.take_due()) is not None:
            self.perform(self.reception.time_up(timer))
            return True
        _, work = self._working.pop(0)
        self.perform(self.reception.worked(work.about, work.do()))
        return True

    def perform(self, effects: Effects) -> None:
        for effect in tuple(effects):
            self.effects.append(effect)
            match effect:
                case Unhold(client=client) | Kick(client=client):
                    self.held.pop(client, None)
                case Open(lobby=lobby, table=table):
                    self.opened.append(lobby)
                    self.desk.tables[lobby] = table
                case Admit(client=client, lobby=lobby, admission=admission):
                    self.answers[client] = "in"
                    tuple(self.desk.tables[lobby].enter(client, admission))
                case Send(to=client, message=PrivateError() as error):
                    assert isinstance(client, DummyClient)
                    self.answers[client] = _why(error)
                case Chore():
                    self.chores.append(effect)
                case Work(about=Ticket(name=name)):
                    self.begun.append(name)
                    self._working.append((self.time + 1, effect))


def _why(error: PrivateError) -> str:
    """The words of the standard, or where it has none, those that follow the clause."""
    words, _, detail = error.information.removeprefix("Error: ").partition(": ")
    return detail.partition(" ")[2] if error.code == 200 else words


def _again(value: Any) -> Any:
    """The same in another process."""
    return plain.read(plain.write(value), "games.quidditch", lambda number: None)
