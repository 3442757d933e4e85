"""A client on the wire for tests, and what it says."""

from typing import Any

import attrs
import orjson

from games.quidditch.messages import MatchConfig, TeamConfig
from games.quidditch.rules import Formation
from tests.games.quidditch.scene import BADGERS, CODEC, HERONS, LEFT, RIGHT
from tests.support.helpers import Peer


def join(name: str, lobby: str = "hogwarts", password: str = "pw", **rest: Any) -> dict[str, Any]:
    payload = {
        "lobby": lobby,
        "userName": name,
        "password": password,
        "isArtificialIntelligence": False,
        "mods": [],
    }
    return container("joinRequest", payload | rest)


def container(payload_type: str, payload: Any) -> dict[str, Any]:
    return {"timestamp": "", "payloadType": payload_type, "payload": payload}


def wire(config: TeamConfig | MatchConfig) -> Any:
    """The payload of a configuration."""
    return orjson.loads(CODEC.encode(config))["payload"]


def places(formation: Formation) -> dict[str, Any]:
    cells = {str(each): {"xPos": cell.x, "yPos": cell.y} for each, cell in formation.items()}
    return {"players": cells}


@attrs.define(eq=False)
class QuidditchClient:
    """One user on the wire."""

    peer: Peer
    name: str
    asked: Any = None  # the last next that a test wants to remember

    @classmethod
    async def login(cls, peer: Peer, name: str, **rest: Any) -> "QuidditchClient":
        """Log in and hear the two answers to that."""
        client = cls(peer, name)
        await peer.say(join(name, **rest))
        await client.hear("joinResponse")
        assert await client.hear("loginGreeting") == {"userName": name}
        return client

    async def say(self, payload_type: str, payload: Any = None) -> None:
        await self.peer.say(container(payload_type, payload or {}))

    async def hear(self, payload_type: str) -> Any:
        message = await self.peer.hear()
        assert message["payloadType"] == payload_type, message
        return message["payload"]

    async def hear_until(self, payload_type: str) -> Any:
        while (message := await self.peer.hear())["payloadType"] != payload_type:
            pass
        return message["payload"]


async def start_match(left: QuidditchClient, right: QuidditchClient) -> None:
    """Bring two logged-in users to the first snapshot; everything before it has been heard."""
    await left.say("teamConfig", wire(HERONS))
    await left.say("pauseRequest", {"message": "so that nobody overtakes"})
    await left.hear_until("pauseResponse")
    await right.say("teamConfig", wire(BADGERS))
    for client, formation in ((left, LEFT), (right, RIGHT)):
        await client.hear_until("matchStart")
        await client.say("teamFormation", places(formation))
