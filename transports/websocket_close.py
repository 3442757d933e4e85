"""How WebSocket connections are closed: codes, the payload of close frames, protocol errors."""

from transports.link import Farewell

# RFC 6455, section 7.4.1
CLOSE_CODES = {
    Farewell.DONE: 1000,
    Farewell.GOING_AWAY: 1001,
    Farewell.REFUSED: 1008,
    Farewell.KICKED: 1008,  # not 1000: a client must not mistake it for the normal end of a game
    Farewell.FAULT: 1011,
}
PROTOCOL_ERROR = 1002
UNSUPPORTED_DATA = 1003
NO_CODE = 1005  # never sent: stands for a close frame without a code
INVALID_TEXT = 1007
TOO_BIG = 1009

# What a peer may close with: the registered codes of the RFC, and those for private use.
_REGISTERED = frozenset({*range(1000, 1004), *range(1007, 1015)})
_FREE = range(3000, 5000)


class BrokenFrame(Exception):
    """The peer has broken the protocol; it is told so with this close code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def is_text(data: bytes) -> bool:
    """Whether it is UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_text(data: bytes) -> None:
    if not is_text(data):
        raise BrokenFrame(INVALID_TEXT, "text is not UTF-8")


def goodbye(farewell: Farewell) -> tuple[int, str]:
    """Code and reason of our close frame."""
    return CLOSE_CODES[farewell], "" if farewell is Farewell.DONE else farewell.value


def pack_close(code: int, reason: str) -> bytes:
    return code.to_bytes(2, "big") + reason.encode()


def unpack_close(payload: bytes) -> int:
    """The code of a peer's close frame."""
    if not payload:
        return NO_CODE
    code = int.from_bytes(payload[:2], "big")
    if len(payload) == 1 or not (code in _REGISTERED or code in _FREE):
        raise BrokenFrame(PROTOCOL_ERROR, "close frame without a valid code")
    check_text(payload[2:])
    return code
