"""All operations of the organiser's interface: the app serves them, the description lists them."""

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ludothek.control.messages import (
    AbortRequest,
    ArrangeRequest,
    ClientRequest,
    ClientView,
    DrainRequest,
    ExpelRequest,
    ListRequest,
    LobbyRequest,
    LobbyView,
    OpenRequest,
    ReloadRequest,
    ReloadView,
    SeatRequest,
    Status,
    StatusRequest,
)
from ludothek.control.organiser import Organiser


@attrs.frozen
class Operation:
    """One method on one path: what it takes, what it does, what it answers."""

    method: str
    path: str
    act: Callable[[Organiser, Any], Any]
    request: type[attrs.AttrsInstance]
    answer: Any
    summary: str
    status: int = 200

    @property
    def name(self) -> str:
        return self.act.__name__


LOBBY = "/lobbies/{game}/{lobby}"

OPERATIONS: Sequence[Operation] = (
    Operation("GET", "/status", Organiser.status, StatusRequest, Status, "The daemon at a glance"),
    Operation(
        "GET", "/lobbies", Organiser.lobbies, ListRequest, list[LobbyView], "All open lobbies"
    ),
    Operation("GET", "/clients", Organiser.clients, ListRequest, list[ClientView], "All clients"),
    Operation("POST", "/lobbies", Organiser.open, OpenRequest, LobbyView, "Open a lobby", 201),
    Operation(
        "POST", f"{LOBBY}/seat", Organiser.seat, SeatRequest, LobbyView, "Put clients into a lobby"
    ),
    Operation(
        "POST",
        f"{LOBBY}/arrange",
        Organiser.arrange,
        ArrangeRequest,
        LobbyView,
        "Choose the order of the players",
    ),
    Operation(
        "POST",
        f"{LOBBY}/expel",
        Organiser.expel,
        ExpelRequest,
        LobbyView,
        "Send a client out of a lobby",
    ),
    Operation(
        "POST", f"{LOBBY}/start", Organiser.start, LobbyRequest, LobbyView, "Begin the match"
    ),
    Operation(
        "POST", f"{LOBBY}/pause", Organiser.pause, LobbyRequest, LobbyView, "Stop all clocks"
    ),
    Operation(
        "POST", f"{LOBBY}/resume", Organiser.resume, LobbyRequest, LobbyView, "End the pause"
    ),
    Operation(
        "POST",
        f"{LOBBY}/step",
        Organiser.step,
        LobbyRequest,
        LobbyView,
        "Allow one move in a pause",
    ),
    Operation(
        "POST", f"{LOBBY}/abort", Organiser.abort, AbortRequest, LobbyView, "End the match at once"
    ),
    Operation(
        "POST",
        "/clients/{game}/{client}/kick",
        Organiser.kick,
        ClientRequest,
        ClientView,
        "End a client's connection",
    ),
    Operation(
        "POST", "/drain", Organiser.drain, DrainRequest, Status, "End after the last matches"
    ),
    Operation(
        "POST",
        "/reload",
        Organiser.reload,
        ReloadRequest,
        ReloadView,
        "Read the configuration file again",
    ),
)
