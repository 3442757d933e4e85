"""Connects twice."""

import socket

from guest import Guest, arguments

guest = Guest()
host, port, _ = arguments()
other = socket.create_connection((host, port))
guest.wait_for("result")
