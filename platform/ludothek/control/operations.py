"""All operations of the organiser's interface: app.py serves them, openapi.py describes them."""

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ludothek.control import logins, recordings
from ludothek.control.coverage import coverage
from ludothek.control.messages import (
    AbortRequest,
    ArrangeRequest,
    ClientRequest,
    ClientView,
    ClientWireRequest,
    CoverageView,
    DrainRequest,
    EndpointWireRequest,
    ExpelRequest,
    Health,
    HealthRequest,
    LinkRequest,
    LinkView,
    ListRequest,
    LobbyRequest,
    LobbyView,
    LobbyWireRequest,
    LogOutRequest,
    LogOutView,
    OpenRequest,
    Readiness,
    ReadyRequest,
    RefusalView,
    ReloadRequest,
    ReloadView,
    RestartRequest,
    SeatRequest,
    Status,
    StatusRequest,
    WireView,
)
from ludothek.control.organiser import Organiser


@attrs.frozen
class Operation:
    """One method on one path: its request, its implementation, its answer."""

    method: str
    path: str
    act: Callable[[Organiser, Any], Any]
    request: type[attrs.AttrsInstance]
    answer: Any
    summary: str
    status: int = 200
    harmless: bool = False  # offered to anybody on this machine
    by_page: bool = True  # offered to organisers at the web page, too

    @property
    def name(self) -> str:
        return self.act.__name__


LOBBY = "/lobbies/{game}/{lobby}"

OPERATIONS: Sequence[Operation] = (
    Operation(
        "GET",
        "/health",
        Organiser.health,
        HealthRequest,
        Health,
        "Whether the daemon is alive",
        harmless=True,
    ),
    Operation(
        "GET",
        "/ready",
        Organiser.ready,
        ReadyRequest,
        Readiness,
        "Whether clients may connect; 503 if not",
        harmless=True,
    ),
    Operation("GET", "/status", Organiser.status, StatusRequest, Status, "The daemon at a glance"),
    Operation(
        "GET", "/lobbies", Organiser.lobbies, ListRequest, list[LobbyView], "All open lobbies"
    ),
    Operation(
        "GET", "/clients", Organiser.clients, ListRequest, list[ClientView], "All connected clients"
    ),
    Operation(
        "GET",
        "/refusals",
        Organiser.refusals,
        ListRequest,
        list[RefusalView],
        "Which clauses messages have broken: the latest of each client, also of some that are gone",
    ),
    Operation(
        "GET",
        "/coverage",
        coverage,
        ListRequest,
        list[CoverageView],
        "What clients have used of their protocols, and what never",
    ),
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
        "Set the order of the players",
    ),
    Operation(
        "POST",
        f"{LOBBY}/expel",
        Organiser.expel,
        ExpelRequest,
        LobbyView,
        "Remove a client from a lobby",
    ),
    Operation(
        "POST", f"{LOBBY}/start", Organiser.start, LobbyRequest, LobbyView, "Start the match"
    ),
    Operation(
        "POST", f"{LOBBY}/pause", Organiser.pause, LobbyRequest, LobbyView, "Stop all clocks"
    ),
    Operation(
        "POST", f"{LOBBY}/resume", Organiser.resume, LobbyRequest, LobbyView, "Resume after a pause"
    ),
    Operation(
        "POST",
        f"{LOBBY}/step",
        Organiser.step,
        LobbyRequest,
        LobbyView,
        "Allow one move during a pause",
    ),
    Operation(
        "POST",
        f"{LOBBY}/abort",
        Organiser.abort,
        AbortRequest,
        LobbyView,
        "End the match immediately",
    ),
    Operation(
        "POST",
        "/clients/{game}/{client}/kick",
        Organiser.kick,
        ClientRequest,
        ClientView,
        "Close a client's connection",
    ),
    Operation(
        "GET", "/wire", recordings.wire, StatusRequest, list[WireView], "What is being recorded"
    ),
    Operation(
        "POST",
        "/endpoints/{game}/wire",
        recordings.wire_endpoint,
        EndpointWireRequest,
        WireView,
        "Record a whole endpoint",
    ),
    Operation(
        "POST",
        f"{LOBBY}/wire",
        recordings.wire_lobby,
        LobbyWireRequest,
        WireView,
        "Record a lobby",
    ),
    Operation(
        "POST",
        "/clients/{game}/{client}/wire",
        recordings.wire_client,
        ClientWireRequest,
        WireView,
        "Record a client",
    ),
    Operation(
        "POST", "/drain", Organiser.drain, DrainRequest, Status, "Shut down after the last match"
    ),
    Operation(
        "POST",
        "/reload",
        Organiser.reload,
        ReloadRequest,
        ReloadView,
        "Read the configuration file again",
    ),
    Operation(
        "POST",
        "/restart",
        Organiser.restart,
        RestartRequest,
        Status,
        "Start the program as it is installed now, and go on with all matches",
        202,
    ),
    # Not for the page: there, whoever finds a browser unattended could log himself in for ever.
    Operation(
        "POST",
        "/web",
        logins.web,
        LinkRequest,
        LinkView,
        "A link that logs an organiser in to the web page, once",
        by_page=False,
    ),
    Operation(
        "POST",
        "/web/log-out",
        logins.log_out,
        LogOutRequest,
        LogOutView,
        "Log all organisers out of the web page",
    ),
)
