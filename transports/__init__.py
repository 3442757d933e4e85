"""The ways frames travel between a peer and the core."""

from transports.link import Farewell, Link, Spawner, Transport, Unreadable
from transports.listening import open_listeners
from transports.websocket import WebSocket

__all__ = [
    "Farewell",
    "Link",
    "Spawner",
    "Transport",
    "Unreadable",
    "WebSocket",
    "open_listeners",
]
