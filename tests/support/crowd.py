"""People who do anything at all, allowed or not, in front of two tables that must not differ."""

import random
from abc import ABC, abstractmethod
from typing import ClassVar

from tests.support.twins import TwinClient, Twins


class Crowd(ABC):
    """Lets one of them after the other do something; games say what there is to do."""

    # How many are there at least, and how many before no more come.
    fewest: ClassVar[int]
    most: ClassVar[int]

    def __init__(self, twins: Twins, seed: int) -> None:
        self._twins = twins
        self._rng = random.Random(f"crowd {seed}")

    async def act(self) -> None:
        """Let one of them do something."""
        present = [client for client in self._twins.clients if not client.gone]
        few, many = len(present) < self.fewest, len(present) >= self.most
        if few or (not many and self._rng.random() < 0.1):
            await self._twins.connect()
        else:
            await self._do(self._rng.choice(present))

    @abstractmethod
    async def _do(self, client: TwinClient) -> None:
        """Let this one do something."""
