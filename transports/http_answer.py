"""HTTP responses to peers that are refused a connection."""

from collections.abc import Mapping
from http import HTTPStatus

# The text may echo the request, so it must never be interpreted as a page with scripts.
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
    """A response that closes the connection; a `bodiless` one answers HEAD."""
    body = f"{text}\n".encode()
    lines = {"Connection": "close", **(headers or {})}
    head = _ANSWER.format(
        status=status,
        headers="".join(f"{name}: {value}\r\n" for name, value in lines.items()),
        length=len(body),
    )
    return head.encode() + (b"" if bodiless else body)
