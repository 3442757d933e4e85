"""An organiser at a browser."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import httpx

from tests.support.page import Browser, Events, open_page

ROOT = "/api/organiser"


@attrs.define(eq=False)
class OrganiserBrowser:
    """Does what the scripts of the organiser's page do."""

    browser: Browser
    token: str = ""
    live: str = ""

    @property
    def origin(self) -> str:
        return str(self.browser.http.base_url).rstrip("/")

    async def post(self, path: str, body: Any = None, **headers: str | None) -> httpx.Response:
        """A request as the page makes it; a header that is None is left out."""
        usual = {"origin": self.origin, "x-ludothek-token": self.token} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        return await self.browser.http.post(
            f"{ROOT}{path}",
            json={} if body is None else body,
            headers={name: value for name, value in usual.items() if value is not None},
        )

    async def log_in(self, key: str | None = None, **headers: str | None) -> httpx.Response:
        invitation = self.browser.sessions.invite() if key is None else key
        answer = await self.post("/login", {"key": invitation}, **headers)
        if answer.status_code == 200:
            self.token, self.live = answer.json()["token"], answer.json()["live"]
        return answer

    async def get(self, path: str, status: int = 200) -> Any:
        headers = {"x-ludothek-token": self.token}
        return await self.browser.get(f"{ROOT}{path}", status, headers=headers)

    async def do(self, path: str, **fields: Any) -> Any:
        answer = await self.post(path, fields)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    async def refused(self, path: str, **fields: Any) -> tuple[int, str]:
        answer = await self.post(path, fields)
        assert list(answer.json()) == ["error"]
        return answer.status_code, answer.json()["error"]

    def follow(self, path: str) -> AbstractAsyncContextManager[Events]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.http.cookies.items())
        sign = "&" if "?" in path else "?"
        return self.browser.follow(f"{ROOT}{path}{sign}live={self.live}", cookie=cookies)


@asynccontextmanager
async def open_organiser_page(
    tmp_path: Path, *games: str, logged_in: bool = True, **options: Any
) -> AsyncIterator[OrganiserBrowser]:
    async with open_page(tmp_path, *(games or ("hexxagon",)), **options) as browser:
        organiser = OrganiserBrowser(browser)
        if logged_in:
            assert (await organiser.log_in()).status_code == 200
        yield organiser
