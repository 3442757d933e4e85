"""Everybody in one situation of a check: the client that is checked, and its opponents."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.invited import Invited
from ludothek.arena.program import Program
from ludothek.arena.sandbox import Sandbox
from ludothek.arena.seat import Seat
from ludothek.check.open_air import OpenAir
from ludothek.check.opponent import OpponentLink
from ludothek.check.transcript import Transcript
from ludothek.contract.clock import Clock
from ludothek.contract.player import BrokenProtocol
from ludothek.contract.situation import Delivery, Opponents, Seats, Server, Situation
from ludothek.runtime.connection import Connection
from ludothek.runtime.playing import BotLink
from transports import Farewell, Link, Listener, Relay, Trouble
from transports.memory import MemoryLink

# As long as any protocol allows, and longer; games cut it.
LONG_NAME = "Jürgen_Größenwahn-Äußerling_Straße_Œuvre_Łukasz_Søn_Ñandú_Çelik_7"

# Opponents who send what their bots know nothing of.
MISBEHAVING = (Opponents.STRAY, Opponents.ARE_EXPELLED)

# What happens to everything that the server sends.
TROUBLE = {Delivery.PIECES: Trouble(cut=1.0), Delivery.GLUED: Trouble(merge=1.0)}

# Hears at which port somebody may connect, and which lobby to join.
Tell = Callable[[int, str], None]


class Attendants(Invited):
    """Those who are invited, with a transcript of the one that is checked."""

    def __init__(
        self,
        situation: Situation,
        candidate: Entrant,
        number: int,
        playing: Callable[[], bool],
        tell: Tell,
        *invited: Any,
    ) -> None:
        super().__init__(*invited)
        self._situation = situation
        self._playing = playing
        self._tell = tell
        game = self._court.game
        codec = game.codec(Clock(), self._settings)
        self.transcript = Transcript(game.clauses, codec)
        self.may_return = False  # its connection has broken
        if situation.seats is Seats.FREE:
            self.candidate = self.seats[number]
        else:
            name = self._contest.name(candidate.name)
            self.candidate = Seat(len(self.seats), candidate, name)

    # The lobbies

    def _open_lobby(self) -> None:
        super()._open_lobby()
        foyer = self._court.hall.foyer
        for opening in self._situation.lobbies:
            foyer.open_lobby(opening)
        if self.candidate not in self.seats:
            self.candidate.keys = dict(self.seats[0].keys)

    def close_lobby(self) -> None:
        """The lobby is gone before the client comes."""
        for lobby in [*self._court.hall.lobbies.values()]:
            lobby.shut_down()

    async def invite_late(self) -> None:
        """Start the client when nobody waits for it."""
        self.candidate.admitted.set()
        await self._invite(self.candidate)

    async def start_again(self) -> None:
        """Start the client once more, after its connection has broken."""
        seat = self.candidate
        if seat.program is not None:
            await seat.program.stop()
            await self._invite(seat)

    async def send_home(self) -> None:
        await super().send_home()
        program = self.candidate.program
        if program is not None and self.candidate not in self.seats:
            await program.stop()

    # The client

    @property
    def _encloses(self) -> bool:
        return False

    def _sandbox(self, entrant: Entrant, words: Sequence[str], folder: Path) -> Sandbox:
        return OpenAir(entrant, words, self._task.bounds, self._task.private, folder)

    async def _listen(self, seat: Seat, host: str, port: int) -> tuple[Sequence[Listener], int]:
        listeners, port = await super()._listen(seat, host, port)
        if (trouble := TROUBLE.get(self._situation.delivery)) is not None:
            listeners = Relay(trouble, self._task.seed, self._helpers).stand_before(listeners)
        if seat.entrant.kind is Kind.REMOTE:
            self._tell(port, self._lobby_name)
        return listeners, port

    def _greet(self, seat: Seat, link: Link) -> Connection:
        client = super()._greet(seat, link)
        client.tap = self.transcript
        return client

    async def _meet(self, seat: Seat, link: Link) -> None:
        if self.may_return:
            self.may_return = False
            seat.link, seat.departed = link, False
            seat.client = self._greet(seat, link)
            self._news()
            await self._court.attend(seat.client)
            self._news()
            return
        await super()._meet(seat, link)

    async def _watch(self, seat: Seat, program: Program) -> None:
        if seat.program is program and not self.may_return:
            await super()._watch(seat, program)
            if program.end is not None and not self._playing():
                seat.blame(program.end.reason, program.end.words)
                self._news()
        else:
            await program.watch()

    # Its opponents

    def _mouth(self, seat: Seat, link: MemoryLink) -> BotLink:
        situation = self._situation
        conduct = situation.opponents
        if situation.seats is Seats.TAKEN or situation.server is Server.CUTS_OFF:
            conduct = Opponents.ARE_SLOW  # the match must not be over before the client comes
        encode = self._court.game.codec(Clock(), self._settings).encode
        says = [encode(message) for message in situation.says]
        return OpponentLink(link, conduct, self._playing, says, self._is_refusal)

    def _is_refusal(self, frame: bytes) -> bool:
        game = self._court.game
        return game.clauses.refuses(game.codec(Clock(), self._settings).decode(frame))

    async def _play(self, seat: Seat) -> None:
        await super()._play(seat)
        if isinstance(self.bug, BrokenProtocol) and self._situation.opponents in MISBEHAVING:
            self.bug = None  # the bot cannot know what was sent in its name
            if seat.client is not None:
                seat.client.close(Farewell.DONE)
