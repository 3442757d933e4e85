"""People who play on the page, at one endpoint."""

import random
import secrets
import shlex
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import cast

import attrs
import trio

from ludothek.contract.game import Game
from ludothek.contract.invitation import Invitations
from ludothek.contract.orders import Abort, OrderRefused
from ludothek.contract.player import Asker, PlayerOptions
from ludothek.contract.reception import Organised
from ludothek.runtime.companions import BringBots, Companions
from ludothek.runtime.doorman import GuardedDoor
from ludothek.runtime.hall import Hall
from ludothek.runtime.hosted_bots import Briefing
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.person import Person, Ticket
from ludothek.runtime.presence import AWAY_SECONDS
from ludothek.settings.fields import SettingsError
from ludothek.settings.limits import origin
from transports import Complaint, Link, Spawner
from transports.memory import MemoryLink, memory_link_pair

# Letters and digits of a lobby's name that are not mistaken for one another.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

# Seconds for the computer to take its seat, where it has to be first.
BOT_SECONDS = 5.0

# How the other player is called where the game wants to know it beforehand.
SOMEBODY = "Guest"


@attrs.frozen(kw_only=True)
class Wish:
    """The game that somebody wants to play."""

    name: str  # of the person
    difficulty: int | None = None  # of the computer; None: somebody else joins
    begins: bool = True
    lobby: str | None = None  # the name under which others find it


class People:
    """Gives people a lobby of their own, and remembers the way back for those who are away."""

    def __init__(
        self,
        game: Game,
        hall: Hall,
        door: GuardedDoor,
        spawn: Spawner,
        welcome: Callable[[Link], Awaitable[None]],
        bots: Callable[[Briefing], BringBots],
    ) -> None:
        self._game = game
        self._hall = hall
        self._door = door
        self._spawn = spawn
        self._welcome = welcome
        self._bots = bots
        self._people: dict[str, Person] = {}  # by token
        self._ended: dict[str, float] = {}  # when, by token

    @property
    def playing(self) -> Sequence[Person]:
        """Those whose games are not over."""
        return [person for person in self._people.values() if person.outcome is None]

    def find(self, token: str) -> Person | None:
        """Somebody who plays, or whose game ended a moment ago."""
        self._forget()
        return self._people.get(token)

    def lobby_of(self, person: Person) -> Lobby | None:
        return self._hall.find(person.ticket.lobby)

    def directions(self, person: Person) -> dict[str, str | None] | None:
        """What the other player needs to know, as JSON; None if the lobby is closed."""
        lobby = self.lobby_of(person)
        if lobby is None:
            return None
        invitation = self._invitations.invite(lobby.table, _other(person))
        return {
            "name": invitation.name,
            "message": self._hall.codec.encode(invitation.message).decode(),
            "bot": shlex.join(invitation.bot),
        }

    @property
    def _invitations(self) -> Invitations:
        if self._game.invitations is None or not isinstance(self._hall.foyer.reception, Organised):
            raise OrderRefused(f"{self._game.title} cannot be played on this page")
        return self._game.invitations

    # Sitting down

    async def seat(self, wish: Wish, peer: str) -> Person:
        """Open a lobby for somebody at that address, who plays from now on; raises OrderRefused."""
        self._forget()
        host = peer.rpartition(":")[0].strip("[]") or peer
        self._check(wish, host)
        lobby = self._open(wish)
        try:
            ticket = Ticket(
                token=secrets.token_urlsafe(16),
                host=host,
                name=wish.name,
                lobby=lobby.key,
                seat=0 if wish.begins else 1,
                difficulty=wish.difficulty,
                idle_seconds=self._door.limits.person_idle_seconds,
            )
            await self._let_bot_begin(lobby, ticket)
            person, link = self._make(lobby, ticket)
            self._enter(host)
        except BaseException:
            _close(lobby)
            raise
        link.peer = peer
        self._people[ticket.token] = person
        self._spawn.start_soon(self._welcome, link)
        self._spawn.start_soon(self._attend, person)
        # Both begin before the second of these ends: whoever is told of the seat finds it again,
        # even if this process dies now.
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        return person

    def _check(self, wish: Wish, host: str) -> None:
        limits, playing = self._door.limits, self.playing
        most, place = limits.max_people_per_address, origin(host)
        here = sum(origin(person.ticket.host) == place for person in playing)
        if most and here >= most and limits.counts(host):
            raise OrderRefused("as many games as your address may have are being played already")
        if len(playing) >= limits.max_people:
            raise OrderRefused("as many people as fit are playing already; try again later")
        computers = len(self._game.difficulties)
        if wish.difficulty is not None and not 0 <= wish.difficulty < computers:
            raise OrderRefused(f"the strengths of the computer are 0 to {computers - 1}")
        if self._invitations.first_come and wish.difficulty is None and not wish.begins:
            raise OrderRefused("whoever comes first begins, and that is you")

    def _enter(self, host: str) -> None:
        """Count as a connection, like any other client."""
        objection = self._door.enter(host)
        if isinstance(objection, Complaint):
            raise OrderRefused(objection.value)

    def _open(self, wish: Wish) -> Lobby:
        computer = wish.difficulty is not None
        names = [wish.name, self._opponent(wish.difficulty)]
        code = "".join(secrets.choice(LETTERS) for _ in range(4))
        opening = self._invitations.opening(
            wish.lobby or f"{wish.name} {code}",
            names if wish.begins else names[::-1],
            not computer,
        )
        lobby = self._hall.foyer.open_lobby(opening)
        self.accompany(lobby, wish.difficulty, 1 if wish.begins else 0)
        return lobby

    def _opponent(self, difficulty: int | None) -> str:
        if difficulty is None:
            return SOMEBODY
        return f"Computer ({self._game.difficulties[difficulty]})"

    def accompany(self, lobby: Lobby, difficulty: int | None, seat: int) -> None:
        """Let the computer come to that seat as soon as a person is there, or no bot at all."""

        def brief(lobby: Lobby) -> Sequence[PlayerOptions]:
            assert difficulty is not None
            own = self._invitations.invite(lobby.table, seat).own
            name = self._opponent(difficulty)
            return [
                PlayerOptions(
                    lobby=lobby.key, loyal=True, username=name, difficulty=difficulty, own=own
                )
            ]

        lobby.companions = None if difficulty is None else Companions(self._bots(brief))

    async def _let_bot_begin(self, lobby: Lobby, ticket: Ticket) -> None:
        """Where the first to come begins, let that be the computer if the person wants it."""
        if not ticket.seat or not self._invitations.first_come:
            return
        assert lobby.companions is not None
        lobby.companions.greet()
        with trio.move_on_after(BOT_SECONDS):
            await lobby.companions.seated.wait()
            return
        raise OrderRefused("the computer does not come; try again")

    def _make(self, lobby: Lobby, ticket: Ticket) -> tuple[Person, MemoryLink]:
        """A person, and the other end of the connection."""
        options = PlayerOptions(
            lobby=lobby.key,
            loyal=True,
            username=ticket.name,
            asks=True,
            own=self._invitations.invite(lobby.table, ticket.seat).own,
        )
        ours, theirs = memory_link_pair()
        try:
            player = cast("Asker", self._game.player(options, random.Random(ticket.token)))
        except SettingsError as error:
            raise OrderRefused(str(error)) from None
        theirs.owner = person = Person(ticket, player, self._hall.codec, ours)
        person.greet()
        return person, theirs

    # Playing

    async def _attend(self, person: Person) -> None:
        ticket = person.ticket
        try:
            await person.play(partial(self._look, person))
        finally:
            self._door.leave(ticket.host)
            self._ended[ticket.token] = trio.current_time()
            lobby = self.lobby_of(person)
            # A lobby that the person has been in ends as its game wants.
            if lobby is not None and all(client.hosted for client in lobby.clients):
                _close(lobby)

    def _look(self, person: Person) -> str | None:
        lobby = self.lobby_of(person)
        return None if lobby is None else lobby.match_id

    def _forget(self) -> None:
        """Forget those whose games ended some time ago."""
        due = trio.current_time() - AWAY_SECONDS
        for token in [token for token, ended in self._ended.items() if ended < due]:
            del self._ended[token], self._people[token]

    # Surviving

    def recall(self, person: Person) -> None:
        """Continue with somebody whom another process has left; the lobby is open again."""
        ticket = person.ticket
        if (lobby := self.lobby_of(person)) is not None:
            self.accompany(lobby, ticket.difficulty, _other(person))
        self._door.readmit(ticket.host)
        self._people[ticket.token] = person
        self._spawn.start_soon(self._attend, person)


def _other(person: Person) -> int:
    return 1 - person.ticket.seat


def _close(lobby: Lobby) -> None:
    with suppress(OrderRefused):
        lobby.order(Abort())
