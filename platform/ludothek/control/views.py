"""What an organiser sees of endpoints, lobbies and clients."""

from ludothek.client import Client
from ludothek.control.messages import ClientView, EndpointView, LobbyView
from ludothek.endpoint import Endpoint
from ludothek.lobby import Lobby


def open_lobbies(endpoint: Endpoint) -> list[Lobby]:
    return [lobby for lobby in endpoint.hall.lobbies.values() if lobby.open]


def view_endpoint(endpoint: Endpoint) -> EndpointView:
    return EndpointView(
        name=endpoint.name,
        game=endpoint.game.name,
        url=endpoint.url,
        state="draining" if endpoint.hall.draining else "open",
        lobbies=len(open_lobbies(endpoint)),
        clients=len(endpoint.clients),
        crashes=endpoint.hall.crashes,
    )


def view_lobby(endpoint: Endpoint, lobby: Lobby) -> LobbyView:
    summary = lobby.table.summary
    return LobbyView(
        id=f"{endpoint.name}/{lobby.key}",
        game=endpoint.name,
        name=summary.name,
        state=summary.state if lobby.open else "closed",
        players=list(summary.players),
        spectators=list(summary.spectators),
        facts=dict(summary.facts),
    )


def view_client(endpoint: Endpoint, client: Client) -> ClientView:
    # Where the protocol counts its clients, that number is what everybody sees; a long key is
    # nothing to type.
    short = client.key if client.key.isdecimal() else client.number
    return ClientView(
        id=f"{endpoint.name}/{short}",
        game=endpoint.name,
        number=client.number,
        key=client.key,
        name=client.name,
        address=client.peer,
        where=None if client.place is None else f"{endpoint.name}/{client.place}",
    )
