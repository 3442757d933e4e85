"""Everything that a game imports, also one that lives in another repository."""

from ludothek.contract.chance import random_uuid
from ludothek.contract.clock import Clock, Countdown, Seconds
from ludothek.contract.codec import (
    CannotRead,
    Codec,
    Malformed,
    MessageReader,
    NotForClients,
    WrittenOnce,
    camel_case,
    read_object,
    read_request,
    shown,
    wire_converter,
)
from ludothek.contract.frozen import frozen
from ludothek.contract.game import Adaptable, Game, Organised, Reception, Rules
from ludothek.contract.keeping import Claim, Room
from ludothek.contract.mistakes import Mistake, RuleViolation
from ludothek.contract.names import has_control_characters, skeleton
from ludothek.contract.orders import (
    Abort,
    Arrange,
    Expel,
    Fault,
    File,
    Opening,
    Order,
    OrderRefused,
    Pause,
    Resume,
    Shutdown,
    Start,
    Step,
)
from ludothek.contract.player import (
    BrokenProtocol,
    Player,
    PlayerOptions,
    Report,
    Thought,
    Utterance,
)
from ludothek.contract.results import Place, ranked
from ludothek.contract.stopwatch import Stopwatch
from ludothek.contract.table import (
    Began,
    Chore,
    Close,
    Effect,
    Effects,
    Ended,
    Fetch,
    Kick,
    Release,
    Save,
    Send,
    Summary,
    Table,
)
from ludothek.kit.allowance import Allowance
from ludothek.kit.brake import Brake
from ludothek.kit.fair_queue import FairQueue
from ludothek.kit.files import read_small_file
from ludothek.kit.partial import partial_file, sweep
from ludothek.kit.trouble import Trouble

# Until receptions are plain objects, as tables are.
from ludothek.runtime.client import Client
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby
from ludothek.settings.fields import (
    GameSettings,
    SettingsError,
    at_least,
    between,
    build,
    nearest,
    setting,
)
from ludothek.settings.limits import origin
from transports import (
    Bucket,
    Complaint,
    Farewell,
    Frame,
    LineFramer,
    Rate,
    Tcp,
    Transport,
    Unreadable,
    WebSocket,
    XmlFramer,
)

__all__ = [
    "Abort",
    "Adaptable",
    "Allowance",
    "Arrange",
    "Began",
    "Brake",
    "BrokenProtocol",
    "Bucket",
    "CannotRead",
    "Chore",
    "Claim",
    "Client",
    "Clock",
    "Close",
    "Codec",
    "Complaint",
    "Countdown",
    "Effect",
    "Effects",
    "Ended",
    "Expel",
    "FairQueue",
    "Farewell",
    "Fault",
    "Fetch",
    "File",
    "Frame",
    "Game",
    "GameSettings",
    "Hall",
    "Kick",
    "LineFramer",
    "Lobby",
    "Malformed",
    "MessageReader",
    "Mistake",
    "NotForClients",
    "Opening",
    "Order",
    "OrderRefused",
    "Organised",
    "Pause",
    "Place",
    "Player",
    "PlayerOptions",
    "Rate",
    "Reception",
    "Release",
    "Report",
    "Resume",
    "Room",
    "RuleViolation",
    "Rules",
    "Save",
    "Seconds",
    "Send",
    "SettingsError",
    "Shutdown",
    "Start",
    "Step",
    "Stopwatch",
    "Summary",
    "Table",
    "Tcp",
    "Thought",
    "Transport",
    "Trouble",
    "Unreadable",
    "Utterance",
    "WebSocket",
    "WrittenOnce",
    "XmlFramer",
    "at_least",
    "between",
    "build",
    "camel_case",
    "frozen",
    "has_control_characters",
    "nearest",
    "origin",
    "partial_file",
    "random_uuid",
    "ranked",
    "read_object",
    "read_request",
    "read_small_file",
    "setting",
    "shown",
    "skeleton",
    "sweep",
    "wire_converter",
]
