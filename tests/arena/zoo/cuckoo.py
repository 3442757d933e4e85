"""Says to be somebody else; speaks Qwirkle."""

import json
import socket
import sys
import time

host, port, name = sys.argv[1:4]
other = "Ada" if name == "Bo" else "Bo"
connection = socket.create_connection((host, int(port)))
request = {"uniqueId": 100, "clientName": other, "clientType": "PLAYER"}
connection.sendall(json.dumps(request).encode() + b"\n")
time.sleep(60)
