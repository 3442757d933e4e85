"""An organiser who stops a match now and then and lets it go on."""

import random
from contextlib import suppress
from typing import Any

import attrs
import trio

from bench.chaos_daemon import Control, Refused, Unanswered

EVERY = 1.0  # seconds between two pauses, on average
PAUSE = (0.2, 3.0)  # seconds, from and to

RUNNING = ("running", "IN_PROGRESS", "formation")
PAUSED = ("paused", "PAUSED")
# Hexxagon has no pause.
UNSTOPPABLE = "hexxagon"


@attrs.define(eq=False)
class Organiser:
    """Pauses one match at a time."""

    control: Control
    rng: random.Random
    pauses: int = 0
    resumed: int = 0

    async def run(self) -> None:
        """Go on until cancelled; the match that is paused then goes on."""
        while True:
            await trio.sleep(self.rng.expovariate(1 / EVERY))
            try:
                await self._interrupt()
            except (Unanswered, Refused):
                continue  # no daemon at this moment, or the match has ended

    async def _interrupt(self) -> None:
        running = [each["id"] for each in await self._lobbies() if each["state"] in RUNNING]
        if not running:
            return
        lobby = self.rng.choice(running)
        with suppress(Unanswered):  # the daemon was killed, before or after it did so
            await self.control.ask("POST", f"/lobbies/{lobby}/pause", {})
        self.pauses += 1
        await trio.sleep(self.rng.uniform(*PAUSE))
        await self._resume(lobby)

    async def _resume(self, lobby: str) -> None:
        await self.control.insist("POST", f"/lobbies/{lobby}/resume", {})
        self.resumed += 1

    async def resume_all(self) -> None:
        """Let everything go on that is still paused, such as after an answer that was lost."""
        for each in await self.control.insist("GET", "/lobbies"):
            if each["state"] in PAUSED:
                try:
                    await self._resume(each["id"])
                except Refused:
                    continue

    async def _lobbies(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self.control.ask("GET", "/lobbies")
        return [each for each in found if not each["game"].startswith(UNSTOPPABLE)]
