"""The messages of the network standard REVIEWME-14, in the order of the document."""

from functools import cached_property
from typing import Any

import attrs

from games.quidditch import configs, rules
from games.quidditch.codec.snapshot_writer import write_snapshot
from games.quidditch.rules import (
    BanReason,
    Cell,
    Delta,
    DeltaType,
    Entity,
    Formation,
    Phase,
    Position,
    Request,
    TurnType,
    VictoryReason,
)
from ludothek.contract.frozen import frozen


class ClientMessage:
    """What a client says."""


class ServerMessage:
    """What only the server says."""


@frozen
class Undefined:
    """«Falls der payloadType hier nicht definiert ist, wird er einfach ignoriert.»"""

    payload_type: str


# 4.4 Debug


@frozen
class SendDebug(ClientMessage):
    information: str


@frozen
class GlobalDebug(ServerMessage):
    information: str


@frozen
class PrivateDebug(ServerMessage):
    information: str


# 4.5 Login


@frozen(kw_only=True)
class JoinRequest(ClientMessage):
    lobby: str
    user_name: str
    password: str = attrs.field(repr=False)  # never in a log or report
    is_artificial_intelligence: bool
    mods: list[str]


@frozen
class LoginGreeting(ServerMessage):
    user_name: str


@frozen
class JoinResponse(ServerMessage):
    message: str


# 5 Konfigurationen für Team und Partie


@frozen(kw_only=True)
class TeamConfig(ClientMessage, configs.TeamConfig):
    pass


@frozen(kw_only=True)
class MatchConfig(ServerMessage, configs.MatchConfig):
    """Never sent by itself, but a payloadType: it is a file and a part of matchStart."""


# 6 Match-Start-Finish


@frozen(kw_only=True)
class MatchStart(ServerMessage):
    match_config: configs.MatchConfig
    left_team_config: configs.TeamConfig
    right_team_config: configs.TeamConfig
    left_team_user_name: str
    right_team_user_name: str


@frozen(kw_only=True)
class MatchFinish(ServerMessage):
    end_round: int
    left_points: int
    right_points: int
    winner_user_name: str
    victory_reason: VictoryReason


# 7 TeamFormation


@frozen
class Place:
    x_pos: int
    y_pos: int


@frozen(kw_only=True)
class Places:
    seeker: Place
    keeper: Place
    chaser1: Place
    chaser2: Place
    chaser3: Place
    beater1: Place
    beater2: Place


@frozen
class TeamFormation(ClientMessage):
    players: Places

    @classmethod
    def of(cls, formation: Formation) -> "TeamFormation":
        return cls(Places(**{str(position): Place(*cell) for position, cell in formation.items()}))

    @property
    def formation(self) -> Formation:
        places: dict[str, Place] = attrs.asdict(self.players, recurse=False)
        return {Position(name): Cell(place.x_pos, place.y_pos) for name, place in places.items()}


# 8 Snapshot


@attrs.frozen(slots=False)
class Snapshot(ServerMessage):
    """What the rules know as a snapshot, plus who is watching."""

    snapshot: rules.Snapshot
    spectators: tuple[str, ...] = ()

    @cached_property
    def payload(self) -> bytes:
        """Encoded; made once for all who receive it and for the replay."""
        return write_snapshot(self.snapshot, self.spectators)


# 9 Next


@frozen
class Next(ServerMessage):
    turn: Entity
    type: TurnType
    timeout: int  # milliseconds


# 10 Delta


@frozen(kw_only=True)
class DeltaFields:
    """«null-Felder müssen mitgeschickt werden»; one that is missing is read as null."""

    delta_type: DeltaType
    success: bool | None = None
    x_pos_old: int | None = None
    y_pos_old: int | None = None
    x_pos_new: int | None = None
    y_pos_new: int | None = None
    active_entity: Entity | None = None
    passive_entity: Entity | None = None
    phase: Phase | None = None
    left_points: int | None = None
    right_points: int | None = None
    round: int | None = None
    ban_reason: BanReason | None = None


@frozen(kw_only=True)
class DeltaRequest(ClientMessage, DeltaFields):
    @classmethod
    def of(cls, request: Request) -> "DeltaRequest":
        x, y = request.new or (None, None)
        return cls(
            delta_type=request.type,
            x_pos_new=x,
            y_pos_new=y,
            active_entity=request.active,
            passive_entity=request.passive,
        )

    @property
    def request(self) -> Request:
        """The part of it that means something; clients fill in more than they have to."""
        new = cell(self.x_pos_new, self.y_pos_new)
        return Request(self.delta_type, new, self.active_entity, self.passive_entity)


@frozen(kw_only=True)
class DeltaBroadcast(ServerMessage, DeltaFields):
    """Never sent by itself, only as a part of snapshots and replays."""

    @property
    def delta(self) -> Delta:
        return Delta(
            type=self.delta_type,
            success=self.success,
            old=cell(self.x_pos_old, self.y_pos_old),
            new=cell(self.x_pos_new, self.y_pos_new),
            active=self.active_entity,
            passive=self.passive_entity,
            phase=self.phase,
            left_points=self.left_points,
            right_points=self.right_points,
            round=self.round,
            ban_reason=self.ban_reason,
        )


def cell(x: int | None, y: int | None) -> Cell | None:
    return None if x is None or y is None else Cell(x, y)


# 11 Pause


@frozen
class PauseRequest(ClientMessage):
    message: str


@frozen
class ContinueRequest(ClientMessage):
    message: str


@frozen(kw_only=True)
class PauseResponse(ServerMessage):
    message: str
    user_name: str
    pause: bool


# 12 Reconnect


@frozen
class Contained:
    """A message in its container inside another one."""

    timestamp: str
    message: Any


@frozen
class Reconnect(ServerMessage):
    match_start: Contained
    snapshot: Contained | None = None
    next: Contained | None = None


# 13 Replay


@frozen
class GetReplay(ClientMessage):
    pass


@frozen
class Replay(ServerMessage):
    """The content is already encoded when it is sent, and not decoded when it is received."""

    content: Any = attrs.field(repr=False)


@frozen(kw_only=True)
class PrivateError(ServerMessage):
    code: int
    information: str
    trigger_match_finish: bool


@frozen
class PrivateWarning(ServerMessage):
    code: int
    information: str


# 14.2 Chat-mod


@frozen
class SendChat(ClientMessage):
    information: str


@frozen
class GlobalChat(ServerMessage):
    sender_user_name: str
    information: str


@frozen
class ReconnectChat(ServerMessage):
    last_ten_chat: list[GlobalChat]


# 14.4 ReplayWithSnapshot-mod


@frozen
class GetReplayWithSnapshot(ClientMessage):
    pass


@frozen
class ReplayWithSnapshot(ServerMessage):
    content: Any = attrs.field(repr=False)


# 14.5 Lobby-mod


@frozen(kw_only=True)
class LobbyEntry:
    name: str
    match_started: bool
    connected_users: int


@frozen
class Lobbies(ServerMessage):
    lobbies: list[LobbyEntry]


# 14.6 Test-mod


@frozen
class TestRequest(ClientMessage):
    """Its name and author do not concern us."""

    test_type: str
    snapshot: Snapshot
    delta: DeltaBroadcast


@frozen
class TestResponse(ServerMessage):
    actual_snapshot: Snapshot


def payload_type(message: type) -> str:
    name = message.__name__
    return name[0].lower() + name[1:]


MESSAGES: dict[str, type] = {
    payload_type(message): message
    for side in (ClientMessage, ServerMessage)
    for message in side.__subclasses__()
}

# What clients may say.
REQUESTS = {name for name, message in MESSAGES.items() if issubclass(message, ClientMessage)}
