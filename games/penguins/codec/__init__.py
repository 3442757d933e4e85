"""Frames to messages and back."""

from xml.etree.ElementTree import Element, ParseError, XMLParser

from games.penguins import refusals
from games.penguins.codec.reading import read_packet
from games.penguins.codec.writing import write_packet
from games.penguins.messages import ErrorPacket, Join, Packet
from ludothek.contract.codec import CannotRead, Malformed
from transports import Complaint


class PenguinsCodec:
    """One element per frame, in the original server's layout."""

    def decode(self, frame: bytes) -> Packet | Malformed:
        try:
            return read_packet(_parse(frame))
        except CannotRead as error:
            return Malformed(str(error))

    def decode_request(self, frame: bytes) -> Packet | Malformed:
        """The same: the original server reads its own packets, too, and sends them back as part of
        its refusal."""
        return self.decode(frame)

    def encode(self, message: Packet) -> bytes:
        return write_packet(message).encode()

    def address(self, frame: bytes, key: str) -> bytes:
        """All receivers get the same."""
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        """An error that belongs to no request but the wish to be here at all."""
        text = str(refusals.sent_away(complaint.value))
        return self.encode(ErrorPacket(text, Join(None)))


def _parse(frame: bytes) -> Element:
    # Where a document begins with an element, it can declare no entities.
    if frame.lstrip()[:2] in (b"<!", b"<?"):
        raise CannotRead("a declaration")
    # A parser of its own for each frame: all names that it has seen go with it.
    parser = XMLParser(encoding="utf-8")
    try:
        parser.feed(frame)
        element: Element = parser.close()
    except (ParseError, ValueError) as error:
        raise CannotRead(f"not XML: {error}") from None
    return element


CODEC = PenguinsCodec()
