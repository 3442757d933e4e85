"""A Quidditch player on the wire: logs in, brings its team, plays match after match, reports."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import structlog

from games.quidditch import artefacts, bots, rules
from games.quidditch.artefacts import BadArtefact
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
from games.quidditch.pace import rules_config
from games.quidditch.reception import DEFAULT_LOBBY
from games.quidditch.rules import Match, Side, Turn, TurnType
from games.quidditch.teams import line_up
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report, Utterance
from ludothek.settings.fields import SettingsError

log = structlog.get_logger()

# «username und password werden in der KI hardgecoded»: who has not chosen a name gets a new one
# every time, and should not be kept out by whoever had the same one before.
PASSWORD = "ludothek"

_NAME = re.compile(r"[a-zA-Z0-9]{3,20}")
_LOBBY = re.compile(r"[a-zA-Z0-9]{3,40}")


class QuidditchPlayer:
    """Plays one match after the other in one lobby."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._rng = rng
        self._difficulty = options.difficulty
        self._lobby = _checked(_LOBBY, options.lobby or DEFAULT_LOBBY, "--lobby: 3 to 40")
        self._name = _checked(_NAME, _user_name(options, rng), "--username: 3 to 20")
        self._password = options.password or PASSWORD
        self._team = _team(options)
        self._match: Match | None = None  # the one that is going on, whoever plays it
        self._side: Side | None = None  # ours in it
        self._seen: rules.Snapshot | None = None
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
        """Answer what is meant for a player; the rest is none of its business."""
        match message:
            case JoinResponse():
                yield self._team
            case MatchStart():
                self._begin(message)
                yield from self._line_up()
            case Reconnect():
                yield from self._join(message)
            case Snapshot(snapshot=snapshot):
                self._seen = snapshot
            case Next():
                yield from self._answer(message)
            case MatchFinish():
                yield from self._end(message)
            case PrivateWarning(code=code, information=information):
                log.debug("warned", code=code, information=information)
                self._warnings += 1
            case PrivateError(code=code, information=information):
                raise BrokenProtocol(f"the server refuses to go on: {information} (code {code})")

    # Before and after a match

    def _begin(self, start: MatchStart) -> None:
        names = {start.left_team_user_name: Side.LEFT, start.right_team_user_name: Side.RIGHT}
        self._side, self._seen = names.get(self._name), None
        config = rules_config(start.match_config, carry_bludgers=True)
        try:
            teams = map(line_up, (start.left_team_config, start.right_team_config))
            self._match = Match(config, *teams)
        except ValueError as error:
            raise BrokenProtocol(f"the server sent a bad team: {error}") from None
        self._moves = self._warnings = 0
        log.debug("match begins", side=self._side, players=[*names])

    def _line_up(self) -> Iterator[Utterance]:
        if self._side is not None:
            formation = bots.line_up(self._side, self._difficulty, self._rng)
            yield TeamFormation.of(formation)

    def _join(self, reconnect: Reconnect) -> Iterator[Utterance]:
        """Go on with a match, or watch that of others.

        While teams line up there is no snapshot yet. That of a player who comes back is there
        already, as it follows the matchStart at once, and a second one would break the rules.
        """
        self._begin(reconnect.match_start.message)
        if reconnect.snapshot is not None:
            self._seen = reconnect.snapshot.message.snapshot
        if reconnect.next is not None:
            yield from self._answer(reconnect.next.message)

    def _end(self, finish: MatchFinish) -> Iterator[Utterance]:
        """Report a match of our own, and be ready for the next one in any case."""
        side, self._side, self._match = self._side, None, None
        if side is not None:
            yield self._report(finish, side)
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

    def _answer(self, question: Next) -> Iterator[Utterance]:
        turn = Turn(question.turn, question.type)
        if self._match is None or self._seen is None or not self._is_ours(turn):
            return
        state = rules.resume(self._match, self._seen, turn, self._rng)
        try:
            request = bots.choose(state, self._difficulty, self._rng)
        except LookupError:  # somebody is where no cell is
            raise BrokenProtocol("the server sent a snapshot that cannot be") from None
        self._moves += 1
        log.debug("answer", turn=str(turn.entity), type=str(turn.type), request=str(request))
        yield DeltaRequest.of(request)

    def _is_ours(self, turn: Turn) -> bool:
        """Whether to answer; some servers also ask balls, which nobody can answer for."""
        if turn.type is TurnType.FAN:
            return turn.entity.is_fan and turn.side is self._side
        return turn.entity.is_player and turn.side is self._side


def _user_name(options: PlayerOptions, rng: random.Random) -> str:
    if not options.username:
        return f"bot{rng.randrange(10**9)}"
    name = options.username.replace(" ", "")
    # Names are for the whole server, and every lobby may have company of the same name.
    return f"{name[:11]}x{rng.randrange(10**8):08}" if options.loyal else name


def _checked(pattern: re.Pattern[str], name: str, what: str) -> str:
    if not pattern.fullmatch(name):
        raise SettingsError(f"{what} letters and digits expected, not {name!r:.60}")
    return name


def _team(options: PlayerOptions) -> TeamConfig:
    if not options.team:
        return artefacts.standard_team()
    try:
        return artefacts.load_team(Path(options.team))
    except BadArtefact as error:
        raise SettingsError(f"--team: {error}") from None
