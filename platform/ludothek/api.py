"""Everything a game needs that lives in a package of its own; nothing else is stable."""

from ludothek.contract import (
    plain,
)
from ludothek.contract.chance import (
    SEED_BITS,
    Chance,
    random_uuid,
)
from ludothek.contract.clauses import (
    EVERY_MESSAGE,
    Breach,
    Clause,
    Clauses,
    Consequence,
    Example,
    defined_in,
    unnamed,
)
from ludothek.contract.client import (
    Client,
)
from ludothek.contract.clock import (
    Clock,
    Seconds,
)
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
from ludothek.contract.contest import (
    Awaited,
    Contest,
    Guest,
)
from ludothek.contract.effects import (
    Admit,
    Began,
    Chore,
    Close,
    Drop,
    Effect,
    Effects,
    Ended,
    Explain,
    Fetch,
    Finish,
    Hold,
    Inform,
    Kick,
    Open,
    Pass,
    Release,
    Renew,
    Save,
    Send,
    Tell,
    Unhold,
    Work,
)
from ludothek.contract.flaws import (
    Flaw,
    FlawKind,
    Unexpected,
    discreet,
    pointer_to,
)
from ludothek.contract.frozen import (
    frozen,
)
from ludothek.contract.game import (
    Game,
    Option,
    Rules,
)
from ludothek.contract.invitation import (
    Invitation,
    Invitations,
)
from ludothek.contract.keeping import (
    Claim,
    Room,
)
from ludothek.contract.limit_clauses import (
    LIMITS,
    MANY_VALUES,
    TCP_LIMITS,
    WEBSOCKET_LIMITS,
    limit_of,
)
from ludothek.contract.mistakes import (
    Mistake,
    RuleViolation,
)
from ludothek.contract.names import (
    has_control_characters,
    printable,
    skeleton,
)
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
from ludothek.contract.page import (
    Event,
    Page,
    Seat,
    View,
)
from ludothek.contract.player import (
    BrokenProtocol,
    Player,
    PlayerOptions,
    Question,
    Report,
    Thought,
    Utterance,
)
from ludothek.contract.reception import (
    Adaptable,
    Desk,
    Organised,
    Reception,
    Seating,
)
from ludothek.contract.results import (
    Place,
    ranked,
)
from ludothek.contract.situation import Opponents, Seats, Server, Situation, Situations, Wire
from ludothek.contract.stopwatch import (
    Stopwatch,
)
from ludothek.contract.table import (
    Stage,
    Summary,
    Table,
)
from ludothek.contract.timers import (
    Timers,
)
from ludothek.contract.vocabulary import (
    Vocabulary,
)
from ludothek.kit.allowance import (
    Allowance,
    AllowanceMemory,
)
from ludothek.kit.brake import (
    Brake,
    BrakeMemory,
)
from ludothek.kit.chat import (
    chat_cost,
    may_chat,
)
from ludothek.kit.fair_queue import (
    FairQueue,
)
from ludothek.kit.files import (
    read_small_file,
)
from ludothek.kit.greetings import (
    GREETING,
    Greetings,
)
from ludothek.kit.members import (
    Member,
    Members,
)
from ludothek.kit.partial import (
    partial_file,
    sweep,
)
from ludothek.kit.trouble import (
    Trouble,
)
from ludothek.settings.fields import (
    GameSettings,
    SettingsError,
    at_least,
    between,
    build,
    nearest,
    setting,
)
from transports import (
    Bucket,
    Complaint,
    Farewell,
    Frame,
    LineFramer,
    Rate,
    Tcp,
    Unreadable,
    WebSocket,
    XmlFramer,
    brief,
)

__all__ = [
    "EVERY_MESSAGE",
    "GREETING",
    "LIMITS",
    "MANY_VALUES",
    "SEED_BITS",
    "TCP_LIMITS",
    "WEBSOCKET_LIMITS",
    "Abort",
    "Adaptable",
    "Admit",
    "Allowance",
    "AllowanceMemory",
    "Arrange",
    "Awaited",
    "Began",
    "Brake",
    "BrakeMemory",
    "Breach",
    "BrokenProtocol",
    "Bucket",
    "CannotRead",
    "Chance",
    "Chore",
    "Claim",
    "Clause",
    "Clauses",
    "Client",
    "Clock",
    "Close",
    "Codec",
    "Complaint",
    "Consequence",
    "Contest",
    "Desk",
    "Drop",
    "Effect",
    "Effects",
    "Ended",
    "Event",
    "Example",
    "Expel",
    "Explain",
    "FairQueue",
    "Farewell",
    "Fault",
    "Fetch",
    "File",
    "Finish",
    "Flaw",
    "FlawKind",
    "Frame",
    "Game",
    "GameSettings",
    "Greetings",
    "Guest",
    "Hold",
    "Inform",
    "Invitation",
    "Invitations",
    "Kick",
    "LineFramer",
    "Malformed",
    "Member",
    "Members",
    "MessageReader",
    "Mistake",
    "NotForClients",
    "Open",
    "Opening",
    "Opponents",
    "Option",
    "Order",
    "OrderRefused",
    "Organised",
    "Page",
    "Pass",
    "Pause",
    "Place",
    "Player",
    "PlayerOptions",
    "Question",
    "Rate",
    "Reception",
    "Release",
    "Renew",
    "Report",
    "Resume",
    "Room",
    "RuleViolation",
    "Rules",
    "Save",
    "Seat",
    "Seating",
    "Seats",
    "Seconds",
    "Send",
    "Server",
    "SettingsError",
    "Shutdown",
    "Situation",
    "Situations",
    "Stage",
    "Start",
    "Step",
    "Stopwatch",
    "Summary",
    "Table",
    "Tcp",
    "Tell",
    "Thought",
    "Timers",
    "Trouble",
    "Unexpected",
    "Unhold",
    "Unreadable",
    "Utterance",
    "View",
    "Vocabulary",
    "WebSocket",
    "Wire",
    "Work",
    "WrittenOnce",
    "XmlFramer",
    "at_least",
    "between",
    "brief",
    "build",
    "camel_case",
    "chat_cost",
    "defined_in",
    "discreet",
    "frozen",
    "has_control_characters",
    "limit_of",
    "may_chat",
    "nearest",
    "partial_file",
    "plain",
    "pointer_to",
    "printable",
    "random_uuid",
    "ranked",
    "read_object",
    "read_request",
    "read_small_file",
    "setting",
    "shown",
    "skeleton",
    "sweep",
    "unnamed",
    "wire_converter",
]
