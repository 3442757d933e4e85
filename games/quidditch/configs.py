"""The two configurations that are also files, of a match and of a team, as they are written."""

import attrs


@attrs.frozen(kw_only=True)
class Timings:
    """All in milliseconds."""

    team_formation_timeout: int
    player_turn_timeout: int
    fan_turn_timeout: int
    unban_turn_timeout: int
    min_player_phase_animation_duration: int
    min_fan_phase_animation_duration: int
    min_ball_phase_animation_duration: int
    min_unban_phase_animation_duration: int


@attrs.frozen(kw_only=True)
class ExtraMove:
    tinderblast: float
    cleansweep11: float
    comet260: float
    nimbus2001: float
    firebolt: float


@attrs.frozen(kw_only=True)
class FoulDetection:
    flacking: float
    haversacking: float
    stooging: float
    blatching: float
    snitchnip: float


@attrs.frozen(kw_only=True)
class FanFoulDetection:
    elf_teleportation: float
    goblin_shock: float
    troll_roar: float
    snitch_snatch: float
    wombat_poo: float


@attrs.frozen(kw_only=True)
class Probabilities:
    throw_success: float
    knock_out: float
    catch_snitch: float
    catch_quaffle: float
    wrest_quaffle: float
    extra_move: ExtraMove
    foul_detection: FoulDetection
    fan_foul_detection: FanFoulDetection


@attrs.frozen(kw_only=True)
class MatchConfig:
    max_rounds: int
    timings: Timings
    probabilities: Probabilities


@attrs.frozen(kw_only=True)
class Colors:
    primary: str
    secondary: str


@attrs.frozen(kw_only=True)
class Fans:
    goblins: int
    trolls: int
    elves: int
    nifflers: int
    wombats: int


@attrs.frozen(kw_only=True)
class PlayerConfig:
    name: str
    broom: str
    sex: str


@attrs.frozen(kw_only=True)
class PlayerConfigs:
    seeker: PlayerConfig
    keeper: PlayerConfig
    chaser1: PlayerConfig
    chaser2: PlayerConfig
    chaser3: PlayerConfig
    beater1: PlayerConfig
    beater2: PlayerConfig


@attrs.frozen(kw_only=True)
class TeamConfig:
    name: str
    motto: str
    colors: Colors
    image: str = attrs.field(repr=lambda image: f"<{len(image)} characters>")
    fans: Fans
    players: PlayerConfigs
