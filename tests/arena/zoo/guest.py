"""What the animals share: a connection that can speak a little Penguins."""

import socket
import sys
import time

Argv = tuple[str, int, str]


def arguments() -> Argv:
    host, port, key = sys.argv[1:4]
    return host, int(port), key


class Guest:
    """Takes the seat that is reserved for it, and can wait for a word of the server."""

    def __init__(self, greeting: str = '<protocol><joinPrepared reservationCode="{key}"/>') -> None:
        host, port, key = arguments()
        self.socket = socket.create_connection((host, port))
        self.heard = ""
        self.say(greeting.format(key=key))

    def say(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def wait_for(self, word: str) -> None:
        while word not in self.heard:
            data = self.socket.recv(65536)
            if not data:
                time.sleep(60)  # the game is over; we are going to be ended
            self.heard += data.decode(errors="replace")

    @property
    def room(self) -> str:
        return self.heard.partition('roomId="')[2].partition('"')[0]

    def wait_for_turn(self) -> None:
        self.wait_for("moveRequest")
