"""A client of Hexxagon that plays a few moves; its first argument says what is wrong with it."""

import json
import os
import socket
import subprocess
import sys
import time
from typing import Any

from websockets.sync.client import ClientConnection, connect

kind, host, port, lobby, name = sys.argv[1:6]

if kind == "plain":  # no WebSocket
    with socket.create_connection((host, int(port))) as stream:
        stream.sendall(b'{"messageType": "GetAvailableLobbies"}\r\n')
        sys.exit(len(stream.recv(1000)) > 0)

if kind == "absent":
    time.sleep(60)
if kind == "idle":
    sys.exit(0)

# Tiles are numbered column by column; x is the column, y counts half tiles.
COLUMNS = (5, 6, 7, 8, 9, 8, 7, 6, 5)
PLACES = [(x, 2 * row - size) for x, size in enumerate(COLUMNS) for row in range(size)]


def distance(one: int, two: int) -> float:
    (x1, y1), (x2, y2) = PLACES[one - 1], PLACES[two - 1]
    dx, dy = abs(x1 - x2), abs(y1 - y2)
    return dx + max(0, dy - dx) / 2


class Client:
    """One connection."""

    def __init__(self, link: ClientConnection) -> None:
        self.link = link
        self.user = ""
        self.lobby: str | None = None
        self.game = ""

    def say(self, kind: str, **fields: Any) -> None:
        self.link.send(json.dumps({"messageType": kind, "userId": self.user, **fields}))

    def hear(self, message: dict[str, Any]) -> bool:
        """Answer a message; whether this is the end."""
        match message["messageType"]:
            case "Welcome":
                self.user = message["userId"]
                self.say("GetAvailableLobbies")
            case "AvailableLobbies":
                self.join(message["availableLobbies"])
            case "LobbyStatus":
                self.start(message["lobby"])
            case "GameStarted":
                self.game = message["gameId"]
            case "GameStatus":
                if message["isClosed"]:
                    return True
                if message["activePlayer"] == self.user:
                    own = "PLAYERONE" if message["playerOne"] == self.user else "PLAYERTWO"
                    self.move(message["board"]["tiles"], own)
        return False

    def join(self, lobbies: list[dict[str, Any]]) -> None:
        for each in lobbies:
            if each["lobbyName"] == lobby and self.lobby is None:
                self.lobby = each["lobbyId"]
                self.say("JoinLobby", lobbyId=self.lobby, userName=name)
        if self.lobby is None and kind == "blurting":
            self.say("Move!")
        if self.lobby is None and kind.startswith("asking "):
            for _ in range(int(kind.split()[1])):
                self.say("JoinLobby", lobbyId=self.user, userName=name)
                self.link.recv()
            sys.exit(0)

    def start(self, lobby: dict[str, Any]) -> None:
        if lobby.get("playerTwo") and lobby["playerOne"] == self.user:
            self.say("StartGame", lobbyId=self.lobby)

    def move(self, tiles: dict[str, str], own: str) -> None:
        origin, target = next(
            (origin, target)
            for origin in range(1, 62)
            for target in range(1, 62)
            if tiles[f"TILE_{origin}"] == own
            and tiles[f"TILE_{target}"] == "FREE"
            and distance(origin, target) <= 2
        )
        misbehave(self)
        move = {"gameId": self.game, "moveFrom": f"TILE_{origin}"}
        if kind == "careless":
            self.say("GameMove", **move)
        self.say("GameMove", **move, moveTo=f"TILE_{target}")


def misbehave(client: Client) -> None:
    """Do what this kind of client does when it has to move."""
    if kind == "crashing":
        raise RuntimeError("no opening book")
    if kind == "hanging":
        time.sleep(60)
    if kind == "leaving":
        client.link.close()
        sys.exit(0)
    if kind == "twofold":
        connect(f"ws://{host}:{port}", proxy=None)
    if kind == "forking":
        child = subprocess.Popen(["sleep", "60"], start_new_session=True)
        sys.stdout.write(f"started {child.pid}\n")
    while kind == "looping":
        client.say("Move!")


with connect(f"ws://{host}:{port}", proxy=None) as link:
    client = Client(link)
    over = False
    while not over:
        frame = str(link.recv())
        if kind == "fragile":
            assert "future" not in frame, "an unknown field"
        over = client.hear(json.loads(frame))
if kind == "exhausted":
    raise RuntimeError("cannot write the result")
if kind == "talkative":
    sys.stderr.write("Traceback (most recent call last):\n" + "  a line of it\n" * 1000)
    sys.exit(1)
if kind == "wrapped":  # as a shell tells that its command has died of SIGSEGV
    sys.stdout.flush()
    os._exit(139)
if kind == "content":
    sys.exit(3)
