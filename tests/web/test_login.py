"""Logging in to the organiser's page, and pretending to be logged in."""

import hmac
from hashlib import sha256
from pathlib import Path

import pytest

from ludothek.control.sessions import SESSION_SECONDS
from ludothek.web.login import FREE_GUESSES, TOKEN
from tests.support.organiser_page import ROOT, open_organiser_page

PROXY = {"trusted_proxies": ["127.0.0.0/8"]}


async def test_a_link_logs_in_once(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        assert "ctl web" in (await organiser.get("/status", 401))["error"]
        key = organiser.browser.sessions.invite()
        answer = await organiser.log_in(key)
        assert answer.json().keys() == {"session", "ends", "token", "live"}
        assert (await organiser.get("/me")).keys() == {"session", "ends"}
        assert (await organiser.get("/status"))["ready"] is True
        organiser.browser.http.cookies.clear()
        assert (await organiser.log_in(key)).status_code == 401
        await organiser.get("/status", 401)


async def test_a_preview_of_the_link_uses_nothing_up(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        key = organiser.browser.sessions.invite()
        for path in ("/organiser", f"/organiser?key={key}", f"{ROOT}/login?key={key}"):
            answer = await organiser.browser.http.get(path)
            assert "set-cookie" not in answer.headers
        assert (await organiser.log_in(key)).status_code == 200


async def test_the_cookie_is_for_this_page_only(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        cookie = (await organiser.log_in()).headers["set-cookie"]
        name, *flags = cookie.split("; ")
        assert name.startswith(f"ludothek-{organiser.browser.http.base_url.port}=")
        assert {*flags} == {
            *("HttpOnly", "Path=/", "SameSite=strict", f"Max-Age={SESSION_SECONDS:.0f}")
        }


async def test_behind_tls_the_cookie_is_never_sent_without(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False, limits=PROXY) as organiser:
        headers = {
            "x_forwarded_for": "203.0.113.7",
            "x_forwarded_proto": "https",
            "host": "games.example.org",
        }
        refused = await organiser.log_in(**headers)
        assert refused.status_code == 403
        assert "X-Forwarded-Proto" in refused.json()["error"]
        answer = await organiser.log_in(**headers, origin="https://games.example.org")
        assert answer.status_code == 200
        assert "Secure" in answer.headers["set-cookie"].split("; ")


async def test_only_a_trusted_proxy_can_say_that_there_is_tls(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        answer = await organiser.log_in(x_forwarded_proto="https")
        assert answer.status_code == 200
        assert "Secure" not in answer.headers["set-cookie"]


async def test_who_guesses_has_to_wait_and_locks_nobody_out(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        statuses = [(await organiser.log_in("guess")).status_code for _ in range(FREE_GUESSES + 3)]
        assert statuses == [401] * (FREE_GUESSES + 1) + [429] * 2
        assert (await organiser.log_in()).status_code == 200


@pytest.mark.parametrize("body", [{}, {"key": None}, {"key": 1}, {"key": ["x"]}, [], "x"])
async def test_nonsense_does_not_log_in(tmp_path: Path, body: object) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        answer = await organiser.post("/login", body)
        assert answer.status_code == 400
        assert answer.json()["error"]


async def test_logging_out_ends_the_session(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        cookies = dict(organiser.browser.http.cookies)
        answer = await organiser.post("/logout")
        assert "Max-Age=0" in answer.headers["set-cookie"]
        organiser.browser.http.cookies.update(cookies)
        assert await organiser.get("/me") == {"session": None}
        await organiser.get("/status", 401)


async def test_one_organiser_can_log_all_of_them_out(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        link = organiser.browser.sessions.invite()
        await organiser.log_in()
        assert await organiser.do("/web/log-out") == {"sessions": 2}
        await organiser.get("/status", 401)
        assert (await organiser.log_in(link)).status_code == 401


async def test_a_browser_that_is_logged_in_gets_no_link_for_another_one(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        assert (await organiser.post("/web")).status_code == 404


async def test_several_organisers_do_not_share_a_session(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        http = organiser.browser.http
        first, token = dict(http.cookies), organiser.token
        await organiser.log_in()
        assert (await organiser.get("/me"))["session"] == 2
        answer = await organiser.post("/drain", x_ludothek_token=token)
        assert answer.status_code == 403  # the token of another session
        http.cookies.clear()
        http.cookies.update(first)
        assert (await organiser.get("/me"))["session"] == 1


# Forgery

OPEN = {"game": "hexxagon", "name": "Finale"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://127.0.0.1"}, 403),  # another port of this machine
        ({"origin": "null"}, 403),
        ({"origin": None}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"x_ludothek_token": None}, 403),
        ({"x_ludothek_token": "0" * 64}, 403),
        ({"x_ludothek_token": ""}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ({"content_type": "multipart/form-data; boundary=x"}, 415),
    ],
)
async def test_another_site_cannot_use_the_session(
    tmp_path: Path, headers: dict[str, str | None], status: int
) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        answer = await organiser.post("/lobbies", OPEN, **headers)
        assert answer.status_code == status
        assert answer.json()["error"]
        assert await organiser.get("/lobbies") == []
        assert (await organiser.post("/lobbies", OPEN)).status_code == 201


async def test_a_cookie_that_another_server_of_this_host_has_seen_is_worth_nothing(
    tmp_path: Path,
) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        (secret,) = dict(organiser.browser.http.cookies).values()
        assert organiser.token not in str(await organiser.get("/me"))
        guesses = ["", secret, sha256(secret.encode()).hexdigest()]
        guesses += [hmac.new(secret.encode(), b"forgery", sha256).hexdigest()]
        for guess in guesses:
            answer = await organiser.post("/lobbies", OPEN, x_ludothek_token=guess)
            assert answer.status_code == 403
            for path in (
                "/clients",
                "/curves",
                f"/curves?live={guess}",
                "/wire/live?game=hexxagon",
            ):
                headers = {TOKEN: guess}
                answer = await organiser.browser.http.get(f"{ROOT}{path}", headers=headers)
                assert (answer.status_code, [*answer.json()]) == (403, ["error"])
        assert await organiser.get("/lobbies") == []


async def test_the_right_token_is_worth_nothing_without_the_cookie(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        organiser.browser.http.cookies.clear()
        assert (await organiser.post("/lobbies", OPEN)).status_code == 401


async def test_nothing_is_changed_by_a_get(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        lobby = (await organiser.do("/lobbies", **OPEN))["id"]
        for path in (f"/lobbies/{lobby}/abort", "/drain", "/reload", "/logout", "/login"):
            assert "error" in await organiser.get(path, 405)
        assert len(await organiser.get("/lobbies")) == 1


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_no_other_method_does_anything(tmp_path: Path, method: str) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        answer = await organiser.browser.http.request(
            method, f"{ROOT}/lobbies", headers={TOKEN: organiser.token}
        )
        assert answer.status_code == 405
        assert answer.json()["error"]
