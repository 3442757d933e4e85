"""Bots that keep the people in a lobby company."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from ludothek.runtime.hosted_bot import HostedBot
    from ludothek.runtime.lobby import Lobby

# Lets bots play with the people in a lobby until cancelled.
BringBots = Callable[["Lobby"], Awaitable[None]]


class Companions:
    """Bots come with the first person and leave with the last one."""

    __slots__ = ("_bring", "_peopled", "_scope", "bots", "seated")

    def __init__(self, bring: BringBots) -> None:
        self.bots: list[HostedBot] = []  # that come back from another process
        self.seated = trio.Event()  # a bot has been here
        self._bring = bring
        self._scope = trio.CancelScope()
        self._peopled = trio.Event()  # somebody is here who is not a bot

    def greet(self) -> None:
        """A person has come."""
        self._peopled.set()

    def dismiss(self) -> None:
        """No person is here any more."""
        if self._peopled.is_set():
            self._peopled = trio.Event()
            self._scope.cancel()

    async def run(self, lobby: "Lobby") -> None:
        """Bring bots whenever there are people."""
        while True:
            await self._peopled.wait()
            with trio.CancelScope() as self._scope:
                await self._bring(lobby)
                await trio.sleep_forever()  # no more bots for the same people
