"""A player as contestants write it, on the real client library; runs in its environment."""

import random
import sys
from typing import Any

from socha.api.networking.game_client import IClientHandler
from socha.starter import Starter


class Logic(IClientHandler):  # type: ignore[misc]
    """Plays at random, and prints how the game ended."""

    def on_update(self, state: Any) -> None:
        self._state = state

    def calculate_move(self) -> Any:
        return random.choice(self._state.possible_moves)

    def on_game_over(self, result: Any) -> None:
        causes = [entry.score.cause for entry in result.scores.entry]
        sys.stdout.write(f"ended {' '.join(causes)}\n")


if __name__ == "__main__":
    Starter(Logic())
