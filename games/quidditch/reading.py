"""Snapshots as they come in: for computer players and for the Test-mod."""

from collections.abc import Iterator

import attrs

from games.quidditch.messages import DeltaBroadcast, Snapshot, cell
from games.quidditch.rules import (
    Cell,
    Entity,
    Fan,
    FanKind,
    Phase,
    Player,
    Position,
    Side,
    fan_of,
    player_of,
)
from games.quidditch.rules import Snapshot as Situation


@attrs.frozen
class PlaceFields:
    x_pos: int | None = None
    y_pos: int | None = None

    @property
    def cell(self) -> Cell | None:
        return cell(self.x_pos, self.y_pos)


@attrs.frozen(kw_only=True)
class PlayerFields:
    x_pos: int
    y_pos: int
    banned: bool
    turn_used: bool
    knockout: bool
    holds_quaffle: bool | None = None
    holds_bludger: bool | None = None


@attrs.frozen(kw_only=True)
class PlayersFields:
    seeker: PlayerFields
    keeper: PlayerFields
    chaser1: PlayerFields
    chaser2: PlayerFields
    chaser3: PlayerFields
    beater1: PlayerFields
    beater2: PlayerFields


@attrs.frozen(kw_only=True)
class FanFields:
    fan_type: FanKind
    banned: bool
    turn_used: bool


@attrs.frozen(kw_only=True)
class TeamFields:
    points: int
    fans: list[FanFields]
    players: PlayersFields


@attrs.frozen(kw_only=True)
class BallsFields:
    snitch: PlaceFields
    quaffle: PlaceFields
    bludger1: PlaceFields
    bludger2: PlaceFields


@attrs.frozen(kw_only=True)
class SnapshotFields:
    last_delta_broadcast: DeltaBroadcast
    phase: Phase
    spectator_user_name: list[str]
    round: int
    left_team: TeamFields
    right_team: TeamFields
    balls: BallsFields
    wombat_cubes: list[PlaceFields]
    goal_was_thrown_this_round: bool

    @property
    def teams(self) -> dict[Side, TeamFields]:
        return {Side.LEFT: self.left_team, Side.RIGHT: self.right_team}

    @property
    def players(self) -> Iterator[tuple[Entity, PlayerFields]]:
        for side, team in self.teams.items():
            for position in Position:
                yield player_of(side, position), getattr(team.players, position)


def read_snapshot(fields: SnapshotFields) -> Snapshot:
    """Raises ValueError for what no snapshot can be, a ball without a place for instance."""
    players = list(fields.players)
    balls = fields.balls
    situation = Situation(
        delta=fields.last_delta_broadcast.delta,
        players=tuple(
            Player(entity, Cell(p.x_pos, p.y_pos), p.banned, p.turn_used, p.knockout)
            for entity, p in players
        ),
        fans=tuple(
            Fan(fan_of(side, fan.fan_type), fan.banned, fan.turn_used)
            for side, team in fields.teams.items()
            for fan in team.fans
        ),
        quaffle=_there(balls.quaffle, "quaffle"),
        bludgers=(_there(balls.bludger1, "bludger1"), _there(balls.bludger2, "bludger2")),
        snitch=balls.snitch.cell,
        holder=next((entity for entity, player in players if player.holds_quaffle), None),
        cubes=tuple(_there(cube, "wombatCubes") for cube in fields.wombat_cubes),
        left_points=fields.left_team.points,
        right_points=fields.right_team.points,
        phase=fields.phase,
        round=fields.round,
        goal_was_thrown_this_round=fields.goal_was_thrown_this_round,
    )
    return Snapshot(situation, tuple(fields.spectator_user_name))


def _there(place: PlaceFields, what: str) -> Cell:
    if place.cell is None:
        raise ValueError(f"{what} is nowhere")
    return place.cell
