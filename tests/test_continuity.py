"""What the players of a chaos run notice: one message that is missing or comes twice."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from trio.testing import MockClock

from bench.chaos_chronicle import Chronicle
from bench.chaos_frames import frames_of
from bench.continuity import CONTINUITIES, Gap
from bench.continuity.gap import News
from ludothek.contract.registry import load, names
from ludothek.testing.fair import open_fair
from ludothek.testing.lockstep import perform
from transports.framing import LineFramer
from transports.xml_framing import XmlFramer

ROOT = Path(__file__).parent.parent

# Settings with which players that act at random soon reach the end of a match.
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "quidditch": {
        "match": str(ROOT / "tests" / "data" / "quidditch" / "brief.json"),
        "accounts": "memory",
    },
    "qwirkle": {"configuration": str(ROOT / "bench" / "qwirkle.json"), "auto_skip": True},
    "roborally": {"max_rounds": 3},
}

# How many messages of each kind are left out or doubled, one at a time.
EACH = 10


@attrs.frozen
class Entry:
    """Something that a player said or heard."""

    said: bool
    message: Any
    frame: bytes

    @property
    def kind(self) -> str:
        inner = getattr(self.message, "data", None)
        return type(self.message if inner is None else inner).__name__


@attrs.frozen
class Verdict:
    """What listening to a stream has led to."""

    gap: str | None
    news: Sequence[News]
    owed: Sequence[str]


Stream = Sequence[Entry]


async def record(game: str, clock: MockClock, seed: int) -> list[Stream]:
    """A match between random players, as each of them saw it."""
    played = load(game)
    async with open_fair(played, seed, SETTINGS.get(game, {})) as fair:
        players = await perform(fair, played, clock, seed)
    return [
        [Entry(way == ">", one.codec.decode(frame), frame) for way, frame in one.transcript]
        for one in players
    ]


def listen(game: str, stream: Stream) -> Verdict:
    continuity = CONTINUITIES[game]()
    news: list[News] = []
    for entry in stream:
        if entry.said:
            continuity.said(entry.message)
            continue
        try:
            continuity.heard(entry.message)
        except Gap as gap:
            return Verdict(str(gap), news, ())
        if found := continuity.news(entry.message, entry.frame):
            news.append(found)
    return Verdict(None, news, continuity.owed)


def altered(stream: Stream, rng: random.Random) -> Iterator[tuple[str, Stream]]:
    """The stream without a message, and with one that comes twice, for some of every kind."""
    places = defaultdict(list)
    for place, entry in enumerate(stream):
        if not entry.said:
            places[entry.kind].append(place)
    for kind, found in places.items():
        for place in rng.sample(found, min(EACH, len(found))):
            yield f"no {kind} at {place}", [*stream[:place], *stream[place + 1 :]]
            yield f"two {kind} at {place}", [*stream[: place + 1], *stream[place:]]


# What nobody but a newcomer's lobby hears, and nothing depends on.
UNNOTICED = {"quidditch": "no LoginGreeting"}


@pytest.mark.trio
@pytest.mark.parametrize("game", names())
async def test_every_message_that_is_missing_or_doubled_is_noticed(
    game: str, mock_clock: MockClock
) -> None:
    streams = await record(game, mock_clock, seed=1)
    verdicts = [listen(game, stream) for stream in streams]
    assert [verdict.gap for verdict in verdicts] == [None] * len(streams)
    assert verdicts[0].news == verdicts[1].news
    tried = 0
    for stream in streams:
        for what, other in altered(stream, random.Random(1)):
            verdict = listen(game, other)
            noticed = verdict.gap or verdict.owed or verdict.news != verdicts[0].news
            assert noticed or what.startswith(UNNOTICED.get(game, "never")), what
            tried += 1
    assert tried > 50


@pytest.mark.trio
@pytest.mark.parametrize("game", ["hexxagon", "penguins", "qwirkle"])
async def test_a_message_that_nobody_gets_is_noticed_where_a_player_can_follow_the_rules(
    game: str, mock_clock: MockClock
) -> None:
    """Comparing what players have heard does not help if all of them have missed it."""
    (stream, _) = await record(game, mock_clock, seed=2)
    last = max(place for place, entry in enumerate(stream) if not entry.said)
    for what, other in altered(stream, random.Random(2)):
        if what.endswith(f" at {last}"):
            continue  # then the match has not ended, which is noticed elsewhere
        verdict = listen(game, other)
        assert verdict.gap or verdict.owed, what


def heard(*kinds: str) -> list[News]:
    return [News(kind, number) for number, kind in enumerate(kinds)]


def told(chronicle: Chronicle, witness: str, news: Sequence[News], *, whole: bool = True) -> None:
    for each in news:
        chronicle.add("a match", witness, each)
    chronicle.end("a match", witness, whole=whole)


def test_witnesses_who_heard_the_same_agree() -> None:
    chronicle = Chronicle()
    told(chronicle, "observer", heard("start", "move", "end")[1:], whole=False)
    told(chronicle, "one", heard("start", "move", "end"))
    told(chronicle, "two", heard("start", "move", "end"))
    assert (chronicle.compared, chronicle.faults) == (2, [])


@pytest.mark.parametrize("whole", [True, False])
def test_a_witness_who_heard_something_else_is_found(whole: bool) -> None:
    chronicle = Chronicle()
    told(chronicle, "one", heard("start", "move", "move", "end"))
    start, _, *rest = heard("start", "move", "move", "end")
    told(chronicle, "two", [start, *rest], whole=whole)
    assert len(chronicle.faults) == 1


TRANSPORTS: Mapping[str, tuple[Callable[[], Any] | None, Sequence[bytes]]] = {
    "lines": (LineFramer, [b'{"a":1}', b'{"b":2}']),
    "xml": (lambda: XmlFramer("protocol"), [b"<a/>", b"<b>1</b>"]),
    "websocket": (None, [b"{}", b"x" * 200, b"x" * 70_000]),
}


def cut(transport: str, *data: bytes) -> list[bytes]:
    make, _ = TRANSPORTS[transport]
    frames = frames_of(make)
    found = [frame for piece in data for frame in frames.feed(piece)]
    assert not frames.midway
    return found


def sent(transport: str) -> list[bytes]:
    """The frames as a server sends them."""
    make, frames = TRANSPORTS[transport]
    server = frames_of(make).cutter
    return [server.expected(frame) for frame in frames]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_stream_of_whole_messages_is_cut_however_it_arrives(transport: str) -> None:
    whole = b"".join(sent(transport))
    middle = len(whole) // 2
    assert cut(transport, whole[:middle], whole[middle:]) == [*TRANSPORTS[transport][1]]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("stray", [b"\n", b" ", b"\t", b"\r\n"])
def test_bytes_between_messages_are_noticed(transport: str, stray: bytes) -> None:
    first, *rest = sent(transport)
    with pytest.raises((Gap, AssertionError)):
        cut(transport, first, stray, *rest)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_message_that_is_not_complete_is_noticed(transport: str) -> None:
    *first, last = sent(transport)
    with pytest.raises((Gap, AssertionError)):
        cut(transport, *first, last[:-1])
