"""Frames to messages and back."""

from lxml import etree

from games.penguins import refusal
from games.penguins.messages import ErrorPacket, Join, Packet
from games.penguins.reading import read_packet
from games.penguins.writing import write_packet
from ludothek.codec import CannotRead, Malformed
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
        text = str(refusal.sent_away(complaint.value))
        return self.encode(ErrorPacket(text, Join(None)))


_PARSER = etree.XMLParser(
    encoding="utf-8", resolve_entities="internal", no_network=True, load_dtd=False
)


def _parse(frame: bytes) -> etree._Element:
    try:
        element = etree.fromstring(frame, _PARSER)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise CannotRead(f"not XML: {error}") from None
    if element.getroottree().docinfo.doctype:
        raise CannotRead("a document type declaration")
    return element


CODEC = PenguinsCodec()
