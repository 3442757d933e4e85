"""The requests and answers of the organiser's interface."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

Part = Literal["path", "query", "body"]

GAME = "name of the endpoint, usually the game's"


def asked_in(part: Part, help_: str, **options: Any) -> Any:
    """A field of a request: which part of the HTTP request it is in, and what it means."""
    return attrs.field(metadata={"part": part, "help": help_}, **options)


def described(help_: str) -> Any:
    """A field of an answer, and what it means."""
    return attrs.field(metadata={"help": help_})


# Requests


@attrs.frozen
class BareRequest:
    """A request that says nothing but its path."""


@attrs.frozen(kw_only=True)
class ListRequest:
    """List what one game has, or all of them."""

    game: str | None = asked_in("query", GAME, default=None)


@attrs.frozen(kw_only=True)
class OpenRequest:
    """Open a lobby; the game chooses whatever is left out."""

    game: str = asked_in("body", GAME)
    name: str | None = asked_in("body", "name of the lobby", default=None)
    file: str | None = asked_in(
        "body",
        "name of a configuration file, for error messages only; it is not read",
        default=None,
    )
    content: str | None = asked_in(
        "body", "content of that file, a configuration in the game's own format", default=None
    )
    settings: Mapping[str, Any] = asked_in("body", "the game's own settings", factory=dict)


@attrs.frozen(kw_only=True)
class LobbyRequest:
    """A request for one lobby."""

    game: str = asked_in("path", GAME)
    lobby: str = asked_in("path", "id of the lobby, without the game")


@attrs.frozen(kw_only=True)
class SeatRequest(LobbyRequest):
    """Put waiting clients into a lobby."""

    clients: Sequence[str] = asked_in("body", "ids of the clients, without the game")
    spectator: bool = asked_in("body", "whether they only watch", default=False)


@attrs.frozen(kw_only=True)
class AbortRequest(LobbyRequest):
    """End a match, or close a lobby before its match, immediately."""

    winner: str | None = asked_in(
        "body", "id of the client to declare the winner, without the game", default=None
    )


@attrs.frozen(kw_only=True)
class ArrangeRequest(LobbyRequest):
    """Set the order in which the players of a match take turns."""

    clients: Sequence[str] = asked_in(
        "body", "ids of all players, without the game; if empty, a random order", factory=list
    )


@attrs.frozen(kw_only=True)
class ExpelRequest(LobbyRequest):
    """Remove a client from a lobby; it stays connected."""

    client: str = asked_in("body", "id of the client, without the game")


@attrs.frozen(kw_only=True)
class DrainRequest:
    """Let running matches finish but start no new ones, then shut down."""

    seconds: float | None = asked_in(
        "body", "shut down after this time at the latest", default=None
    )


@attrs.frozen(kw_only=True)
class ClientRequest:
    """A request for one client."""

    game: str = asked_in("path", GAME)
    client: str = asked_in("path", "number or key of the client, without the game")


ON = "whether to write every message to the wire log"


@attrs.frozen(kw_only=True)
class EndpointWireRequest:
    """Start or stop recording a whole endpoint."""

    game: str = asked_in("path", GAME)
    on: bool = asked_in("body", ON)


@attrs.frozen(kw_only=True)
class LobbyWireRequest(LobbyRequest):
    """Start or stop recording a lobby."""

    on: bool = asked_in("body", ON)


@attrs.frozen(kw_only=True)
class ClientWireRequest(ClientRequest):
    """Start or stop recording a client."""

    on: bool = asked_in("body", ON)


# Answers


@attrs.frozen(kw_only=True)
class HistogramView:
    """A histogram of durations."""

    bounds: Sequence[float] = described("upper bounds of the buckets, in seconds")
    counts: Sequence[int] = described(
        "durations in each bucket; the last one is for all that are longer"
    )
    total: float = described("sum of all durations, in seconds")


@attrs.frozen(kw_only=True)
class TrafficView:
    """The traffic of an endpoint since the start."""

    messages_in: int = described("messages received")
    messages_out: int = described("messages sent")
    bytes_in: int = described("bytes received, without framing")
    bytes_out: int = described("bytes sent, without framing")
    drops: Mapping[str, int] = described("clients dropped by the server, by reason")
    handling: HistogramView = described("time a table takes for a message, a timer or an order")


@attrs.frozen(kw_only=True)
class OutboxView:
    """Messages waiting to be written to clients."""

    frames: int = described("messages")
    bytes: int = described("their bytes")
    frames_max: int = described("messages for the slowest client")
    bytes_max: int = described("bytes for the slowest client")


@attrs.frozen(kw_only=True)
class LagView:
    """How late the event loop wakes up."""

    seconds_max: float = described("the largest lag of the last minute")
    lags: HistogramView = described("all lags since the start, measured ten times a second")


@attrs.frozen(kw_only=True)
class EndpointView:
    """One game at one address."""

    name: str = described("unique in this daemon")
    game: str = described("the game it hosts")
    url: str = described("where it listens")
    state: str = described("open, or draining: only running matches are finished")
    lobbies: int = described("open lobbies")
    clients: int = described("connected clients")
    crashes: int = described("lobbies ended by a bug since the start")
    ready: bool = described("whether it accepts new clients")
    matches: Mapping[str, int] = described("open lobbies by the state of their match")
    outbox: OutboxView = described("messages waiting for slow clients")
    traffic: TrafficView = described("its traffic since the start")
    faults: str | None = described(
        "where clients that ask for trouble meet which faults, if anywhere"
    )


@attrs.frozen(kw_only=True)
class CarriedView:
    """How many of a kind a restart has carried over."""

    carried: int = described("those that go on")
    all: int = described("those that there were")


@attrs.frozen(kw_only=True)
class HandoverView:
    """What the last restart has carried over."""

    matches: CarriedView = described("matches that were running")
    connections: CarriedView = described("clients' connections")


@attrs.frozen(kw_only=True)
class StatusView:
    """The whole daemon."""

    version: str = described("of this program")
    pid: int = described("the process that serves")
    durable: bool = described("whether matches survive the end of this process")
    not_durable: str | None = described("why they do not, although they should")
    unprotected: int = described("connections that would be lost nevertheless")
    restarts: int = described("how often another process has taken over")
    restarted: str | None = described("when the last one did, in UTC")
    pause_seconds: float = described("how long nobody was served then")
    carried: HandoverView = described("what was carried over then")
    uptime_seconds: float = described("since the start")
    ready: bool = described("whether new clients are accepted")
    state: str = described("open, or draining: it shuts down after the last match")
    seconds_left: float | None = described("until it shuts down at the latest, if a limit was set")
    problems: Sequence[str] = described(
        "what was wrong with the configuration when it was last read"
    )
    lobbies: int = described("open lobbies in all games")
    clients: int = described("connected clients in all games")
    loop_lag: LagView = described("how late the event loop wakes up")
    reports_failed: int = described("crash reports and log lines that could not be produced")
    endpoints: Sequence[EndpointView] = described("in the order of the configuration")


@attrs.frozen(kw_only=True)
class Health:
    """The daemon is alive, as the answer itself shows."""

    alive: bool = described("always true")


@attrs.frozen(kw_only=True)
class Readiness:
    """Clients may connect."""

    ready: bool = described("always true: a daemon that is not ready answers with an error")


@attrs.frozen(kw_only=True)
class WireView:
    """One recording of the wire log."""

    id: str = described("what is recorded: an endpoint, or an endpoint and its lobby or client")
    kind: str = described("endpoint, lobby or client")
    on: bool = described("whether it is recorded")
    file: str | None = described("its path; older parts have a number appended to the name")
    lines: int = described("lines written or about to be")
    lost: int = described("lines that could not be written")


@attrs.frozen(kw_only=True)
class LinkView:
    """A link to the organiser's page."""

    url: str = described("open it in a browser; it logs in whoever does so first")
    seconds: float = described("for how long it works")


@attrs.frozen(kw_only=True)
class LogOutView:
    """Who has to log in again."""

    sessions: int = described("sessions that have ended")


@attrs.frozen(kw_only=True)
class ReloadView:
    """What reloading the configuration file changed."""

    opened: Sequence[str] = described("new endpoints")
    changed: Sequence[str] = described("endpoints with other settings for their next lobbies")
    removed: Sequence[str] = described("endpoints that close after their last match")
    renamed: Sequence[str] = described("endpoints with a new name")
    problems: Sequence[str] = described("endpoints that could not be opened or changed, and why")


@attrs.frozen(kw_only=True)
class LobbyView:
    """One lobby."""

    id: str = described("endpoint and lobby, as in hexxagon/1")
    game: str = described("name of the endpoint")
    name: str = described("its display name")
    state: str = described("as the game calls it, or closed")
    players: Sequence[str] = described("names of the players")
    spectators: Sequence[str] = described("names of the spectators")
    facts: Mapping[str, Any] = described("details that are specific to the game")


@attrs.frozen(kw_only=True)
class ClientView:
    """One connected client."""

    id: str = described("endpoint and client, as in hexxagon/1")
    game: str = described("name of the endpoint")
    number: int = described("sequence number among the endpoint's connections")
    key: str = described("its identifier in the protocol")
    name: str = described("the name it gave itself; empty until then")
    address: str = described("its network address")
    where: str | None = described("id of the lobby it is in")
    heard: int = described("messages received from it")
    refused: int = described("how many of them were refused, also as against the rules")


@attrs.frozen(kw_only=True)
class RefusalView:
    """A message that has broken a clause."""

    id: str = described("endpoint and client, as in hexxagon/1")
    game: str = described("name of the endpoint")
    name: str = described("the name the client gave itself")
    address: str = described("its network address")
    connected: bool = described("whether it still is")
    time: str = described("when, in UTC")
    consequence: str = described("refused, struck, kicked; ignored, corrected: not held against it")
    clause: str = described("id of the clause, as in platform explain")
    section: str = described("where in the document the clause is")
    quote: str = described("the sentence of the document; empty where it has none")
    reading: str = described("what the server takes the clause to mean")
    pointer: str = described("JSON pointer or XPath of the field; empty for the whole message")
    expected: str = described("what would have been right")
    came: str = described("what the client has sent instead")
    reason: str = described("the last three in at most 200 characters")


@attrs.frozen(kw_only=True)
class CoverageItemView:
    """Something that a protocol has, and how much it was used."""

    kind: str = described("message, field (of a message), answer (of the server) or clause")
    item: str = described("its name, or the id of the clause")
    count: int = described(
        "how often it was sent; connections that used a field; breaches of a clause"
    )
    clients: int = described("names of clients that have used it, or reached the clause")
    status: str = described("used, never used; of clauses kept, broken, not reached")


@attrs.frozen(kw_only=True)
class ClientCoverageView:
    """What all clients of one name have used: counts as above, without what was never used."""

    name: str = described("the name the clients gave themselves, or what several are counted under")
    connections: int = described("how many there were")
    messages: Mapping[str, int] = described("what they have sent")
    fields: Mapping[str, int] = described("the fields in that")
    answers: Mapping[str, int] = described("what they were sent")
    clauses: Mapping[str, int] = described("which clauses they have reached; 0 for those they kept")


@attrs.frozen(kw_only=True)
class CoverageView:
    """What the clients of an endpoint have used of its protocol since the daemon was started."""

    game: str = described("name of the endpoint")
    items: Sequence[CoverageItemView] = described("everything that the protocol has")
    clients: Sequence[ClientCoverageView] = described("by name")


@attrs.frozen(kw_only=True)
class ErrorView:
    """Why a request was refused."""

    error: str = described("a sentence for humans")
