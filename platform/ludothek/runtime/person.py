"""Somebody who plays on the page: a client like any other, whose player asks what to do."""

import enum
import pickle
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
import structlog
import trio

from ludothek.contract.codec import Codec
from ludothek.contract.player import Asker, BrokenProtocol, Question, Report, Utterance
from ludothek.kit.reports import careful
from ludothek.runtime.playing import IDLE_SECONDS, next_frame, read
from ludothek.runtime.presence import Presence
from ludothek.runtime.unread import frames_of, unread
from transports import BUGS
from transports.memory import MemoryLink

log = structlog.get_logger()

# Seconds for the server to say how a game ended that the person has resigned.
RESIGN_SECONDS = 1.0


# The id of the match in the person's lobby, empty if it has not begun; None: the lobby is closed.
Look = Callable[[], str | None]


class Ending(enum.Enum):
    """Why a person's game is over."""

    REGULAR = "regular"
    RESIGNED = "resigned"
    AWAY = "away"  # the browser did not come back
    IDLE = "idle"  # nothing has happened for too long
    CLOSED = "closed"  # the server has ended it
    FAULT = "fault"


@attrs.frozen
class GameOver:
    """How a person's game ended."""

    ending: Ending
    report: Report | None = None  # None: the player was not told


@attrs.frozen(kw_only=True)
class Ticket:
    """What a person has been given: the way back to the seat, and where it is."""

    token: str  # a secret
    host: str  # of the browser
    name: str
    lobby: str  # its key
    seat: int  # in the order of turns
    difficulty: int | None  # of the computer; None: somebody else joins
    idle_seconds: float


@attrs.define
class Inquiry:
    """What the person has been asked."""

    question: Question | None = None  # the open one
    asked: int = 0  # its number, or that of the latest one
    answered: int = 0  # the number of the latest one that was answered


class NoAnswer(Exception):
    """What a browser has said makes no sense now; the text says why."""


class Person:
    """A player that asks, its end of a connection, and the question that is open.

    It reacts to each message at once and without waiting, so its state between two messages is all
    that another process needs to continue. Browsers come and go; what happens is shown to the
    latest one.
    """

    def __init__(self, ticket: Ticket, player: Asker, codec: Codec, link: MemoryLink) -> None:
        self.ticket = ticket
        self.inquiry = Inquiry()
        self.outcome: GameOver | None = None
        self.resigned = False
        self.presence = Presence(ticket.idle_seconds)
        self.match_id = ""  # once the match has begun
        self.changed = trio.Event()  # there is something new to show
        self._player = player
        self._codec = codec
        self._link = link
        self._unsaid = deque[bytes]()

    # Playing

    def greet(self) -> None:
        """Prepare what is said first."""
        self._unsaid.extend(map(self._codec.encode, self._player.greet()))

    async def play(self, look: Look) -> None:
        """Play until the game is over, the lobby is closed or the person away for too long."""
        try:
            with self.presence.scope:
                self._speak()
                while self.outcome is None:
                    await self._listen(look)
            if self.outcome is None:
                self._give_up()
        except (trio.EndOfChannel, trio.BrokenResourceError):
            self._end(Ending.CLOSED)
        except BrokenProtocol as problem:
            log.info("a person's player cannot go on", reason=str(problem))
            self._end(Ending.CLOSED)
        except BUGS as bug:
            self._fail(bug)
        finally:
            self._end(Ending.CLOSED)  # unless it has ended otherwise
            self._link.close()

    async def _listen(self, look: Look) -> None:
        frame = await next_frame(self._link, IDLE_SECONDS)
        match_id = look()
        self.match_id = match_id or self.match_id
        if frame is not None:
            self.presence.renew()
            self._react(self._player.hear(read(self._codec, frame)))
        elif match_id is not None:
            self._react(self._player.idle())
        else:
            self._end(Ending.CLOSED)

    def _react(self, utterances: Iterable[Utterance]) -> None:
        for utterance in utterances:
            match utterance:
                case Report():
                    self._end(Ending.REGULAR, utterance)
                    return
                case Question():
                    self.inquiry.question = utterance
                    self.inquiry.asked += 1
                case _:
                    self._unsaid.append(self._codec.encode(utterance))
        self._speak()
        self._change()

    def _speak(self) -> None:
        # Each message may be the last thing this process does: it is either said or unsaid.
        while self._unsaid and not self._link.gone:
            self._link.post(self._unsaid.popleft())

    def _give_up(self) -> None:
        """Nobody has been there for too long, or the resignation was not answered."""
        if not self.resigned:
            self._react(self._player.resign())
        self._end(Ending.AWAY if self.presence.is_away else Ending.IDLE)

    def _end(self, ending: Ending, report: Report | None = None) -> None:
        if self.outcome is None:
            self.outcome = GameOver(Ending.RESIGNED if self.resigned else ending, report)
            self.inquiry.question = None
            self._change()

    def _fail(self, bug: BaseException) -> None:
        """A bug ends this game and nothing else."""
        with careful("a person's player crashed"):
            log.error("a person's player crashed", exc_info=bug)
        self._end(Ending.FAULT)
        self._link.close()

    # What the person does

    def answer(self, number: int, index: int) -> None:
        """Make one of the moves of a question; raises NoAnswer."""
        self._check_going_on()
        question = self.inquiry.question
        if question is None or number != self.inquiry.asked:
            raise NoAnswer(f"question {number} is not open")
        if not 0 <= index < len(question.moves):
            raise NoAnswer(f"question {number} has no move {index}")
        self.inquiry.question, self.inquiry.answered = None, number
        self.presence.renew()
        self._act(lambda: [question.say(question.moves[index])])

    def resign(self) -> None:
        """Give up the game, or do not wait for it any longer; raises NoAnswer."""
        self._check_going_on()
        self.resigned, self.inquiry.question = True, None
        self.presence.end_in(RESIGN_SECONDS)
        self._act(self._player.resign)

    def _check_going_on(self) -> None:
        if self.outcome is not None or self.resigned:
            raise NoAnswer("the game is over")

    def _act(self, say: Callable[[], Iterable[Utterance]]) -> None:
        try:
            self._react(say())
        except BUGS as bug:
            self._fail(bug)

    # Browsers

    def arrive(self) -> int:
        """A browser is here; the one that was here before has to notice."""
        visit = self.presence.arrive()
        self._change()
        return visit

    def _change(self) -> None:
        changed, self.changed = self.changed, trio.Event()
        changed.set()

    # Surviving

    def remember(self) -> dict[str, Any]:
        """Plain data that `recall` needs."""
        return {
            "ticket": attrs.asdict(self.ticket),
            "state": b64encode(pickle.dumps((self._player, self.inquiry))).decode(),
            "resigned": self.resigned,
            "unsaid": unread(self._unsaid),
            "unread": unread(self._link.waiting),
            "unheard": unread(self._link.other.waiting),
        }

    @classmethod
    def recall(cls, memory: Mapping[str, Any], codec: Codec, link: MemoryLink) -> "Person":
        """The person as it was; raises anything if that cannot be read."""
        player, inquiry = pickle.loads(b64decode(memory["state"]))
        person = cls(Ticket(**memory["ticket"]), player, codec, link)
        person.inquiry, person.resigned = inquiry, memory["resigned"]
        person._unsaid.extend(frames_of(memory["unsaid"]))
        link.refill(frames_of(memory["unread"]))
        link.other.refill(frames_of(memory["unheard"]))
        return person
