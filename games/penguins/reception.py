"""The talk outside of rooms: joining them, and what administrators do with them.

Every message names its room, and one connection may be in several; so all of them are heard
here and handed on to the room that is meant.
"""

import random
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, cast

import structlog

from games.penguins import refusal, rules
from games.penguins.board import SEEDS, generate
from games.penguins.gate import MOST_TRIES, Gate
from games.penguins.guest import Guest
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
from games.penguins.refusal import Refusal
from games.penguins.rules import Move, Team
from games.penguins.seat import Seat
from games.penguins.settings import Preparation, Settings
from games.penguins.table import PenguinsTable
from games.penguins.vacancies import Vacancies
from ludothek.contract.chance import random_uuid
from ludothek.contract.codec import Malformed
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.runtime.client import Client
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby
from ludothek.settings.fields import SettingsError, build
from ludothek.settings.limits import origin
from transports import Complaint

log = structlog.get_logger()

# Of one client; a client must not fill the log by asking for nonsense again and again.
LOGGED_MISTAKES = 10

# Addresses of which it is remembered that they have all the rooms they may have.
REMEMBERED_PLACES = 1000

AdminRequest = Prepare | Observe | Pause | Step | Cancel


class PenguinsReception:
    """Hears every client and knows who is an administrator."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self._hall = hall
        self._settings = settings
        self._admins: list[Client] = []
        self._vacancies = Vacancies(hall.find)
        # No room can be taken from the silent before that; by address, or None for all.
        self._full_until: dict[str | None, float] = {}
        self._gate = Gate(hall.clock.time, lambda host: hall.limits.exempts(host))

    async def visit(self, client: Client) -> None:
        guest = Guest(client)
        try:
            while not client.closing:
                await client.converse(lambda _, packet: self._hear(guest, packet))
                if guest.early is not None:
                    await self._gate.turn(client)
                    self._hear_late(guest, guest.early)
        finally:
            self._gate.leave(client)
            if guest.admin:
                self._admins.remove(client)
            for room in guest.rooms:
                room.leave(client, _table(room).depart, guest.departure)

    def _hear(self, guest: Guest, packet: Packet | Malformed) -> None:
        match packet:
            case Malformed(reason=reason):
                self._note(guest, "protocol error", reason)
                guest.departure = "PROTOCOL_ERROR"
                guest.client.close()
            case CloseConnection():
                guest.departure = "RECEIVED_DISCONNECT"
                guest.client.close()
            case Authenticate() if not guest.rooms and self._gate.line_up(guest.client):
                guest.early = packet
                guest.client.hush()
            case _:
                self._answer(guest, packet)

    def _answer(self, guest: Guest, packet: Packet) -> None:
        try:
            self._obey(guest, packet)
        except Refusal as reason:
            self._note(guest, "refused", str(reason))
            for room in guest.rooms:
                if _table(room).will_ask(guest.client):
                    room.let(_table(room).hurry)  # the answer must not overtake it
            guest.client.send(ErrorPacket(str(reason), packet))

    def _note(self, guest: Guest, event: str, reason: str) -> None:
        """Log a mistake; those of a client that makes many of them only with `-v`."""
        guest.mistakes += 1
        level = log.info if guest.mistakes <= LOGGED_MISTAKES else log.debug
        level(event, reason=reason)

    def _obey(self, guest: Guest, packet: Packet) -> None:
        match packet:
            case Room(room_id=room_id):
                room = self._find(room_id)
                if not isinstance(packet.data, Move | UnreadableMove):
                    raise refusal.not_a_move(packet)
                if not _table(room).seats(guest.client):
                    raise refusal.not_a_member(room.key)
                room.let(room.table.receive, guest.client, packet)
            case Join(game_type=game_type):
                self._join(guest, game_type)
            case JoinRoom(room_id=room_id):
                self._join_room(guest, room_id)
            case JoinPrepared(reservation_code=code):
                self._join_prepared(guest, code)
            case Authenticate(password=password):
                self._authenticate(guest, password)
            case Prepare() | Observe() | Pause() | Step() | Cancel():
                if not guest.admin:
                    raise refusal.unauthenticated(packet)
                self._administrate(guest, packet)
            case _:
                raise refusal.unhandled(packet)

    # Players

    def _join(self, guest: Guest, game_type: str | None) -> None:
        if game_type is not None:
            _check_type(game_type)
        room = self._vacancies.first()
        self._check_share(guest, room)
        room = room or self._open(guest, paused=self._settings.paused)
        self._enter(guest, room, None)
        joined = JoinedGameRoom(room.key, _table(room).player_count)
        for admin in self._admins:
            admin.send(joined)

    def _join_room(self, guest: Guest, room_id: str | None) -> None:
        room = self._find(room_id)
        if not _table(room).has_room:
            raise refusal.room_full(room_id)
        self._check_share(guest, room)
        self._enter(guest, room, None)

    def _join_prepared(self, guest: Guest, code: str | None) -> None:
        room = None if code is None else self._vacancies.reserved(code)
        if room is None:
            raise refusal.unknown_reservation()
        self._enter(guest, room, code)

    def _check_share(self, guest: Guest, room: Lobby | None) -> None:
        """Nobody shall fill the rooms alone; whoever has a code was invited."""
        most, rooms = self._settings.max_rooms_per_client, guest.rooms
        if most and len(rooms) >= most and room not in rooms and not guest.admin:
            raise refusal.in_too_many_rooms(len(rooms))

    def _enter(self, guest: Guest, room: Lobby, code: str | None) -> None:
        guest.come_into(room)
        room.enter(guest.client, code)

    # Administrators

    def _hear_late(self, guest: Guest, request: Authenticate) -> None:
        """Hear a password whose turn has come."""
        guest.early = None
        if not (guest.client.closing or guest.client.gone):
            self._answer(guest, request)
        self._gate.leave(guest.client)

    def _authenticate(self, guest: Guest, password: str | None) -> None:
        try:
            self._gate.check(guest.client, password, self._settings.password)
        except Refusal as reason:
            guest.tries += 1
            if guest.tries < MOST_TRIES:
                raise
            guest.client.send(ErrorPacket(str(reason), Authenticate(password)))
            self._send_away(guest)
            return
        if not guest.admin:
            guest.admin = True
            self._admins.append(guest.client)

    def _send_away(self, guest: Guest) -> None:
        reason = Complaint.GUESSING.value
        log.warning("client dropped", address=guest.client.host, reason=reason)
        guest.client.traffic.drops[Complaint.GUESSING.key] += 1
        guest.client.refuse(Complaint.GUESSING)

    def _administrate(self, guest: Guest, request: AdminRequest) -> None:
        if isinstance(request, Prepare):
            guest.client.send(self._prepare(request))
            return
        room = self._find(request.room_id)
        table = _table(room)
        match request:
            case Observe():
                guest.come_into(room)
                room.let(table.observe, guest.client)
            case Pause(pause=pause):
                room.let(table.pause, pause)
            case Step(forced=forced):
                room.let(table.step, forced)
            case Cancel():
                room.let(table.cancel)

    def _prepare(self, request: Prepare) -> Prepared:
        _check_type(request.game_type)
        if not 1 <= len(request.slots) <= len(Team):
            raise refusal.bad_slots(f"1 to {len(Team)} slots, not {len(request.slots)}")
        seats = tuple(self._seats(request.slots))
        room = self._open(None, seats=seats, paused=request.pause)
        codes = tuple(seat.reservation for seat in seats if seat.reservation is not None)
        return Prepared(room.key, codes)

    def _seats(self, slots: tuple[Slot, ...]) -> Iterator[Seat]:
        for team, slot in zip(Team, slots, strict=False):
            if slot.display_name is None:
                raise refusal.bad_slots("a slot without displayName")
            code = random_uuid(self._hall.ids) if slot.reserved else None
            yield Seat(team, slot.display_name, slot.can_timeout, code)

    # Organisers, who need no connection

    def open(self, opening: Opening) -> Lobby:
        """Prepare a room with two reserved seats; the codes are among the facts of its summary."""
        if opening.file or opening.tournament:
            raise OrderRefused("a Penguins room needs no file and knows no tournaments")
        try:
            wanted = build(Preparation, opening.settings, "penguins")
            slots = [Slot(name, wanted.can_timeout, True) for name in (wanted.one, wanted.two)]
            seats = tuple(self._seats(tuple(slots)))
            return self._open(None, seats=seats, paused=wanted.paused, name=opening.name)
        except (SettingsError, Refusal) as error:
            raise OrderRefused(str(error)) from None

    def seat(self, lobby: Lobby, clients: Sequence[Client], *, spectator: bool) -> None:
        raise OrderRefused("Penguins clients join by themselves, with the code of their seat")

    # Rooms

    def adopt(self, settings: Settings) -> None:
        self._settings = settings
        self._full_until.clear()

    def _rooms(self) -> Iterator[Lobby]:
        return (room for room in self._hall.lobbies.values() if room.open)

    def _find(self, room_id: str | None) -> Lobby:
        room = self._hall.find(room_id or "")
        if room is None:
            raise refusal.unknown_room(room_id)
        return room

    def _open(self, guest: Guest | None, **options: Any) -> Lobby:
        """A room for a guest who joins, or for an administrator, who may have any number."""
        if self._hall.draining:
            raise refusal.going_away()
        opener = None if guest is None or guest.admin else guest.client
        self._make_room(opener)
        room_id = random_uuid(self._hall.ids)

        def build(rng: random.Random) -> PenguinsTable:
            state = rules.start(generate(self._board_seed(rng)))
            return PenguinsTable(room_id, state, self._settings, self._hall.clock, **options)

        room = self._hall.open(room_id, build, opener=opener)
        self._vacancies.add(room)
        return room

    def _make_room(self, opener: Client | None) -> None:
        """See to it that one more room fits, at the cost of one whose players are silent."""
        greedy = opener is not None and self._hall.has_enough(opener)
        full = len(self._hall.lobbies) >= self._settings.max_rooms or not self._hall.has_room
        if not (greedy or full):
            return
        # An address that has as many as it may have makes room among its own.
        place = origin(opener.host) if opener is not None and greedy else None
        now = self._hall.clock.time()
        if now < self._full_until.get(place, now):
            raise refusal.too_many_rooms()
        rooms = [room for room in self._rooms() if room.opened_from is not None]
        if place is not None:
            rooms = [room for room in rooms if room.opened_from == place]
        idle = min(rooms, key=lambda room: _table(room).silent_since, default=None)
        silent_since = inf if idle is None else _table(idle).silent_since
        # A player that was not asked for a move yet counts as silent from now on at the earliest.
        due = min(now, silent_since) + (self._settings.idle_seat_seconds or inf)
        if idle is None or now < due:
            self._remember_full(place, due)
            raise refusal.too_many_rooms()
        idle.let(_table(idle).reclaim)

    def _remember_full(self, place: str | None, until: float) -> None:
        """Spare a look at all rooms for each who asks, until one of them may have become idle."""
        if len(self._full_until) >= REMEMBERED_PLACES:
            self._full_until.clear()
        self._full_until[place] = until

    def _board_seed(self, rng: random.Random) -> int:
        chosen = self._settings.board_seed
        return rng.choice(SEEDS) if chosen is None else chosen


def _check_type(game_type: str | None) -> None:
    if game_type != GAME_TYPE:
        raise refusal.unknown_game_type(game_type)


def _table(room: Lobby) -> PenguinsTable:
    return cast("PenguinsTable", room.table)
