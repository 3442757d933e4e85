"""One browser's connection while somebody plays."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import orjson
import trio
from trio_websocket import ConnectionClosed, WebSocketConnection

from ludothek.contract.orders import OrderRefused
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.person import NoAnswer, Person
from ludothek.web.play_messages import Answer, Nonsense, Resign, Return, Said, Sit, over, read
from transports import Bucket, Rate, unstopped_time

# Seconds for the first message.
FIRST_SECONDS = 10.0
# Seconds between two pings, and for the answer to each.
PING_SECONDS = 20.0
# Seconds for a browser to read a message.
READ_SECONDS = 10.0

# Messages that a person, however fast, does not exceed.
MESSAGES = Rate(per_second=20, burst=200)

NORMAL, POLICY_VIOLATION = 1000, 1008


class Refused(Exception):
    """The connection ends; browsers have words for the code, and the text is for all others."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


@attrs.define
class Shown:
    """What this browser has been told."""

    match_id: str = ""
    asked: int = 0
    answered: int = 0


class PlaySocket:
    """Seats somebody, tells the browser what there is to know, and hears what it says.

    It is told what has changed since it was last told something, so nothing waits for a slow one.
    """

    def __init__(self, endpoint: Endpoint, connection: WebSocketConnection, peer: str) -> None:
        self._endpoint = endpoint
        self._connection = connection
        self._peer = peer
        self._shown = Shown()
        self._messages = Bucket(MESSAGES, unstopped_time())

    async def serve(self) -> None:
        """Talk until the game is over or the browser is gone."""
        try:
            await self._play()
            await self._close(NORMAL)
        except* Refused as refusals:
            refusal = _first_of(refusals)
            await self._refuse(refusal)
            await self._close(POLICY_VIOLATION, refusal.code)

    async def _play(self) -> None:
        person = await self._meet()
        visit = person.arrive()
        try:
            await self._accompany(person, visit)
        finally:
            person.presence.depart(visit)

    async def _close(self, code: int, reason: str = "") -> None:
        with trio.move_on_after(READ_SECONDS):  # for the browser's goodbye
            await self._connection.aclose(code, reason)

    # Meeting

    async def _meet(self) -> Person:
        said: Said | None = None
        with trio.move_on_after(FIRST_SECONDS):
            try:
                said = await self._hear()
            except Nonsense as problem:
                raise Refused("nonsense", str(problem)) from None
        match said:
            case Return(token=token):
                return self._welcome_back(token)
            case Sit():
                return await self._seat(said)
            case None:
                raise Refused("silent", f"nothing was said for {FIRST_SECONDS:g} seconds")
        raise Refused("nonsense", "the first message is of type sit")

    def _welcome_back(self, token: str) -> Person:
        person = self._endpoint.people.find(token)
        if person is None:
            raise Refused(
                "gone", "that seat is gone: it was left too long, or the server restarted"
            )
        return person

    async def _seat(self, sit: Sit) -> Person:
        if not self._endpoint.ready:
            raise Refused("closing", "no new games begin here at the moment")
        try:
            return await self._endpoint.people.seat(sit.wish, self._peer)
        except OrderRefused as refusal:
            raise Refused("no-seat", str(refusal)) from None

    # Talking

    async def _accompany(self, person: Person, visit: int) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen, person)
            nursery.start_soon(self._ping)
            await self._show_everything(person, visit)
            nursery.cancel_scope.cancel()

    async def _show_everything(self, person: Person, visit: int) -> None:
        await self._tell(self._seated(person))
        while True:
            changed = person.changed
            if person.presence.visit != visit:
                raise Refused("taken-over", "the game goes on in another window")
            for news in self._news(person):
                await self._tell(news)
            if person.outcome is not None:
                await self._tell(over(person.outcome))
                return
            if changed is person.changed:
                await changed.wait()

    def _seated(self, person: Person) -> Mapping[str, Any]:
        ticket, people = person.ticket, self._endpoint.people
        lobby = people.lobby_of(person)
        return {
            "type": "seated",
            "token": ticket.token,
            "name": ticket.name,
            "seat": ticket.seat,
            "lobby": None if lobby is None else lobby.table.summary.name,
            "lasting": self._endpoint.hall.annals is not None,
            "how": None if ticket.difficulty is not None else people.directions(person),
        }

    def _news(self, person: Person) -> Iterator[Mapping[str, Any]]:
        shown, inquiry = self._shown, person.inquiry
        if person.match_id != shown.match_id:
            shown.match_id = person.match_id
            yield {"type": "match", "id": shown.match_id, "seat": person.ticket.seat}
        if inquiry.answered > shown.answered:
            shown.answered = inquiry.answered
            if shown.asked >= shown.answered:  # it was told of the question
                yield {"type": "answered", "number": shown.answered}
        if inquiry.question is not None and inquiry.asked > shown.asked:
            shown.asked = inquiry.asked
            page = self._endpoint.game.page
            assert page is not None
            assert page.move is not None
            yield {
                "type": "question",
                "number": inquiry.asked,
                "moves": [*map(page.move, inquiry.question.moves)],
                "clock": round(person.presence.seconds, 1),
            }

    async def _listen(self, person: Person) -> None:
        while True:
            try:
                match await self._hear():
                    case Answer(number=number, move=move):
                        person.answer(number, move)
                    case Resign():
                        person.resign()
                    case Sit() | Return():
                        raise NoAnswer("you have a seat already")
            except (NoAnswer, Nonsense) as problem:
                await self._refuse(Refused("stale", str(problem)))

    async def _ping(self) -> None:
        """Notice a browser that is gone without a word."""
        while True:
            await trio.sleep(PING_SECONDS)
            with trio.move_on_after(PING_SECONDS):
                await self._connection.ping()
                continue
            raise ConnectionClosed(None)

    # Messages

    async def _hear(self) -> Said:
        message = await self._connection.get_message()
        if self._messages.take(1, unstopped_time):
            raise Refused("flood", "that is more than a person can do")
        return read(message)

    async def _refuse(self, refusal: Refused) -> None:
        await self._tell({"type": "refused", "code": refusal.code, "why": str(refusal)})

    async def _tell(self, message: Mapping[str, Any]) -> None:
        with trio.move_on_after(READ_SECONDS):
            await self._connection.send_message(orjson.dumps(message).decode())
            return
        raise ConnectionClosed(None)


def _first_of(refusals: BaseExceptionGroup[Refused]) -> Refused:
    first = refusals.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else first
