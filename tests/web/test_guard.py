"""Requests that the page refuses, and what it says to browsers with every answer."""

from contextlib import suppress
from pathlib import Path

import attrs
import httpx
import pytest
import trio
from starlette.responses import JSONResponse
from starlette.types import Message
from trio.testing import MockClock

from ludothek.settings.limits import Limits
from ludothek.web.guard import HEADERS, Guard
from ludothek.web.visitors import CONNECTIONS, PATIENCE, REQUESTS, Visitors
from tests.support.page import Browser, open_page

PROXY = {"trusted_proxies": ["127.0.0.0/8"]}


async def test_every_answer_protects_the_browser(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        for path in ("/", "/api/games", "/assets/dom.js", "/no/such/page", "/api/matches/x"):
            answer = await browser.http.get(path)
            assert {**answer.headers}.items() >= HEADERS.items(), path
        for head in ("GET / HTTP/1.1", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999"):
            heard = (await hear(browser, head)).lower()
            assert heard.startswith(b"http/1.1 4")
            for name, value in HEADERS.items():
                assert f"{name}: {value}\r\n".lower().encode() in heard, head
    assert "unsafe" not in HEADERS["content-security-policy"]


async def hear(browser: Browser, head: str) -> bytes:
    """All that is said to a request, up to the end of the connection."""
    url, heard = browser.http.base_url, b""
    async with await trio.open_tcp_stream(url.host, url.port or 80) as stream:
        await stream.send_all(f"{head}\r\nConnection: close\r\n\r\n".encode("latin-1"))
        while piece := await stream.receive_some():
            heard += bytes(piece)
    return heard


@pytest.mark.parametrize("web_host", ["127.0.0.1", "0.0.0.0"])
async def test_a_host_that_is_none_is_refused_and_no_bug(
    tmp_path: Path, web_host: str, capfd: pytest.CaptureFixture[str]
) -> None:
    hosts = ("[::1", "[::1]evil.example", "127.0.0.1:80@evil.example", '127.0.0.1"', "a\xff", "")
    async with open_page(tmp_path, web_host=web_host) as browser:
        for host in hosts:
            for target in ("/api/games", "/api/organiser/me", "http://[/x"):
                answer = await hear(browser, f"GET {target} HTTP/1.1\r\nHost: {host}")
                assert answer.startswith(b"HTTP/1.1 400 "), (host, answer)
        answer = await hear(browser, "GET http://[/x HTTP/1.1\r\nHost: 127.0.0.1")
        assert answer.startswith(b"HTTP/1.1 404 ")
    assert "crashed" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_nothing_can_be_changed_without_a_login(tmp_path: Path, method: str) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        for path in ("/", "/api/games", "/api/matches", "/play/hexxagon"):
            answer = await browser.http.request(method, path)
            assert answer.status_code == 405, path
            assert "set-cookie" not in answer.headers


async def test_a_page_elsewhere_cannot_pretend_to_be_this_one(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8080"):
            assert (await browser.http.get("/", headers={"host": host})).status_code == 421
        for host in ("localhost", "localhost:8080", "[::1]:8080", "127.0.0.1"):
            assert (await browser.http.get("/", headers={"host": host})).status_code == 200


async def test_a_trusted_proxy_may_use_the_name_of_the_lab(tmp_path: Path) -> None:
    headers = {"host": "games.example.org", "x-forwarded-for": "203.0.113.7"}
    async with open_page(tmp_path, "hexxagon", limits=PROXY) as browser:
        assert (await browser.http.get("/", headers=headers)).status_code == 200
        assert (await browser.http.get("/", headers={"host": "x"})).status_code == 400
        spoilt = headers | {"x-forwarded-for": "not an address"}
        assert (await browser.http.get("/", headers=spoilt)).status_code == 400


@pytest.mark.parametrize("path", ["/m/%", "/t/%zz", "/play/%ff", "/m/%e0%a4", "/m/%ed%a0%80"])
async def test_an_address_that_scripts_cannot_read_is_refused(tmp_path: Path, path: str) -> None:
    async with open_page(tmp_path) as browser:
        answer = await hear(browser, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1")
        assert answer.startswith(b"HTTP/1.1 400 ")


@attrs.define(eq=False)
class Crowd:
    """Asks through a guard, and notes what came of it."""

    guard: Guard
    heard: list[tuple[float, int, bool]] = attrs.field(factory=list)  # when, status, last one

    async def ask(self, address: str) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                last = (b"connection", b"close") in message["headers"]
                self.heard.append((trio.current_time(), message["status"], last))

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        head = {"method": "GET", "path": "/", "raw_path": b"/", "query_string": b"", "headers": []}
        await self.guard({"type": "http", **head, "client": (address, 4711)}, receive, send)

    async def ask_at_once(self, address: str, count: int) -> list[tuple[float, int, bool]]:
        self.heard.clear()
        async with trio.open_nursery() as nursery:
            for _ in range(count):
                nursery.start_soon(self.ask, address)
        return self.heard


async def test_what_an_address_asks_too_much_waits_its_turn_and_others_do_not(
    autojump_clock: MockClock,
) -> None:
    visitors = Visitors(Limits(), clock=trio.current_time)
    crowd = Crowd(Guard(JSONResponse({}), visitors, local=False))
    burst, later = int(REQUESTS.burst), int(REQUESTS.per_second * PATIENCE)
    began = trio.current_time()
    heard = await crowd.ask_at_once("203.0.113.7", burst + later + 50)
    # Those for which there would be no end of waiting are refused first, and lose their connection.
    assert sorted(heard)[: burst + 50] == [(began, 200, False)] * burst + [(began, 429, True)] * 50
    waited = [when - began for when, *_ in heard[burst + 50 :]]
    assert waited == pytest.approx([(n + 1) / REQUESTS.per_second for n in range(later)])
    assert {status for _, status, _ in heard[burst + 50 :]} == {200}
    assert await crowd.ask_at_once("203.0.113.8", 1) == [(trio.current_time(), 200, False)]


async def test_connections_that_an_address_opens_too_fast_wait_and_then_hang_up(
    autojump_clock: MockClock,
) -> None:
    visitors = Visitors(Limits(trusted_proxies=["203.0.113.9"]), clock=trio.current_time)
    most = int(CONNECTIONS.burst + CONNECTIONS.per_second * PATIENCE)
    delays = [visitors.connection_delay("203.0.113.7") for _ in range(most + 10)]
    assert delays[: int(CONNECTIONS.burst)] == [0] * int(CONNECTIONS.burst)
    assert 0 < delays[-11] <= PATIENCE
    assert min(delays[-10:]) > PATIENCE
    assert visitors.connection_delay("203.0.113.8") == 0
    assert not any(visitors.connection_delay("203.0.113.9") for _ in range(most + 10))


async def test_a_browser_that_connects_too_fast_is_served_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delays = [0.0, 0.05, PATIENCE + 1]
    monkeypatch.setattr(Visitors, "connection_delay", lambda visitors, host: delays.pop(0))
    async with open_page(tmp_path) as browser:
        for _ in range(2):
            answer = await hear(browser, "GET /api/games HTTP/1.1\r\nHost: 127.0.0.1")
            assert answer.startswith(b"HTTP/1.1 200 ")
        heard = b""
        with suppress(trio.BrokenResourceError):  # the end may come before the request
            heard = await hear(browser, "GET / HTTP/1.1\r\nHost: 127.0.0.1")
        assert heard == b""


async def test_so_many_browsers_of_one_address_may_watch(tmp_path: Path) -> None:
    def follow(address: str) -> httpx.Request:
        return browser.http.build_request("GET", "/api/live", headers={"x-forwarded-for": address})

    async def ask(address: str) -> None:
        answers.append(await browser.http.send(follow(address), stream=True))

    answers: list[httpx.Response] = []
    async with open_page(tmp_path, limits=PROXY, web_viewers_per_address=2) as browser:
        async with trio.open_nursery() as nursery:  # all at once
            for _ in range(10):
                nursery.start_soon(ask, "203.0.113.7")
        await ask("203.0.113.9")
        statuses = [each.status_code for each in answers]
        for each in answers:
            await each.aclose()
    assert sorted(statuses[:-1]) == [200] * 2 + [503] * 8
    assert statuses[-1] == 200
