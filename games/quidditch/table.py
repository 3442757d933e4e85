"""The conversation inside a lobby: spectators, two of whom become players, match after match."""

import random
from collections.abc import Hashable, Sequence
from math import inf
from typing import Any

import attrs
import structlog

from games.quidditch import breaches, rules
from games.quidditch.arena import Arena, Outcome
from games.quidditch.chat import Chat
from games.quidditch.match import Match
from games.quidditch.member import Admission, Member, Members
from games.quidditch.messages import (
    ContinueRequest,
    DeltaRequest,
    GetReplay,
    GetReplayWithSnapshot,
    GlobalDebug,
    JoinResponse,
    LobbyEntry,
    LoginGreeting,
    PauseRequest,
    PrivateDebug,
    SendChat,
    SendDebug,
    Snapshot,
    TeamConfig,
    TeamFormation,
    TestRequest,
    TestResponse,
    Undefined,
)
from games.quidditch.mods import Mod
from games.quidditch.notices import MakeRoom
from games.quidditch.pauses import Pauses
from games.quidditch.recipe import Aftermath, Recipe
from games.quidditch.refusals import (
    Caution,
    Ignored,
    Notice,
    Offence,
    ProtocolViolation,
    error,
    unreadable,
    warning,
)
from games.quidditch.replay import MatchRecord
from games.quidditch.settings import IN_MEMORY, Settings
from ludothek.contract.clauses import Consequence
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import (
    Close,
    Effect,
    Effects,
    Explain,
    Fetch,
    Kick,
    Release,
    Renew,
    Send,
)
from ludothek.contract.orders import (
    Abort,
    Expel,
    Fault,
    Order,
    OrderRefused,
    Pause,
    Resume,
    Shutdown,
    Start,
)
from ludothek.contract.table import Awaited, Stage, Summary, Table
from ludothek.contract.timers import Timers
from transports import Farewell

log = structlog.get_logger()

WELCOME = "welcome, please enjoy"

# The timer of a lobby that everybody has left.
EMPTY = "empty"


class QuidditchTable(Table):
    """A lobby; it has a name and outlives its matches."""

    def __init__(self, recipe: Recipe, clock: Clock, rng: random.Random) -> None:
        past = recipe.past
        self.recipe = recipe
        self.timers = Timers(clock.time)
        self._name = recipe.name
        self._settings = recipe.settings
        self._clock = clock
        self._rng = rng
        self._members = Members.of_past(past) if past else Members()
        self._arena = Arena(recipe, self._members, clock, self.timers, rng)
        self._chat = Chat(clock.time, past.talk if past else None)
        self._pauses = Pauses(self._arena, self._members, self._settings.chat_length)
        # Infinity: somebody is here, or will be.
        self.deserted_since = past.deserted_since if past else inf
        self._watch_emptiness()

    @property
    def summary(self) -> Summary:
        match = self._arena.match
        seen = match.seen if match else None
        facts = {"round": seen.round, "points": [*map(seen.points, rules.Side)]} if seen else {}
        return Summary(
            name=self._name,
            stage=self._stage,
            state="formation" if match and match.forming and not match.paused else "",
            players=self._arena.players,
            spectators=self._arena.spectators,
            idle=match is None,
            facts=facts,
        )

    @property
    def _stage(self) -> Stage:
        if self._arena.match is None:
            return Stage.WAITING
        return Stage.PAUSED if self._arena.match.paused else Stage.RUNNING

    @property
    def match(self) -> Match | None:
        """The one that is being played."""
        return self._arena.match

    @property
    def record(self) -> MatchRecord | None:
        """Of the last match that was played."""
        return self._arena.record

    @property
    def outcome(self) -> Outcome | None:
        """Of the last match, unless it was played in another process."""
        return self._arena.outcome

    @property
    def awaited(self) -> Awaited:
        """Who has been asked something, or has to line up."""
        return self._arena.awaited

    @property
    def absent(self) -> Sequence[rules.Side]:
        """The sides whose players are not connected."""
        return self._arena.absent

    @property
    def match_started(self) -> bool:
        return self._arena.match is not None

    @property
    def dispensable(self) -> bool:
        """Whether nobody is here, and nothing would be lost but a match that has hardly begun."""
        match = self._arena.match
        return self.deserted_since < inf and (match is None or match.hardly_played)

    def entry(self, newcomer: str | None = None) -> LobbyEntry:
        """The lobby as it is listed, perhaps as if a newcomer were already in it."""
        users = {each.name for each in self._members if each.client}
        if newcomer is not None:
            users.add(newcomer)
        return LobbyEntry(
            name=self._name, match_started=self.match_started, connected_users=len(users)
        )

    # What happens

    def enter(self, client: Client, admission: Admission) -> Effects:
        member = self._admit(client)
        self.timers.stop(EMPTY)
        self.deserted_since = inf
        yield Send(client, JoinResponse(WELCOME))
        yield self._broadcast(LoginGreeting(member.name))
        yield from self._tell_course(member, client)
        if admission.replaces_other:
            yield Explain(client, breaches.second_login(member.name), Consequence.CORRECTED)
            yield Send(client, warning(Notice.DOUBLE_LOGIN))
        if admission.lobbies is not None:
            yield Send(client, admission.lobbies)
        yield from self._arena.welcome_back(member)
        yield from self._renew()

    def receive(self, client: Client, message: Any) -> Effects:
        member = self._members.of(client)
        if member is None:
            return
        try:
            # Everything before anything is sent: what fails halfway has had no effect.
            yield from tuple(self._heed(member, client, message))
        except Caution as caution:
            yield Explain(client, caution.breach)
            yield Send(client, caution.warning)
        except Ignored as ignored:
            yield Explain(client, ignored.breach, Consequence.IGNORED)
        except ProtocolViolation as violation:
            yield from self._punish(member, client, violation)
        yield from self._renew()

    def leave(self, client: Client) -> Effects:
        member = self._members.of(client)
        if member is not None:
            self._lose(member)
        return ()

    def told(self, notice: MakeRoom) -> Effects:
        yield Close()

    def time_up(self, timer: Hashable) -> Effects:
        if timer == EMPTY:
            yield Close()
            return
        yield from self._arena.time_up(timer)
        self._watch_emptiness()
        yield from self._renew()

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown():
                yield from self._close("The server is shutting down.", Farewell.GOING_AWAY)
            case Fault():
                yield from self._close("The server has a fault; this lobby ends.", Farewell.FAULT)
            case Abort(winner=winner):
                yield from self._abort(winner)
            case Pause():
                yield from self._pauses.halt()
            case Resume():
                yield from self._pauses.unhalt()
            case Expel(client=client):
                yield from self._expel(client)
            case Start():
                raise OrderRefused("a match starts by itself, with the second teamConfig")
            case _:
                raise OrderRefused("Quidditch cannot do that")

    @property
    def gathering(self) -> Settings:
        """Settings with which others come together to continue from this match, under any names."""
        return attrs.evolve(self._settings, accounts=IN_MEMORY)

    def take_over(self, past: "QuidditchTable") -> Effects:
        """Continue from the match of another lobby, with these players in place of those there."""
        return self._arena.take_over(past._arena)

    # Coming and going

    def _admit(self, client: Client) -> Member:
        """Let a user in; a member with the same name is the same user."""
        member = self._members.find(client.visitor.user_name)
        if member is None:
            return self._members.add(Member(client, client.visitor))
        member.visitor = client.visitor
        self._members.connect(member, client)
        return member

    def _tell_course(self, member: Member, client: Client) -> Effects:
        """What a client has missed that comes into a running match, player or not."""
        match = self._arena.match
        if match is None:
            return
        yield Send(client, match.reconnect())
        if pause := self._pauses.current():
            yield Send(client, pause)
        if Mod.CHAT in member.visitor.mods:
            yield Send(client, self._chat.history)

    def _punish(self, member: Member, client: Client, violation: ProtocolViolation) -> Effects:
        """«Bei Protokollverletzung wird der Client gekickt»; a player thereby loses the match."""
        ends_match = self._arena.spoils_match(member)
        yield Explain(client, violation.breach, Consequence.KICKED)
        yield Send(client, error(violation.offence, violation.breach, ends_match=ends_match))
        yield from self._send_off(member)
        yield Kick(client, Farewell.REFUSED)

    def _send_off(self, member: Member) -> Effects:
        side = self._arena.side_of(member)
        if side is not None and self._arena.spoils_match(member):
            yield from self._arena.end(side.opponent)
        # Right now, not after this step: a match must not begin with a user who was kicked.
        self._lose(member)

    def _lose(self, member: Member) -> None:
        self._arena.lose(member)
        self._watch_emptiness()

    def _watch_emptiness(self) -> None:
        """Close some time after everybody has left for good."""
        if self.recipe.kept or self._members.clients:
            return
        self.deserted_since = min(self.deserted_since, self._clock.time())
        if self._arena.match is None and EMPTY not in self.timers:
            self.timers.start(EMPTY, self._settings.empty_lobby_seconds)

    # What members say

    def _heed(self, member: Member, client: Client, message: Any) -> Effects:
        match message:
            case Malformed():
                raise unreadable(message)
            case TeamConfig():
                yield from self._arena.enrol(member, message)
            case TeamFormation():
                yield from self._arena.form(member, message.formation)
            case DeltaRequest():
                yield from self._arena.answer(member, message)
            case PauseRequest(message=text):
                self._check_calm(member, text)
                yield from self._cut(client, text)
                yield from self._pauses.pause(member, client, text)
            case ContinueRequest(message=text):
                self._check_calm(member, text)
                yield from self._cut(client, text)
                yield from self._pauses.go_on(member, client, text)
            case GetReplay():
                yield Fetch(client, self._checked_record().replay)
            case SendDebug(information=information):
                log.debug("client says", user=member.name, information=information[:200])
            case Undefined():
                raise Ignored(breaches.undefined(message.payload_type))
            case _:
                yield from self._heed_mod(member, client, message)

    def _heed_mod(self, member: Member, client: Client, message: Any) -> Effects:
        match message:
            case SendChat(information=information):
                self._check_mod(member, Mod.CHAT)
                text = self._checked(information)
                self._check_calm(member, text)
                yield Send(self._members.clients_with(Mod.CHAT), self._chat.say(member.name, text))
            case GetReplayWithSnapshot():
                self._check_mod(member, Mod.REPLAY_WITH_SNAPSHOT)
                yield Fetch(client, self._checked_record().replay_with_snapshot)
            case TestRequest(snapshot=snapshot, delta=delta):
                self._check_mod(member, Mod.TEST)
                carries = self._settings.carry_bludgers
                after = rules.apply_delta(snapshot.snapshot, delta.delta, carries_bludgers=carries)
                yield Send(client, TestResponse(Snapshot(after, snapshot.spectators)))
            case _:
                breach = breaches.not_in_a_lobby(type(message))
                raise ProtocolViolation(Offence.NOT_ALLOWED, breach)

    def _check_mod(self, member: Member, mod: Mod) -> None:
        if mod not in member.visitor.mods:
            raise Caution(Notice.UNDEFINED, breaches.mod_not_named(mod))

    def _check_calm(self, member: Member, text: str) -> None:
        """Everybody hears what a member says, and cannot avoid it."""
        plays = self._arena.side_of(member) is not None
        told = text[: self._settings.chat_length]  # nobody hears the rest of a pauseRequest
        if not self._chat.may_say(member.name, told, plays=plays):
            raise Caution(Notice.UNDEFINED, breaches.too_much_talk())

    def _checked_record(self) -> MatchRecord:
        """«falls es noch kein Spiel in dieser lobby gab wird der Client gekickt»"""
        if self.record is None:
            raise ProtocolViolation(Offence.NOT_ALLOWED, breaches.no_replay())
        return self.record

    def _checked(self, text: str) -> str:
        limit = self._settings.chat_length
        if len(text) > limit:
            breach = breaches.long_text("information", limit, text)
            raise Caution(Notice.UNDEFINED, breach)
        return text

    def _cut(self, client: Client, text: str) -> Effects:
        """Everybody hears only the beginning of a long text about a pause."""
        limit = self._settings.chat_length
        if len(text) > limit:
            breach = breaches.long_text("message", limit, text)
            yield Explain(client, breach, Consequence.CORRECTED)

    # Orders

    def _abort(self, winner: Client | None) -> Effects:
        match = self._arena.match
        if match is None:
            if winner is not None:
                raise OrderRefused("the winner must be a player of a running match")
            yield from self._close("The organiser has closed this lobby.", Farewell.KICKED)
            return
        member = self._members.of(winner) if winner else None
        side = self._arena.side_of(member) if member else None
        if winner is not None and side is None:
            raise OrderRefused("the winner must be a player of the running match")
        yield self._broadcast(GlobalDebug("The organiser has ended the match."))
        yield from self._arena.end(side, "aborted")
        self._watch_emptiness()
        yield from self._renew()

    def _expel(self, client: Client) -> Effects:
        member = self._members.of(client)
        if member is None:
            raise OrderRefused(f"client {client.number} is not in this lobby")
        yield Send(client, PrivateDebug("The organiser has sent you out of this lobby."))
        yield from self._send_off(member)
        yield Release(client)
        yield from self._renew()

    def _close(self, reason: str, farewell: Farewell) -> Effects:
        yield self._broadcast(GlobalDebug(reason))
        yield from self._arena.end(None, "aborted")
        for client in self._members.clients:
            yield Kick(client, farewell)
        yield Close()

    def _renew(self) -> Effects:
        """After a step that has ended a match, the lobby needs little of its past."""
        record = self._arena.record
        if record is None or (self.recipe.past and self.recipe.past.record is record):
            return
        past = Aftermath(
            members=[member.client for member in self._members if member.client],
            clients=self._members.clients,
            talk=self._chat.talk,
            record=record,
            former=self._arena.former,
            deserted_since=self.deserted_since,
        )
        self.recipe = attrs.evolve(self.recipe, past=past)
        yield Renew(self.recipe, self._rng)

    def _broadcast(self, message: Any) -> Effect:
        return Send(self._members.clients, message)
