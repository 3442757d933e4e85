"""Frames to messages and back."""

from xml.etree.ElementTree import Element, ParseError, XMLParser

from games.penguins import refusals
from games.penguins.codec.reading import read_packet
from games.penguins.codec.writing import write_packet
from games.penguins.messages import ErrorPacket, Join, Packet
from ludothek.contract.codec import CannotRead, Malformed
from ludothek.contract.flaws import Flaw, FlawKind
from transports import Complaint, brief


class PenguinsCodec:
    """One element per frame, in the original server's layout."""

    def decode(self, frame: bytes) -> Packet | Malformed:
        try:
            return read_packet(_parse(frame))
        except CannotRead as error:
            return Malformed(str(error), flaw=error.flaw)

    def decode_request(self, frame: bytes) -> Packet | Malformed:
        """The same: the original server reads its own packets, too, and returns them as part of its
        refusal."""
        return self.decode(frame)

    def encode(self, message: Packet) -> bytes:
        return write_packet(message).encode()

    def address(self, frame: bytes, key: str) -> bytes:
        """All receivers get the same frame."""
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        """An error that answers no request, only the attempt to be here at all."""
        return self.encode(ErrorPacket(refusals.sent_away(complaint.value), Join(None)))


def _parse(frame: bytes) -> Element:
    # A document that begins with an element cannot declare entities.
    if frame.lstrip()[:2] in (b"<!", b"<?"):
        raise _no_xml("a declaration")
    # A new parser for each frame: all the names it has seen are freed with it.
    parser = XMLParser(encoding="utf-8")
    try:
        parser.feed(frame)
        element: Element = parser.close()
    except (ParseError, ValueError) as error:
        raise _no_xml(f"not XML: {error}") from None
    return element


def _no_xml(reason: str) -> CannotRead:
    return CannotRead(reason, Flaw(FlawKind.SYNTAX, "well-formed XML", brief(reason)))


CODEC = PenguinsCodec()
