"""A Robo Rally client on the wire, for tests."""

from typing import Any

import attrs

from tests.support.helpers import Peer


@attrs.define(eq=False)
class RoboRallyClient:
    """A client on the wire; every helper says something or waits for something."""

    peer: Peer
    id: int = 0

    @classmethod
    async def arrive(cls, peer: Peer, group: str = "TolleTrolle") -> "RoboRallyClient":
        client = cls(peer)
        assert await client.hear("HelloClient") == {"protocol": "Version 2.0"}
        await client.say("HelloServer", group=group, isAI=False, protocol="Version 2.0")
        client.id = (await client.hear("Welcome"))["playerID"]
        return client

    async def say(self, message_type: str, **body: Any) -> None:
        await self.peer.say({"messageType": message_type, "messageBody": body})

    async def hear(self, message_type: str) -> Any:
        """The body of the next message, which must be of this type."""
        message = await self.peer.hear()
        assert set(message) == {"messageType", "messageBody"}
        assert message["messageType"] == message_type, message
        return message["messageBody"]

    async def hear_until(self, message_type: str) -> Any:
        """The body of the next message of this type; others before it are skipped."""
        return (await self.hear_all_until(message_type))[-1][1]

    async def hear_all_until(self, message_type: str) -> list[tuple[str, Any]]:
        """Type and body of all messages up to the next one of this type."""
        heard: list[tuple[str, Any]] = []
        while not heard or heard[-1][0] != message_type:
            message = await self.peer.hear()
            heard.append((message["messageType"], message["messageBody"]))
        return heard

    async def register(self, name: str, figure: int) -> None:
        await self.say("PlayerValues", name=name, figure=figure)
        added = {"playerID": self.id, "name": name, "figure": figure}
        while await self.hear_until("PlayerAdded") != added:
            pass
