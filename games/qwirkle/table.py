"""The talk inside a game, from the first player who joins until nobody may ask about it."""

import random
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import Any

import structlog

from games.qwirkle import rules
from games.qwirkle.answers import answer
from games.qwirkle.company import Admission, Company, Member
from games.qwirkle.course import Course
from games.qwirkle.messages import (
    AbortGame,
    AccessDenied,
    BagRequest,
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
from games.qwirkle.rights import objection
from games.qwirkle.session import Session
from games.qwirkle.settings import Settings
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
from ludothek.contract.table import Close, Effect, Effects, Release, Send, Summary
from ludothek.runtime.client import Client

log = structlog.get_logger()

SECRET = "Hände und Beutel sind bis zum Ende des Spiels geheim."


class QwirkleTable:
    """A game and its members.

    After the end everybody is released, but still remembered: clients differ in whether they
    leave an ended game, and some have questions about it.
    """

    def __init__(
        self,
        session: Session,
        settings: Settings,
        rng: random.Random,
        changed: Callable[["QwirkleTable"], None],
        *,
        full_at: int = 0,
    ) -> None:
        self.session = session
        self._rng = rng
        self._changed = changed  # called when a player has come, and when the game is over
        self._full_at = full_at  # so many players start the game; 0: it waits for the organiser
        self._secret_hands = settings.secret_hands
        self._chat_length, self._chat_rate = settings.chat_length, settings.chat_rate
        self._company = Company()
        # Not in a circle, which would be left to a search for garbage that may come an hour later.
        ended = partial(_tell_of, weakref.ref(self))
        idle_turns = settings.idle_turns if full_at else 0  # an organiser watches over its games
        self._course = Course(session, self._company, settings, rng, ended, idle_turns)

    @property
    def deadline(self) -> float:
        return self._course.purge_at if self.session.ended else self.session.deadline

    @property
    def winner(self) -> Winner | None:
        """How an ended game was decided."""
        return self._course.winner

    @property
    def summary(self) -> Summary:
        session = self.session
        return Summary(
            name=session.name,
            state=session.state.value,
            players=[player.client_name for player in session.players],
            spectators=[member.info.client_name for member in self._company.spectators],
            facts={
                "tournament": session.is_tournament,
                "scores": [
                    {"client": player.client_id, "name": player.client_name, "score": score}
                    for player, score in session.scores.items()
                ],
                "winner": self.winner and self.winner.client.client_id,
                "total_ms": session.total_time,
                "configuration": session.config.attributes(),
            },
            # A tournament that runs needs its next games.
            idle=session.ended or not (session.started or session.is_tournament),
        )

    @property
    def worth(self) -> tuple[bool, bool, float]:
        """Of ended games the least goes first, when too many are listed.

        Somebody may still ask about a game in which it was; and games that nobody has played are
        quickly made.
        """
        return any(self._company), self._course.moves > 0, self._course.purge_at

    @property
    def has_room(self) -> bool:
        """Whether a player could still join."""
        return self.session.state is GameState.NOT_STARTED and self.seats_left > 0

    @property
    def seats_left(self) -> float:
        """Players that may still come before the game is full or starts by itself."""
        limits = (self.session.config.max_player_number, self._full_at)
        most = min((limit for limit in limits if limit), default=inf)
        return most - len(self.session.players)

    def remembers(self, client: Client) -> bool:
        """Whether the client takes part, or has until the end."""
        return self._company.get(client) is not None

    def seats(self, client: Client, *, spectator: bool) -> bool:
        """Whether the client takes part in just this way."""
        member = self._company.get(client)
        return member is not None and not self.session.ended and member.is_player != spectator

    def refusal(self, admission: Admission) -> str | None:
        """Why a client cannot come in, if it cannot."""
        if admission.spectator:
            return None
        if admission.client_type is not ClientType.PLAYER:
            return "Ein Beobachter kann nicht mitspielen."
        if self.session.state is not GameState.NOT_STARTED:
            return "Das Spiel hat schon angefangen."
        return None if self.has_room else "Das Spiel ist voll."

    # What happens

    def enter(self, client: Client, request: Admission | None) -> Effects:
        """Without a request, the client has been seated before, and its own task follows now."""
        if request is not None:
            yield from self._admit(Member.of(client, request))
        if self.session.ended or not self.remembers(client):
            yield Release(client)

    def receive(self, client: Client, message: Any) -> Effects:
        member = self._company.get(client)
        if member is None or isinstance(message, Error):
            return
        if error := objection(message, member.standing):
            yield Send(client, error)
        else:
            yield from self._obey(member, message)

    def leave(self, client: Client) -> Effects:
        member = self._company.get(client)
        if member is not None and not self.session.ended:
            yield from self._course.lose(member)

    def forget(self, client: Client) -> Effects:
        """The client is gone for good: from an ended game, or before it followed its seat."""
        yield from self.leave(client)
        if member := self._company.get(client):
            self._company.remove(member)

    def time_up(self) -> Effects:
        if self.session.ended:
            yield Close()
        else:
            yield from self._course.time_up()

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown():
                self._changed = _nobody_cares  # all games end now, none shall take their place
                yield from self._stop()
            case Fault():
                yield from self._give_up()
            case Expel(client=client):
                yield from self._expel(client)
            case _ if self.session.ended:
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

    # Orders

    def _stop(self) -> Iterator[Effect]:
        if not self.session.ended:
            yield from self._course.abort(None)
        yield Close()

    def _give_up(self) -> Sequence[Effect]:
        try:
            return [*self._stop()]
        except Exception:
            # The state of play is the very thing that is broken: leave the rating out.
            log.warning("no winner can be named", game_id=self.session.game_id)
            return [self._company.tell(AbortGame()), Close()]

    def _expel(self, client: Client) -> Iterator[Effect]:
        member = self._company.get(client)
        if member is None or self.session.ended:
            raise OrderRefused(f"client {client.number} is not in this game")
        yield from self._course.send_away(member)

    def _start(self) -> Iterator[Effect]:
        if self.session.started:
            raise OrderRefused("the game has started already")
        try:
            yield from self._course.start()
        except RuleViolation as violation:
            count = len(self.session.players)
            raise OrderRefused(f"cannot start with {count} players: {violation}") from None

    def _pause(self) -> Iterator[Effect]:
        if self.session.state is not GameState.IN_PROGRESS:
            raise OrderRefused("only a game in progress can be paused")
        self.session.pause()
        yield self._company.tell(PauseGame())

    def _resume(self) -> Iterator[Effect]:
        if self.session.state is not GameState.PAUSED:
            raise OrderRefused("only a paused game can go on")
        self.session.resume()
        yield self._company.tell(ResumeGame())

    def _abort(self, winner: Client | None) -> Iterator[Effect]:
        member = None if winner is None else self._company.get(winner)
        if winner is not None and not (member and member.is_player):
            raise OrderRefused("the winner must be a player of this game")
        yield from self._course.abort(member)

    def _arrange(self, players: Sequence[Client] | None) -> None:
        if self.session.started:
            raise OrderRefused("the order of players is settled when the game starts")
        if players is None:
            self._rng.shuffle(self.session.players)
            return
        wanted = [client.number for client in players]
        if sorted(wanted) != sorted(player.client_id for player in self.session.players):
            raise OrderRefused("an order must name every player of the game once")
        self.session.players.sort(key=lambda player: wanted.index(player.client_id))

    # What members do

    def _admit(self, member: Member) -> Iterator[Effect]:
        self._company.add(member)
        if not member.is_player:
            yield Send(member.client, SpectatorJoinAccepted(self.session.info))
            if self.winner is not None:
                yield Send(member.client, self.winner)
            return
        self.session.players.append(member.info)
        yield Send(member.client, GameJoinAccepted(self.session.info))
        if len(self.session.players) == self._full_at:
            yield from self._course.start()
        self._changed(self)

    def _obey(self, member: Member, message: Request) -> Iterator[Effect]:
        match message:
            case MessageSend(message=text):
                yield self._chat(member, text)
            case LeavingRequest() if self.session.ended:
                self._company.remove(member)  # known bots leave, but expect no answer
            case LeavingRequest():
                yield from self._course.send_away(member)
            case PlayTiles() | TileSwapRequest():
                yield from self._move(member, message)
            case BagRequest() | PlayerHandsRequest() if self._is_secret:
                yield Send(member.client, AccessDenied(SECRET, message.unique_id))
            case _:
                yield Send(member.client, answer(self.session, member, message))

    @property
    def _is_secret(self) -> bool:
        """Whether nobody may know what is hidden from players, who could ask as spectators, too."""
        return self._secret_hands and not self.session.ended

    def _chat(self, sender: Member, text: str) -> Send:
        if len(text) > (most := self._chat_length):
            reason = f"Die Nachricht ist länger als {most} Zeichen."
            return Send(sender.client, NotAllowed(reason, MessageSend.unique_id))
        if not sender.client.may_chat(text, self._chat_rate, self.session.now):
            reason = "Zu viele Nachrichten in kurzer Zeit."
            return Send(sender.client, NotAllowed(reason, MessageSend.unique_id))
        tell = self._company.tell if sender.is_player else self._company.tell_spectators
        return tell(MessageSignal(text, sender.info))

    def _move(self, member: Member, move: PlayTiles | TileSwapRequest) -> Iterator[Effect]:
        if not all(rules.exists(self.session.material, tile) for tile in move.all_tiles):
            yield Send(member.client, ParsingError("Der Stein ist nicht bekannt.", move.unique_id))
        elif reason := self._why_not_now(member):
            yield Send(member.client, NotAllowed(reason, move.unique_id))
        elif isinstance(move, PlayTiles):
            yield from self._course.lay(member, move)
        else:
            yield from self._course.swap(member, move)

    def _why_not_now(self, member: Member) -> str | None:
        if self.session.state is not GameState.IN_PROGRESS:
            return "Das Spiel läuft nicht."
        if self.session.position.turn_over or self.session.current != member.info:
            return "Der Spieler ist nicht am Zug."
        return None


def _tell_of(known: "weakref.ref[QwirkleTable]") -> None:
    if table := known():
        table._changed(table)


def _nobody_cares(table: QwirkleTable) -> None:
    pass
