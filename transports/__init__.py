"""The ways frames travel between a peer and the core."""

from transports.address import read_ip
from transports.bugs import BUGS, as_bug
from transports.complaint import Complaint
from transports.framing import LineFramer
from transports.link import (
    Farewell,
    Frame,
    Link,
    OutboxLimits,
    Spawner,
    Transport,
    Unreadable,
)
from transports.listening import open_listeners
from transports.meter import Bucket, Rate
from transports.origins import Origins
from transports.patient_clock import PatientClock, given_back, unstopped_time
from transports.poller import Poller, open_poller
from transports.reasons import MAX_REASON, brief
from transports.tcp import Tcp
from transports.terms import Door, Terms
from transports.websocket import WebSocket
from transports.xml_framing import XmlFramer

__all__ = [
    "BUGS",
    "MAX_REASON",
    "Bucket",
    "Complaint",
    "Door",
    "Farewell",
    "Frame",
    "LineFramer",
    "Link",
    "Origins",
    "OutboxLimits",
    "PatientClock",
    "Poller",
    "Rate",
    "Spawner",
    "Tcp",
    "Terms",
    "Transport",
    "Unreadable",
    "WebSocket",
    "XmlFramer",
    "as_bug",
    "brief",
    "given_back",
    "open_listeners",
    "open_poller",
    "read_ip",
    "unstopped_time",
]
