"""The daemon with a game that says everything again: what the platform itself costs.

A message takes the same way as in any game, from the transport through client, lobby and table and
back, but its codec leaves the bytes as they are and its table knows no rules.
"""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from typing import Any

import trio

from ludothek.contract.chance import Chance
from ludothek.contract.game import Game, Rules
from ludothek.contract.orders import Order
from ludothek.contract.table import Effect, Send, Summary
from ludothek.daemon.endpoints import Endpoints
from ludothek.daemon.serve import serve
from ludothek.runtime.client import Client
from ludothek.runtime.hall import Hall
from ludothek.settings.config_file import Config, Daemon, Host
from ludothek.settings.fields import GameSettings
from transports import Complaint, LineFramer, Tcp, Transport, WebSocket, XmlFramer

TRANSPORTS: dict[str, Transport] = {
    "websocket": WebSocket(),
    "lines": Tcp(LineFramer),
    "xml": Tcp(partial(XmlFramer, "protocol")),
}


class EchoCodec:
    """Messages are frames."""

    def decode(self, frame: bytes) -> Any:
        return frame

    def decode_request(self, frame: bytes) -> Any:
        return self.decode(frame)

    def encode(self, message: Any) -> bytes:
        return bytes(message)

    def address(self, frame: bytes, key: str) -> bytes:
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        return None


class EchoTable:
    """Says to each client what it has said itself."""

    deadline = inf

    @property
    def summary(self) -> Summary:
        return Summary(name="echo", state="running")

    def enter(self, client: Client, request: Any) -> Iterator[Effect]:
        return iter(())

    def receive(self, client: Client, message: Any) -> Iterator[Effect]:
        yield Send(client, message)

    def leave(self, client: Client) -> Iterator[Effect]:
        return iter(())

    def time_up(self) -> Iterator[Effect]:
        return iter(())

    def order(self, order: Order) -> Iterator[Effect]:
        return iter(())


class EchoReception:
    """Shows everybody to the one table."""

    def __init__(self, hall: Hall, settings: GameSettings) -> None:
        self._lobby = hall.open("echo", lambda rng: EchoTable())

    async def visit(self, client: Client) -> None:
        await self._lobby.attend(client, None)


def echo(transport: Transport) -> Game:
    return Game(
        name="echo",
        title="Echo",
        protocol="none",
        version="1",
        transport=transport,
        port=0,
        players=1,
        settings=GameSettings,
        codec=lambda clock, settings: EchoCodec(),
        reception=EchoReception,
        rules=Rules(
            start=lambda rng: None,
            legal_actions=lambda state: (),
            apply=lambda state, action, rng: None,
            over=lambda state: True,
        ),
        player=lambda options, rng: _nobody(),
        difficulties=(),
    )


def _nobody() -> Any:
    raise RuntimeError("nobody plays echo")


def ready(urls: Sequence[str]) -> None:
    sys.stdout.write(f"echo ready on {urls[0]}\n")
    sys.stdout.flush()


def main() -> None:
    game = echo(TRANSPORTS[sys.argv[1]])
    host = Host(game=game, settings=GameSettings(), host="127.0.0.1", port=0)
    config = Config(daemon=Daemon(grace_seconds=0.0), hosts=[host])
    trio.run(partial(serve, Endpoints(Chance(1)), config, ready=ready))


if __name__ == "__main__":
    main()
