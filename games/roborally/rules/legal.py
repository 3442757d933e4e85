"""What the players for whom the game waits can do."""

from games.roborally.rules.actions import Action
from games.roborally.rules.state import State


def legal_actions(state: State, player_id: int) -> list[Action]:
    """Return everything the player may do now, whether the game waits for it or not."""
    raise NotImplementedError


def default_action(state: State, player_id: int) -> Action:
    """Return what is done for a player for whom the game waits and who does not answer."""
    raise NotImplementedError
