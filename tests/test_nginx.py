"""What is in deploy/nginx: the page behind TLS, watched and played through a real nginx."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import attrs
import httpx
import pytest
import trio
import trustme
from trio_websocket import open_websocket_url

from ludothek.web.guard import HEADERS
from tests.support.page import LOOK_AGAIN, Browser, Events, open_page
from tests.support.parlour import Browser as Player

NGINX = Path(__file__).parents[1] / "deploy" / "nginx"
MODULES = Path("/etc/nginx/modules-enabled")

# As root, since it opens ports below 1024 and connects from an address of its own.
needs_nginx = pytest.mark.skipif(
    shutil.which("nginx") is None or os.geteuid() != 0, reason="needs nginx, and root"
)

# The address of nginx, and nobody is exempt.
BEHIND = {"trusted_proxies": ["127.0.0.2"], "exempt": []}


def configure(folder: Path, *, stream: str = "", http: str = "") -> Path:
    """A configuration with parts of ours, whose certificate is in that folder."""
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    authority.cert_pem.write_to_path(folder / "ca.pem")
    certificate.private_key_pem.write_to_path(folder / "games.key")
    for each in certificate.cert_chain_pems:
        each.write_to_path(folder / "games.pem", append=True)
    modules = "include /etc/nginx/modules-enabled/*-mod-stream.conf;" if stream else ""
    text = (
        f"{modules} daemon off; pid {folder}/pid; error_log {folder}/log;\n"
        f"events {{}}\n{stream}\nhttp {{\n{http}\n}}\n"
    )
    (folder / "nginx.conf").write_text(re.sub("/etc/ssl/(certs|private)/", f"{folder}/", text))
    return folder / "nginx.conf"


def check(configuration: Path) -> None:
    command = ["nginx", "-t", "-c", str(configuration)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@needs_nginx
def test_nginx_takes_the_file_for_the_web(tmp_path: Path) -> None:
    check(configure(tmp_path, http=(NGINX / "ludothek-http.conf").read_text()))


@needs_nginx
@pytest.mark.skipif(not [*MODULES.glob("*-mod-stream.conf")], reason="needs libnginx-mod-stream")
def test_nginx_takes_the_file_for_tcp(tmp_path: Path) -> None:
    check(configure(tmp_path, stream=(NGINX / "ludothek-stream.conf").read_text()))


@attrs.frozen
class Proxied:
    """The page as somebody far away sees it."""

    port: int
    plain_port: int  # of http://
    tls: ssl.SSLContext
    http: httpx.AsyncClient

    @asynccontextmanager
    async def follow(self, path: str, **headers: str) -> AsyncIterator[Events]:
        stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        async with trio.SSLStream(
            stream, self.tls, server_hostname="localhost", https_compatible=True
        ) as safe:
            events = Events(safe)
            await events.ask(path, **headers)
            yield events


@contextmanager
def running(configuration: Path) -> Iterator[None]:
    with subprocess.Popen(["nginx", "-c", str(configuration)]) as nginx:
        try:
            yield
        finally:
            nginx.terminate()
            nginx.wait(10)


def free_ports() -> tuple[int, int]:
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        return one.getsockname()[1], two.getsockname()[1]


@asynccontextmanager
async def behind_nginx(browser: Browser, folder: Path) -> AsyncIterator[Proxied]:
    """Our file with other ports in front of that page."""
    port, plain_port = free_ports()
    text = (NGINX / "ludothek-http.conf").read_text()
    text = re.sub(r"listen \[::\].*;", "", text)
    text = re.sub(r"listen 443 ", f"listen 127.0.0.1:{port} ", text)
    text = re.sub(r"listen 80;", f"listen 127.0.0.1:{plain_port};", text)
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{browser.http.base_url.port}")
    configuration = configure(folder, http=text)
    tls = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    url = f"https://localhost:{port}"
    with running(configuration):
        async with httpx.AsyncClient(base_url=url, verify=tls, timeout=60) as http:
            with trio.fail_after(30):
                while not await _answers(http):  # noqa: ASYNC110 (nobody tells)
                    await trio.sleep(LOOK_AGAIN)
            yield Proxied(port, plain_port, tls, http)


async def _answers(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/api/openapi.json")).status_code == 200
    except httpx.ConnectError:
        return False


@needs_nginx
async def test_the_page_is_watched_and_played_through_nginx(tmp_path: Path) -> None:
    async with (
        open_page(tmp_path, "hexxagon", limits=BEHIND) as browser,
        behind_nginx(browser, tmp_path) as page,
    ):
        answer = await page.http.get("/")
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert {**answer.headers}.items() >= HEADERS.items()
        async with httpx.AsyncClient() as http:
            answer = await http.get(f"http://localhost:{page.plain_port}/m/x")
        assert (answer.status_code, answer.headers["location"]) == (301, "https://localhost/m/x")

        browser.play()
        match = await browser.running_match()
        async with page.follow(f"/api/matches/{match}/live") as events:
            first, second = [await events.next() for _ in range(2)]
            assert second[1]["after"] == first[1]["n"]  # one by one, and not at the end
            while (await events.next())[0] != "over":
                pass

        url = f"wss://localhost:{page.port}/play/hexxagon/socket"
        origin = [(b"origin", f"https://localhost:{page.port}".encode())]
        async with open_websocket_url(url, page.tls, extra_headers=origin) as connection:
            player = Player(connection)
            assert (await player.sit(difficulty=2))["seat"] in (0, 1)
            await player.hear("question")
            (person,) = browser.servers[0].endpoint.people.playing
            assert person.ticket.host == "127.0.0.1"  # not the address of nginx


@needs_nginx
async def test_whoever_comes_through_nginx_is_counted_and_cannot_pretend_to_be_others(
    tmp_path: Path,
) -> None:
    async with (
        open_page(tmp_path, limits=BEHIND, web_viewers_per_address=1) as browser,
        behind_nginx(browser, tmp_path) as page,
        page.follow("/api/live"),
    ):
        for claim in ({}, {"x-forwarded-for": "203.0.113.7"}, {"x-forwarded-for": "not one"}):
            answer = await page.http.get("/api/live", headers=claim)
            assert answer.status_code == 503


@needs_nginx
async def test_an_organiser_logs_in_through_nginx_and_the_cookie_stays_on_tls(
    tmp_path: Path,
) -> None:
    async with (
        open_page(tmp_path, limits=BEHIND) as browser,
        behind_nginx(browser, tmp_path) as page,
    ):
        key = browser.sessions.invite()
        origin = {"origin": f"https://localhost:{page.port}"}
        answer = await page.http.post("/api/organiser/login", json={"key": key}, headers=origin)
        assert answer.status_code == 200, answer.text
        assert "Secure" in answer.headers["set-cookie"]
        assert (await page.http.get("/api/organiser/me")).status_code == 200
