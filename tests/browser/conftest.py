"""What every test in a browser needs: the browser, a daemon, pages that must not complain."""

from collections.abc import Iterator
from functools import partial
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page

from tests.support.chromium import open_chromium
from tests.support.contestants import match
from tests.support.served import Served, serving
from tests.support.tab import Profile, Tabs


class OpenPage(Protocol):
    def __call__(self, path: str = "/", **options: object) -> Page: ...


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One for each process of the test run, while there are tests that need it."""
    with open_chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def served(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A daemon with all games, which many tests share: none knows what others have played there."""
    with serving(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture(scope="package")
def profiles(chromium: Browser) -> dict[str, Profile]:
    """Shared by tests that open pages with the same options."""
    return {}


@pytest.fixture
def tabs(chromium: Browser, profiles: dict[str, Profile]) -> Iterator[Tabs]:
    """Pages in which nothing goes wrong, unless a test forgives it."""
    tabs = Tabs(chromium, profiles)
    yield tabs
    tabs.close()
    assert tabs.complaints == []


@pytest.fixture
def open_page(tabs: Tabs, served: Served) -> OpenPage:
    """Opens pages of the shared daemon."""
    return partial(tabs.open, served.url)


class Library:
    """Ended matches, one of each game: played when first asked for."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self._matches: dict[str, str] = {}

    def __getitem__(self, game: str) -> str:
        if game not in self._matches:
            with match(self.served, game) as (match_id, playing):
                playing.finish()
            self.served.ended(match_id)
            self._matches[game] = match_id
        return self._matches[game]


@pytest.fixture(scope="package")
def library(served: Served) -> Library:
    return Library(served)
