"""HTTP responses to peers that get no connection."""

from collections.abc import Mapping
from http import HTTPStatus

# The text may repeat what was asked for: it must never be taken for a page with scripts.
_ANSWER = (
    "HTTP/1.1 {status.value} {status.phrase}\r\n{headers}"
    "Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
    "Content-Length: {length}\r\n\r\n"
)


def answer(
    status: HTTPStatus,
    text: str,
    headers: Mapping[str, str] | None = None,
    *,
    bodiless: bool = False,
) -> bytes:
    """A response after which the connection is closed; `bodiless` is one to HEAD."""
    body = f"{text}\n".encode()
    lines = {"Connection": "close", **(headers or {})}
    head = _ANSWER.format(
        status=status,
        headers="".join(f"{name}: {value}\r\n" for name, value in lines.items()),
        length=len(body),
    )
    return head.encode() + (b"" if bodiless else body)
