"""What is refused, and the errors and warnings of section 13.4.5, word for word."""

import enum
from collections.abc import Mapping

from games.quidditch import breaches
from games.quidditch.messages import PrivateError, PrivateWarning
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import Effects, Explain, Kick, Send
from ludothek.contract.flaws import Flaw, FlawKind
from transports import Farewell

DOUBLE_LOGIN = (
    "joinRequest-doublelogin: User logs in from two clients at the same time. The last login is "
    "always executed. Error goes to the old logon, Warning goes to the new logon."
)


class Offence(enum.Enum):
    """Why a client is disconnected: code and information.

    The code is lower by a hundred if a match is over because of it.
    """

    UNDEFINED = 200, "Error: server has some reason to kick you (but case is undefined)"
    FORMATION = 201, "Error:  invalid teamFormation by a player"
    DELTA = 202, "Error: invalid deltaRequest by active player"
    JSON = 251, "Error: Server could not parse json"
    CONTAINER = 252, "Error: Server could parse a json but it is not in the Container format."
    PAYLOAD = (
        253,
        "Error: The container format could be recognized, but the payload does not correspond to "
        "the desired format (e.g. missing Fields or fields have wrong types e.g. String instead "
        "of Int)",
    )
    NOT_ALLOWED = (
        254,
        "Error: payloadType not allowed at this point "
        "(e.g. teamFormation or deltaRequest from spectator)",
    )

    # Never in a match
    DOUBLE_LOGIN = 201, f"Error: {DOUBLE_LOGIN}"
    MODS = 202, "Error: incompatibleUserMods, the server does not supports the requested mods"
    USER_NAME = 203, "Error: invalid username"
    LOBBY_NAME = 204, "Error: invalid lobbyname"
    PASSWORD = 205, "Error: invalid password (too long or forbidden characters)"
    WRONG_PASSWORD = 206, "Error: wrong password"
    TEAM_CONFIG = 207, "Error: invalid teamConfig by player"
    NO_JOIN_REQUEST = 208, "Error: user sent non-joinRequest-message before joinResponse"


class Notice(enum.Enum):
    """Something that a client is told, without further consequences."""

    UNDEFINED = 300, "Warning"
    DOUBLE_LOGIN = 301, f"Warning: {DOUBLE_LOGIN}"
    TEAM_CONFIG = 302, "Warning: teamConfig sent while game is running"
    NOT_YOUR_TURN = (
        303,
        "Warning: It's not your turn - deltaRequest on other player's turn.",
    )
    PAUSED = (
        304,
        "Warning: deltaRequest received while game is paused, please make a break",
    )


def error(offence: Offence, detail: Breach | str = "", *, ends_match: bool = False) -> PrivateError:
    code, information = offence.value
    return PrivateError(
        code=code - 100 if ends_match else code,
        information=_with_detail(information, detail),
        trigger_match_finish=ends_match,
    )


def warning(reason: Notice, detail: Breach | str = "") -> PrivateWarning:
    code, information = reason.value
    return PrivateWarning(code, _with_detail(information, detail))


def _with_detail(information: str, detail: Breach | str) -> str:
    """«je besser die Meldung desto eher kann man herausfinden wo das Problem liegt»"""
    return f"{information}: {detail}" if detail else information


class ProtocolViolation(Exception):
    """A client is to be disconnected, and why."""

    def __init__(self, offence: Offence, breach: Breach) -> None:
        super().__init__(f"{offence.name}: {breach}")
        self.offence = offence
        self.breach = breach


def refuse(client: Client, violation: ProtocolViolation) -> Effects:
    """Send away a client that is in no lobby."""
    yield Explain(client, violation.breach, Consequence.KICKED)
    yield Send(client, error(violation.offence, violation.breach))
    yield Kick(client, Farewell.REFUSED)


class Caution(Exception):
    """A client is to be warned, and nothing more."""

    def __init__(self, reason: Notice, breach: Breach) -> None:
        super().__init__(f"{reason.name}: {breach}")
        self.breach = breach
        self.warning = warning(reason, breach)


class Ignored(Exception):
    """What a client has said has no effect, and it is not told so."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(str(breach))
        self.breach = breach


_OFFENCES: Mapping[FlawKind, Offence] = {
    FlawKind.TOO_LONG: Offence.PAYLOAD,
    FlawKind.TOO_MANY_VALUES: Offence.CONTAINER,
    FlawKind.NO_OBJECT: Offence.CONTAINER,
    FlawKind.NO_TYPE: Offence.CONTAINER,
    FlawKind.NOT_FOR_CLIENTS: Offence.NOT_ALLOWED,
    FlawKind.MISSING: Offence.PAYLOAD,
    FlawKind.WRONG: Offence.PAYLOAD,
}


def offence_of(flaw: Flaw) -> Offence:
    """What the standard calls a message that cannot be read; without even a text it is not JSON."""
    if flaw.kind is FlawKind.MISSING and flaw.pointer == "/payload":
        return Offence.CONTAINER
    return _OFFENCES.get(flaw.kind, Offence.JSON)


def unreadable(message: Malformed) -> ProtocolViolation:
    return ProtocolViolation(offence_of(message.flaw), breaches.unreadable(message))
