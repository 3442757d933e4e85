"""Logging in to the organiser's page, and what others can make of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.served import Served
from tests.support.tab import Tabs

DESK = "[data-kind=endpoints]"

# What a page elsewhere can try with a browser that is logged in here: each request by itself is
# one that needs no permission of the server.
ATTACK = """async (target) => {
  const send = (path, type, body) =>
    fetch(target + path, {method: "POST", mode: "no-cors", credentials: "include",
                          headers: {"Content-Type": type}, body}).catch(() => null);
  await send("api/organiser/lobbies", "text/plain", '{"game": "hexxagon", "name": "Forged"}');
  await send("api/organiser/lobbies", "application/x-www-form-urlencoded", "game=hexxagon");
  await send("api/organiser/drain", "text/plain", "{}");
  const me = target + "api/organiser/me";
  const answer = await fetch(me, {credentials: "include"}).catch(() => null);
  return answer && answer.text();
}"""


def post(page: Page, path: str, headers: dict[str, str], body: Any) -> int:
    """The status of a request by a script of the page."""
    status: int = page.evaluate(
        """async ([path, headers, body]) => (await fetch(path, {method: "POST", body,
        headers: {"Content-Type": "application/json", ...headers}})).status""",
        [f"/api/organiser{path}", headers, body],
    )
    return status


def test_the_link_of_ctl_logs_one_browser_in_until_it_logs_out(
    served: Served, open_page: OpenPage, tabs: Tabs
) -> None:
    link = served.login_link()
    page = open_page(link)
    expect(page.locator(DESK)).to_be_visible()
    assert page.url == f"{served.url}organiser"  # without the secret
    (cookie,) = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert page.evaluate("document.cookie") == ""
    assert cookie["value"] not in page.content()

    with tabs.forgiving("status of 401"):
        other = open_page(link, fresh=True)
        expect(other.locator("[role=alert]")).to_contain_text("this link was used or has expired")
        expect(other.locator("#login-how")).to_be_visible()
        assert other.context.cookies() == []
    page.reload()
    expect(page.locator(DESK)).to_be_visible()

    page.locator("[data-action=logout]").click()
    expect(page.locator("#login-how")).to_be_visible()
    assert page.context.cookies() == []
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.reload()
    expect(page.locator("#login-how")).to_be_visible()  # the session itself is over


def test_a_link_works_in_a_window_that_shows_the_page_already(
    served: Served, open_page: OpenPage
) -> None:
    page = open_page("/organiser", locale="de-DE")
    expect(page.locator("#login-how")).to_contain_text("Rufe auf dem Server")
    page.goto(served.invite())
    expect(page.locator(DESK)).to_be_visible()
    expect(page.locator("h1")).to_have_text("Spielleitung")
    assert page.url == f"{served.url}organiser"


def test_requests_without_the_token_change_nothing(
    served: Served, open_page: OpenPage, tabs: Tabs
) -> None:
    page = open_page(served.invite())
    expect(page.locator(DESK)).to_be_visible()
    body = '{"game": "hexxagon", "name": "Forged"}'
    with tabs.forgiving("status of 40[13]"):
        assert post(page, "/lobbies", {}, body) == 403
        assert post(page, "/lobbies", {"X-Ludothek-Token": "0" * 64}, body) == 403
        assert post(page, "/drain", {}, "{}") == 403
        stranger = open_page("/organiser", fresh=True)
        assert post(stranger, "/lobbies", {}, body) == 401
    assert "Forged" not in [each["name"] for each in served.look("/lobbies")]


@contextmanager
def another_site() -> Iterator[str]:
    """A page on another port of this machine, which browsers count as the same site."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><link rel=icon href='data:,'><title>Evil</title>")

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_another_site_can_neither_act_nor_read_nor_play_in_the_organisers_name(
    served: Served, open_page: OpenPage, tabs: Tabs
) -> None:
    page = open_page(served.invite())
    expect(page.locator(DESK)).to_be_visible()
    with another_site() as address, tabs.forgiving("CORS", "40[13]", "ERR_", "WebSocket", "frame"):
        evil = tabs.open_in(page.context, address)
        assert evil.evaluate(ATTACK, served.url) is None
        socket = f"{served.url.replace('http', 'ws', 1)}play/hexxagon/socket"
        opened = evil.evaluate(
            """(address) => new Promise((resolve) => {
              const socket = new WebSocket(address);
              socket.onopen = () => resolve(true);
              socket.onerror = () => resolve(false);
            })""",
            socket,
        )
        assert opened is False
        evil.evaluate(
            """(target) => {
              const frame = document.createElement("iframe");
              frame.src = target + "organiser";
              document.body.append(frame);
              return new Promise((resolve) => (frame.onload = resolve));
            }""",
            served.url,
        )
        assert evil.frames[1].url.startswith("chrome-error:")
    assert "Forged" not in [each["name"] for each in served.look("/lobbies")]
    assert served.look("/status")["state"] == "open"
