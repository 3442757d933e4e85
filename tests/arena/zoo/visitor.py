"""Connects, hangs up, and stays."""

import socket
import time

from guest import arguments

host, port, _ = arguments()
socket.create_connection((host, port)).close()
time.sleep(60)
