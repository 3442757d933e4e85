"""The daemon with an echo game: what the platform itself costs.

A message takes the same path as in any game, from the transport through client, lobby and table and
back, but its codec leaves the bytes as they are and its table has no rules.
"""

import sys
from functools import partial
from typing import Any

import trio

from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Admit, Effects, Open, Send
from ludothek.contract.game import Game, Rules
from ludothek.contract.orders import Order
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.table import Stage, Summary, Table
from ludothek.contract.timers import Timers
from ludothek.daemon.endpoints import Endpoints
from ludothek.daemon.serve import serve
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


class EchoTable(Table):
    """Echoes each client's messages."""

    recipe = None  # there is nothing to choose

    def __init__(self, clock: Clock) -> None:
        self.timers = Timers(clock.time)

    @property
    def summary(self) -> Summary:
        return Summary(name="echo", stage=Stage.RUNNING)

    def enter(self, client: Client, admission: Any) -> Effects:
        return ()

    def receive(self, client: Client, message: Any) -> Effects:
        yield Send(client, message)

    def leave(self, client: Client) -> Effects:
        return ()

    def order(self, order: Order) -> Effects:
        return ()


class EchoReception(Reception):
    """Sends everybody to the only table."""

    def __init__(self, desk: Desk, settings: GameSettings) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk

    def begin(self) -> Effects:
        yield Open("echo", EchoTable(self._desk.clock), self._desk.chance_for("echo"))

    def arrive(self, client: Client) -> Effects:
        yield Admit(client, "echo", None)

    def receive(self, client: Client, message: Any) -> Effects:
        return ()


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
        table=lambda recipe, clock, rng: EchoTable(clock),
        draw=lambda table: "",
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


def main() -> None:
    game = echo(TRANSPORTS[sys.argv[1]])
    host = Host(game=game, settings=GameSettings(), host="127.0.0.1", port=0)
    config = Config(daemon=Daemon(grace_seconds=0.0), hosts=[host])
    endpoints = Endpoints(Chance(1))

    def ready() -> None:
        sys.stdout.write(f"echo ready on {endpoints.all[0].url}\n")
        sys.stdout.flush()

    trio.run(partial(serve, endpoints, config, ready=ready))


if __name__ == "__main__":
    main()
