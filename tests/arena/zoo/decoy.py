"""Opens a lobby of the same name as that of the game, says whether it could; speaks Hexxagon."""

import json
import sys

from websockets.sync.client import connect

host, port, lobby = sys.argv[1:4]
with connect(f"ws://{host}:{port}") as server:
    me = json.loads(server.recv())["userId"]
    create = {"messageType": "CreateNewLobby", "userId": me, "lobbyName": lobby}
    server.send(json.dumps(create))
    sys.stdout.write(str(json.loads(server.recv())["successfullyCreated"]))
