"""All operations of the organiser's interface: app.py serves them, openapi.py describes them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, get_type_hints

import attrs

from ludothek.control import logins, recordings
from ludothek.control.coverage import coverage
from ludothek.control.organiser import Organiser


@attrs.frozen
class Operation:
    """One method on one path, and what implements it."""

    method: str
    path: str
    act: Callable[[Organiser, Any], Any]
    summary: str
    status: int = 200
    harmless: bool = False  # offered to anybody on this machine
    by_page: bool = True  # offered to organisers at the web page, too

    @property
    def name(self) -> str:
        return self.act.__name__

    @cached_property
    def request(self) -> type[attrs.AttrsInstance]:
        """What the implementation is asked with: its only parameter apart from the organiser."""
        *_, request, _ = get_type_hints(self.act).values()
        asked: type[attrs.AttrsInstance] = request
        return asked

    @cached_property
    def answer(self) -> Any:
        """What the implementation returns."""
        return get_type_hints(self.act)["return"]


LOBBY = "/lobbies/{game}/{lobby}"

OPERATIONS: Sequence[Operation] = (
    Operation("GET", "/health", Organiser.health, "Whether the daemon is alive", harmless=True),
    Operation(
        "GET", "/ready", Organiser.ready, "Whether clients may connect; 503 if not", harmless=True
    ),
    Operation("GET", "/status", Organiser.status, "The daemon at a glance"),
    Operation("GET", "/lobbies", Organiser.lobbies, "All open lobbies"),
    Operation("GET", "/clients", Organiser.clients, "All connected clients"),
    Operation(
        "GET",
        "/refusals",
        Organiser.refusals,
        "Which clauses messages have broken: the latest of each client, also of some that are gone",
    ),
    Operation(
        "GET", "/coverage", coverage, "What clients have used of their protocols, and what never"
    ),
    Operation("POST", "/lobbies", Organiser.open, "Open a lobby", 201),
    Operation("POST", f"{LOBBY}/seat", Organiser.seat, "Put clients into a lobby"),
    Operation("POST", f"{LOBBY}/arrange", Organiser.arrange, "Set the order of the players"),
    Operation("POST", f"{LOBBY}/expel", Organiser.expel, "Remove a client from a lobby"),
    Operation("POST", f"{LOBBY}/start", Organiser.start, "Start the match"),
    Operation("POST", f"{LOBBY}/pause", Organiser.pause, "Stop all clocks"),
    Operation("POST", f"{LOBBY}/resume", Organiser.resume, "Resume after a pause"),
    Operation("POST", f"{LOBBY}/step", Organiser.step, "Allow one move during a pause"),
    Operation("POST", f"{LOBBY}/abort", Organiser.abort, "End the match immediately"),
    Operation(
        "POST", "/clients/{game}/{client}/kick", Organiser.kick, "Close a client's connection"
    ),
    Operation("GET", "/wire", recordings.wire, "What is being recorded"),
    Operation(
        "POST", "/endpoints/{game}/wire", recordings.wire_endpoint, "Record a whole endpoint"
    ),
    Operation("POST", f"{LOBBY}/wire", recordings.wire_lobby, "Record a lobby"),
    Operation("POST", "/clients/{game}/{client}/wire", recordings.wire_client, "Record a client"),
    Operation("POST", "/drain", Organiser.drain, "Shut down after the last match"),
    Operation("POST", "/reload", Organiser.reload, "Read the configuration file again"),
    Operation(
        "POST",
        "/restart",
        Organiser.restart,
        "Start the program as it is installed now, and go on with all matches",
        202,
    ),
    # Not for the page: there, whoever finds a browser unattended could stay logged in.
    Operation(
        "POST",
        "/web",
        logins.web,
        "A link that logs an organiser in to the web page, once",
        by_page=False,
    ),
    Operation("POST", "/web/log-out", logins.log_out, "Log all organisers out of the web page"),
)
