"""Which web pages may connect."""

import pytest

from transports import Origins

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
LISTED = Origins.read(["http://localhost:*", "https://games.example.org", "http://lab:3000"])


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        ("http://localhost:3000", True),
        ("http://localhost", True),
        ("http://LOCALHOST:5173", True),
        ("http://localhost/", True),  # as Go's library writes it
        ("https://localhost:3000", False),
        ("https://games.example.org", True),
        ("https://games.example.org:443", True),
        ("https://games.example.org:8443", False),
        ("http://games.example.org", False),
        ("https://games.example.org.evil.example", False),
        ("https://evil.example/games.example.org", False),
        ("https://games.example.org@evil.example", False),
        ("http://lab:3000", True),
        ("http://lab", False),
        ("http://localhost.evil.example:3000", False),
        ("http://localhost:*", False),
        ("http://localhost:3000 http://evil.example", False),
        ("null", False),
        ("file://", False),
        ("http://", False),
        ("chrome-extension://abcdefgh", False),
    ],
)
def test_only_what_is_listed_may_connect(origin: str, welcome: bool) -> None:
    assert LISTED.welcomes(origin, "lab.example.org:4444", FIREFOX) is welcome
    assert LISTED.welcomes(origin, "lab.example.org:4444", "") is welcome


@pytest.mark.parametrize(
    "origin",
    [
        "lab.example.org:4444",  # Tyrus, the reference implementation for Java, in some versions
        "192.0.2.7:4444",
        "lab",  # libwebsockets, with LWS_SERVER_OPTION_JUST_USE_RAW_ORIGIN
        "origin",
        "*",
        "",
    ],
)
def test_what_no_browser_sends_is_no_page(origin: str) -> None:
    """«C++ clients send an Origin header and no/empty Sec-WebSocket-Protocol: do not reject on
    either.» What is in it was chosen by a library; browsers send a scheme and a host, or null.
    """
    assert LISTED.welcomes(origin, "lab.example.org:4444", "")
    assert LISTED.welcomes(origin, "192.0.2.7:4444", "my-client/1.0")
    assert not LISTED.welcomes(origin, "lab.example.org:4444", FIREFOX)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "nonsense"])
def test_a_star_means_all(origin: str) -> None:
    assert Origins.read(["*"]).welcomes(origin, "lab", FIREFOX)


def test_pages_without_an_origin_can_be_allowed() -> None:
    assert Origins.read(["null"]).welcomes("null", "lab", FIREFOX)
    assert not Origins.read(["null"]).welcomes("http://evil.example", "lab", FIREFOX)


@pytest.mark.parametrize(
    ("origin", "host", "in_browser", "in_program"),
    [
        # A page from another port of the same address.
        ("http://192.0.2.7:8080", "192.0.2.7:4444", True, True),
        ("http://[2001:db8::7]:8080", "[2001:db8::7]:4444", True, True),
        ("http://localhost:8080", "localhost:4444", True, True),
        ("http://192.0.2.8:8080", "192.0.2.7:4444", False, False),
        # A name can be made to point to us after a page was loaded from elsewhere. Programs name
        # the server itself as their origin.
        ("http://evil.example:4444", "evil.example:4444", False, True),
        ("http://lab.example.org", "LAB.example.org:4444", False, True),
        ("http://lab.example.org", "lab:4444", False, False),
        ("http://lab.example.org", "", False, False),
        ("file://", "", False, False),
    ],
)
def test_the_same_host_is_no_stranger_unless_its_name_may_lie(
    origin: str, host: str, in_browser: bool, in_program: bool
) -> None:
    nothing = Origins.read([])
    assert nothing.welcomes(origin, host, FIREFOX) is in_browser
    assert nothing.welcomes(origin, host, "") is in_program
    assert nothing.welcomes(origin, host, "my-client/1.0") is in_program


@pytest.mark.parametrize("text", ["", "localhost", "http//x", "http://x y", "http://", "**"])
def test_what_is_no_origin_cannot_be_listed(text: str) -> None:
    with pytest.raises(ValueError, match="is no origin"):
        Origins.read([text])
