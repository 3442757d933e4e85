"""Games that end after a number of rounds, no matter who leads."""

from collections.abc import Sequence

import attrs

from games.roborally.rules import Event, Phase, Player, State, events


def limit(state: State, happened: Sequence[Event], rounds: int) -> tuple[State, Sequence[Event]]:
    """The same, unless more than that many rounds have been played: then the game is over.

    Events of the round that will not be played are not reported.
    """
    if not rounds or state.over or state.round <= rounds:
        return state, happened
    leader = max(state.players, key=_merit).player_id
    told = happened[: happened.index(events.ActivePhase(Phase.UPGRADE.value))]
    return attrs.evolve(state, winner=leader), (*told, events.GameFinished(leader))


def _merit(player: Player) -> tuple[int, int, int]:
    """Checkpoints, then energy, then who joined first."""
    return player.checkpoint, player.energy, -player.player_id
