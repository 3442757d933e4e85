"""The matches of a lobby, one after another: who plays, who is gone, how it ends."""

import random
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import structlog

from games.quidditch import breaches, replay_files, rules, teams
from games.quidditch.absences import Absences
from games.quidditch.codec.containers import timestamp, write_container
from games.quidditch.match import FORMATION, Match, MatchSetup, NotYourTurn, TooLate
from games.quidditch.member import Member, Members
from games.quidditch.messages import DeltaRequest, MatchStart, TeamConfig
from games.quidditch.mods import Mod
from games.quidditch.notices import Played
from games.quidditch.pace import rules_config
from games.quidditch.recipe import Recipe
from games.quidditch.refusals import Caution, Ignored, Notice, Offence, ProtocolViolation, error
from games.quidditch.replay import MatchRecord
from games.quidditch.rules import Formation, Side
from games.quidditch.sight import Sight
from ludothek.contract.clauses import Consequence
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Began, Effects, Ended, Explain, Inform, Kick, Save, Send
from ludothek.contract.frozen import frozen
from ludothek.contract.keeping import Room
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.table import Awaited
from ludothek.contract.timers import Timers
from transports import Farewell

log = structlog.get_logger()


@frozen
class Outcome:
    """A match that is over: how it began, what it looked like in the end, and how it ended."""

    start: MatchStart
    sight: Sight
    ended: Ended


class Arena:
    """Two of the members play here. Whatever happens is answered with effects.

    Raises ProtocolViolation for what gets a client disconnected, Caution for mere warnings, Ignored
    for what has no effect.
    """

    def __init__(
        self, recipe: Recipe, members: Members, clock: Clock, timers: Timers, rng: random.Random
    ) -> None:
        past = recipe.past
        self.match: Match | None = None
        self.outcome: Outcome | None = None  # of the last match
        self.record = past.record if past else None  # of the last match
        self.former = past.former if past else ()  # players of the last match
        self._lobby = recipe.name
        self._members = members
        self._settings = recipe.settings
        self._config = recipe.config
        self._clock = clock
        self._timers = timers
        self._rng = rng
        self._teams: dict[str, TeamConfig] = {}  # of those who want to play, in order
        self._returned: set[Side] = set()  # may not know that their formation has arrived
        self._witnesses: dict[str, None] = {}
        self._origins: Sequence[str] = ()  # where the players come from, for the names of replays
        self._absences = Absences(timers, recipe.settings.reconnect_seconds)

    # What it looks like

    @property
    def players(self) -> Sequence[str]:
        """Those who play or want to play."""
        return tuple(self._teams) if self.match is None else self.match.users

    @property
    def spectators(self) -> Sequence[str]:
        players = self.players
        return tuple(
            each.name for each in self._members if each.client and each.name not in players
        )

    def side_of(self, member: Member) -> Side | None:
        """The side that a member plays, if it is playing now."""
        return self.match.side_of(member.name) if self.match else None

    def spoils_match(self, member: Member) -> bool:
        """Whether the match is over if this member is disconnected."""
        return (
            self.match is not None and not self.match.decided and self.side_of(member) is not None
        )

    @property
    def awaited(self) -> Awaited:
        """Whom the match waits for, and for what."""
        if self.match is None or self.match.paused:
            return {}
        users = zip(Side, map(self._members.find, self.match.users), strict=True)
        questions = self.match.questions
        return {
            member.client.number: questions[side]
            for side, member in users
            if side in questions and member and member.client
        }

    @property
    def absent(self) -> Sequence[Side]:
        """The sides whose players are not connected."""
        if self.match is None:
            return ()
        members = map(self._members.find, self.match.users)
        sides = zip(Side, members, strict=True)
        return [side for side, member in sides if member is None or member.client is None]

    # Before the match

    def enrol(self, member: Member, config: TeamConfig) -> Effects:
        """A spectator wants to play; with the second one the match begins."""
        if self.match is not None:
            raise Caution(Notice.TEAM_CONFIG, breaches.match_runs())
        breach = teams.objection(
            config,
            gender_balance=Mod.DISABLE_GENDER_BALANCE not in member.visitor.mods,
            strict_image=self._settings.strict_images,
        )
        if breach is not None:
            raise ProtocolViolation(Offence.TEAM_CONFIG, breach)
        self._teams[member.name] = config
        if len(self._teams) == len(Side):
            yield from self._start()

    def withdraw(self, member: Member) -> None:
        """A user who wanted to play is a mere spectator again."""
        self._teams.pop(member.name, None)

    def _start(self) -> Effects:
        (left, left_team), (right, right_team) = self._teams.items()
        log.info("match started", left=left, right=right)
        setup = MatchSetup(
            lobby=self._lobby,
            start=MatchStart(
                match_config=self._config,
                left_team_config=left_team,
                right_team_config=right_team,
                left_team_user_name=left,
                right_team_user_name=right,
            ),
            rules=rules_config(self._config, carry_bludgers=self._settings.carry_bludgers),
            spectators=self._watching,
            witnesses=lambda: tuple(self._witnesses),
        )
        self._witnesses.clear()
        members = map(self._members.find, (left, right))
        clients = [member.client for member in members if member and member.client]
        self._origins = replay_files.tags(each.origin for each in clients if not each.hosted)
        self.match = Match(setup, self._clock, self._timers, self._rng)
        self.outcome = None
        self._teams.clear()
        self._watching()
        yield Began(self.players)
        yield Send(self._members.clients, self.match.start)

    def take_over(self, past: "Arena") -> Effects:
        """Continue from a match elsewhere, with these players in the places of those there.

        They are told what players hear who come back.
        """
        match, other = self.match, past.match
        assert match is not None
        assert other is not None
        self._rng.setstate(past._rng.getstate())
        match.take_over(other)
        yield Began(self.players)
        if match.forming:
            yield Send(self._members.clients, match.start)
            return
        self._returned.update(Side)
        yield Send(self._members.clients, match.reconnect())
        yield from self._tell(match, match.catch_up())

    def _watching(self) -> Sequence[str]:
        spectators = self.spectators
        self._witnesses.update(dict.fromkeys(spectators))
        return spectators

    # In the match

    def form(self, member: Member, formation: Formation) -> Effects:
        match, side = self._playing(member, "teamFormation")
        if side in self._returned:
            if not match.forming:
                raise Caution(Notice.UNDEFINED, breaches.formed_long_ago())
            self._returned.remove(side)
        elif side not in match.unformed:
            raise ProtocolViolation(Offence.NOT_ALLOWED, breaches.formed_already())
        if objection := rules.formation_refusal(side, formation):
            raise ProtocolViolation(Offence.FORMATION, breaches.line_up(objection))
        yield from self._tell(match, match.form(side, formation))

    def answer(self, member: Member, message: DeltaRequest) -> Effects:
        match, side = self._playing(member, "deltaRequest")
        if match.paused:
            raise Caution(Notice.PAUSED, breaches.paused(message))
        try:
            yield from self._tell(match, match.answer(side, message.request))
        except NotYourTurn:
            raise Caution(Notice.NOT_YOUR_TURN, breaches.not_your_turn(message)) from None
        except TooLate:
            raise Ignored(breaches.late(message)) from None
        except RuleViolation as violation:
            breach = breaches.against_the_rules(violation.mistake, message)
            raise ProtocolViolation(Offence.DELTA, breach) from None

    def _playing(self, member: Member, name: str) -> tuple[Match, Side]:
        """The match and side of a member that acts as a player, with a message of that name."""
        match, side = self.match, self.side_of(member)
        if match is not None and side is not None:
            return match, side
        if match is None and member.name in self.former:  # it crossed with the end of the match
            raise Ignored(breaches.after_the_end(name))
        raise ProtocolViolation(Offence.NOT_ALLOWED, breaches.not_playing(name))

    def resume(self, match: Match, by: str) -> Effects:
        yield from self._tell(match, match.resume(by))

    def lose(self, member: Member) -> None:
        """A member's connection is lost; if it plays, the match waits for it."""
        self._members.disconnect(member)
        if (side := self.side_of(member)) is not None:
            self._absences.begin(side)
        else:
            self.withdraw(member)
            self._members.remove(member)

    def welcome_back(self, member: Member) -> Effects:
        """A member is here that may have been gone."""
        if (side := self.side_of(member)) is None:
            self.withdraw(member)  # «ist vorerst ein Zuschauer»
            self._witnesses[member.name] = None
            return
        self._absences.end(side)
        self._returned.add(side)
        yield from self._end_if_deserted()

    def time_up(self, timer: Hashable) -> Effects:
        self._absences.time_up(timer)
        yield from self._end_if_deserted()
        if self.match is not None and timer == FORMATION:
            yield from self._end_unformed(self.match)
        elif self.match is not None:
            yield from self._tell(self.match, self.match.time_up(timer))

    def _end_if_deserted(self) -> Effects:
        if (loser := self._absences.loser) is not None:
            log.info("a player did not come back", side=loser)
            yield from self.end(loser.opponent, "left")

    def _end_unformed(self, match: Match) -> Effects:
        """«missing side loses»; nobody wins when both are missing."""
        missing = match.unformed
        late = [self._members.find(self.players[tuple(Side).index(side)]) for side in missing]
        there = [member.client for member in late if member and member.client]
        breach = breaches.no_formation()
        for client in there:
            yield Explain(client, breach, Consequence.KICKED)
            yield Send(client, error(Offence.FORMATION, breach, ends_match=True))
        yield from self.end(missing[0].opponent if len(missing) == 1 else None, "timeout")
        for client in there:
            yield Kick(client, Farewell.REFUSED)

    def _tell(self, match: Match, messages: Iterable[Any], why: str | None = None) -> Effects:
        for message in messages:
            yield Send(self._members.clients, message)
        if match.over:
            yield from self._close(match, why)

    # After the match

    def end(self, winner: Side | None, why: str | None = None) -> Effects:
        """Break off the match; unless it is already decided, the result says why."""
        if self.match is not None:
            why = None if self.match.decided else why
            yield from self._tell(self.match, self.match.break_off(winner), why)

    def _close(self, match: Match, why: str | None) -> Effects:
        assert match.record is not None
        ended = match.result(why)
        self.outcome = Outcome(match.start, match.sight, ended)
        self.record = match.record
        self.former = self.players
        self.match = None
        self._absences.clear()
        self._returned.clear()
        for member in [member for member in self._members if member.client is None]:
            self._members.remove(member)
        yield ended
        yield from self._save(match.record, brief=match.hardly_played)
        if not match.hardly_played:
            yield Inform(Played(self.former))

    def _save(self, record: MatchRecord, *, brief: bool) -> Effects:
        date, settings = self._clock.date(), self._settings
        if not settings.replays:
            return
        name = replay_files.name(date, self._lobby, self.former, self._origins, brief=brief)
        room = Room(
            files=settings.replays,
            bytes=settings.replay_megabytes * 1_000_000,
            claim=replay_files.claim,
        )
        kinds = {
            "replays": record.replay,
            "replays-with-snapshots": record.replay_with_snapshot,
        }
        for folder, make in kinds.items():
            yield Save(
                folder,
                name,
                lambda make=make: write_container(timestamp(date), make()),  # type: ignore[misc]
                room,
            )
