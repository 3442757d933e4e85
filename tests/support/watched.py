"""A table that somebody watches on the web page, without Trio."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

import orjson

from ludothek.contract.clock import Clock
from ludothek.contract.effects import Effect, Send
from ludothek.contract.page import Page
from ludothek.contract.table import Table
from ludothek.testing.scene import Scene
from ludothek.web.camera import Camera

Position = Mapping[str, Any]


class Watched(Scene):
    """Collects the positions that a spectator's browser gets."""

    def __init__(self, page: Page, make: Callable[[Clock], Table]) -> None:
        super().__init__(make)
        self.positions: list[Position] = []
        self._page = page
        self._camera = Camera(page, self.table, everything=False)

    @property
    def view(self) -> Any:
        """What the browser would get now."""
        view = self._page.view(self.table, False)
        return None if view is None else orjson.loads(orjson.dumps(view.simple()))

    @property
    def told(self) -> list[Any]:
        """Everything that was told, in order."""
        return [event for position in self.positions for event in position["told"]]

    def _perform(self, effects: Iterable[Effect]) -> None:
        collected = [*effects]
        for effect in collected:
            if isinstance(effect, Send):
                self._camera.hear(effect.message)
        position = self._camera.take(len(self.positions) + 1, 0.0)
        if position is not None:
            self.positions.append(orjson.loads(position))
        super()._perform(collected)


def sentences(files: Traversable, what: str) -> int:
    """In how many languages there is a sentence for an event."""
    lines = files.joinpath("words.js").read_text("utf-8").splitlines()
    return sum(line.strip().startswith(f"{what}: ") for line in lines)


def only(events: Sequence[Any], *kinds: str) -> list[Any]:
    return [event for event in events if event["what"] in kinds]
