"""Messages as JSON objects, one per line."""

from typing import Any

import orjson
from ludothek.api import (
    CannotRead,
    Complaint,
    Malformed,
    MessageReader,
    read_object,
    read_request,
    wire_converter,
)

from tictactoe.messages import MESSAGES, REQUESTS, Refused


class TicTacToeCodec:
    """Objects that name their type; what would be null is left out."""

    def __init__(self) -> None:
        self._reader = MessageReader(MESSAGES, type_field="type")
        self._request_reader = self._reader.only(REQUESTS)
        self._writer = wire_converter()

    def decode(self, frame: bytes) -> Any:
        try:
            value = read_object(frame)
            return self._reader.read(value.get("type"), value)
        except CannotRead as error:
            return Malformed(str(error), flaw=error.flaw)

    def decode_request(self, frame: bytes) -> Any:
        try:
            value = read_request(frame)
            return self._request_reader.read(value.get("type"), value)
        except CannotRead as error:
            return Malformed(str(error), flaw=error.flaw)

    def encode(self, message: Any) -> bytes:
        fields = self._writer.unstructure(message)
        return orjson.dumps({"type": type(message).__name__, **fields})

    def address(self, frame: bytes, key: str) -> bytes:
        return frame  # the same for all its receivers

    def refusal(self, complaint: Complaint) -> bytes | None:
        return self.encode(Refused(reason=complaint.value))
