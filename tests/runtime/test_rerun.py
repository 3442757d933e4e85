"""Whatever a table can be told is repeated, and whatever it can answer is compared."""

import random
from collections.abc import Hashable
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games import hexxagon
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import (
    Admit,
    Began,
    Close,
    Effects,
    Ended,
    Fetch,
    Kick,
    Open,
    Pass,
    Release,
    Renew,
    Send,
    Tell,
    Work,
)
from ludothek.contract.game import Game
from ludothek.contract.orders import Abort, Order, OrderRefused, Start
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.table import Stage, Summary, Table
from ludothek.contract.timers import Timers
from ludothek.runtime.ending import untold
from ludothek.runtime.hall import FETCHES
from ludothek.runtime.note import NoteKind
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.runtime.rerun import Rerun
from ludothek.settings.fields import GameSettings
from ludothek.storage.match_files import newest_first
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import NOON, Fair, open_fair
from tests.support.toy import ToyCodec
from transports import Farewell


class Settings(GameSettings):
    """No more than every game has."""


class DatedCodec(ToyCodec):
    """Every frame says when it was encoded."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def decode(self, frame: bytes) -> Any:
        return Malformed("\ud800 loud") if frame == b"!" else frame.decode()

    def encode(self, message: Any) -> bytes:
        return f"{self._clock.date():%H:%M:%S.%f} {message}".encode("utf-8", "surrogatepass")


@attrs.frozen
class Recipe:
    settings: Settings
    said: tuple[str, ...] = ()
    members: tuple[Client, ...] = ()


@attrs.define(eq=False)
class Visitor:
    mood: str = "new"


class Parlour(Table):
    """Does everything that a table can do, when somebody says so."""

    def __init__(self, recipe: Recipe, clock: Clock, rng: random.Random) -> None:
        self.recipe = recipe
        self.timers = Timers(clock.time)
        self._rng = rng
        self._said = [*recipe.said]
        self._members = [*recipe.members]

    @property
    def summary(self) -> Summary:
        return Summary(name="parlour", stage=Stage.RUNNING)

    def enter(self, client: Client, admission: Any) -> Effects:
        self._members.append(client)
        yield Send(self._members, f"{client.number} is {admission} and {client.visitor.mood}")

    def receive(self, client: Client, message: Any) -> Effects:
        self._said.append(str(message))
        moods = [member.visitor.mood for member in self._members]
        yield Send(client, f"{message} {self._rng.random()} {moods}")
        if message == "change":
            client.visitor.mood = "changed by the table"
        yield from self._obey(client, message)

    def _obey(self, client: Client, message: Any) -> Effects:
        match message:
            case "begin":
                yield Began(["x"])
            case "end":
                yield Ended(players=(), winner=None, reason="regular", moves=len(self._said))
            case "renew":
                recipe = Recipe(self.recipe.settings, tuple(self._said), tuple(self._members))
                yield Renew(recipe, self._rng)
            case "fetch":
                yield Fetch(client, partial(", ".join, tuple(self._said)))
            case "work":
                yield Work("it", lambda: {"done": (1, client)})
            case "timer":
                self.timers.start("tick", 5)
            case "shut":
                yield Close()
            case "go":
                yield Release(client)
            case "kick":
                yield Kick(client, Farewell.DONE)

    def leave(self, client: Client) -> Effects:
        self._members.remove(client)
        yield Send(self._members, f"{client.number} is gone")

    def time_up(self, timer: Hashable) -> Effects:
        yield Send(self._members, f"{timer}")

    def told(self, notice: Any) -> Effects:
        yield Send(self._members, f"told {notice}")

    def worked(self, about: Hashable, result: Any) -> Effects:
        yield Send(self._members, f"worked {about} {result}")

    def order(self, order: Order) -> Effects:
        yield Send(self._members, f"never sent if refused {order}")
        if isinstance(order, Start):
            raise OrderRefused("no")


class Doorkeeper(Reception):
    """Opens one lobby and lets everybody in; `@` and `*` are for it, everything else is passed."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk
        self._settings = settings

    def begin(self) -> Effects:
        chance = self._desk.chance_for("parlour")
        yield Open(
            "parlour",
            Parlour(Recipe(self._settings), self._desk.clock, chance.random()),
            chance,
        )

    def arrive(self, client: Client) -> Effects:
        client.visitor = Visitor()
        yield Admit(client, "parlour", {"name": client}, listen=False)

    def receive(self, client: Client, message: Any) -> Effects:
        if str(message).startswith("@"):
            client.visitor.mood = str(message)
        elif message == "*":
            yield Tell("parlour", ("news", client))
        else:
            yield Pass(client, "parlour", message)


GAME: Game = attrs.evolve(
    hexxagon.GAME,
    settings=Settings,
    codec=lambda clock, settings: DatedCodec(clock),
    table=Parlour,
    reception=Doorkeeper,
    limits={},
)


class Evening:
    """Two clients in the parlour, and what they hear."""

    def __init__(self, fair: Fair) -> None:
        self.fair = fair
        self.links: list[Any] = []
        self.heard: list[list[bytes]] = []

    async def begin(self) -> None:
        for _ in range(2):
            self.links.append(self.fair.connect())
            self.heard.append([])
            await wait_all_tasks_blocked()

    async def say(self, number: int, *frames: bytes) -> None:
        for frame in frames:
            await self.links[number - 1].send(frame)
            await wait_all_tasks_blocked()
            self._listen()

    def _listen(self) -> None:
        for link, heard in zip(self.links, self.heard, strict=True):
            heard += link.received()

    async def hears(self, words: bytes) -> None:
        """Wait until a thread has done something."""
        for _ in range(1000):
            self._listen()
            if any(words in frame for frame in self.heard[0]):
                return
            await trio.to_thread.run_sync(lambda: None)  # give other threads a chance
        raise AssertionError(words)

    def repeat(self) -> Record:
        """Repeat everything so far, and compare it with what was heard."""
        hall = self.fair.endpoint.hall
        record = Record.read(hall.lobbies["parlour"].record(hall.about)())
        replay = Replay(GAME, record)
        sent = [each for step in replay for each in step]
        for number, heard in enumerate(self.heard, 1):
            frames = [frame for client, frame in sent if client.number == number]
            assert frames == heard[len(heard) - len(frames) :]
        return record


def repeated(record: Record) -> Rerun:
    rerun = Rerun(GAME, record.beginning)
    for note in record.notes:
        rerun.repeat(note)
    return rerun


@pytest.fixture
async def evening(tmp_path: Path) -> Any:
    looks = count()
    clock = Clock(date=lambda: NOON + timedelta(seconds=1.5 * next(looks)))
    state = StateDirectory(tmp_path)
    async with open_fair(GAME, clock=clock, state=state) as fair:
        evening = Evening(fair)
        await evening.begin()
        await evening.say(1, b"hello")
        yield evening
    state.close(seconds=60)


async def test_what_clients_say(evening: Evening) -> None:
    await evening.say(1, b"one", "zwölf".encode(), b"two words")
    await evening.say(2, b"!", b"three")
    kinds = [note.kind for note in evening.repeat().notes]
    assert kinds.count(NoteKind.ENTER) == 2
    assert kinds.count(NoteKind.RECEIVE) == 6


async def test_a_frame_that_is_none(evening: Evening) -> None:
    lobby = evening.fair.endpoint.hall.lobbies["parlour"]
    (client, *_) = sorted(evening.fair.endpoint.clients, key=lambda each: each.number)
    lobby.hear(client, Malformed("half \ud800"), None)
    await evening.say(1, b"after")
    assert NoteKind.MALFORMED in [note.kind for note in evening.repeat().notes]


async def test_what_others_do(evening: Evening, mock_clock: MockClock) -> None:
    lobby = evening.fair.endpoint.hall.lobbies["parlour"]
    await evening.say(1, b"timer", b"*")
    mock_clock.jump(5)
    await wait_all_tasks_blocked()
    lobby.order(Abort(next(iter(evening.fair.endpoint.clients))))
    with pytest.raises(OrderRefused):
        lobby.order(Start())
    await evening.say(2, b"after")
    kinds = [note.kind for note in evening.repeat().notes]
    assert [kinds.count(kind) for kind in (NoteKind.TIME_UP, NoteKind.TOLD, NoteKind.ORDER)] == [
        1,
        1,
        2,
    ]


async def test_who_goes(evening: Evening) -> None:
    await evening.say(1, b"go", b"somewhere else")
    await evening.say(2, b"alone")
    assert NoteKind.LEAVE in [note.kind for note in evening.repeat().notes]


async def test_who_is_kicked_or_hangs_up_hears_no_more(evening: Evening) -> None:
    await evening.say(1, b"kick")
    evening.links[1].close()
    await wait_all_tasks_blocked()
    assert [note.kind for note in evening.repeat().notes].count(NoteKind.LEAVE) == 2


async def test_what_the_reception_changes_is_known_before_anybody_looks(evening: Evening) -> None:
    """The one who is looked at says nothing at this table meanwhile."""
    await evening.say(2, b"@sad")
    await evening.say(1, b"look")
    await evening.say(1, b"change", b"look", b"@glad")
    await evening.say(2, b"look")
    evening.repeat()
    assert any(b"@sad" in frame for frame in evening.heard[0])
    assert any(b"changed by the table" in frame for frame in evening.heard[0])
    assert any(b"@glad" in frame for frame in evening.heard[1])


async def test_long_messages_and_slow_work(evening: Evening) -> None:
    """Threads do it meanwhile, and its date is its own."""
    await evening.say(1, b"fetch", b"meanwhile", b"work")
    await evening.hears(b"worked it")
    await evening.hears(b"hello, fetch")
    await evening.say(1, b"after")
    notes = evening.repeat().notes
    assert {NoteKind.FETCHED, NoteKind.WORKED} <= {note.kind for note in notes}
    (fetched,) = [note for note in notes if note.kind is NoteKind.FETCHED]
    assert datetime.fromisoformat(fetched.content.decode()).timestamp() != fetched.date


async def test_what_was_done_is_not_done_again_after_a_rerun(evening: Evening) -> None:
    await evening.say(1, b"fetch", b"work")
    await evening.hears(b"worked it")
    await evening.hears(b"hello, fetch")
    rerun = repeated(evening.repeat())
    assert (rerun.fetches, rerun.work) == ([], [])


async def test_a_match_ends_with_its_lobby(evening: Evening, tmp_path: Path) -> None:
    await evening.say(1, b"begin", b"shut")
    evening.fair.endpoint.state.archive.close(60)  # type: ignore[union-attr]
    (file,) = newest_first(tmp_path)
    rerun = repeated(Record.read(file.read_bytes()))
    assert rerun.closed
    assert [ended.players for ended in rerun.ended] == [untold(Began(["x"])).players]


async def test_a_table_that_is_renewed_begins_anew(evening: Evening, tmp_path: Path) -> None:
    await evening.say(1, b"begin", b"end")
    await evening.say(1, b"begin", b"renew")
    await evening.say(2, b"after", b"@sad", b"more")
    record = evening.repeat()
    assert [note.content for note in record.notes if note.kind is NoteKind.RECEIVE] == [
        b"after",
        b"more",
    ]
    assert record.beginning.present == (1, 2)


async def test_the_record_of_a_match_does_not_tell_what_happens_in_the_next_one(
    evening: Evening, tmp_path: Path
) -> None:
    """Not even if somebody waits for something from before, so that nothing can be forgotten."""
    endpoint = evening.fair.endpoint
    for thread in range(FETCHES):
        endpoint.hall.fetching.acquire_on_behalf_of_nowait(thread)
    await evening.say(1, b"fetch")
    rolled = []
    for _ in range(2):
        await evening.say(1, b"begin", b"end", b"renew", b"dice")
        rolled.append(evening.heard[0][-1].decode())
    for thread in range(FETCHES):
        endpoint.hall.fetching.release_on_behalf_of(thread)
    await evening.hears(b", ")
    evening.repeat()
    endpoint.state.archive.close(60)  # type: ignore[union-attr]
    for file, seen in zip([*newest_first(tmp_path)][::-1], rolled, strict=True):
        rerun = repeated(Record.read(file.read_bytes()))
        for word in ("renew", "dice"):
            guess, *_ = rerun.table.receive(rerun.clients[1], word)
        assert isinstance(guess, Send)
        assert " dice 0." in seen
        assert guess.message not in seen


async def test_each_match_leaves_a_record(evening: Evening, tmp_path: Path) -> None:
    for _ in range(3):
        await evening.say(1, b"begin", b"end", b"renew")
    evening.fair.endpoint.state.archive.close(60)  # type: ignore[union-attr]
    files = [*newest_first(tmp_path)]
    assert len(files) == 3
    for file in files:
        for _ in Replay(GAME, Record.read(file.read_bytes())):
            pass


async def test_the_seed_of_a_renewed_table_does_not_follow_from_the_one_before(
    evening: Evening,
) -> None:
    """Whoever has the record of a match cannot compute the next one."""
    hall = evening.fair.endpoint.hall
    before = hall.lobbies["parlour"].seed
    await evening.say(1, b"renew")
    after = hall.lobbies["parlour"].seed
    assert after != before
    async with open_fair(GAME, seed=2) as elsewhere:
        assert elsewhere.endpoint.hall.seed_after("parlour", before) != after
