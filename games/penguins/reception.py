"""The conversation outside of rooms: joining them, and what administrators do with them.

Every message names its room, and one connection may be in several rooms; so all messages are
heard here and passed on to the room that is meant.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, cast

import attrs

from games.penguins import breaches, refusals
from games.penguins.breaches import InRoom
from games.penguins.gate import MOST_TRIES, Gate
from games.penguins.member import Admission
from games.penguins.memory import Memory
from games.penguins.messages import (
    GAME_TYPE,
    Authenticate,
    Cancel,
    CloseConnection,
    ErrorPacket,
    Join,
    JoinedGameRoom,
    JoinPrepared,
    JoinRoom,
    Observe,
    Packet,
    Pause,
    Prepare,
    Prepared,
    Room,
    Slot,
    Step,
    UnreadableMove,
)
from games.penguins.notices import Hurry, MakeRoom, ObserverLeft, Observing, Parting
from games.penguins.recipe import Recipe, Seat
from games.penguins.refusals import Refusal
from games.penguins.rules import Move, Team
from games.penguins.settings import Preparation, Settings
from games.penguins.table import PenguinsTable
from games.penguins.vacancies import Vacancies
from games.penguins.visitor import Visitor
from ludothek.contract.chance import random_uuid
from ludothek.contract.clauses import Consequence
from ludothek.contract.client import Client
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import (
    Admit,
    Drop,
    Effects,
    Explain,
    Hold,
    Kick,
    Open,
    Pass,
    Send,
    Tell,
    Unhold,
)
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.timers import Timers
from ludothek.settings.fields import SettingsError, build
from transports import Complaint, Farewell

# How many addresses are remembered to have all the rooms they may have.
REMEMBERED_PLACES = 1000

AdminRequest = Prepare | Observe | Pause | Step | Cancel


class PenguinsReception(Reception):
    """Hears every client and knows who is an administrator."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk
        self._use(settings)
        self._rooms = cast("Mapping[str, PenguinsTable]", desk.tables)
        self._admins: list[Client] = []  # in the order in which they are told of news
        self._memory: Memory | None = None  # None: to be made again
        self._vacancies = Vacancies(self._rooms.get)
        # Until when no room can be taken from silent players; by address, or None for all.
        self._full_until: dict[str | None, float] = {}
        self._gate = Gate(self.timers, desk.clock.time, desk.exempts, desk.has_hung_up)

    def adopt(self, settings: Settings) -> Effects:
        self._use(settings)
        self._full_until.clear()
        return ()

    def _use(self, settings: Settings) -> None:
        self._settings = settings
        self._room_settings = attrs.evolve(settings, password=None)  # which rooms do not need

    # Going on in another process

    def remember(self) -> Memory:
        """The same object until something has changed: every move of every room passes here."""
        if self._memory is None:
            admins = tuple(client.number for client in self._admins)
            self._memory = Memory(admins, self._gate.remember())
        return self._memory

    def recall(self, memory: Memory | None, clients: Sequence[Client]) -> Effects:
        self._admins = [client for client in clients if _visitor(client).admin]
        if memory is not None:  # None: of another version
            ranks = {number: rank for rank, number in enumerate(memory.admins)}
            self._admins.sort(key=lambda client: ranks.get(client.number, len(ranks)))
            self._gate.recall(memory.guesses)
        self._vacancies.recall(self._rooms.values())
        self._memory = memory
        return ()

    # What happens

    def arrive(self, client: Client) -> Effects:
        client.visitor = Visitor()
        return ()

    def receive(self, client: Client, message: Packet | Malformed) -> Effects:
        match message:
            case Malformed(flaw=flaw):
                kicked = Explain(client, breaches.unreadable(flaw), Consequence.KICKED)
                return (kicked, *self._part(client, "PROTOCOL_ERROR"))
            case CloseConnection():
                return self._part(client, "RECEIVED_DISCONNECT")
            case Authenticate() if not self._is_in_a_room(client):
                return self._try_password(client, message)
        return self._answer(client, message)

    def leave(self, client: Client) -> Effects:
        self._gate.leave(client)
        visitor = _visitor(client)
        if visitor.admin:
            self._admins.remove(client)
            self._memory = None
        return [Tell(room_id, ObserverLeft(client)) for room_id in self._observed(visitor)]

    def time_up(self, timer: Hashable) -> Effects:
        turn = self._gate.next_try(cast("str", timer))
        if turn is None:
            return ()
        client, request = turn
        answer = self._answer(client, request)
        self._gate.leave(client)
        return [*answer, Unhold(client)]

    def _part(self, client: Client, how: str) -> Effects:
        news = [Tell(room_id, Parting(client, how)) for room_id in client.places]
        return [*news, Kick(client, Farewell.DONE)]

    def _answer(self, client: Client, packet: Packet) -> Effects:
        try:
            return self._obey(client, packet)
        except Refusal as refusal:
            # The answer must not overtake the request for a move.
            asked = [room for room in client.places if self._rooms[room].will_ask(client)]
            refused = ErrorPacket(str(refusal), packet)
            return [
                Explain(client, refusal.breach),
                *(Tell(room, Hurry()) for room in asked),
                Send(client, refused),
            ]

    def _obey(self, client: Client, packet: Packet) -> Effects:
        """What a request leads to; raises Refusal, and then it has had no effect."""
        match packet:
            case Room(data=data):
                room = self._find(packet)
                if not isinstance(data, (Move, UnreadableMove)):
                    raise refusals.not_a_move(packet)
                if not room.seats(client):
                    raise refusals.not_a_member(room.room_id)
                return (Pass(client, room.room_id, packet),)
            case Join():
                return self._join(client, packet)
            case JoinRoom():
                return self._join_room(client, packet)
            case JoinPrepared():
                return self._join_prepared(client, packet)
            case Authenticate():
                return self._authenticate(client, packet)
            case Prepare() | Observe() | Pause() | Step() | Cancel():
                if not _visitor(client).admin:
                    raise refusals.unauthenticated(packet)
                return self._administrate(client, packet)
        raise refusals.unhandled(packet)

    # Players

    def _join(self, client: Client, request: Join) -> Effects:
        if request.game_type is not None:
            _check_type(request)
        room = self._vacancies.first()
        self._check_share(client, room)
        opening: Effects = ()
        if room is None:
            room, opening = self._open(client, paused=self._settings.paused)
        joined = JoinedGameRoom(room.room_id, room.player_count + 1)
        news = [Send(tuple(self._admins), joined)] if self._admins else []
        return [*opening, _admit(client, room), *news]

    def _join_room(self, client: Client, request: JoinRoom) -> Effects:
        room = self._find(request)
        if not room.has_room:
            raise refusals.room_full(room.room_id)
        self._check_share(client, room)
        return (_admit(client, room),)

    def _join_prepared(self, client: Client, request: JoinPrepared) -> Effects:
        code = request.reservation_code
        room = None if code is None else self._vacancies.reserved(code)
        if room is None:
            raise refusals.unknown_reservation(request)
        return (_admit(client, room, code),)

    def _check_share(self, client: Client, room: PenguinsTable | None) -> None:
        """Nobody may fill the rooms alone; but whoever has a code was invited."""
        most, places = self._settings.max_rooms_per_client, client.places
        if room is not None and room.room_id in places:
            return
        if most and len(places) >= most and not _visitor(client).admin:
            raise refusals.in_too_many_rooms(len(places))

    # Administrators

    def _is_in_a_room(self, client: Client) -> bool:
        return bool(client.places or self._observed(_visitor(client)))

    def _observed(self, visitor: Visitor) -> list[str]:
        return [room_id for room_id in visitor.observed if room_id in self._rooms]

    def _try_password(self, client: Client, request: Authenticate) -> Effects:
        """Check a password as soon as it may be tried; until then its client has to wait."""
        gone = [Kick(other, Farewell.DONE) for other in self._gate.make_room(client.origin)]
        if self._gate.line_up(client, request):
            return [*gone, Hold(client)]
        return [*gone, *self._answer(client, request)]

    def _authenticate(self, client: Client, request: Authenticate) -> Effects:
        visitor = _visitor(client)
        self._memory = None
        try:
            self._gate.check(client, request.password, self._settings.password)
        except Refusal as refusal:
            visitor.tries += 1
            if visitor.tries < MOST_TRIES:
                raise
            refused = ErrorPacket(str(refusal), request)
            explained = Explain(client, refusal.breach)
            return [explained, Send(client, refused), Drop(client, Complaint.GUESSING)]
        if not visitor.admin:
            visitor.admin = True
            self._admins.append(client)
        return ()

    def _administrate(self, client: Client, request: AdminRequest) -> Effects:
        if isinstance(request, Prepare):
            return self._prepare(client, request)
        room = self._find(request)
        if isinstance(request, Observe):
            return self._observe(client, room.room_id)
        if not isinstance(request, Cancel) and room.ignores(request):
            return (Explain(client, breaches.without_effect(request), Consequence.IGNORED),)
        return (Tell(room.room_id, request),)

    def _observe(self, client: Client, room_id: str) -> Effects:
        visitor = _visitor(client)
        # Closed rooms are forgotten here, so that memory does not grow over days of observing.
        others = [other for other in self._observed(visitor) if other != room_id]
        visitor.observed = [*others, room_id]
        return (Tell(room_id, Observing(client)),)

    def _prepare(self, client: Client, request: Prepare) -> Effects:
        _check_type(request)
        if not 1 <= len(request.slots) <= len(Team):
            why = f"1 to {len(Team)} slots, not {len(request.slots)}"
            raise refusals.bad_slots(why, breaches.wrong_number_of_slots(request.slots))
        seats = tuple(self._seats(request.slots))
        room, opening = self._open(None, seats=seats, paused=request.pause)
        return [*opening, Send(client, Prepared(room.room_id, tuple(room.reservations)))]

    def _seats(self, slots: Sequence[Slot]) -> Iterator[Seat]:
        for place, (team, slot) in enumerate(zip(Team, slots, strict=False), 1):
            if slot.display_name is None:
                breach = breaches.slot_without_name(place)
                raise refusals.bad_slots("a slot without displayName", breach)
            code = random_uuid(self._desk.ids) if slot.reserved else None
            yield Seat(team, slot.display_name, slot.can_timeout, code)

    # Organisers, who need no connection

    def open(self, opening: Opening) -> Effects:
        """Prepare a room; the codes of reserved seats are among the facts in its summary."""
        if opening.file:
            raise OrderRefused("a Penguins room needs no file")
        try:
            wanted = build(Preparation, opening.settings, "penguins")
            named = ((wanted.one, wanted.one_reserved), (wanted.two, wanted.two_reserved))
            slots = [Slot(name, wanted.can_timeout, reserved) for name, reserved in named]
            seats = tuple(self._seats(slots))
            _, effects = self._open(None, seats=seats, paused=wanted.paused, name=opening.name)
        except (SettingsError, Refusal) as error:
            raise OrderRefused(str(error)) from None
        return effects

    # Rooms

    def _find(self, request: InRoom) -> PenguinsTable:
        room = self._rooms.get(request.room_id or "")
        if room is None:
            raise refusals.unknown_room(request)
        return room

    def _open(self, client: Client | None, **options: Any) -> tuple[PenguinsTable, Effects]:
        """A room for a client that joins, or for an administrator, who may have any number."""
        if self._desk.draining:
            raise refusals.going_away()
        opener = None if client is None or _visitor(client).admin else client
        room_made = self._make_room(opener)
        room_id = random_uuid(self._desk.ids)
        chance = self._desk.chance_for(room_id)
        recipe = Recipe(room_id=room_id, settings=self._room_settings, **options)
        room = PenguinsTable(recipe, self._desk.clock, chance.random())
        self._vacancies.add(room)
        return room, [*room_made, Open(room_id, room, chance, opener)]

    def _make_room(self, opener: Client | None) -> list[Tell]:
        """What it takes to fit in one more room, at the cost of one whose player is silent."""
        greedy = opener is not None and self._desk.has_enough(opener)
        full = len(self._rooms) >= self._settings.max_rooms or not self._desk.has_room
        if not (greedy or full):
            return []
        # An address that has as many as it may have makes room among its own.
        place = opener.origin if opener is not None and greedy else None
        now = self._desk.clock.time()
        breach = breaches.own_rooms() if greedy else breaches.all_rooms()
        if now < self._full_until.get(place, now):
            raise refusals.too_many_rooms(breach)
        idle = min(self._rooms_from(place), key=lambda room: room.silent_since, default=None)
        silent_since = inf if idle is None else idle.silent_since
        # A player that has not been asked for a move yet counts as silent from now at the earliest.
        due = min(now, silent_since) + (self._settings.idle_seat_seconds or inf)
        if idle is None or now < due:
            self._remember_full(place, due)
            raise refusals.too_many_rooms(breach)
        return [Tell(idle.room_id, MakeRoom())]

    def _rooms_from(self, place: str | None) -> Iterator[PenguinsTable]:
        """The rooms that clients of an address have opened; None: of any address."""
        for room_id, room in self._rooms.items():
            opened_from = self._desk.opened_from(room_id)
            if opened_from is not None and place in (None, opened_from):
                yield room

    def _remember_full(self, place: str | None, until: float) -> None:
        """Avoid searching all rooms for every request, until one of them may have become idle."""
        if len(self._full_until) >= REMEMBERED_PLACES:
            self._full_until.clear()
        self._full_until[place] = until


def _visitor(client: Client) -> Visitor:
    visitor: Visitor = client.visitor
    return visitor


def _admit(client: Client, room: PenguinsTable, code: str | None = None) -> Admit:
    return Admit(client, room.room_id, Admission(code), listen=False)


def _check_type(request: Join | Prepare) -> None:
    if request.game_type != GAME_TYPE:
        raise refusals.unknown_game_type(request)
