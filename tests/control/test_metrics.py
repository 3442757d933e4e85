"""Numbers for Prometheus, health and readiness, over the control socket and over a port."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import trio
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_open
from prometheus_client.parser import text_string_to_metric_families

from ludothek.contract.client import Client
from ludothek.contract.effects import Effects
from ludothek.control.http_limits import HttpLimits
from ludothek.control.server import serve_metrics
from ludothek.observe.lag import LoopLag
from ludothek.settings.config_file import LOCAL
from tests.support.organiser_console import (
    CALM,
    Organiser,
    SilentReception,
    meek_game,
    open_client,
    open_control,
    open_pair,
)
from tests.support.program import invoke, platform, running
from transports import open_listeners

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


async def scrape(http: httpx.AsyncClient) -> Samples:
    with trio.fail_after(60):
        response = await http.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def value(samples: Samples, name: str, game: str | None = "hexxagon", **labels: str) -> float:
    if game is not None:
        labels |= {"endpoint": game, "game": game}
    return samples[f"ludothek_{name}", frozenset(labels.items())]


async def test_a_match_leaves_its_marks(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, _, _):
        before = await scrape(organiser.http)
        assert value(before, "matches", state="waiting") == 1
        await organiser.do(f"{path}/start")
        samples = await scrape(organiser.http)
    assert value(samples, "matches", state="running") == 1
    assert value(samples, "matches", state="waiting") == 0
    assert value(samples, "lobbies") == value(samples, "lobbies_opened_total") == 1
    assert value(samples, "clients", kind="remote") == value(samples, "connections_total") == 2
    assert value(samples, "clients", kind="hosted") == 0
    # Welcome, LobbyJoined and LobbyStatus each, one more LobbyStatus for the first.
    assert value(before, "messages_total", direction="out") == 7
    assert value(samples, "messages_total", direction="out") == 11
    assert value(samples, "messages_total", direction="in") == 2
    assert value(samples, "message_bytes_total", direction="in") > 100
    handled = value(samples, "handling_seconds_count")
    # One lobby opened and started, two clients that arrive and join.
    assert handled == 6 == value(samples, "handling_seconds_bucket", le="+Inf")
    assert value(samples, "handling_seconds_sum") > 0
    for name in ("outbox_frames", "outbox_bytes", "outbox_frames_max", "outbox_bytes_max"):
        assert value(samples, name) == 0
    for reason in ("outbox_full", "slow_write"):
        assert value(samples, "drops_total", reason=reason) == 0


async def test_the_daemon_as_a_whole(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        samples = await scrape(organiser.http)
    assert value(samples, "ready", None) == 1
    assert 0 <= value(samples, "uptime_seconds", None) < 60
    assert value(samples, "write_failures_total", None) == 0
    assert value(samples, "loop_lag_max_seconds", None) == 0
    (build,) = [dict(labels) for name, labels in samples if name == "ludothek_build_info"]
    assert set(build) == {"version", "python"}
    nothing: frozenset[tuple[str, str]] = frozenset()
    assert samples["process_resident_memory_bytes", nothing] > 1e6
    assert samples["process_open_fds", nothing] > 3
    assert all(math.isfinite(number) for number in samples.values())


async def test_crashes_and_tables_that_cannot_tell(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game()) as organiser:
        await organiser.refused("/lobbies/meek/a/b/step")
        await organiser.refused("/lobbies", game="meek", name="broken")
        samples = await scrape(organiser.http)
        status = await organiser.get("/status")
    assert value(samples, "crashes_total", "meek", what="lobby") == 1
    assert value(samples, "matches", "meek", state="other") == 1
    assert status["endpoints"][0]["matches"]["other"] == 1


async def test_a_bug_in_a_reception_is_counted(tmp_path: Path) -> None:
    class Clumsy(SilentReception):
        def arrive(self, client: Client) -> Effects:
            raise ZeroDivisionError

    async with open_control(tmp_path, meek_game("clumsy", Clumsy)) as organiser:
        async with organiser.servers["clumsy"].connect() as peer:
            await peer.hear_end()
        samples = await scrape(organiser.http)
    assert value(samples, "crashes_total", "clumsy", what="connection") == 1
    assert value(samples, "crashes_total", "clumsy", what="lobby") == 0


async def test_players_that_the_daemon_brings_along_are_counted_apart(tmp_path: Path) -> None:
    async with (
        open_control(tmp_path, settings={"bots": 1}) as organiser,
        open_client(organiser.hexxagon) as client,
    ):
        _, lobby_id = await organiser.lobby()
        await client.join(lobby_id, "Ann")
        await client.hear("LobbyStatus")  # with the bot in it
        samples = await scrape(organiser.http)
    assert value(samples, "clients", kind="remote") == value(samples, "clients", kind="hosted") == 1


async def test_nothing_that_clients_choose_becomes_a_label(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as client:
        first = {key for key, _ in (await scrape(organiser.http)).items()}
        for number in range(5):
            _, lobby_id = await organiser.lobby(f'"evil"\\name {number}')
        await client.join(lobby_id, 'Eve"} 1')
        assert {key for key, _ in (await scrape(organiser.http)).items()} == first


async def test_scraping_while_lobbies_come_and_go(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:

        async def come_and_go() -> None:
            for _ in range(20):
                path, lobby_id = await organiser.lobby()
                async with open_client(organiser.hexxagon) as client:
                    await client.join(lobby_id)
                await organiser.ask("POST", f"{path}/abort")  # it may be closed already

        async with trio.open_nursery() as nursery:
            nursery.start_soon(come_and_go)
            for _ in range(20):
                samples = await scrape(organiser.http)
                matches = [n for (name, _), n in samples.items() if name == "ludothek_matches"]
                assert sum(matches) == value(samples, "lobbies")


async def test_open_metrics_for_who_asks_for_them(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        accept = {"accept": "application/openmetrics-text; version=1.0.0"}
        response = await organiser.http.get("/metrics", headers=accept)
    assert response.headers["content-type"].startswith("application/openmetrics-text")
    assert response.text.endswith("# EOF\n")
    families = read_open(response.text)  # type: ignore[no-untyped-call]
    assert "ludothek_messages" in {family.name for family in families}


async def test_health_and_readiness(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        assert await organiser.get("/health") == {"alive": True}
        assert await organiser.get("/ready") == {"ready": True}
        organiser.hexxagon.endpoint.close()
        assert await organiser.get("/health") == {"alive": True}
        status, answer = await organiser.ask("GET", "/ready")
        assert (status, answer["error"]) == (503, "no new clients are taken")
        assert (await organiser.get("/status"))["ready"] is False
        assert value(await scrape(organiser.http), "ready", None) == 0


@asynccontextmanager
async def open_port(
    organiser: Organiser, limits: HttpLimits = CALM
) -> AsyncIterator[tuple[httpx.AsyncClient, int]]:
    listeners = await open_listeners(LOCAL, 0)
    port = listeners[0].socket.getsockname()[1]
    endpoints = [server.endpoint for server in organiser.servers.values()]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_metrics, endpoints, listeners, LoopLag(), limits)
        async with httpx.AsyncClient(base_url=f"http://{LOCAL}:{port}") as http:
            yield http, port
        nursery.cancel_scope.cancel()


async def test_a_port_tells_numbers_and_nothing_else(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_port(organiser) as (http, _):
        assert value(await scrape(http), "clients", kind="remote") == 0
        assert (await http.get("/health")).json() == {"alive": True}
        assert (await http.get("/ready")).json() == {"ready": True}
        for path in ("/status", "/lobbies", "/clients", "/wire", "/openapi.json", "/"):
            assert (await http.get(path)).status_code == 404
        assert (await http.post("/lobbies", json={"game": "hexxagon"})).status_code == 404
        assert (await http.post("/metrics")).status_code == 405


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:9464", 200),
        ("[::1]:9464", 200),
        ("LOCALHOST", 200),
        ("evil.example:9464", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("[", 421),
        ("", 421),
    ],
)
async def test_a_web_page_cannot_have_the_numbers_by_another_name(
    tmp_path: Path, host: str, status: int
) -> None:
    async with open_control(tmp_path) as organiser, open_port(organiser) as (http, _):
        for path in ("/metrics", "/health", "/"):
            answer = await http.get(path, headers={"host": host})
            assert answer.status_code == (404 if path == "/" and status == 200 else status)


async def test_many_connections_to_the_port_are_turned_away(tmp_path: Path) -> None:
    few = HttpLimits(connections=2, seconds=0.5)
    async with open_control(tmp_path) as organiser, open_port(organiser, few) as (http, port):
        silent = [await trio.open_tcp_stream(LOCAL, port) for _ in range(3)]
        with trio.fail_after(60):
            assert await silent[2].receive_some() == b""
        for stream in silent:
            await stream.aclose()
        with trio.fail_after(60):
            while True:
                try:
                    return await _check(http)
                except httpx.TransportError:  # turned away: an end, or a reset
                    await trio.lowlevel.checkpoint()


async def _check(http: httpx.AsyncClient) -> None:
    assert (await http.get("/health")).status_code == 200


def write_config(path: Path, port: int, extra: str = "") -> str:
    path.write_text(f'metrics_port = {port}\n{extra}\n[[host]]\ngame = "hexxagon"\nport = 0\n')
    return str(path)


async def test_a_daemon_with_a_port(tmp_path: Path) -> None:
    listeners = await open_listeners(LOCAL, 0)
    port = listeners[0].socket.getsockname()[1]
    options = ("--control", str(tmp_path / "sock"), "--state-dir", str(tmp_path))
    path = write_config(tmp_path / "config.toml", port)
    taken = await platform("run", "--config", path, *options)
    assert (taken.returncode, taken.stdout) == (1, "")
    problem = f"platform: metrics on 127.0.0.1 port {port}: "
    assert taken.stderr.splitlines()[-1].startswith(problem)
    for listener in listeners:
        await listener.aclose()
    async with running("--config", path, *options) as daemon:
        async with httpx.AsyncClient(base_url=f"http://{LOCAL}:{port}") as http:
            samples = await scrape(http)
        assert value(samples, "ready", None) == 1
        assert await daemon.stop() == 0


@pytest.mark.parametrize(
    "wrong", ["metrics_port = 70000", "metrics_port = 'x'", "metrics_host = 1"]
)
def test_a_port_that_is_none(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f'{wrong}\n[[host]]\ngame = "hexxagon"\n')
    said = invoke("check-config", str(path))
    assert said.returncode == 2
    assert said.stderr.startswith(f"platform: {path}:")
    assert f" {wrong.split()[0]}: " in said.stderr
