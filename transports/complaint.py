"""Why a peer is dropped or not let in: the limits it can break."""

import enum


class Complaint(enum.Enum):
    """The name is for machines (`too_many_messages`), the value for people."""

    TOO_MANY_CONNECTIONS = "the server is full"
    TOO_MANY_FROM_ADDRESS = "too many connections from one address"
    SLOW_HANDSHAKE = "no handshake in time"
    BAD_HANDSHAKE = "no proper WebSocket handshake"
    NOT_INTRODUCED = "a trusted proxy without a PROXY header that can be read"
    PROXY_HEADER = "a PROXY header where none is expected"
    FOREIGN_PAGE = "a web page from elsewhere"
    HTTP_REQUEST = "an HTTP request"
    BINARY = "binary data, such as TLS"
    SILENT = "no message for too long"
    HALF_MESSAGE = "half a message for too long"
    TOO_MANY_MESSAGES = "too many messages"
    TOO_MANY_BYTES = "too many bytes"
    GUESSING = "too many wrong passwords"
    INTERRUPTED = "the server was interrupted in the middle of a message"
    DEADLY = "the server has died twice of the same message"
    OUTBOX_FULL = "does not read: outbox full"
    SLOW_WRITE = "does not read: a write took too long"

    @property
    def key(self) -> str:
        """A short name for counters and logs."""
        return self.name.lower()

    @property
    def clause(self) -> str:
        """The id of the clause that a peer has broken: limits are decisions of ours."""
        return f"ours.{self.key.replace('_', '-')}"
