"""A Quidditch player on the wire: logs in, brings its team, plays match after match, reports."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import structlog

from games.quidditch import artefacts, bots
from games.quidditch.artefacts import BadArtefact
from games.quidditch.knowledge import Knowledge
from games.quidditch.messages import (
    DeltaRequest,
    JoinRequest,
    JoinResponse,
    MatchFinish,
    MatchStart,
    Next,
    PrivateError,
    PrivateWarning,
    Reconnect,
    Snapshot,
    TeamConfig,
    TeamFormation,
)
from games.quidditch.reception import DEFAULT_LOBBY
from games.quidditch.rules import Side
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report, Utterance
from ludothek.settings.fields import SettingsError

log = structlog.get_logger()

# «username und password werden in der KI hardgecoded»: a bot without a chosen name gets a new one
# every time, and is not kept out by whoever had the same name before.
PASSWORD = "ludothek"

_NAME = re.compile(r"[a-zA-Z0-9]{3,20}")
_LOBBY = re.compile(r"[a-zA-Z0-9]{3,40}")


class QuidditchPlayer:
    """Plays one match after another in one lobby."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._rng = rng
        self._difficulty = options.difficulty
        self._lobby = _checked(_LOBBY, options.lobby or DEFAULT_LOBBY, "--lobby: 3 to 40")
        self._name = _checked(_NAME, _user_name(options, rng), "--username: 3 to 20")
        self._password = options.password or PASSWORD
        self._team = _team(options)
        self._knowledge: Knowledge | None = None  # of the current match
        self._moves = self._warnings = 0

    def greet(self) -> Iterator[Utterance]:
        yield JoinRequest(
            lobby=self._lobby,
            user_name=self._name,
            password=self._password,
            is_artificial_intelligence=True,
            mods=[],
        )

    def idle(self) -> Iterator[Utterance]:
        return iter(())

    def hear(self, message: Any) -> Iterator[Utterance]:
        """Answer what is meant for a player; the rest does not concern it."""
        match message:
            case JoinResponse():
                yield self._team
            case MatchStart() | Reconnect():
                yield from self._begin(message)
            case Snapshot(snapshot=snapshot) if self._knowledge is not None:
                self._knowledge.seen = snapshot
            case Next() if self._knowledge is not None:
                yield from self._answer(message, self._knowledge)
            case MatchFinish():
                yield from self._end(message)
            case PrivateWarning(code=code, information=information):
                log.debug("warned", code=code, information=information)
                self._warnings += 1
            case PrivateError(code=code, information=information):
                raise BrokenProtocol(f"the server refuses to go on: {information} (code {code})")

    # Before and after a match

    def _begin(self, message: MatchStart | Reconnect) -> Iterator[Utterance]:
        """Play a match from its start, continue it, or watch one of others.

        A player who comes back while teams line up says nothing: its formation has already arrived,
        as it follows the matchStart at once, and a second one would break the rules.
        """
        self._moves = self._warnings = 0
        try:
            if isinstance(message, MatchStart):
                self._knowledge = Knowledge(message, self._name)
            else:
                self._knowledge = Knowledge.of(message, self._name)
        except ValueError as error:
            raise BrokenProtocol(f"the server sent a bad team: {error}") from None
        side = self._knowledge.side
        log.debug("match begins", side=side)
        if isinstance(message, MatchStart) and side is not None:
            yield TeamFormation.of(bots.line_up(side, self._difficulty, self._rng))
        elif isinstance(message, Reconnect) and message.next is not None:
            yield from self._answer(message.next.message, self._knowledge)

    def _end(self, finish: MatchFinish) -> Iterator[Utterance]:
        """Report a match of our own, and be ready for the next one in any case."""
        knowledge, self._knowledge = self._knowledge, None
        if knowledge is not None and knowledge.side is not None:
            yield self._report(finish, knowledge.side)
        yield self._team

    def _report(self, finish: MatchFinish, side: Side) -> Report:
        return Report(
            winner=finish.winner_user_name or None,
            points={"left": finish.left_points, "right": finish.right_points},
            moves=self._moves,
            errors=self._warnings,
            details={
                "won": finish.winner_user_name == self._name,
                "side": str(side),
                "victoryReason": str(finish.victory_reason),
                "endRound": finish.end_round,
            },
        )

    # In a match

    def _answer(self, question: Next, knowledge: Knowledge) -> Iterator[Utterance]:
        state = knowledge.state(question, self._rng)
        if state is None:
            return
        try:
            request = bots.choose(state, self._difficulty, self._rng)
        except LookupError:  # somebody is reported outside the cells
            raise BrokenProtocol("the server sent a snapshot that cannot be") from None
        self._moves += 1
        log.debug("answer", turn=str(question.turn), type=str(question.type), request=str(request))
        yield DeltaRequest.of(request)


def _user_name(options: PlayerOptions, rng: random.Random) -> str:
    if not options.username:
        return f"bot{rng.randrange(10**9)}"
    name = options.username.replace(" ", "")
    # Names are valid for the whole server, and every lobby may have bots of the same name.
    return f"{name[:11]}x{rng.randrange(10**8):08}" if options.loyal else name


def _checked(pattern: re.Pattern[str], name: str, what: str) -> str:
    if not pattern.fullmatch(name):
        raise SettingsError(f"{what} letters and digits expected, not {name!r:.60}")
    return name


def _team(options: PlayerOptions) -> TeamConfig:
    path = options.own.get("team")
    if not path:
        return artefacts.standard_team()
    try:
        return artefacts.load_team(Path(path))
    except BadArtefact as error:
        raise SettingsError(f"--team: {error}") from None
