"""The conversation before the lobby: who a client is, and where it wants to go."""

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any, cast
from unicodedata import category

from games.quidditch import breaches
from games.quidditch.account_troubles import AccountTroubles
from games.quidditch.accounts import (
    Accounts,
    AccountsError,
    CannotKeep,
    KeptAccounts,
    MemoryAccounts,
    Unregistered,
    Verdict,
)
from games.quidditch.artefacts import BadArtefact, read_match
from games.quidditch.listing import Listing
from games.quidditch.logins import NEXT_LOGIN, Logins, Ticket
from games.quidditch.member import Admission
from games.quidditch.memory import Memory
from games.quidditch.messages import JoinRequest, MatchConfig, Undefined
from games.quidditch.mods import Mod, UnknownMod, read_mods
from games.quidditch.notices import MakeRoom, Played
from games.quidditch.pauses import ORGANISER
from games.quidditch.recipe import Recipe
from games.quidditch.refusals import Offence, ProtocolViolation, error, offence_of, refuse
from games.quidditch.settings import IN_MEMORY, Settings
from games.quidditch.table import QuidditchTable
from games.quidditch.visitor import Visitor
from ludothek.contract.clauses import Consequence
from ludothek.contract.client import Client
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import (
    Admit,
    Chore,
    Effects,
    Explain,
    Hold,
    Kick,
    Open,
    Send,
    Tell,
    Unhold,
    Work,
)
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.timers import Timers
from ludothek.kit.greetings import GREETING, Greetings
from transports import Farewell

DEFAULT_LOBBY = "hogwarts"

# The timer until silently waiting clients are sent the lobbies.
SILENCE = "silence"

_USER_NAME = re.compile(r"[a-zA-Z0-9]{3,20}")
_LOBBY_NAME = re.compile(r"[a-zA-Z0-9]{3,40}")
MAX_PASSWORD = 128

Outcome = Verdict | AccountsError | Unregistered | None  # of a login


class QuidditchReception(Reception):
    """Where clients are until they have logged in."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        now = desk.clock.time
        self.timers = Timers(now)
        self._desk = desk
        self._settings = settings
        self._tables = cast("Mapping[str, QuidditchTable]", desk.tables)
        self._users: dict[str, Client] = {}  # who is connected under which name
        self._replaced: dict[Client, None] = {}  # by a newer login; these connections end
        self._greetings = Greetings(self.timers, now)
        self._silent = Greetings(self.timers, now, SILENCE)
        self._accounts = self._open_accounts()
        self._troubles = AccountTroubles()
        self._logins = Logins(desk, self.timers, settings.registrations_per_hour)
        self._openings = 0
        self._listing = Listing()
        self._memory: Memory | None = None  # None: to be made again

    def _open_accounts(self) -> Accounts:
        settings, state = self._settings, self._desk.directory
        directory = settings.accounts_directory or (state / "accounts" if state else None)
        if directory is None or settings.accounts == IN_MEMORY:
            return MemoryAccounts(settings.max_accounts, self._users)
        return KeptAccounts(directory, settings.max_accounts, self._users)

    def adopt(self, settings: Settings) -> Effects:
        """Take over settings for future logins and lobbies; accounts stay where they are."""
        self._settings = settings
        self._logins.registrations_per_hour = settings.registrations_per_hour
        return ()

    # Going on in another process

    def remember(self) -> Memory:
        """The same object until something has changed, since it may be long."""
        if self._memory is None:
            self._memory = Memory(
                openings=self._openings,
                accounts=self._accounts.remember(),
                guesses=self._logins.remember(),
                silent=tuple(client.number for client in self._silent),
                replaced=tuple(client.number for client in self._replaced),
            )
        return self._memory

    def recall(self, memory: Memory | None, clients: Sequence[Client]) -> Effects:
        """Those whose passwords were being checked ask again, and wait again."""
        silent: Sequence[int] = ()
        replaced: Sequence[int] = ()
        if memory is not None:  # None: of another version
            silent, replaced, self._openings = memory.silent, memory.replaced, memory.openings
            self._accounts.recall(memory.accounts)
            self._logins.recall(memory.guesses)
        for client in clients:
            name = client.visitor.user_name
            if not name:
                self._greetings.expect(client, self._settings.login_seconds)
            elif client.number in replaced:
                self._replaced[client] = None
            else:
                self._users[name] = client
            if client.number in silent:
                self._silent.expect(client, self._settings.lobbies_seconds)
        return ()

    # What happens

    def arrive(self, client: Client) -> Effects:
        """«Der Server sendet on Connect» the lobbies, before anybody can have asked for them: if so
        configured, to clients that wait in silence for something."""
        client.visitor = Visitor()
        self._greetings.expect(client, self._settings.login_seconds)
        self._silent.expect(client, self._settings.lobbies_seconds)
        self._memory = None
        return ()

    def come_back(self, client: Client) -> Effects:
        self._forget(client)
        return self.arrive(client)

    def leave(self, client: Client) -> Effects:
        self._greetings.discard(client)
        self._silent.discard(client)
        self._logins.leave(client)
        self._forget(client)
        self._memory = None
        return ()

    def _forget(self, client: Client) -> None:
        self._replaced.pop(client, None)
        name = client.visitor.user_name
        if self._users.get(name) is client:
            del self._users[name]

    def receive(self, client: Client, message: Any) -> Effects:
        self._memory = None
        self._silent.discard(client)
        if isinstance(message, Undefined):
            breach = breaches.undefined(message.payload_type)
            return (Explain(client, breach, Consequence.IGNORED),)
        self._greetings.discard(client)
        try:
            return tuple(self._log_in(client, _join_request(message)))
        except ProtocolViolation as violation:
            return refuse(client, violation)

    def time_up(self, timer: Hashable) -> Effects:
        self._memory = None
        if timer == SILENCE:
            if late := self._silent.take_late():
                entries = (table.entry() for table in self._tables.values())
                yield Send(late, self._listing.message(entries))
        elif timer == GREETING:
            violation = ProtocolViolation(Offence.UNDEFINED, breaches.no_login())
            for client in self._greetings.take_late():
                yield from refuse(client, violation)
        elif timer == NEXT_LOGIN:
            yield from self._check_next()

    def worked(self, about: Any, result: Outcome) -> Effects:
        self._memory = None
        yield from self._conclude(about, result)
        yield from self._check_next()

    def informed(self, lobby: str, notice: Played) -> Effects:
        if self._accounts.slow:
            yield Chore(lambda: self._accounts.played(notice.user_names))
        else:
            self._accounts.played(notice.user_names)
            self._memory = None

    # Who a client is

    def _log_in(self, client: Client, request: JoinRequest) -> Effects:
        _check(request)
        if client.hosted:
            # Bots of this daemon need no account, and take nobody's place.
            if request.user_name in self._users:
                breach = breaches.name_of_a_bot(request.user_name)
                raise ProtocolViolation(Offence.WRONG_PASSWORD, breach)
            yield from self._admit(client, request)
            return
        yield Hold(client)
        if crowded_out := self._logins.line_up(client, request):
            violation = ProtocolViolation(Offence.UNDEFINED, breaches.crowded_out())
            yield from refuse(crowded_out, violation)
        if self._logins.is_due:
            yield from self._check_next()

    def _check_next(self) -> Effects:
        """Have the next passwords checked, as many at a time as allowed."""
        while (ticket := self._logins.call()) is not None:
            register = self._logins.may_register(ticket)
            check = partial(_check_password, self._accounts, ticket.request, register)
            if not self._accounts.slow:
                # One per step: the next one has to see the effects of this one.
                yield from self._conclude(ticket, check())
                return
            yield Work(ticket, check, ticket.client)

    def _conclude(self, ticket: Ticket, outcome: Outcome) -> Effects:
        verdict = outcome if isinstance(outcome, Verdict) else None
        waits = self._logins.finish(ticket, verdict)
        self._note_trouble(ticket.name, outcome)
        if not waits:
            return
        try:
            yield from tuple(self._let_in(ticket, outcome))
        except ProtocolViolation as violation:
            yield from refuse(ticket.client, violation)

    def _note_trouble(self, name: str, outcome: Outcome) -> None:
        if isinstance(outcome, Verdict):
            self._troubles.worked(name, outcome)
        elif isinstance(outcome, AccountsError):
            self._troubles.failed(name, outcome)
            if isinstance(outcome, CannotKeep):
                self._desk.note_disk_failure()

    def _let_in(self, ticket: Ticket, outcome: Outcome) -> Effects:
        match outcome:
            case Unregistered():
                raise ProtocolViolation(Offence.UNDEFINED, breaches.too_many_names())
            case AccountsError() | None:
                raise ProtocolViolation(Offence.UNDEFINED, breaches.no_accounts())
        other = self._users.get(ticket.name)
        if other is not None and other.hosted:
            breach = breaches.name_of_a_bot(ticket.name)
            raise ProtocolViolation(Offence.WRONG_PASSWORD, breach)
        if not outcome:
            raise ProtocolViolation(Offence.WRONG_PASSWORD, breaches.wrong_password())
        yield Unhold(ticket.client)
        yield from self._admit(ticket.client, ticket.request)

    # Where it goes

    def _admit(self, client: Client, request: JoinRequest) -> Effects:
        name, lobby, mods = request.user_name, request.lobby, read_mods(request.mods)
        tables = dict(self._tables)  # as they will be
        if lobby in tables:
            self._check_room(lobby, client, name)
        else:
            if (dispensable := self._dispensable(client)) is not None:
                del tables[dispensable]
                yield Tell(dispensable, MakeRoom())
            opening, tables[lobby] = self._open(lobby, self._settings.match_config, client)
            yield opening
        other = self._users.get(name)
        if other is not None:
            self._replaced[other] = None
            yield from _replace(other, name)
        self._users[name] = client
        client.name = client.key = name
        client.visitor = Visitor(name, request.is_artificial_intelligence, sorted(mods))
        lobbies = None
        if Mod.LOBBIES in mods:
            lobbies = self._listing.message(
                table.entry(name if key == lobby else None) for key, table in tables.items()
            )
        yield Admit(client, lobby, Admission(replaces_other=other is not None, lobbies=lobbies))

    def _dispensable(self, opener: Client | None = None) -> str | None:
        """The empty lobby that has to close before another one is opened, if one has to.

        If need be, it is one whose match has just begun and whose players may yet come back:
        otherwise two users could occupy all lobbies by leaving one match after another.
        """
        desk = self._desk
        if desk.draining:
            raise ProtocolViolation(Offence.LOBBY_NAME, breaches.server_ends())
        tables, too_many = self._tables, breaches.all_lobbies
        if opener is not None and desk.has_enough(opener):
            # An address that has as many as it may have makes room among its own.
            too_many = breaches.lobbies_of_address
            tables = {
                key: table
                for key, table in tables.items()
                if desk.opened_from(key) == opener.origin
            }
        elif len(tables) < self._settings.max_lobbies and desk.has_room:
            return None
        dispensable = [key for key, table in tables.items() if table.dispensable]
        if not dispensable:
            raise ProtocolViolation(Offence.LOBBY_NAME, too_many(len(tables)))
        return min(
            dispensable, key=lambda key: (tables[key].match_started, tables[key].deserted_since)
        )

    def _check_room(self, lobby: str, client: Client, name: str) -> None:
        """Users in a lobby, or with a match there, may always come back."""
        summary = self._tables[lobby].summary
        known = name in summary.players or name in summary.spectators
        if not known and self._desk.is_crowded(lobby, client):
            raise ProtocolViolation(Offence.LOBBY_NAME, breaches.crowded())

    def _open(
        self, name: str, config: MatchConfig, opener: Client | None
    ) -> tuple[Open, QuidditchTable]:
        """Open a lobby for a client, or for an organiser, who will close it."""
        chance = self._desk.chance_for(name, self._openings)
        self._openings += 1
        self._memory = None
        recipe = Recipe(name=name, settings=self._settings, config=config, kept=opener is None)
        table = QuidditchTable(recipe, self._desk.clock, chance.random())
        return Open(name, table, chance, opener), table

    # What an organiser may ask for

    def open(self, opening: Opening) -> Effects:
        """A lobby that stays, possibly with a match configuration of its own."""
        if opening.settings:
            raise OrderRefused("a Quidditch lobby has a name and a match file, nothing else to set")
        name = DEFAULT_LOBBY if opening.name is None else opening.name
        if not _LOBBY_NAME.fullmatch(name):
            raise OrderRefused(f"{name!r}: a lobby's name has 3 to 40 letters and digits")
        if name in self._tables:
            raise OrderRefused(f"there is a lobby {name!r} already")
        try:
            config = self._settings.match_config
            if opening.file:
                config = read_match(opening.file.content, opening.file.name)
            dispensable = self._dispensable()
        except BadArtefact as error:
            raise OrderRefused(str(error)) from None
        except ProtocolViolation as violation:
            raise OrderRefused(violation.breach.came) from None
        if dispensable is not None:
            yield Tell(dispensable, MakeRoom())
        yield self._open(name, config, None)[0]


def _join_request(message: Any) -> JoinRequest:
    if isinstance(message, Malformed):
        offence = offence_of(message.flaw)
        if offence is Offence.NOT_ALLOWED:  # a message, but one of the server's
            offence = Offence.NO_JOIN_REQUEST
        raise ProtocolViolation(offence, breaches.unreadable(message))
    if not isinstance(message, JoinRequest):
        raise ProtocolViolation(Offence.NO_JOIN_REQUEST, breaches.not_joined(type(message)))
    return message


def _check(request: JoinRequest) -> None:
    """Raises ProtocolViolation for what can never be granted."""
    if not _USER_NAME.fullmatch(request.user_name):
        raise ProtocolViolation(Offence.USER_NAME, breaches.user_name(request.user_name))
    if request.user_name.lower() == ORGANISER:
        raise ProtocolViolation(Offence.USER_NAME, breaches.organisers_name(request.user_name))
    if not _LOBBY_NAME.fullmatch(request.lobby):
        raise ProtocolViolation(Offence.LOBBY_NAME, breaches.lobby_name(request.lobby))
    if (length := len(request.password)) > MAX_PASSWORD:
        breach = breaches.long_password(MAX_PASSWORD, length)
        raise ProtocolViolation(Offence.PASSWORD, breach)
    if any(category(sign) == "Cc" for sign in request.password):
        raise ProtocolViolation(Offence.PASSWORD, breaches.strange_password())
    try:
        read_mods(request.mods)
    except UnknownMod as mod:
        breach = breaches.unknown_mod(mod.number, mod.name)
        raise ProtocolViolation(Offence.MODS, breach) from None


def _check_password(accounts: Accounts, request: JoinRequest, register: bool) -> Outcome:
    try:
        return accounts.admit(request.user_name, request.password, register=register)
    except (AccountsError, Unregistered) as error:
        return error


def _replace(other: Client, name: str) -> Effects:
    """«Der neuste Login zählt. Eine alte Verbindung muss vom Server geschlossen werden.»"""
    yield Explain(other, breaches.replaced(name), Consequence.KICKED)
    yield Send(other, error(Offence.DOUBLE_LOGIN))
    yield Kick(other, Farewell.REFUSED)
