"""What an organiser may ask the daemon over HTTP, and what the daemon answers."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

Part = Literal["path", "query", "body"]

GAME = "name of the endpoint, usually the game's"


def asked_in(part: Part, help_: str, **options: Any) -> Any:
    """A field of a request: where in the HTTP request it stands, and what it means."""
    return attrs.field(metadata={"part": part, "help": help_}, **options)


def told(help_: str) -> Any:
    """A field of an answer, and what it means."""
    return attrs.field(metadata={"help": help_})


# Requests


@attrs.frozen(kw_only=True)
class StatusRequest:
    """How is the daemon?"""


@attrs.frozen(kw_only=True)
class HealthRequest:
    """Is anybody there?"""


@attrs.frozen(kw_only=True)
class ReadyRequest:
    """May clients come?"""


@attrs.frozen(kw_only=True)
class ListRequest:
    """Who or what is there, in one game or in all of them?"""

    game: str | None = asked_in("query", GAME, default=None)


@attrs.frozen(kw_only=True)
class OpenRequest:
    """Open a lobby; what is left out is for the game to choose."""

    game: str = asked_in("body", GAME)
    name: str | None = asked_in("body", "what the lobby shall be called", default=None)
    file: str | None = asked_in(
        "body", "name of a configuration file, for complaints; it is not read", default=None
    )
    content: str | None = asked_in(
        "body", "what is in that file, a configuration in the game's own format", default=None
    )
    settings: Mapping[str, Any] = asked_in("body", "the game's own settings", factory=dict)
    tournament: bool = asked_in("body", "whether it is for a tournament", default=False)


@attrs.frozen(kw_only=True)
class LobbyRequest:
    """Something for one lobby."""

    game: str = asked_in("path", GAME)
    lobby: str = asked_in("path", "id of the lobby, without the game")


@attrs.frozen(kw_only=True)
class SeatRequest(LobbyRequest):
    """Put clients that wait into a lobby."""

    clients: Sequence[str] = asked_in("body", "ids of the clients, without the game")
    spectator: bool = asked_in("body", "whether they shall only watch", default=False)


@attrs.frozen(kw_only=True)
class AbortRequest(LobbyRequest):
    """End a match, or a lobby before its match, at once."""

    winner: str | None = asked_in(
        "body", "id of the client that shall have won, without the game", default=None
    )


@attrs.frozen(kw_only=True)
class ArrangeRequest(LobbyRequest):
    """Let the players of a match take turns in this order."""

    clients: Sequence[str] = asked_in(
        "body", "ids of all players, without the game; none: a random order", factory=list
    )


@attrs.frozen(kw_only=True)
class ExpelRequest(LobbyRequest):
    """Send a client from a lobby back to where it came from."""

    client: str = asked_in("body", "id of the client, without the game")


@attrs.frozen(kw_only=True)
class DrainRequest:
    """Let all matches come to their end but no other begin; then end the daemon."""

    seconds: float | None = asked_in("body", "end after that long at the latest", default=None)


@attrs.frozen(kw_only=True)
class ReloadRequest:
    """Read the configuration file again."""


@attrs.frozen(kw_only=True)
class ClientRequest:
    """Something for one client."""

    game: str = asked_in("path", GAME)
    client: str = asked_in("path", "number or key of the client, without the game")


ON = "whether every message shall be written to the wire log"


@attrs.frozen(kw_only=True)
class EndpointWireRequest:
    """Record a whole endpoint, or do so no more."""

    game: str = asked_in("path", GAME)
    on: bool = asked_in("body", ON)


@attrs.frozen(kw_only=True)
class LobbyWireRequest(LobbyRequest):
    """Record a lobby, or do so no more."""

    on: bool = asked_in("body", ON)


@attrs.frozen(kw_only=True)
class ClientWireRequest(ClientRequest):
    """Record a client, or do so no more."""

    on: bool = asked_in("body", ON)


# Answers


@attrs.frozen(kw_only=True)
class HistogramView:
    """How many durations were how long."""

    bounds: Sequence[float] = told("seconds; each count is of those not longer than its bound")
    counts: Sequence[int] = told("one per bound, and one for all that are longer")
    total: float = told("seconds of all together")


@attrs.frozen(kw_only=True)
class TrafficView:
    """What went through an endpoint since the start."""

    messages_in: int = told("messages heard")
    messages_out: int = told("messages sent")
    bytes_in: int = told("their bytes, without framing")
    bytes_out: int = told("their bytes, without framing")
    drops: Mapping[str, int] = told("clients that we have hung up on, by reason")
    handling: HistogramView = told("time a table takes for a message, a timer or an order")


@attrs.frozen(kw_only=True)
class OutboxView:
    """What waits to be written to clients."""

    frames: int = told("messages")
    bytes: int = told("their bytes")
    frames_max: int = told("messages for the client where most wait")
    bytes_max: int = told("bytes for the client where most wait")


@attrs.frozen(kw_only=True)
class LagView:
    """How late the event loop wakes up."""

    seconds_max: float = told("the largest lag of the last minute")
    lags: HistogramView = told("all since the start, measured ten times a second")


@attrs.frozen(kw_only=True)
class EndpointView:
    """One game at one address."""

    name: str = told("unique in this daemon")
    game: str = told("the game it hosts")
    url: str = told("where it listens")
    state: str = told("open, or draining: nobody new comes in, and its last matches are played")
    lobbies: int = told("lobbies that are open")
    clients: int = told("clients that are connected")
    crashes: int = told("lobbies that a bug has ended since the start")
    ready: bool = told("whether it takes new clients")
    matches: Mapping[str, int] = told("open lobbies by what their match does")
    outbox: OutboxView = told("what waits for slow clients")
    traffic: TrafficView = told("what went through it since the start")


@attrs.frozen(kw_only=True)
class Status:
    """The whole daemon."""

    version: str = told("of this program")
    uptime_seconds: float = told("since the start")
    ready: bool = told("whether new clients are taken")
    state: str = told("open, or draining: it ends after the last matches")
    seconds_left: float | None = told("until it ends at the latest, if somebody has said so")
    problems: Sequence[str] = told("what was wrong when the configuration was last read again")
    lobbies: int = told("lobbies that are open, in all games")
    clients: int = told("clients that are connected, in all games")
    loop_lag: LagView = told("how late the event loop wakes up")
    reports_failed: int = told("reports of crashes, and log lines, that could not be made")
    endpoints: Sequence[EndpointView] = told("in the order of the configuration")


@attrs.frozen(kw_only=True)
class Health:
    """The daemon lives: an answer is all there is to say."""

    alive: bool = told("always true")


@attrs.frozen(kw_only=True)
class Readiness:
    """Clients may come."""

    ready: bool = told("always true: whoever is not ready answers with an error")


@attrs.frozen(kw_only=True)
class WireView:
    """One recording of the wire log."""

    id: str = told("what is recorded: an endpoint, or an endpoint and its lobby or client")
    kind: str = told("endpoint, lobby or client")
    on: bool = told("whether it is recorded")
    file: str | None = told("where; older parts have numbers behind that name")
    lines: int = told("written or about to be")
    lost: int = told("lines that could not be kept")


@attrs.frozen(kw_only=True)
class ReloadView:
    """What the configuration file has changed."""

    opened: Sequence[str] = told("endpoints that are new")
    changed: Sequence[str] = told("endpoints with other settings for their next lobbies")
    removed: Sequence[str] = told("endpoints that end with their last match")
    renamed: Sequence[str] = told("endpoints that are called otherwise now")
    problems: Sequence[str] = told("endpoints that could not be opened or changed, and why")


@attrs.frozen(kw_only=True)
class LobbyView:
    """One lobby."""

    id: str = told("endpoint and lobby, as in hexxagon/1")
    game: str = told("name of the endpoint")
    name: str = told("what people call it")
    state: str = told("in the game's own words, or closed")
    players: Sequence[str] = told("names of the players")
    spectators: Sequence[str] = told("names of those who watch")
    facts: Mapping[str, Any] = told("what only this game has to tell")


@attrs.frozen(kw_only=True)
class ClientView:
    """One connected client."""

    id: str = told("endpoint and client, as in hexxagon/1")
    game: str = told("name of the endpoint")
    number: int = told("counts the connections of the endpoint")
    key: str = told("how the client is known in its protocol")
    name: str = told("what it calls itself; empty until it has said so")
    address: str = told("where it comes from")
    where: str | None = told("id of the lobby it is in")
    heard: int = told("messages it has sent us")


@attrs.frozen(kw_only=True)
class ErrorView:
    """Why a request was not obeyed."""

    error: str = told("a sentence for people")
