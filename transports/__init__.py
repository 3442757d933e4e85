"""The ways frames travel between a peer and the core."""

from transports.framing import LineFramer
from transports.link import Farewell, Frame, Link, Outbox, Spawner, Transport, Unreadable
from transports.listening import open_listeners
from transports.tcp import Tcp
from transports.websocket import WebSocket
from transports.xml_framing import XmlFramer

__all__ = [
    "Farewell",
    "Frame",
    "LineFramer",
    "Link",
    "Outbox",
    "Spawner",
    "Tcp",
    "Transport",
    "Unreadable",
    "WebSocket",
    "XmlFramer",
    "open_listeners",
]
