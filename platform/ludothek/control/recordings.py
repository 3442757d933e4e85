"""Switching recordings of the wire log on and off."""

from ludothek.control.messages import (
    BareRequest,
    ClientWireRequest,
    EndpointWireRequest,
    LobbyWireRequest,
    WireView,
)
from ludothek.control.organiser import NotOffered, Organiser, find_client
from ludothek.control.views import view_wire
from ludothek.runtime.endpoint import Endpoint
from ludothek.wire.wire import EVERYBODY, Target


def wire(organiser: Organiser, _: BareRequest) -> list[WireView]:
    return [
        view_wire(endpoint, target, recording)
        for endpoint in organiser.endpoints
        if endpoint.wire is not None
        for target, recording in endpoint.wire.recordings.items()
    ]


def wire_endpoint(organiser: Organiser, request: EndpointWireRequest) -> WireView:
    return _record(organiser.endpoint(request.game), EVERYBODY, on=request.on)


def wire_lobby(organiser: Organiser, request: LobbyWireRequest) -> WireView:
    endpoint, lobby = organiser.find(request)
    return _record(endpoint, ("lobby", lobby.key), on=request.on)


def wire_client(organiser: Organiser, request: ClientWireRequest) -> WireView:
    endpoint = organiser.endpoint(request.game)
    client = find_client(endpoint, request.client)
    return _record(endpoint, ("client", str(client.number)), on=request.on)


def _record(endpoint: Endpoint, target: Target, *, on: bool) -> WireView:
    if endpoint.wire is None:
        raise NotOffered("this daemon has no state directory, where a wire log could be")
    if on:
        return view_wire(endpoint, target, endpoint.wire.start(target))
    endpoint.wire.stop(target)
    return view_wire(endpoint, target, None)
