"""The conversation in the one lobby of a Robo Rally port, where one game follows another."""

import random
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import attrs
import structlog

from games.roborally import breaches, courses, narration
from games.roborally.announcements import Announcement
from games.roborally.chat import chat
from games.roborally.gathering import PATIENCE, Gathering, gone
from games.roborally.match import DECISION, Match
from games.roborally.member import Admission, Member, Members
from games.roborally.messages import (
    ConnectionUpdate,
    Error,
    GameFinished,
    GameStarted,
    HelloServer,
    PlayerValues,
    SendChat,
    SetStatus,
    Welcome,
)
from games.roborally.notices import MakeRoom
from games.roborally.recipe import Recipe
from games.roborally.refusals import Refused, dismiss, refuse
from games.roborally.requests import action
from games.roborally.rules import Event, Mistake
from games.roborally.settings import OnDisconnect, Settings
from ludothek.contract.clauses import Consequence
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import Began, Close, Effect, Effects, Explain, Release, Renew, Send
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.orders import (
    Abort,
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

log = structlog.get_logger()

# A timer, besides those of a gathering and of a match: how long a game whose players are all gone
# waits for one of them.
DESERTION = "desertion"


class RoboRallyTable(Table):
    """Players who get ready, then their game, then the same again."""

    def __init__(self, recipe: Recipe, clock: Clock, rng: random.Random) -> None:
        self.timers = Timers(clock.time)
        self._settings = recipe.settings
        self._clock = clock
        self._rng = rng
        self._members = Members()
        self._match: Match | None = None
        self._latest: Match | None = None  # the running one, or else the last
        self._halted = False  # by the organiser
        self._gathering: Gathering  # before each game
        self._wait_for_players(recipe)

    def _wait_for_players(self, recipe: Recipe) -> None:
        """Be exactly what the recipe says, as on the first day."""
        self.recipe = recipe
        now = self._clock.time()
        self._members.clear()
        for seat in recipe.seats:
            self._members.add(Member.on(seat, now))
        self._gathering = Gathering(recipe, self._members, self.timers, self._clock)

    @property
    def last_id(self) -> int:
        """The highest player id here; 0 if nobody has one."""
        return max((*self.names, *(member.player_id for member in self._members)), default=0)

    @property
    def summary(self) -> Summary:
        return Summary(
            name=self.recipe.course.name,
            stage=self._stage,
            players=[member.name for member in self._members.players],
            spectators=[client.name for _, client in self._members.strangers],
            idle=self._match is None,
        )

    @property
    def _stage(self) -> Stage:
        if self._match is None:
            return Stage.WAITING
        return Stage.PAUSED if self.timers.paused else Stage.RUNNING

    @property
    def awaited(self) -> Awaited:
        """Who has to decide something; for a whole program, all at the same time."""
        if self._match is None or self.timers.paused:
            return {}
        state = self._match.state
        decision = (state.round, state.register, state.pending)
        deciding = map(self._members.player, state.deciding)
        return {each.client.number: decision for each in deciding if each and each.client}

    @property
    def latest_match(self) -> Match | None:
        """The running game, or else the last one; None before the first."""
        return self._latest

    @property
    def names(self) -> Mapping[int, str]:
        """The players of that game, even if they have left."""
        return self._latest.names if self._latest else {}

    @property
    def members(self) -> Sequence[Member]:
        return [*self._members]

    def longest_watching(self, origin: str) -> Client | None:
        """Who has watched longest, and too long if others want in; None during a game.

        Preferably a client of this origin, since it may be the one that has too many.
        """
        return self._gathering.longest_watching(origin) if self._match is None else None

    # What happens

    def enter(self, client: Client, admission: Admission) -> Effects:
        member = self._members.lost(client.visitor.group)
        if member and self._match and self._settings.on_disconnect.keeps_seat:
            yield from self._welcome_back(self._match, member, client)
        elif self._match is not None:
            text = "A game is running; come back when it is over."
            yield from dismiss(client, breaches.running(), text)
            yield Release(client)
        else:
            yield from self._gathering.admit(client, admission.player_id)
            yield from self._start_when_ready()

    def receive(self, client: Client, message: Any) -> Effects:
        member = self._members.of(client)
        if member is None:
            return
        try:
            yield from self._heed(member, message)
        except Refused as refused:
            yield from refuse(client, refused.breach, self._settings)
        except RuleViolation as violation:
            breach = breaches.against_the_rules(violation.mistake, message)
            yield from refuse(client, breach, self._settings)

    def leave(self, client: Client) -> Effects:
        member = self._members.of(client)
        if member is None:
            return
        self._members.disconnect(member)
        if self._match and member.player_id in self._match.state.player_ids:
            yield from self._lose_player(self._match, member)
        else:
            self._members.remove(member)
            if member.is_player:
                yield self._broadcast(gone(member, OnDisconnect.REMOVE))
                yield from self._start_when_ready()

    def told(self, notice: MakeRoom) -> Effects:
        member = self._members.of(notice.client)
        assert member is not None
        return self._gathering.send_away(member, "You have only watched, and others want in.")

    def time_up(self, timer: Hashable) -> Effects:
        if timer == PATIENCE:
            yield from self._gathering.lose_patience()
            yield from self._start_when_ready()
        elif timer == DESERTION:
            yield from self._break_off(Announcement.DESERTED, "left")
        elif self._match is not None:
            if timer == DECISION:
                yield from self._explain_silence(self._match)
            yield from self._tell(self._match, self._match.time_up(timer))
            yield from self._lose_silent_players()

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown():
                yield from self._close(Announcement.SHUTDOWN)
            case Fault():
                yield from self._close(Announcement.FAULT)
            case Start():
                yield from self._start(self._chosen())
            case Abort(winner=winner):
                yield from self._abort(self._running(), winner)
            case Pause():
                self._halt()
            case Resume():
                self._unhalt()
            case _:
                raise OrderRefused("Robo Rally cannot do that")

    # Coming and going

    def _lose_player(self, match: Match, member: Member) -> Effects:
        policy = self._settings.on_disconnect
        if policy is OnDisconnect.REMOVE:
            self._members.remove(member)
        yield self._broadcast(gone(member, policy))
        yield from self._tell(match, match.lose(member.player_id, policy))
        if self._match is None or any(player.client for player in self._playing(match)):
            return
        if policy.keeps_seat:
            self.timers.pause()
            self.timers.start(DESERTION, self._settings.deserted_seconds, steady=True)
        else:
            yield from self._break_off(Announcement.DESERTED, "left")

    def _lose_silent_players(self) -> Effects:
        """Continue without players who never do anything, as if their connections were lost."""
        silent = self._match.silent if self._match else ()
        for member in [self._members.player(player_id) for player_id in silent]:
            if self._match is None or member is None or member.client is None:
                continue
            client = member.client
            self._members.disconnect(member)
            text = "You have not done anything for too long."
            yield from dismiss(client, breaches.silent(), text)
            yield Release(client)
            yield from self._lose_player(self._match, member)

    def _explain_silence(self, match: Match) -> Effects:
        """The server is about to decide for players who have not done so in time."""
        breach = breaches.too_slow(match.state.pending, timer=match.state.timer)
        for member in map(self._members.player, match.state.deciding):
            if member and member.client:
                yield Explain(member.client, breach, Consequence.CORRECTED)

    def _welcome_back(self, match: Match, member: Member, client: Client) -> Effects:
        yield self._broadcast(ConnectionUpdate(member.player_id, True, "Reconnect"))
        self._members.connect(member, client)
        client.name = member.name
        yield Send(client, Welcome(member.player_id))
        yield from self._gathering.introduce(client)
        for message in match.retell(member.player_id):
            yield Send(client, message)
        self.timers.stop(DESERTION)
        if not self._halted:
            self.timers.resume()
        yield from self._tell(match, match.give_back(member.player_id))

    def _playing(self, match: Match) -> Sequence[Member]:
        ids = match.state.player_ids
        return [player for player in self._members.players if player.player_id in ids]

    # What members say

    def _heed(self, member: Member, message: Any) -> Effects:
        match message:
            case Malformed(flaw=flaw):
                raise Refused(breaches.unreadable(flaw))
            case SendChat():
                yield chat(self._members, member, message, self._clock.time)
            case PlayerValues():
                self._check_waiting(message)
                yield from self._gathering.set_values(member, message)
            case SetStatus(ready=ready):
                self._check_waiting(message)
                yield self._gathering.set_status(member, ready)
                yield from self._start_when_ready()
            case HelloServer():
                raise Refused(breaches.second_hello())
            case _:
                yield from self._play(member, message)

    def _check_waiting(self, message: Any) -> None:
        if self._match is not None:
            raise Refused(breaches.outside_of_lobby(message))

    def _play(self, member: Member, request: Any) -> Effects:
        match = self._match
        if match is None:
            raise Refused(breaches.no_game(request))
        if member.player_id not in match.state.player_ids:
            raise RuleViolation(Mistake.NOT_PLAYING)
        if self.timers.paused:
            raise Refused(breaches.paused(request))
        yield from self._tell(match, match.act(member.player_id, action(member.player_id, request)))

    # Games

    def _start_when_ready(self) -> Effects:
        if self._match is not None:
            return
        if self._gathering.complete:
            yield from self._start(self._members.players)
        else:
            self._gathering.look()

    def _start(self, players: Sequence[Member]) -> Effects:
        course, names = self.recipe.course, {player.player_id: player.name for player in players}
        log.info("game started", course=course.name, players=[*names])
        self._gathering.end()
        match = Match(course, names, self._settings, self.timers, self._rng)
        self._match = self._latest = match
        yield Began([*names.values()])
        yield self._broadcast(GameStarted(courses.game_map(course)))
        yield from self._tell(match, match.overture)

    @property
    def gathering(self) -> Settings:
        """Settings with which as many players as are in this game come together for another."""
        count = len(self._match.state.players) if self._match else self._settings.min_players
        return attrs.evolve(self._settings, min_players=count, max_players=count)

    def take_over(self, past: "RoboRallyTable") -> Effects:
        """Continue the game of another table, with these players in place of those there."""
        match, other = self._match, past._match
        assert match is not None
        assert other is not None
        self.recipe = attrs.evolve(self.recipe, course=past.recipe.course)
        self._rng.setstate(past._rng.getstate())
        match.take_over(other)
        yield Began([*match.names.values()])
        for member, client in self._members.present:
            for message in match.retell(member.player_id):
                yield Send(client, message)
        yield from self._tell(match, ())

    def _tell(self, match: Match, happened: Sequence[Event]) -> Effects:
        present = self._members.present
        for event in happened:
            to = [client for each, client in present if narration.may_hear(each.player_id, event)]
            if to:
                yield Send(to, narration.message(event))
        if match.state.winner is not None:
            yield from self._end(match.state.winner, match.reason)

    def _break_off(self, news: Announcement, reason: str) -> Effects:
        """End the game without a winner; the document has no message for that."""
        yield self._broadcast(Error(news.value))
        yield from self._end(None, reason)

    def _end(self, winner: int | None, reason: str) -> Effects:
        if self._match is not None:
            yield self._match.end(winner, reason)
        self._match, self._halted = None, False
        self.timers.clear()
        self._members.remove_lost()
        for player in self._members.players:
            player.ready = False
            yield self._broadcast(player.status)
        yield self._renew()

    def _renew(self) -> Renew:
        """No game that has ended is needed any more to make this table once more."""
        now = self._clock.time()
        seats = [member.seat(client, now) for member, client in self._members.present]
        self._wait_for_players(attrs.evolve(self.recipe, seats=tuple(seats)))
        return Renew(self.recipe, self._rng)

    # Orders

    def _running(self) -> Match:
        if self._match is None:
            raise OrderRefused("no game is running")
        return self._match

    def _chosen(self) -> Sequence[Member]:
        """The players with whom an organiser can start a game."""
        if self._match is not None:
            raise OrderRefused("a game is running")
        return self._gathering.choose()

    def _abort(self, match: Match, winner: Client | None) -> Effects:
        if winner is None:
            yield from self._break_off(Announcement.ABORTED, "aborted")
            return
        member = self._members.of(winner)
        if member is None or member.player_id not in match.state.player_ids:
            raise OrderRefused("the winner must be a player of the running game")
        yield self._broadcast(GameFinished(member.player_id))
        yield from self._end(member.player_id, "aborted")

    def _halt(self) -> None:
        self._running()
        self._halted = True
        self.timers.pause()

    def _unhalt(self) -> None:
        self._running()
        self._halted = False
        if DESERTION not in self.timers:
            self.timers.resume()

    def _close(self, news: Announcement) -> Effects:
        yield self._broadcast(Error(news.value))
        if self._match is not None:
            yield self._match.end(None, "aborted")
        yield Close()

    # Saying things

    def _broadcast(self, message: Any) -> Effect:
        return Send(self._members.clients, message)
