"""The client side of the organiser's interface: one request to a running daemon."""

import http.client
import json
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from ludothek.control.places import no_permission

SECONDS = 10.0


class NotObeyed(Exception):
    """The daemon could not be reached or refused the request; the text says why."""


class _UnixConnection(http.client.HTTPConnection):
    """HTTP to a socket file instead of a host."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def call(path: Path, method: str, words: Sequence[str], query: Mapping[str, str], body: Any) -> Any:
    """Send one request and return the daemon's answer; `words` are the segments of the path.

    Raises:
      NotObeyed: there is no daemon, or it refused the request.
      UnicodeError: a word is not valid Unicode.
    """
    # Dots are quoted too: a lobby called ".." must not be taken for the parent directory.
    target = "".join("/" + quote(word, safe="").replace(".", "%2E") for word in words)
    if query:
        target += "?" + urlencode(query)
    status, content = _exchange(path, method, target, _encode(body))
    try:
        answer = json.loads(content)  # not orjson: a name may contain a lone surrogate
    except (ValueError, RecursionError):
        raise NotObeyed(f"the program listening at {path} is not a Ludothek daemon") from None
    if status < 400:
        return answer
    problem = answer.get("error") if isinstance(answer, dict) else None
    raise NotObeyed(problem or f"{path} answers with status {status}")


def _encode(body: Any) -> bytes:
    try:
        return orjson.dumps(body)
    except orjson.JSONEncodeError as error:
        raise UnicodeError(str(error)) from None


def _exchange(path: Path, method: str, target: str, body: bytes) -> tuple[int, bytes]:
    connection = _UnixConnection(path)
    try:
        connection.request(method, target, body if method == "POST" else None)
        response = connection.getresponse()
        return response.status, response.read()
    except TimeoutError:
        raise NotObeyed(f"the daemon at {path} does not answer") from None
    except (http.client.IncompleteRead, ConnectionResetError, BrokenPipeError):
        raise NotObeyed(f"{path} was closed before there was an answer") from None
    except http.client.HTTPException:
        raise NotObeyed(f"the program listening at {path} is not a Ludothek daemon") from None
    except PermissionError:
        raise NotObeyed(no_permission(path)) from None
    except OSError as error:
        raise NotObeyed(f"no daemon at {path}: {error.strerror or error}") from None
    finally:
        connection.close()
