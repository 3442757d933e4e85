"""What a match configuration says about time and chance, as the match and the rules need it."""

from collections.abc import Mapping

import attrs

from games.quidditch.configs import MatchConfig
from games.quidditch.rules import BanReason, Broom, Phase, TurnType
from games.quidditch.rules import MatchConfig as RulesConfig
from ludothek.contract.codec import camel_case


@attrs.frozen
class Pace:
    """Milliseconds for turns and formations, and between snapshots."""

    formation: int
    turns: Mapping[TurnType, int]
    gaps: Mapping[Phase, int]  # the least time between a snapshot in that phase and the next one

    @classmethod
    def of(cls, config: MatchConfig) -> "Pace":
        timings = config.timings
        return cls(
            formation=timings.team_formation_timeout,
            turns={
                TurnType.MOVE: timings.player_turn_timeout,
                TurnType.ACTION: timings.player_turn_timeout,
                TurnType.FAN: timings.fan_turn_timeout,
                TurnType.REMOVE_BAN: timings.unban_turn_timeout,
            },
            gaps={
                Phase.PLAYER: timings.min_player_phase_animation_duration,
                Phase.FAN: timings.min_fan_phase_animation_duration,
                Phase.BALL: timings.min_ball_phase_animation_duration,
                Phase.UNBAN: timings.min_unban_phase_animation_duration,
                Phase.FINISH: 0,
            },
        )


def rules_config(config: MatchConfig, *, carry_bludgers: bool) -> RulesConfig:
    chances = config.probabilities
    return RulesConfig(
        max_rounds=config.max_rounds,
        throw_success=chances.throw_success,
        knock_out=chances.knock_out,
        catch_snitch=chances.catch_snitch,
        catch_quaffle=chances.catch_quaffle,
        wrest_quaffle=chances.wrest_quaffle,
        extra_move={broom: getattr(chances.extra_move, broom) for broom in Broom},
        foul_detection=_reasons(chances.foul_detection),
        fan_foul_detection=_reasons(chances.fan_foul_detection),
        carries_bludgers=carry_bludgers,
    )


def _reasons(detection: attrs.AttrsInstance) -> dict[BanReason, float]:
    chances: dict[str, float] = attrs.asdict(detection)
    return {BanReason(camel_case(name)): chance for name, chance in chances.items()}
