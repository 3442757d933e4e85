"""The ways frames travel between a peer and the core."""

from transports.address import read_ip
from transports.bugs import BUGS, as_bug
from transports.complaint import Complaint
from transports.custody import DescriptorStore
from transports.durable_link import DurableLink
from transports.framing import LineFramer
from transports.ledger import Ledger
from transports.link import (
    Farewell,
    Frame,
    Link,
    OutboxLimits,
    Spawner,
    Transport,
    Unreadable,
)
from transports.listening import Accepted, open_listeners
from transports.meter import Bucket, Rate
from transports.origins import Origins
from transports.patient_clock import PatientClock, given_back, unstopped_time
from transports.poller import Poller, open_poller
from transports.reasons import MAX_REASON, brief
from transports.recovered_ledger import NoLedger, RecoveredLedger, read_back
from transports.recovered_link import RecoveredLink
from transports.relay import Relay, Trouble
from transports.stored_listener import Listener, StoredListener
from transports.tcp import Tcp
from transports.terms import Door, Terms
from transports.turns import Turns
from transports.websocket import WebSocket
from transports.xml_framing import XmlFramer

__all__ = [
    "BUGS",
    "MAX_REASON",
    "Accepted",
    "Bucket",
    "Complaint",
    "DescriptorStore",
    "Door",
    "DurableLink",
    "Farewell",
    "Frame",
    "Ledger",
    "LineFramer",
    "Link",
    "Listener",
    "NoLedger",
    "Origins",
    "OutboxLimits",
    "PatientClock",
    "Poller",
    "Rate",
    "RecoveredLedger",
    "RecoveredLink",
    "Relay",
    "Spawner",
    "StoredListener",
    "Tcp",
    "Terms",
    "Transport",
    "Trouble",
    "Turns",
    "Unreadable",
    "WebSocket",
    "XmlFramer",
    "as_bug",
    "brief",
    "given_back",
    "open_listeners",
    "open_poller",
    "read_back",
    "read_ip",
    "unstopped_time",
]
