"""The clauses that bind the clients of every game: the limits of the server."""

from collections.abc import Mapping

from ludothek.contract.clauses import EVERY_MESSAGE, Breach, Clause, Example
from ludothek.contract.flaws import Flaw, FlawKind
from transports import Complaint

_SECTION = "Limits of the server"


# Limits that a client does not come near by playing.
_RARE = {
    Complaint.TOO_MANY_CONNECTIONS: "only a server that is full insists on it",
    Complaint.TOO_MANY_FROM_ADDRESS: "a client has one connection",
    Complaint.FOREIGN_PAGE: "it is about web pages",
    Complaint.GUESSING: "a client that knows its password does not guess",
}


def _limit(complaint: Complaint, reading: str, good: str, bad: str, unseen: str = "") -> Clause:
    return Clause(
        id=complaint.clause,
        section=_SECTION,
        reading=f"{reading} The connection ends.",
        good=Example("", good),
        bad=Example("", bad),
        unseen=unseen,
        binds=EVERY_MESSAGE,
        rare=_RARE.get(complaint, ""),
    )


# Of what the server does by itself.
_NO_MISTAKE = "it is not the client's mistake"

LIMITS: Mapping[Complaint, Clause] = {
    complaint: _limit(complaint, *texts)
    for complaint, texts in {
        Complaint.TOO_MANY_CONNECTIONS: (
            "The server serves `max_connections` clients at most.",
            "try again some seconds later",
            "connect again at once, in a loop",
        ),
        Complaint.TOO_MANY_FROM_ADDRESS: (
            "One address may have `max_connections_per_address` connections at the same time.",
            "one connection for each player, closed when it is no longer used",
            "a new connection for each message, none of them closed",
        ),
        Complaint.SLOW_HANDSHAKE: (
            "The handshake has to be complete within `handshake_seconds`.",
            "the whole HTTP upgrade request right after connecting",
            "a connection on which nothing is sent, or half a request",
        ),
        Complaint.BAD_HANDSHAKE: (
            "The protocol of this game is spoken over WebSocket: a connection begins with the HTTP "
            "upgrade request of RFC 6455. Anything else is answered in HTTP, which says what was "
            "wrong.",
            "the opening handshake of a WebSocket library",
            "a message of the game as the first bytes of a TCP connection",
        ),
        Complaint.NOT_INTRODUCED: (
            "A proxy that is trusted has to begin with a PROXY header, which says who connects.",
            "PROXY TCP4 192.0.2.1 192.0.2.2 56324 4444",
            "a message of the game as the first bytes from the proxy's address",
            "only the operator's proxy can break it",
        ),
        Complaint.PROXY_HEADER: (
            "Nobody but a trusted proxy sends a PROXY header.",
            "a message of the game as the first bytes",
            "PROXY TCP4 192.0.2.1 192.0.2.2 56324 4444",
        ),
        Complaint.FOREIGN_PAGE: (
            "Of web pages, only those that the operator allows may connect.",
            "a program of your own, which sends no Origin header, or an allowed one",
            "Origin: https://elsewhere.example",
        ),
        Complaint.HTTP_REQUEST: (
            "The protocol of this game is spoken over TCP, not over HTTP or WebSocket.",
            "a message of the game as the first bytes",
            "GET / HTTP/1.1",
        ),
        Complaint.BINARY: (
            "The protocol of this game is text over plain TCP, without TLS.",
            "a message of the game as the first bytes",
            "the ClientHello of TLS (bytes 16 03 01)",
        ),
        Complaint.SILENT: (
            "A client has to say something within `first_message_seconds` of connecting, and then "
            "at least every `idle_seconds`, if the operator sets that.",
            "the first message of the protocol right after connecting",
            "a connection on which nothing is ever said",
        ),
        Complaint.HALF_MESSAGE: (
            "A message that has begun has to be complete within `frame_seconds`.",
            "a whole message in one write",
            "half a message, and the rest minutes later",
        ),
        Complaint.TOO_MANY_MESSAGES: (
            "A client may send only so many messages per second; messages that are a little too "
            "fast wait, and only a client that floods the server is disconnected.",
            "one message, then its answer, then the next message",
            "the same message in a loop without waiting for an answer",
        ),
        Complaint.TOO_MANY_BYTES: (
            "A client may send only so many bytes per second.",
            "messages of some kilobytes",
            "megabytes, one message after the other",
        ),
        Complaint.GUESSING: (
            "Somebody who guesses passwords is disconnected.",
            "the password, once",
            "one password after another",
        ),
        Complaint.INTERRUPTED: (
            "The server was restarted while a message was under way, and cannot go on with it.",
            "connect again",
            "nothing: a client cannot cause it",
            _NO_MISTAKE,
        ),
        Complaint.DEADLY: (
            "The server has died twice while it handled the same message, and will not try again.",
            "connect again, and report it",
            "nothing: whatever the message was, the server should have survived it",
            _NO_MISTAKE,
        ),
        Complaint.OUTBOX_FULL: (
            "A client has to read what it is sent; only so many bytes wait for it.",
            "read in a thread or task of its own, while thinking about a move too",
            "read nothing for a whole match",
        ),
        Complaint.SLOW_WRITE: (
            "A client has to read what it is sent, all of it within `write_seconds`.",
            "read in a thread or task of its own, while thinking about a move too",
            "stop reading in the middle of a message",
        ),
    }.items()
}

MANY_VALUES = Clause(
    id="ours.many-values",
    section=_SECTION,
    reading="A message has at most 8192 commas, colons and opening brackets, ten times as many as "
    "the longest message of any protocol. The game answers as it does to anything unreadable.",
    good=Example("", "a message of the protocol"),
    bad=Example("", "an object with a list of ten thousand lists"),
    binds=EVERY_MESSAGE,
)

TOO_LONG = Clause(
    id="ours.too-long",
    section=_SECTION,
    reading="A message has 64 KiB at most, unless the game allows more or less. Over TCP the game "
    "answers as it does to anything unreadable; a WebSocket is closed with code 1009.",
    good=Example("", "a message of the protocol"),
    bad=Example("", "a megabyte without the end of a message"),
    binds=EVERY_MESSAGE,
)

WEBSOCKET = Clause(
    id="ours.websocket",
    section=_SECTION,
    reading="What RFC 6455 demands of clients: frames are masked, texts are UTF-8, fragments are "
    "complete, a close frame has a valid code. Where a game has no answer to binary frames, there "
    "are none. The connection ends with code 1002, 1003 or 1007.",
    good=Example("", "a text frame of a WebSocket library"),
    bad=Example("", "a frame without a mask"),
    binds=EVERY_MESSAGE,
)

_OF_FLAWS: Mapping[FlawKind, Clause] = {
    FlawKind.TOO_MANY_VALUES: MANY_VALUES,
    FlawKind.TOO_LONG: TOO_LONG,
    FlawKind.HALF: LIMITS[Complaint.HALF_MESSAGE],
}


def limit_of(flaw: Flaw) -> Clause | None:
    """The limit that a message which cannot be read has broken, if that is why."""
    return _OF_FLAWS.get(flaw.kind)


_TCP_ONLY = {
    *(Complaint.NOT_INTRODUCED, Complaint.PROXY_HEADER),
    *(Complaint.HTTP_REQUEST, Complaint.BINARY),
}
_WEBSOCKET_ONLY = {Complaint.FOREIGN_PAGE, Complaint.BAD_HANDSHAKE}


def _all_but(others: set[Complaint], *more: Clause) -> tuple[Clause, ...]:
    # Only some games have passwords.
    left = {*LIMITS} - others - {Complaint.GUESSING}
    limits = (LIMITS[complaint] for complaint in Complaint if complaint in left)
    return (MANY_VALUES, TOO_LONG, *more, *limits)


# What binds the clients of games over these transports.
TCP_LIMITS = _all_but(_WEBSOCKET_ONLY)
WEBSOCKET_LIMITS = _all_but(_TCP_ONLY, WEBSOCKET)


def limit_broken(complaint: Complaint) -> Breach:
    """The breach of a limit, which concerns no message in particular."""
    return Breach(LIMITS[complaint], "", "", complaint.value)


def framing_broken(reason: str) -> Breach:
    """The breach of the protocol that carries frames."""
    clause = TOO_LONG if " longer than " in reason else WEBSOCKET
    return Breach(clause, "", "", reason)
