"""A computer player for Quidditch: a client without I/O."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.quidditch import artefacts, rules
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
    TeamFormation,
)
from games.quidditch.pace import rules_config
from games.quidditch.reception import DEFAULT_LOBBY
from games.quidditch.rules import START_CELLS, Match, Position, Side, Turn
from games.quidditch.teams import line_up
from ludothek.player import BrokenProtocol, PlayerOptions, Report, Utterance
from ludothek.settings import SettingsError

DIFFICULTIES = ("random",)


class QuidditchPlayer:
    """Does anything that is allowed, at random."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._rng = rng
        self._lobby = options.lobby or DEFAULT_LOBBY
        wanted = re.sub(r"[^a-zA-Z0-9]", "", options.username or "")
        self._name = wanted or f"ki{rng.randrange(10**9)}"
        self._password = options.password or f"{rng.getrandbits(64):x}"
        try:
            self._team = (
                artefacts.load_team(Path(options.team))
                if options.team
                else artefacts.standard_team()
            )
        except BadArtefact as error:
            raise SettingsError(f"--team: {error}") from None
        self._match: Match | None = None
        self._side: Side | None = None
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
        match message:
            case JoinResponse():
                yield self._team
            case MatchStart():
                yield from self._line_up(message)
            case Reconnect():
                self._learn(message.match_start.message)
                self._seen = message.snapshot.message.snapshot if message.snapshot else None
                if message.next is not None:
                    yield from self._answer(message.next.message)
            case Snapshot(snapshot=snapshot):
                self._seen = snapshot
            case Next():
                yield from self._answer(message)
            case MatchFinish():
                yield self._report(message)
                yield self._team  # for another match
            case PrivateWarning():
                self._warnings += 1
            case PrivateError(information=information):
                raise BrokenProtocol(information)

    def _learn(self, start: MatchStart) -> None:
        names = {start.left_team_user_name: Side.LEFT, start.right_team_user_name: Side.RIGHT}
        self._side = names.get(self._name)
        config = rules_config(start.match_config, carry_bludgers=True)
        left, right = line_up(start.left_team_config), line_up(start.right_team_config)
        self._match = Match(config, left, right)
        self._moves = self._warnings = 0

    def _line_up(self, start: MatchStart) -> Iterator[Utterance]:
        self._learn(start)
        if self._side is not None:
            cells = self._rng.sample(START_CELLS[self._side], len(Position))
            yield TeamFormation.of(dict(zip(Position, cells, strict=True)))

    def _answer(self, question: Next) -> Iterator[Utterance]:
        if self._match is None or self._seen is None or question.turn.side is not self._side:
            return
        turn = Turn(question.turn, question.type)
        state = rules.resume(self._match, self._seen, turn, self._rng)
        self._moves += 1
        yield DeltaRequest.of(self._rng.choice(rules.legal_requests(state)))

    def _report(self, finish: MatchFinish) -> Report:
        points = {"left": finish.left_points, "right": finish.right_points}
        return Report(
            finish.winner_user_name or None,
            points,
            self._moves,
            self._warnings,
            {"victoryReason": str(finish.victory_reason), "endRound": finish.end_round},
        )
