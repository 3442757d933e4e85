"""The talk before the lobby: who somebody is, and where it wants to go."""

import re
from collections.abc import Sequence
from itertools import count
from math import inf
from typing import Any
from unicodedata import category

import structlog
import trio
from ludothek.runtime.client import Client

from games.quidditch.account_troubles import AccountTroubles
from games.quidditch.accounts import (
    Accounts,
    AccountsError,
    CannotKeep,
    KeptAccounts,
    MemoryAccounts,
)
from games.quidditch.artefacts import BadArtefact, read_match
from games.quidditch.company import Login
from games.quidditch.logins import LoginRefused, Logins
from games.quidditch.messages import JoinRequest, Lobbies, LobbyEntry, MatchConfig, Undefined
from games.quidditch.mods import Mod, UnknownMod, read_mods
from games.quidditch.offences import Offence, Refusal, Violation, flaw
from games.quidditch.pauses import ORGANISER
from games.quidditch.settings import IN_MEMORY, Settings
from games.quidditch.table import QuidditchTable
from ludothek.contract.codec import Malformed
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby
from ludothek.settings.limits import origin
from transports import Farewell

log = structlog.get_logger()

DEFAULT_LOBBY = "hogwarts"

_USER_NAME = re.compile(r"[a-zA-Z0-9]{3,20}")
_LOBBY_NAME = re.compile(r"[a-zA-Z0-9]{3,40}")
MAX_PASSWORD = 128


class QuidditchReception:
    """Where clients are until they have logged in."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self._hall = hall
        self._settings = settings
        self._users: dict[str, Client] = {}  # who is connected under which name
        self._accounts = self._open_accounts()
        self._troubles = AccountTroubles()
        self._logins = Logins(
            self._accounts,
            hall.clock.time,
            lambda host: hall.limits.exempts(host),
            settings.registrations_per_hour,
        )
        self._openings = count()
        self._listed: list[tuple[str, bool, int]] = []
        self._list = Lobbies([])

    def _open_accounts(self) -> Accounts:
        settings, state = self._settings, self._hall.state
        directory = settings.accounts_directory or (state.path / "accounts" if state else None)
        if directory is None or settings.accounts == IN_MEMORY:
            return MemoryAccounts(settings.max_accounts, self._users)
        return KeptAccounts(directory, settings.max_accounts, self._users)

    async def visit(self, client: Client) -> None:
        try:
            while True:  # an organiser may send it back here
                await self._admit(client, await self._hear_join_request(client))
        except Violation as violation:
            log.info("client refused", reason=str(violation)[:200])
            client.send(violation.error(ends_match=False))
            client.close(Farewell.REFUSED)

    # Who somebody is

    async def _hear_join_request(self, client: Client) -> JoinRequest:
        with trio.move_on_after(self._settings.login_seconds or inf):
            message = await self._hear_first(client)
            while isinstance(message, Undefined):
                message = await client.receive()
            if isinstance(message, Malformed):
                offence = flaw(message).offence
                if offence is Offence.NOT_ALLOWED:  # a message, but of the server
                    raise Violation(Refusal.NO_JOIN_REQUEST, message.reason)
                raise Violation(offence, message.reason)
            if not isinstance(message, JoinRequest):
                raise Violation(Refusal.NO_JOIN_REQUEST, type(message).__name__)
            return message
        raise Violation(Offence.UNDEFINED, "no joinRequest came in time")

    async def _hear_first(self, client: Client) -> Any:
        """Its first message. «Der Server sendet on Connect» the lobbies, before anybody can have
        asked for them: where that is wanted, to those who wait for something in silence."""
        with trio.move_on_after(self._settings.lobbies_seconds or inf):
            return await client.receive()
        client.send(self._lobbies())
        return await client.receive()

    async def _admit(self, client: Client, request: JoinRequest) -> None:
        mods = _check(request)
        if not await self._knows(client, request):
            raise Violation(Refusal.WRONG_PASSWORD)
        if client.closing:
            return  # sent away while its password was checked
        # From here to the lobby nothing waits: nobody comes in between.
        lobby = self._find_or_open(request.lobby, client)
        self._check_room(lobby, client, request.user_name)
        login = Login(
            user_name=request.user_name,
            is_artificial_intelligence=request.is_artificial_intelligence,
            mods=mods,
            replaces_other=self._replace(client, request.user_name),
            lobbies=self._lobbies if Mod.LOBBIES in mods else None,
        )
        try:
            await lobby.attend(client, login)
        finally:
            if self._users.get(login.user_name) is client:
                del self._users[login.user_name]

    async def _knows(self, client: Client, request: JoinRequest) -> bool:
        """Whether somebody is who it says it is."""
        if client.hosted:
            # What this daemon brings along needs no account, and takes nobody's place.
            return request.user_name not in self._users
        try:
            known = await self._logins.admit(client, request.user_name, request.password)
        except LoginRefused as reason:
            raise Violation(Offence.UNDEFINED, str(reason)) from None
        except AccountsError as error:
            self._troubles.failed(request.user_name, error)
            if isinstance(error, CannotKeep) and self._hall.state is not None:
                self._hall.state.count_failure()
            raise Violation(Offence.UNDEFINED, "accounts cannot be used at the moment") from None
        self._troubles.worked(request.user_name, known)
        other = self._users.get(request.user_name)
        return bool(known) and (other is None or not other.hosted)

    def _replace(self, client: Client, name: str) -> bool:
        """«Der neuste Login zählt. Eine alte Verbindung muss vom Server geschlossen werden.»"""
        other = self._users.get(name)
        if other is not None and other is not client:
            log.info("replaced by a newer login", user=name, client=other.number)
            other.send(Violation(Refusal.DOUBLE_LOGIN).error(ends_match=False))
            other.close(Farewell.REFUSED)
        self._users[name] = client
        client.name = client.key = name
        return other is not None and other is not client

    # Where it goes

    def _find_or_open(self, name: str, client: Client) -> Lobby:
        lobby = self._hall.find(name)
        if lobby is None:
            self._make_room(client)
            lobby = self._open(name, self._settings.match_config, opener=client)
        return lobby

    def _make_room(self, opener: Client | None = None) -> None:
        """See to it that one more lobby may be opened, at the cost of one that nobody is in.

        If need be, also of one whose match has just begun and whose players may yet come back: by
        leaving one match after the other, two users could otherwise have all lobbies.
        """
        if self._hall.draining:
            raise Violation(Refusal.LOBBY_NAME, "the server ends soon and opens no lobby any more")
        tables, whose = self._tables(), ""
        if opener is not None and self._hall.has_enough(opener):
            # An address that has as many as it may have makes room among its own.
            place, whose = origin(opener.host), " from your address"
            tables = [entry for entry in tables if entry[0].opened_from == place]
        elif len(tables) < self._settings.max_lobbies and self._hall.has_room:
            return
        dispensable = [entry for entry in tables if entry[1].dispensable]
        if not dispensable:
            raise Violation(Refusal.LOBBY_NAME, f"there are {len(tables)} lobbies{whose} already")
        lobby, _ = min(
            dispensable, key=lambda found: (found[1].match_started, found[1].deserted_since)
        )
        lobby.close()

    def _check_room(self, lobby: Lobby, client: Client, name: str) -> None:
        """Whoever is in a lobby, or plays there, may always come back."""
        summary = lobby.table.summary
        known = name in summary.players or name in summary.spectators
        if not known and self._hall.is_crowded(lobby, client):
            raise Violation(Refusal.LOBBY_NAME, "there is no room for anybody else in this lobby")

    def _open(
        self,
        name: str,
        config: MatchConfig,
        *,
        kept: bool = False,
        opener: Client | None = None,
    ) -> Lobby:
        settings, clock = self._settings, self._hall.clock
        return self._hall.open(
            name,
            lambda rng: QuidditchTable(
                name, settings, config, clock, rng, kept=kept, played=self._accounts.played
            ),
            nth=next(self._openings),
            opener=opener,
        )

    def _tables(self) -> list[tuple[Lobby, QuidditchTable]]:
        lobbies = (lobby for lobby in self._hall.lobbies.values() if lobby.open)
        return [(each, each.table) for each in lobbies if isinstance(each.table, QuidditchTable)]

    def _lobbies(self) -> Lobbies:
        """The same object, which is written once, until something about a lobby changes."""
        listed = [
            (lobby.key, table.match_started, table.connected_users)
            for lobby, table in self._tables()
        ]
        if listed != self._listed:
            self._listed = listed
            self._list = Lobbies(
                [
                    LobbyEntry(name=name, match_started=started, connected_users=users)
                    for name, started, users in listed
                ]
            )
        return self._list

    def adopt(self, settings: Settings) -> None:
        """Take new settings for logins and lobbies to come; accounts stay where they are."""
        self._settings = settings
        self._logins.registrations_per_hour = settings.registrations_per_hour

    # What an organiser may ask for

    def open(self, opening: Opening) -> Lobby:
        """A lobby that stays, with a match configuration of its own perhaps."""
        if opening.settings or opening.tournament:
            raise OrderRefused("a Quidditch lobby has a name and a match file, nothing else to set")
        name = DEFAULT_LOBBY if opening.name is None else opening.name
        if not _LOBBY_NAME.fullmatch(name):
            raise OrderRefused(f"{name!r}: a lobby's name has 3 to 40 letters and digits")
        if self._hall.find(name):
            raise OrderRefused(f"there is a lobby {name!r} already")
        try:
            config = self._settings.match_config
            if opening.file:
                config = read_match(opening.file.content, opening.file.name)
            self._make_room()
        except (BadArtefact, Violation) as error:
            raise OrderRefused(str(error)) from None
        return self._open(name, config, kept=True)

    def seat(self, lobby: Lobby, clients: Sequence[Client], *, spectator: bool) -> None:
        raise OrderRefused("Quidditch clients join a lobby by themselves")


def _check(request: JoinRequest) -> frozenset[Mod]:
    """The mods of a joinRequest that is as it should be."""
    if not _USER_NAME.fullmatch(request.user_name):
        raise Violation(Refusal.USER_NAME, "expected 3 to 20 letters and digits")
    if request.user_name.lower() == ORGANISER:
        raise Violation(Refusal.USER_NAME, "that is somebody else")
    if not _LOBBY_NAME.fullmatch(request.lobby):
        raise Violation(Refusal.LOBBY_NAME, "expected 3 to 40 letters and digits")
    if len(request.password) > MAX_PASSWORD:
        raise Violation(Refusal.PASSWORD, f"more than {MAX_PASSWORD} characters")
    if any(category(sign) == "Cc" for sign in request.password):
        raise Violation(Refusal.PASSWORD, "control characters")
    try:
        return read_mods(request.mods)
    except UnknownMod as mod:
        raise Violation(Refusal.MODS, str(mod)) from None
