"""What an organiser sees of endpoints, lobbies and clients."""

from datetime import UTC

from ludothek.control.messages import (
    CarriedView,
    ClientView,
    EndpointView,
    HandoverView,
    HistogramView,
    LagView,
    LobbyView,
    OutboxView,
    RefusalView,
    TrafficView,
    WireView,
)
from ludothek.daemon.handover import Carried, Handover
from ludothek.observe.lag import LoopLag
from ludothek.observe.traffic import Histogram, Traffic
from ludothek.runtime.connection import Connection
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.explanations import Explanation, RefusedClient
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.matches import count_matches
from ludothek.wire.wire import Target
from ludothek.wire.wire_file import WireFile


def open_lobbies(endpoint: Endpoint) -> list[Lobby]:
    return [lobby for lobby in endpoint.hall.lobbies.values() if lobby.open]


def view_endpoint(endpoint: Endpoint) -> EndpointView:
    lobbies = open_lobbies(endpoint)
    return EndpointView(
        name=endpoint.name,
        game=endpoint.game.name,
        url=endpoint.url,
        state="draining" if endpoint.hall.draining else "open",
        lobbies=len(lobbies),
        clients=len(endpoint.clients),
        crashes=endpoint.hall.crashes,
        ready=endpoint.ready,
        matches=count_matches(lobbies),
        outbox=view_outboxes(endpoint),
        traffic=_view_traffic(endpoint.traffic),
        faults=str(endpoint.lab) if endpoint.lab is not None else None,
    )


def view_outboxes(endpoint: Endpoint) -> OutboxView:
    frames = [client.waiting_frames for client in endpoint.clients]
    sizes = [client.waiting_bytes for client in endpoint.clients]
    return OutboxView(
        frames=sum(frames),
        bytes=sum(sizes),
        frames_max=max(frames, default=0),
        bytes_max=max(sizes, default=0),
    )


def _view_traffic(traffic: Traffic) -> TrafficView:
    return TrafficView(
        messages_in=traffic.frames_in,
        messages_out=traffic.frames_out,
        bytes_in=traffic.bytes_in,
        bytes_out=traffic.bytes_out,
        drops=traffic.drops,
        handling=_view_histogram(traffic.handling),
    )


def view_lag(lag: LoopLag) -> LagView:
    return LagView(seconds_max=lag.largest, lags=_view_histogram(lag.histogram))


def _view_histogram(histogram: Histogram) -> HistogramView:
    return HistogramView(
        bounds=list(histogram.bounds), counts=histogram.counts, total=histogram.total
    )


def view_handover(handover: Handover) -> HandoverView:
    return HandoverView(
        matches=_view_carried(handover.matches), connections=_view_carried(handover.connections)
    )


def _view_carried(carried: Carried) -> CarriedView:
    return CarriedView(carried=carried.carried, all=carried.all)


def view_lobby(endpoint: Endpoint, lobby: Lobby) -> LobbyView:
    summary = lobby.table.summary
    return LobbyView(
        id=f"{endpoint.name}/{lobby.key}",
        game=endpoint.name,
        name=summary.name,
        state=(summary.state or summary.stage.value) if lobby.open else "closed",
        players=list(summary.players),
        spectators=list(summary.spectators),
        facts=dict(summary.facts),
    )


def _client_id(endpoint: Endpoint, client: Connection | RefusedClient) -> str:
    # Where the protocol counts its clients, that number is what everybody sees; a long key is
    # nothing to type.
    return f"{endpoint.name}/{client.key if client.key.isdecimal() else client.number}"


def view_client(endpoint: Endpoint, client: Connection) -> ClientView:
    return ClientView(
        id=_client_id(endpoint, client),
        game=endpoint.name,
        number=client.number,
        key=client.key,
        name=client.name,
        address=client.peer,
        where=None if client.place is None else f"{endpoint.name}/{client.place}",
        heard=client.heard,
        refused=client.explanations.count if client.explanations else 0,
    )


def view_refusals(endpoint: Endpoint) -> list[RefusalView]:
    return [
        _view_refusal(endpoint, client, explanation)
        for client in (*endpoint.clients, *endpoint.clients.refused)
        if client.explanations is not None
        for explanation in client.explanations
    ]


def _view_refusal(
    endpoint: Endpoint, client: Connection | RefusedClient, explanation: Explanation
) -> RefusalView:
    breach, clause = explanation.breach, explanation.breach.clause
    return RefusalView(
        id=_client_id(endpoint, client),
        game=endpoint.name,
        name=client.name,
        address=client.peer,
        connected=isinstance(client, Connection),
        time=explanation.date.astimezone(UTC).isoformat(),
        consequence=explanation.consequence.value,
        clause=clause.id,
        section=clause.section,
        quote=clause.quote,
        reading=clause.reading,
        pointer=breach.pointer,
        expected=breach.expected,
        came=breach.came,
        reason=breach.reason,
    )


def view_wire(endpoint: Endpoint, target: Target, recording: WireFile | None) -> WireView:
    kind, key = target
    return WireView(
        id=f"{endpoint.name}/{key}" if key else endpoint.name,
        kind=kind,
        on=recording is not None,
        file=str(recording.path) if recording else None,
        lines=recording.lines if recording else 0,
        lost=recording.lost if recording else 0,
    )
