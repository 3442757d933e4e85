"""Ends when it is its turn; speaks Qwirkle."""

import json
import socket
import sys

host, port, name = sys.argv[1:4]
connection = socket.create_connection((host, int(port)))
request = {"uniqueId": 100, "clientName": name, "clientType": "PLAYER"}
connection.sendall(json.dumps(request).encode() + b"\n")
me = None
for line in connection.makefile():
    message = json.loads(line)
    if message["uniqueId"] == 101:
        me = message["clientId"]
    if message["uniqueId"] == 409 and message["client"]["clientId"] == me:
        break
