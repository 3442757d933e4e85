"""The XML framer: whatever the cuts and the tricks, whole elements in order or a clean end."""

import random
import tracemalloc
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.penguins.codec import CODEC
from ludothek.contract.codec import Malformed
from transports import Farewell, Frame, Unreadable, XmlFramer
from transports.xml_framing import MAX_ATTRIBUTES, MAX_BYTES, MAX_DEPTH, MAX_NAME, MAX_TAGS

MOVE = b'<room roomId="R"><data class="move"><from x="1" y="1"/><to x="3" y="1"/></data></room>'
TALK = (
    b"<?xml version='1.0' encoding='UTF-8'?>\n<protocol>\n  <join gameType='a &gt; b'/>"
    b"<!-- a > b --> stray <room roomId = 'R'>\n<data class=\"move\"><to x=\"1\" y='2'></to></data>"
    b'</room><prepare><slot displayName="H\xc3\xa4schen"/></prepare><close/>'
)
FRAMES = [
    b"<join gameType='a &gt; b'/>",
    b"<room roomId = 'R'>\n<data class=\"move\"><to x=\"1\" y='2'></to></data></room>",
    b'<prepare><slot displayName="H\xc3\xa4schen"/></prepare>',
    b"<close/>",
]


def read(*pieces: bytes) -> tuple[list[bytes | Unreadable], bool]:
    """What a stream says, and whether more can follow."""
    framer = XmlFramer("protocol")
    heard: list[Frame] = []
    for piece in pieces:
        if not framer.ended:
            heard.extend(framer.feed(piece))
    return heard, not framer.ended


def refusal(*pieces: bytes) -> str:
    """Why a stream is refused."""
    heard, readable = read(*pieces)
    assert not readable
    assert isinstance(heard[-1], Unreadable)
    return heard[-1].reason


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({min(place, len(data)) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


def test_whole_talk_is_cut_into_its_elements() -> None:
    assert read(TALK) == (FRAMES, True)


def test_talk_byte_by_byte_is_the_same() -> None:
    assert read(*(bytes([byte]) for byte in TALK)) == (FRAMES, True)


@given(st.lists(st.integers(0, len(TALK)), max_size=10))
def test_cuts_make_no_difference(places: list[int]) -> None:
    assert read(*cut(TALK, places)) == (FRAMES, True)


def test_an_element_is_there_with_its_last_byte() -> None:
    framer = XmlFramer("protocol")
    assert list(framer.feed(b"<protocol>" + MOVE[:-1])) == []
    assert list(framer.feed(MOVE[-1:])) == [MOVE]


def test_several_elements_in_one_piece_come_in_order() -> None:
    assert read(b"<protocol>" + b"<a/><b/><c></c>") == ([b"<a/>", b"<b/>", b"<c></c>"], True)


def test_the_root_may_have_any_name() -> None:
    assert read(b"<foo><join/>") == ([b"<join/>"], True)


def test_a_byte_order_mark_and_a_header_are_no_messages() -> None:
    assert read(b"\xef\xbb\xbf<?xml version='1.0'?><protocol><join/>") == ([b"<join/>"], True)


def test_one_byte_order_mark_is_enough_wherever_the_stream_is_cut() -> None:
    mark = b"\xef\xbb\xbf"
    assert read(mark[:1], mark[1:], b"<protocol><join/>") == ([b"<join/>"], True)
    assert refusal(mark, mark, b"<protocol>") == refusal(mark + mark + b"<protocol>") == "not XML"


def test_the_end_of_the_document_is_the_end_without_a_complaint() -> None:
    assert read(b"<protocol><join/></protocol><join/>") == ([b"<join/>"], False)


@pytest.mark.parametrize("message", [b"<join/>", b"<join></join>", b"<join> <!-- a --> </join>"])
def test_a_message_in_place_of_the_root_is_refused(message: bytes) -> None:
    assert refusal(message) == "a root other than <protocol>"


@pytest.mark.parametrize("document", [b"<protocol/>", b"<protocol> </protocol>"])
def test_a_document_without_messages_is_just_over(document: bytes) -> None:
    assert read(document) == ([], False)


def test_a_root_of_another_name_is_over_at_its_end() -> None:
    assert read(b"<foo><join/>", b"</foo>") == ([b"<join/>"], False)


@pytest.mark.parametrize(
    "garbage",
    [
        b"hello",
        b"\x00",
        b"{}",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"<protocol><join></protocol>",
        b"<protocol><join a=1/>",
        b"<protocol><join a='1' a='2'/>",
        b"<protocol><a b='<'/>",
        b"<protocol><join>&unknown;</join>",
        b"<protocol><join a='&unknown;'/>",
        b"<protocol><join/>\x00<join/>",
        b"<protocol><join a='\xff\xfe'/>",
        b"<protocol><?xml version='1.0'?><join/>",
        b"<protocol><join xlink:href='http://localhost/'><a></join>",
        "<protocol><join/>".encode("utf-16"),
    ],
)
def test_what_is_not_xml_is_refused(garbage: bytes) -> None:
    assert is_refused(garbage)
    assert is_refused(*(bytes([byte]) for byte in garbage))


def is_refused(*pieces: bytes) -> bool:
    """Whether a stream comes to an end, or brings up an element that its reader refuses."""
    heard, _ = read(*pieces)
    last = heard[-1]
    return isinstance(last, Unreadable) or isinstance(CODEC.decode(last), Malformed)


def test_what_came_before_an_error_is_still_heard() -> None:
    heard, _ = read(b"<protocol><join/><a><b></a>")
    assert heard[0] == b"<join/>"
    assert isinstance(heard[1], Unreadable)


@pytest.mark.parametrize(
    "document",
    [
        b"<!DOCTYPE protocol>",
        b'<!DOCTYPE protocol SYSTEM "file:///etc/passwd">',
        b'<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        b'<!DOCTYPE p [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]>',
        b'<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
    ],
)
def test_document_types_and_entities_are_refused(document: bytes) -> None:
    assert refusal(document + b"<protocol><join a='&b;'/>") == "a document type declaration"
    pieces = (bytes([byte]) for byte in document + b"<protocol>")
    assert refusal(*pieces) == "a document type declaration"


def test_entity_bombs_are_refused_before_they_are_read() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 30))
    bomb = f'<!DOCTYPE b [<!ENTITY e0 "ha">{entities}]><protocol><join a="&e29;"/>'
    assert refusal(bomb.encode()) == "a document type declaration"


def test_processing_instructions_are_refused() -> None:
    stylesheet = b"<?xml-stylesheet href='http://127.0.0.1:9/'?>"
    assert refusal(stylesheet + b"<protocol>") == "a processing instruction"
    assert refusal(b"<protocol>" + stylesheet) == "a processing instruction"


def test_an_endless_attribute_is_refused_at_the_limit() -> None:
    pieces = [b"<protocol><join a='", *[b"x" * 1000] * (MAX_BYTES // 1000)]
    assert read(*pieces) == ([], True)
    assert "longer" in refusal(*pieces, b"x" * 1000)


@pytest.mark.parametrize(
    "endless",
    [
        b"<a>",
        b"<a/><!--",
        b"<a b='1' ",
        b"<![CDATA[",
        b"</",
        b"<a b='>",
        b'<a b=">',
        b"<!-- > ",
        b"<![CDATA[>",
        b"<![CDATA[>]]>",
        b"<a><b c='>",
    ],
)
def test_nothing_endless_is_kept(endless: bytes) -> None:
    for more in (b"x", b" ", b">", b"> "):
        assert refusal(b"<protocol>" + endless, *[more * 5000] * 4)


def test_comments_between_messages_are_counted_one_by_one() -> None:
    comment = b"<!--" + b">" * (MAX_BYTES - 7) + b"-->"
    assert read(b"<protocol>" + comment * 3 + b"<a/>") == ([b"<a/>"], True)
    assert "longer" in refusal(b"<protocol>" + comment.replace(b">", b">>", 1))


def test_elements_up_to_the_limit_are_read_and_longer_ones_are_not() -> None:
    frame = b"<a>" + b"x" * (MAX_BYTES - 7) + b"</a>"
    assert read(b"<protocol>" + frame * 3) == ([frame] * 3, True)
    assert "longer" in refusal(b"<protocol>" + frame.replace(b"<a>x", b"<a>xx"))


def test_depth_is_limited() -> None:
    most = MAX_DEPTH - 1
    nested = b"<a>" * most + b"</a>" * most
    assert read(b"<protocol>" + nested)[1]
    assert "inside each other" in refusal(b"<protocol><a>" + nested)


def test_attributes_are_limited() -> None:
    def element(count: int) -> bytes:
        return b"<protocol><a " + b" ".join(b"b%d='1'" % n for n in range(count)) + b"/>"

    assert read(element(MAX_ATTRIBUTES))[1]
    assert "attributes" in refusal(element(MAX_ATTRIBUTES + 1))


@pytest.mark.parametrize("before", [b"", b"<protocol>", b"<protocol><a>"])
def test_names_are_limited(before: bytes) -> None:
    """That of the document is kept for as long as the connection stays."""
    assert read(before + b"<%b>" % (b"n" * MAX_NAME))[1]
    assert "name" in refusal(before + b"<%b>" % (b"n" * (MAX_NAME + 1)))


def test_tags_are_limited() -> None:
    def element(count: int) -> bytes:
        return b"<protocol><a>" + b"<b/>" * (count - 2) + b"</a>"

    assert read(element(MAX_TAGS - 1))[1]  # the root is one, too
    assert read(b"<protocol><x/>" + element(MAX_TAGS)[10:])[1]
    assert read(b"<protocol>" + b"<a/>" * (MAX_TAGS + 1))[1]
    assert "tags" in refusal(element(MAX_TAGS + 1))
    for start in (b"<protocol>", b"<protocol><a>"):
        assert "tags" in refusal(start + b"<!---->" * MAX_TAGS)


@pytest.mark.parametrize("document", [b"<protocol><protocol>", b"<foo><foo>", b"<foo><protocol/>"])
def test_a_document_inside_of_the_document_is_refused_at_once(document: bytes) -> None:
    assert refusal(document) == "a document inside of the document"


def test_text_between_messages_is_ignored_if_it_is_text() -> None:
    assert read(b"<protocol>a &amp; b &#38; c<join/>") == ([b"<join/>"], True)
    assert refusal(b"<protocol>a & b<join/>") == "not XML"


@pytest.mark.parametrize("text", [b"x" * 1000, b" " * 1000, b"&amp;" * 200])
def test_text_between_messages_is_not_kept(text: bytes) -> None:
    """Somebody who has said it may be silent for days."""
    framer = XmlFramer("protocol")
    list(framer.feed(b"<protocol><join/>"))
    idle = framer.state
    for piece in [text] * 100 + cut(text * 10, [*range(0, len(text), 7)]):
        assert list(framer.feed(piece)) == []
        assert len(framer.state) - len(idle) < 10
    assert list(framer.feed(b"<join/>")) == [b"<join/>"]


def test_a_reference_that_does_not_end_is_none() -> None:
    assert read(b"<protocol>a &#", b"3", b"8; b<join/>") == ([b"<join/>"], True)
    assert refusal(b"<protocol>&", *[b"x"] * 21) == "not XML"


LARGEST = 64 * 1024


def large(start: bytes, more: bytes, end: bytes = b"") -> bytes:
    return start + more * ((LARGEST - len(start) - len(end)) // len(more)) + end


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(b"<a " + b" ".join(b"x%d=''" % n for n in range(7000)), id="attributes"),
        pytest.param(large(b"<room>", b"<a/>", b"</room>"), id="elements"),
        pytest.param(large(b"", b"<!---->"), id="comments"),
        pytest.param(large(b"", b"x<!-- > -->"), id="text and comments"),
        pytest.param(large(b"", b"<![CDATA[]]>"), id="CDATA"),
        pytest.param(large(b"<a b='", b">"), id="brackets in a value"),
        pytest.param(large(b"<a", b" a='"), id="quotes"),
        pytest.param(large(b"<a", b" b"), id="names"),
        pytest.param(large(b"", b"&amp;"), id="references"),
        pytest.param(b"<join gameType='" + b"&#65;" * 3200 + b"'/>", id="references in a value"),
        pytest.param(
            b'<room><data class="move">' + b"<x a='' b='' c=''/>" * 250 + b"</data></room>",
            id="a move",
        ),
    ],
)
def test_no_message_takes_long_or_much(hostile: bytes) -> None:
    def hear() -> None:
        framer = XmlFramer("protocol")
        for frame in framer.feed(b"<protocol>" + hostile):
            if isinstance(frame, bytes):
                CODEC.decode(frame)

    times = []
    for _ in range(5):
        start = process_time()
        hear()
        times.append(process_time() - start)
    assert min(times) < 0.005
    tracemalloc.start()
    hear()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2_000_000


@pytest.mark.parametrize("start", [b"<a b='", b"<a ", b"<!--", b"<![CDATA[", b"x"])
def test_who_talks_byte_by_byte_is_not_read_again_and_again(start: bytes) -> None:
    framer = XmlFramer("protocol")
    list(framer.feed(b"<protocol>" + start))
    begun = process_time()
    for _ in range(MAX_BYTES - len(start)):
        list(framer.feed(b">" if b" b" in start else b"x"))
    assert not framer.ended
    assert process_time() - begun < 1  # three seconds, if all that is there were looked at again


def test_a_long_talk_needs_no_memory() -> None:
    framer = XmlFramer("protocol")
    list(framer.feed(b"<protocol>"))

    def talk(count: int) -> None:
        for _ in range(count):
            assert len(list(framer.feed(b"\n  " + MOVE + b"<!-- so -->"))) == 1

    talk(1000)
    resident = _resident_kib()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    talk(10_000)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    talk(10_000)
    assert grown < 10_000
    # What the parser keeps outside of Python would be 2 kB for each of the messages.
    assert _resident_kib() - resident < 10_000


def _resident_kib() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4


def test_blanks_between_messages_may_go_on_for_ever() -> None:
    assert read(b"<protocol>", *[b" \n" * 1000] * 100, b"<join/>") == ([b"<join/>"], True)


def test_blanks_before_a_message_do_not_count_however_they_are_cut() -> None:
    frame = b"<a>" + b"x" * (MAX_BYTES - 7) + b"</a>"
    blanks = b" \t\r\n" * 5000
    assert read(b"<protocol>" + blanks + frame) == ([frame], True)
    assert read(b"<protocol>" + blanks, frame) == ([frame], True)
    assert read(b"<protocol>" + blanks + b"<", frame[1:]) == ([frame], True)


def test_blanks_between_messages_need_no_memory() -> None:
    framer = XmlFramer("protocol")
    list(framer.feed(b"<protocol>"))
    resident = _resident_kib()
    for _ in range(1000):
        list(framer.feed(b" " * 100_000))
    assert _resident_kib() - resident < 10_000


@pytest.mark.parametrize(
    ("data", "midway"),
    [
        (b"", False),
        (b"<proto", True),
        (b"<protocol>", False),
        (b"<protocol>\n", False),
        (b"<protocol>stray", False),
        (b"<protocol><", True),
        (b"<protocol><join", True),
        (b"<protocol><join/>", False),
        (b"<protocol><room>", True),
        (b"<protocol><room>\n", True),
        (b"<protocol><room><data/></room>", False),
        (b"<protocol><!-- half", True),
        (b"<protocol><!-- whole > -->", False),
        (b"<protocol><!-- half > ", True),
        (b"<protocol><join/><!-- whole --> ", False),
        (b'<protocol><join a=">', True),
        (b'<protocol><join a=">"', True),
        (b'<protocol><join a=">"/>', False),
        (b"<protocol><room><!-- whole -->", True),
        (b"<protocol><![CDATA[ > ", True),
        (b"<protocol><![CDATA[]]>", True),  # belongs to the next message
        (b"<protocol><![CDATA[]]><join/>", False),
        (b"<?xml version='1.0'", True),
        (b"<?xml version='1.0'?>", False),
        (b"\xef\xbb\xbf<?xml version='1.0'?>", False),
        (b"<?xml version='1.0'?>\n", False),
        (b"<?xml version='1.0'?>\n<!-- whole -->", False),
        (b"<?xml version='1.0'?>\n<proto", True),
        (b"<!-- ?>", True),
        (b"<a>", False),
        (b"<a><b c='", True),
        (b"<a><b c='>", True),
    ],
)
def test_the_framer_knows_whether_something_has_begun(data: bytes, midway: bool) -> None:
    framer = XmlFramer("protocol")
    for byte in data:
        list(framer.feed(bytes([byte])))
    assert framer.midway is midway
    whole = XmlFramer("protocol")
    list(whole.feed(data))
    assert whole.midway is midway


def written(framer: XmlFramer, *frames: bytes) -> bytes:
    pieces = [piece for frame in frames for piece in framer.wrap(frame)]
    return b"".join([*pieces, framer.ending(Farewell.DONE)])


def test_our_document_begins_with_the_first_frame_and_ends_once() -> None:
    framer = XmlFramer("protocol")
    sent = written(framer, b"  <joined/>", b"  <left/>")
    assert sent == b"<protocol>\n  <joined/>\n  <left/>\n</protocol>"


def test_a_document_without_frames_is_well_formed_too() -> None:
    assert XmlFramer("protocol").ending(Farewell.DONE) == b"<protocol>\n</protocol>"


def test_framers_understand_each_other() -> None:
    ours = XmlFramer("protocol")
    sent = written(ours, b"  <a>\n  </a>", b"  <b/>")
    assert read(sent) == ([b"<a>\n  </a>", b"<b/>"], False)


@pytest.mark.parametrize("place", range(len(TALK)))
def test_damage_at_any_byte_never_brings_up_anything_but_frames_or_the_end(place: int) -> None:
    rng = random.Random(place)
    for _ in range(5):
        damaged = TALK[:place] + bytes([rng.randrange(256)]) + TALK[place + 1 :]
        heard, readable = read(damaged + b"<after/>")
        unreadable = [frame for frame in heard if isinstance(frame, Unreadable)]
        assert unreadable in ([], heard[-1:])
        assert not (readable and unreadable)


@given(st.binary(max_size=300))
def test_random_bytes_never_bring_up_anything_else(data: bytes) -> None:
    read(data)
    read(b"<protocol>" + data)
