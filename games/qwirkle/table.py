"""The conversation inside a game, from the first player who joins to the last question."""

import random
from collections.abc import Hashable, Iterator, Sequence
from math import inf
from typing import Any

import structlog

from games.qwirkle import breaches, rules
from games.qwirkle.answers import answer
from games.qwirkle.codec import Tolerated
from games.qwirkle.last_move import LastMove
from games.qwirkle.match import LISTED, Match
from games.qwirkle.member import Admission, Member, Members
from games.qwirkle.messages import (
    AbortGame,
    AccessDenied,
    BagRequest,
    ClientInfo,
    ClientType,
    Error,
    GameJoinAccepted,
    GameState,
    LeavingRequest,
    MessageSend,
    MessageSignal,
    NotAllowed,
    ParsingError,
    PauseGame,
    PlayerHandsRequest,
    PlayTiles,
    Request,
    ResumeGame,
    SpectatorJoinAccepted,
    TileSwapRequest,
    Winner,
)
from games.qwirkle.notices import Forget, GamePaused, PlayerCame
from games.qwirkle.recipe import Recipe
from games.qwirkle.refusals import Objection, ignore, objection, tolerate
from games.qwirkle.settings import GatheringSettings, Settings
from games.qwirkle.umpire import Umpire
from ludothek.contract.clauses import Breach
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Close, Effect, Effects, Inform, Release, Send
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.orders import (
    Abort,
    Arrange,
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
from ludothek.kit.chat import may_chat

log = structlog.get_logger()

STAGES = {
    GameState.NOT_STARTED: Stage.WAITING,
    GameState.IN_PROGRESS: Stage.RUNNING,
    GameState.PAUSED: Stage.PAUSED,
    GameState.ENDED: Stage.ENDED,
}


class QwirkleTable(Table):
    """A game and its members.

    After the end everybody is released, but still remembered: some clients leave an ended game
    and some do not, and some have questions about it.
    """

    def __init__(self, recipe: Recipe, clock: Clock, rng: random.Random) -> None:
        settings = recipe.settings
        self.recipe = recipe
        self.match = match = Match(
            game_id=recipe.game_id,
            name=recipe.name,
            config=recipe.config,
            tournament=recipe.tournament,
            variant=recipe.config.variant(settings.end_bonus, settings.refill),
            now=clock.time,
        )
        self.timers = match.timers
        self._rng = rng
        self._full_at = recipe.full_at
        self._secret_hands = settings.secret_hands
        self._chat_length, self._chat_rate = settings.chat_length, settings.chat_rate
        self._members = Members()
        # An organiser watches over its games.
        idle_turns = settings.idle_turns if recipe.full_at else 0
        self._umpire = Umpire(match, self._members, settings, rng, idle_turns)

    @property
    def winner(self) -> Winner | None:
        """How an ended game was decided."""
        return self._umpire.winner

    @property
    def reason(self) -> str | None:
        """Why an ended game is over."""
        return self._umpire.reason

    @property
    def starters(self) -> Sequence[ClientInfo]:
        """Everybody who was there at the start, in turn order."""
        return self._umpire.starters

    @property
    def moves(self) -> int:
        """How many were made."""
        return self._umpire.moves

    @property
    def last_move(self) -> LastMove | None:
        """What the last turn came to."""
        return self._umpire.last_move

    @property
    def awaited(self) -> Awaited:
        """Whose turn it is, and after how many moves."""
        match = self.match
        if match.state is not GameState.IN_PROGRESS or match.position.turn_over:
            return {}
        return {match.position.active.player: self.moves}

    @property
    def stage(self) -> Stage:
        return STAGES[self.match.state]

    @property
    def summary(self) -> Summary:
        match = self.match
        return Summary(
            name=match.name,
            stage=self.stage,
            state=match.state.value,
            players=[player.client_name for player in match.players],
            spectators=[member.info.client_name for member in self._members.spectators],
            facts={
                "tournament": match.is_tournament,
                "scores": [
                    {"client": player.client_id, "name": player.client_name, "score": score}
                    for player, score in match.scores.items()
                ],
                "winner": self.winner and self.winner.client.client_id,
                "total_ms": match.total_time,
                "configuration": match.config.attributes(),
            },
            # A running tournament still needs its next games.
            idle=match.ended or not (match.started or match.is_tournament),
        )

    @property
    def worth(self) -> tuple[bool, bool, float]:
        """When too many ended games are listed, those of least worth go first.

        Somebody may still ask about a game that it took part in, while games that nobody has played
        are easily made.
        """
        return len(self._members) > 0, self.moves > 0, self.match.ended_at

    @property
    def has_room(self) -> bool:
        """Whether a player could still join."""
        return self.match.state is GameState.NOT_STARTED and self.seats_left > 0

    @property
    def seats_left(self) -> float:
        """How many players may still come before the game is full or starts by itself."""
        limits = (self.match.config.max_player_number, self._full_at)
        most = min((limit for limit in limits if limit), default=inf)
        return most - len(self.match.players)

    def remembers(self, client: Client) -> bool:
        """Whether the client takes part, or did until the end."""
        return self._members.of(client) is not None

    def seats(self, client: Client, *, spectator: bool) -> bool:
        """Whether the client takes part in exactly this role."""
        member = self._members.of(client)
        return member is not None and not self.match.ended and member.is_player != spectator

    def entry_breach(self, admission: Admission) -> Breach | None:
        """Why a client cannot come in; None if it can."""
        if admission.spectator:
            return None
        if admission.client_type is not ClientType.PLAYER:
            return breaches.no_player()
        if self.match.state is not GameState.NOT_STARTED:
            return breaches.started(self.match.game_id)
        return None if self.has_room else breaches.full(self.match.game_id)

    # What happens

    def enter(self, client: Client, admission: Admission) -> Effects:
        yield from self._admit(Member.of(client, admission))
        if self.match.ended:
            yield Release(client)

    def receive(self, client: Client, message: Any) -> Effects:
        if isinstance(message, Tolerated):
            return [tolerate(client, message), *self.receive(client, message.message)]
        member = self._members.of(client)
        if isinstance(message, Error):
            return ignore(client, message)
        if member is None:
            return ()
        if found := objection(message, member.standing):
            return found.answer(client)
        return self._obey(member, message)

    def leave(self, client: Client) -> Effects:
        member = self._members.of(client)
        return () if member is None or self.match.ended else self._umpire.lose(member)

    def told(self, notice: Forget | Order) -> Effects:
        match notice:
            case Forget(client=client):
                return self._forget(client)
            case Start():
                return self._start_for_tournament()
        return self.order(notice)

    def time_up(self, timer: Hashable) -> Effects:
        return (Close(),) if timer == LISTED else self._umpire.time_up(timer)

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown():
                yield from self._stop()  # all games end now, and none may take their place
            case Fault():
                yield from self._give_up()
                yield Inform(self._umpire.game_over)
            case Expel(client=client):
                yield from self._expel(client)
            case _ if self.match.ended:
                raise OrderRefused("the game has ended")
            case Start():
                yield from self._start()
            case Pause():
                yield from self._pause()
            case Resume():
                yield from self._resume()
            case Abort(winner=winner):
                yield from self._abort(winner)
            case Arrange(players=players):
                self._arrange(players)
            case _:
                raise OrderRefused("Qwirkle knows no single steps")

    # Playing on

    @property
    def gathering(self) -> Settings:
        """Settings with which as many players as are in this game come together for another."""
        return GatheringSettings.of(
            self.recipe.settings, self.match.config, players=len(self.match.players)
        )

    def take_over(self, past: "QwirkleTable") -> Effects:
        """Continue from another game, with these players on the seats there."""
        return self._umpire.take_over(past._umpire)

    # Orders

    def _stop(self) -> Iterator[Effect]:
        """End the game without telling the reception."""
        if not self.match.ended:
            abort = self._umpire.abort(None)
            yield from (effect for effect in abort if not isinstance(effect, Inform))
        yield Close()

    def _give_up(self) -> Sequence[Effect]:
        try:
            return [*self._stop()]
        except Exception:
            # The state of play is the very thing that is broken: skip the ranking.
            log.warning("no winner can be named", game_id=self.match.game_id)
            return [self._members.tell(AbortGame()), Close()]

    def _start_for_tournament(self) -> Iterator[Effect]:
        """Clients that hang up at this very moment have not come in, and there may be too few."""
        try:
            yield from self._umpire.start()
        except RuleViolation:
            yield from self._umpire.abort(None)

    def _expel(self, client: Client) -> Iterator[Effect]:
        member = self._members.of(client)
        if member is None or self.match.ended:
            raise OrderRefused(f"client {client.number} is not in this game")
        yield from self._umpire.send_away(member)

    def _start(self) -> Iterator[Effect]:
        if self.match.started:
            raise OrderRefused("the game has started already")
        try:
            yield from self._umpire.start()
        except RuleViolation as violation:
            count = len(self.match.players)
            raise OrderRefused(f"cannot start with {count} players: {violation}") from None

    def _pause(self) -> Iterator[Effect]:
        if self.match.state is not GameState.IN_PROGRESS:
            raise OrderRefused("only a game in progress can be paused")
        self.match.pause()
        yield self._members.tell(PauseGame())
        yield from self._tell_tournament(paused=True)

    def _resume(self) -> Iterator[Effect]:
        if self.match.state is not GameState.PAUSED:
            raise OrderRefused("only a paused game can go on")
        self.match.resume()
        yield self._members.tell(ResumeGame())
        yield from self._tell_tournament(paused=False)

    def _tell_tournament(self, *, paused: bool) -> Iterator[Effect]:
        match = self.match
        if match.tournament is not None:
            yield Inform(GamePaused(str(match.game_id), paused, match.tournament))

    def _abort(self, winner: Client | None) -> Iterator[Effect]:
        member = None if winner is None else self._members.of(winner)
        if winner is not None and not (member and member.is_player):
            raise OrderRefused("the winner must be a player of this game")
        yield from self._umpire.abort(member)

    def _arrange(self, players: Sequence[Client] | None) -> None:
        if self.match.started:
            raise OrderRefused("the order of players is settled when the game starts")
        if players is None:
            self._rng.shuffle(self.match.players)
            return
        wanted = [client.number for client in players]
        if sorted(wanted) != sorted(player.client_id for player in self.match.players):
            raise OrderRefused("an order must name every player of the game once")
        self.match.players.sort(key=lambda player: wanted.index(player.client_id))

    # What members do

    def _forget(self, client: Client) -> Effects:
        if member := self._members.of(client):
            self._members.remove(member)
        return ()

    def _admit(self, member: Member) -> Iterator[Effect]:
        self._members.add(member)
        if not member.is_player:
            yield Send(member.client, SpectatorJoinAccepted(self.match.info))
            if self.winner is not None:
                yield Send(member.client, self.winner)
            return
        self.match.players.append(member.info)
        yield Send(member.client, GameJoinAccepted(self.match.info))
        if len(self.match.players) == self._full_at:
            yield from self._umpire.start()
        yield Inform(PlayerCame())

    def _obey(self, member: Member, message: Request) -> Iterator[Effect]:
        match message:
            case MessageSend():
                yield from self._chat(member, message)
            case LeavingRequest() if self.match.ended:
                self._members.remove(member)  # known bots leave, but expect no answer
            case LeavingRequest():
                yield from self._umpire.send_away(member)
            case PlayTiles() | TileSwapRequest():
                yield from self._move(member, message)
            case BagRequest() | PlayerHandsRequest() if self._is_secret:
                yield from _answer(member, message, AccessDenied, breaches.secret(message))
            case _:
                yield Send(member.client, answer(self.match, member, message))

    @property
    def _is_secret(self) -> bool:
        """Whether hidden things are hidden from all: players could ask as spectators, too."""
        return self._secret_hands and not self.match.ended

    def _chat(self, sender: Member, chat: MessageSend) -> Iterator[Effect]:
        if breach := self._chat_breach(sender, chat.message):
            yield from _answer(sender, chat, NotAllowed, breach)
            return
        tell = self._members.tell if sender.is_player else self._members.tell_spectators
        yield tell(MessageSignal(chat.message, sender.info))

    def _chat_breach(self, sender: Member, text: str) -> Breach | None:
        if len(text) > self._chat_length:
            return breaches.long_chat(text, self._chat_length)
        allowed = may_chat(sender.client, text, self._chat_rate, self.match.now)
        return None if allowed else breaches.much_chat()

    def _move(self, member: Member, move: PlayTiles | TileSwapRequest) -> Iterator[Effect]:
        variant = self.match.variant
        if not all(rules.exists(variant, tile) for tile in move.all_tiles):
            yield from _answer(member, move, ParsingError, breaches.unknown_tile(variant, move))
        elif breach := self._why_not_now(member, move):
            yield from _answer(member, move, NotAllowed, breach)
        elif isinstance(move, PlayTiles):
            yield from self._umpire.lay(member, move)
        else:
            yield from self._umpire.swap(member, move)

    def _why_not_now(self, member: Member, move: PlayTiles | TileSwapRequest) -> Breach | None:
        match = self.match
        if match.state is not GameState.IN_PROGRESS:
            return breaches.not_running(match.state.value, move)
        if match.position.turn_over:
            return breaches.looking(move)
        active, player = match.position.active.player, member.info.client_id
        return None if active == player else breaches.not_active(active, player, move)


def _answer(
    member: Member, message: Request, error: type[Error], breach: Breach
) -> Iterator[Effect]:
    return Objection(error, message.unique_id, breach).answer(member.client)
