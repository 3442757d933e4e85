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
class ListRequest:
    """Who or what is there, in one game or in all of them?"""

    game: str | None = asked_in("query", GAME, default=None)


@attrs.frozen(kw_only=True)
class OpenRequest:
    """Open a lobby; what is left out is for the game to choose."""

    game: str = asked_in("body", GAME)
    name: str | None = asked_in("body", "what the lobby shall be called", default=None)
    file: str | None = asked_in(
        "body", "absolute path of a configuration file that the daemon can read", default=None
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


# Answers


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


@attrs.frozen(kw_only=True)
class Status:
    """The whole daemon."""

    version: str = told("of this program")
    uptime_seconds: float = told("since the start")
    state: str = told("open, or draining: it ends after the last matches")
    seconds_left: float | None = told("until it ends at the latest, if somebody has said so")
    problems: Sequence[str] = told("what was wrong when the configuration was last read again")
    lobbies: int = told("lobbies that are open, in all games")
    clients: int = told("clients that are connected, in all games")
    endpoints: Sequence[EndpointView] = told("in the order of the configuration")


@attrs.frozen(kw_only=True)
class ReloadView:
    """What the configuration file has changed."""

    opened: Sequence[str] = told("endpoints that are new")
    changed: Sequence[str] = told("endpoints with other settings for their next lobbies")
    removed: Sequence[str] = told("endpoints that end with their last match")
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


@attrs.frozen(kw_only=True)
class Problem:
    """Why a request was not obeyed."""

    error: str = told("a sentence for people")
