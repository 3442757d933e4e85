"""The conversation inside a Hexxagon lobby, which becomes the game when it starts."""

import random
from collections.abc import Hashable, Iterator
from itertools import count
from math import inf
from typing import Any

from games.hexxagon import breaches, rules
from games.hexxagon.match import Match
from games.hexxagon.member import Admission, Member, is_name
from games.hexxagon.messages import (
    GameMove,
    GameStarted,
    GetAvailableLobbies,
    LeaveGame,
    LeaveLobby,
    Lobby,
    LobbyJoined,
    LobbyStatus,
    StartGame,
    Uuid,
)
from games.hexxagon.notices import CreatorLeft, ListWanted, MakeRoom
from games.hexxagon.recipe import Recipe
from games.hexxagon.refusals import strike
from games.hexxagon.rules import ONE, TWO, Side
from ludothek.contract.chance import random_uuid
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock, Seconds
from ludothek.contract.effects import Began, Close, Effect, Effects, Explain, Inform, Release, Send
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.orders import Abort, Fault, Order, OrderRefused, Shutdown, Start
from ludothek.contract.table import Awaited, Stage, Summary, Table
from ludothek.contract.timers import Timers
from ludothek.kit.members import Members


class HexxagonTable(Table):
    """Up to two participants; the first to come is playerOne, who begins and may start the game."""

    def __init__(self, recipe: Recipe, clock: Clock, rng: random.Random) -> None:
        self.recipe: Recipe = recipe
        self.lobby_id = recipe.lobby_id
        self.abandoned_since = inf  # when its creator left
        self.silent_since = inf  # when somebody here last said something
        self.timers = Timers(clock.time)
        self._settings = recipe.settings
        self._game_id = Uuid(random_uuid(rng))  # its only draw: to keep a generator takes 3 KiB
        self._clock = clock
        self._now = Seconds(clock.date)
        self._created = self._now()
        self._opened = clock.time()
        self._members: Members[Member] = Members()
        self._lobby: Lobby | None = None  # as it was last listed; None: it has changed since
        self._match: Match | None = None
        self._players: tuple[Client, ...] = ()  # who hears of its moves
        self._closed = False
        self._deserted = False  # somebody has left, and whoever stays may not know it yet
        self.timers.start("empty", self._settings.empty_lobby_seconds or inf)

    @property
    def creator(self) -> Uuid | None:
        """Who has created the lobby; None: an organiser."""
        return self.recipe.creator

    @property
    def match(self) -> Match | None:
        """The game that the lobby has become, if it has started."""
        return self._match

    @property
    def awaited(self) -> Awaited:
        """Who has to move, and in which turn."""
        match = self._match
        if match is None or match.closed:
            return {}
        active = match.active
        return {
            member.client.number: match.state.turn
            for member in self._members
            if member.visitor.key == active
        }

    @property
    def waiting(self) -> bool:
        """Whether this is still a lobby, to be listed and joined."""
        return self._match is None and not self._closed

    @property
    def unjoined(self) -> bool:
        """Whether it is waiting for its first participant."""
        return self.waiting and not self._members

    @property
    def abandoned(self) -> bool:
        """Whether nobody has joined it and its creator is gone."""
        return self.unjoined and self.abandoned_since < inf

    @property
    def summary(self) -> Summary:
        return Summary(
            name=self.recipe.name,
            stage=Stage.WAITING if self.waiting else Stage.RUNNING,
            players=[member.name for member in self._members],
            idle=self.waiting,
        )

    def lobby(self) -> Lobby:
        """The lobby as clients see it: the same object until something has changed."""
        if self._lobby is None:
            self._lobby = self._describe()
        return self._lobby

    def _describe(self) -> Lobby:
        one, two = (*self._members, None, None)[:2]
        return Lobby(
            lobby_id=self.lobby_id,
            lobby_name=self.recipe.name,
            creation_date=self._created,
            is_closed=self._closed,
            player_one=one.visitor.key if one else None,
            player_two=two.visitor.key if two else None,
            player_one_user_name=one.name if one else None,
            player_two_user_name=two.name if two else None,
        )

    # What happens

    def enter(self, client: Client, admission: Admission) -> Effects:
        name = admission.name.strip() or self._free_name()
        breach = self._entry_breach(name)
        if breach is not None:
            yield Explain(client, breach)
            yield Send(client, LobbyJoined(lobby_id=self.lobby_id, successfully_joined=False))
            yield Release(client)
            return
        if name != admission.name:
            untidy = breaches.untidy_name("/userName", admission.name)
            yield Explain(client, untidy, Consequence.CORRECTED)
        yield Send(client, LobbyJoined(lobby_id=self.lobby_id, successfully_joined=True))
        if not self._members:
            self._keep_time_of_occupied()
        client.name = name
        self._members.add(Member(client, name, client.visitor))
        self.silent_since = self._clock.time()
        self._lobby = None
        yield self._lobby_status()

    def _entry_breach(self, name: str) -> Breach | None:
        """Why somebody of that name cannot come in."""
        if not self.waiting:
            return breaches.not_there(self.lobby_id)
        if len(self._members) >= 2:
            return breaches.full(self.lobby_id)
        return None if is_name(name) else breaches.bad_name("/userName", name)

    def receive(self, client: Client, message: Any) -> Effects:
        member = self._members.of(client)
        if member is None:
            return ()
        match = self._match
        if match is None:
            self.silent_since = self._clock.time()  # nobody asks later
        elif type(message) is GameMove and match.expects(member.visitor.key, message):
            return self._move(member, match, message)  # as nearly always
        objection = member.visitor.objection(message)
        if objection is None:
            if self._comes_late(member, message):
                return (Explain(client, breaches.late(message), Consequence.IGNORED),)
            objection = self._misplaced(member, message)
        return self._obey(member, message) if objection is None else self._strike(member, objection)

    def leave(self, client: Client) -> Effects:
        member = self._members.of(client)
        return () if member is None else self._depart(member)

    def told(self, notice: CreatorLeft | MakeRoom) -> Effects:
        if isinstance(notice, MakeRoom):
            return self._close_lobby()
        self.abandoned_since = self._clock.time()
        if self.unjoined:  # and will not be kept for long
            self.timers.start("abandoned", self._settings.abandoned_lobby_seconds or inf)
        return ()

    def time_up(self, timer: Hashable) -> Effects:
        return self._close_lobby()

    def _keep_time_of_occupied(self) -> None:
        self.timers.stop("empty", "abandoned")
        seconds = self._settings.occupied_lobby_seconds or inf
        self.timers.start("occupied", self._opened + seconds - self._clock.time())

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown() | Fault():
                yield from self._stop()
            case Abort(winner=winner):
                yield from self._abort(winner)
            case Start():
                if self._match is not None or len(self._members) < 2:
                    raise OrderRefused("a game needs a lobby with two participants")
                yield from self._start()
            case _:
                raise OrderRefused("Hexxagon has no pause and no other order of players")

    def _stop(self) -> Iterator[Effect]:
        if self._match is None:
            yield from self._close_lobby()
        else:
            yield from self._end(self._match)

    def _abort(self, winner: Client | None) -> Iterator[Effect]:
        if winner is not None:
            member = self._members.of(winner)
            if self._match is None or member is None:
                raise OrderRefused("the winner must be a player of a running game")
            self._match.state = rules.award(self._match.state, self._side_of(member))
            self._match.awarded = True
        yield from self._stop()

    def take_over(self, past: "HexxagonTable") -> Effects:
        """Continue from the game of another table, with these players on the seats there."""
        assert self._match is not None
        assert past.match is not None
        self._match.before, self._match.state = past.match.before, past.match.state
        return self._announce(self._match)

    # Which message is allowed when

    def _comes_late(self, member: Member, message: Any) -> bool:
        """Whether a message may be ignored: it names something that is over, or it is a StartGame
        sent while the other participant was leaving."""
        if self._settings.lenient_races and member.visitor.comes_late(message):
            return True
        if not (isinstance(message, StartGame) and self._deserted and len(self._members) < 2):
            return False
        self._deserted = False
        return self._settings.lenient_races and message.lobby_id == self.lobby_id

    def _misplaced(self, member: Member, message: Any) -> Breach | None:
        """Why a message is not allowed at this moment; None if it is."""
        match message:
            case GameMove() | LeaveGame():
                return self._game_objection(member, message)
            case LeaveLobby() | StartGame():
                return self._lobby_objection(member, message)
            case GetAvailableLobbies():
                return None
        return breaches.inside(type(message).__name__)

    def _lobby_objection(self, member: Member, message: LeaveLobby | StartGame) -> Breach | None:
        if self._match is not None:
            return breaches.started(message)
        if message.lobby_id != self.lobby_id:
            return breaches.other_lobby(message, self.lobby_id)
        if isinstance(message, StartGame) and member is not self._members[0]:
            return breaches.not_first()
        if isinstance(message, StartGame) and len(self._members) < 2:
            return breaches.alone()
        return None

    def _game_objection(self, member: Member, message: GameMove | LeaveGame) -> Breach | None:
        if self._match is None:
            return breaches.other_game(message, "a game that has started")
        if message.game_id != self._match.game_id:
            return breaches.other_game(message, self._match.game_id)
        if isinstance(message, GameMove) and member.visitor.key != self._match.active:
            return breaches.not_active(self._match.active, member.visitor.key)
        return None

    # What messages do

    def _obey(self, member: Member, message: Any) -> Effects:
        match message:
            case GameMove() if self._match is not None:
                return self._move(member, self._match, message)
            case LeaveGame() if self._match is not None:
                self._match.left = self._side_of(member)
                return self._end(self._match)
            case StartGame():
                return self._start()
            case LeaveLobby():
                return (*self._depart(member), Release(member.client))
            case GetAvailableLobbies():
                return (Inform(ListWanted(member.client)),)
        return ()

    def _start(self) -> Iterator[Effect]:
        now = self._now()
        sides = dict(zip(Side, self._members, strict=True))
        self._match = Match(
            game_id=self._game_id,
            players={side: member.visitor.key for side, member in sides.items()},
            names={side: member.name for side, member in sides.items()},
            created=now,
            acted=now,
            state=rules.start(),
        )
        self._players = self._audience()
        self._let_go()
        self.timers.clear()
        yield from self._announce(self._match)

    def _announce(self, match: Match) -> Iterator[Effect]:
        yield Began([member.name for member in self._members])
        started = GameStarted(game_id=match.game_id, creation_date=match.created)
        yield Send(self._audience(), started)
        yield Send(self._audience(), match.status())

    def _move(self, member: Member, match: Match, message: GameMove) -> Effects:
        move = rules.Move(message.move_from, message.move_to)
        try:
            state = rules.apply(match.state, move, self._settings.stuck)
        except RuleViolation as violation:
            return self._strike(member, breaches.against_the_rules(violation.mistake, message))
        state = self._limited(state)
        match.before, match.state = match.state, state
        if state.outcome is not None:
            return self._end(match)
        match.acted = self._now()
        return (Send(self._players, match.status()),)

    def _limited(self, state: rules.State) -> rules.State:
        limit = self._settings.max_turns
        return rules.adjudicate(state) if limit and state.turn > limit else state

    def _depart(self, member: Member) -> Iterator[Effect]:
        """A participant or player is gone, voluntarily or not."""
        side = self._side_of(member)
        self._members.remove(member)
        self._lobby = None
        if self._match is not None:
            self._match.left = side
            yield from self._end(self._match)
        elif self._members:
            self._deserted = True
            yield self._lobby_status()
        else:
            # «Verlassen alle Teilnehmer einer Lobby die Lobby, dann wird die Lobby zerstört»
            yield from self._close_lobby()

    def _end(self, match: Match) -> Iterator[Effect]:
        match.closed = True
        match.acted = self._now()
        yield Send(self._audience(), match.status())
        for member in self._members:
            member.visitor.leave_game(match.game_id)
        self._members.clear()
        self._players = ()
        yield match.result()
        yield Close()

    def _close_lobby(self) -> Iterator[Effect]:
        self._closed, self._lobby = True, None
        if self._members:
            yield self._lobby_status()
        self._let_go()
        self._members.clear()
        yield Close()

    def _let_go(self) -> None:
        """Remember that nobody is in this lobby any more; messages may still name it."""
        for member in self._members:
            member.visitor.leave_lobby(self.lobby_id)

    def _lobby_status(self) -> Send:
        status = LobbyStatus(lobby_id=self.lobby_id, lobby=self.lobby())
        return Send(self._audience(), status)

    # Who is who

    def _free_name(self) -> str:
        """A name for a client that has chosen none: «frei wählbar»."""
        taken = {member.name for member in self._members}
        names = (f"Player {number}" for number in count(len(self._members) + 1))
        return next(name for name in names if name not in taken)

    def _audience(self) -> tuple[Client, ...]:
        """Everybody here, the latest arrival first, as in the diagrams of the document."""
        return tuple(reversed(self._members.clients))

    def _strike(self, member: Member, breach: Breach) -> Effects:
        return strike(member.client, member.visitor, breach, self._settings.max_strikes)

    def _side_of(self, member: Member) -> Side:
        return ONE if member is self._members[0] else TWO
