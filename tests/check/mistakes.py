"""Mistakes of clients, ten for each game: what they say, when, and which clause that breaks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import orjson

# Makes of the right message the wrong one.
Spoil = Callable[[bytes], bytes]


@attrs.frozen
class Mistake:
    """Made once, before the first message of that name, or instead of it if it ends the match."""

    clause: str
    before: str
    spoil: Spoil
    final: bool = False


def put(path: str, value: Any) -> Spoil:
    """Another value in the field with that path."""

    def spoil(frame: bytes) -> bytes:
        message, inner, last = _walk(frame, path)
        inner[last] = value
        return orjson.dumps(message) + _ending(frame)

    return spoil


def drop(path: str) -> Spoil:
    """No such field."""

    def spoil(frame: bytes) -> bytes:
        message, inner, last = _walk(frame, path)
        del inner[last]
        return orjson.dumps(message) + _ending(frame)

    return spoil


def say(message: Any) -> Spoil:
    """Something else altogether."""
    text = message if isinstance(message, bytes) else orjson.dumps(message)
    return lambda frame: text + _ending(frame)


def swap(old: bytes, new: bytes) -> Spoil:
    """Other words in place of these."""

    def spoil(frame: bytes) -> bytes:
        assert old in frame
        return frame.replace(old, new, 1)

    return spoil


def _walk(frame: bytes, path: str) -> tuple[Any, Any, str | int]:
    message = inner = orjson.loads(frame)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in way:
        inner = inner[step]
    return message, inner, last


def _ending(frame: bytes) -> bytes:
    return frame[len(frame.rstrip()) :]


STRANGER = "293076c0-bbed-4bfd-8cb2-24b5654eb0d6"

MISTAKES: Mapping[str, Sequence[Mistake]] = {
    "hexxagon": [
        Mistake("2.3", "JoinLobby", say(b"JoinLobby, please")),
        Mistake("3.1.2.1", "JoinLobby", put("messageType", "LobbyJoined")),
        Mistake("3.2.1.1", "JoinLobby", drop("messageType")),
        Mistake("3.2.1.2", "JoinLobby", put("messageType", "joinLobby")),
        Mistake("3.2.2.1", "JoinLobby", put("lobbyId", "7")),
        Mistake("3.2.3.1", "JoinLobby", put("userName", 5)),
        Mistake("3.2.7.1", "GameMove", put("moveTo", "TILE_62")),
        Mistake("3.3.1.1", "GameMove", put("userId", STRANGER)),
        Mistake("3.3.13.1", "GameMove", put("gameId", STRANGER)),
        Mistake("3.3.13.2", "GameMove", drop("moveTo")),
    ],
    "penguins": [
        Mistake("Ablauf.3", "Room", swap(b' roomId="', b' room="')),
        Mistake("Antwort.1", "Room", swap(b'roomId="', b'roomId="x')),
        Mistake("BestimmtePartie.3", "Join", say(b"<joinRoom/>")),
        Mistake("Spielprotokoll.1", "Room", say(b"<Room/>"), final=True),
        Mistake("Zug.1", "Room", swap(b"<to ", b"<hint/><to "), final=True),
        Mistake("Zug.2", "Room", swap(b' y="', b' y="0.'), final=True),
        Mistake("ours.authenticated", "Room", say(f'<cancel roomId="{STRANGER}"/>'.encode())),
        Mistake("ours.game-type", "Join", say(b'<join gameType="swc_2022_ostseeschach"/>')),
        Mistake("ours.on-board", "Room", swap(b' y="', b' y="1'), final=True),
        Mistake("ours.xml", "Room", swap(b"</room>", b"</Room>"), final=True),
    ],
    "qwirkle": [
        Mistake("3.1", "PlayTiles", say(b"PlayTiles")),
        Mistake("3.2", "PlayTiles", drop("uniqueId")),
        Mistake("4.1.1", "PlayTiles", say({"uniqueId": 301, "games": []})),
        Mistake("4.1.2", "ConnectRequest", say({"uniqueId": 300})),
        Mistake("4.2.4", "PlayTiles", put("tiles", "all")),
        Mistake("4.4.1", "PlayTiles", put("uniqueId", 200)),
        Mistake("4.4.12", "PlayTiles", drop("tiles.0.tile")),
        Mistake(
            "5.2", "PlayTiles", say({"uniqueId": 100, "clientName": "A", "clientType": "PLAYER"})
        ),
        Mistake("5.12", "PlayTiles", put("tiles.0.tile.uniqueId", 9999)),
        Mistake("5.14", "PlayTiles", say({"uniqueId": 423})),
    ],
    "roborally": [
        Mistake("1.1", "SetStatus", say(b"I am ready")),
        Mistake("1.3", "SetStatus", put("messageType", "setStatus")),
        Mistake("1.4", "SetStatus", put("messageBody", True)),
        Mistake("1.5", "PlayerValues", put("messageBody.figure", "5")),
        Mistake(
            "3.1", "HelloServer", say({"messageType": "SetStatus", "messageBody": {"ready": True}})
        ),
        Mistake("3.5", "SetStatus", drop("messageBody.ready")),
        Mistake("6.2", "SelectedCard", put("messageBody.card", "Move1")),
        Mistake("7.1.1", "SetStartingPoint", drop("messageBody.y")),
        Mistake("7.3.2", "SelectedCard", drop("messageBody.register")),
        Mistake("ours.figures", "PlayerValues", put("messageBody.figure", 7)),
    ],
    "quidditch": [
        Mistake("2.2", "TeamConfig", drop("payload"), final=True),
        Mistake("4.1.1", "TeamConfig", say(b"teamConfig"), final=True),
        Mistake("4.3.3.1", "TeamConfig", put("payloadType", "globalDebug"), final=True),
        Mistake(
            "4.5.1", "JoinRequest", say({"payloadType": "getReplay", "payload": {}}), final=True
        ),
        Mistake("5.2.2.2", "TeamConfig", put("payload.motto", ""), final=True),
        Mistake("5.2.5.1", "TeamConfig", put("payload.players.seeker.broom", "nimbus"), final=True),
        Mistake("7.2.1.1", "TeamFormation", drop("payload.players.seeker"), final=True),
        Mistake("10.2.1.1", "DeltaRequest move", put("payload.xPosNew", 17), final=True),
        Mistake("10.2.4.1", "DeltaRequest", put("payload.activeEntity", "seeker"), final=True),
        Mistake("13.4.5.2", "JoinRequest", put("payload.mods", "none"), final=True),
    ],
}
