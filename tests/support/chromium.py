"""Chromium as Debian ships it, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

# In CI, a missing browser is a failure and not a reason to skip.
REQUIRED = "REQUIRE_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome")
# What a browser does besides showing pages, and what needs hardware or privileges.
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def find_chromium() -> str:
    """The program; without one, tests are skipped unless a browser is required."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and os.environ.get(REQUIRED):
        pytest.fail("there is no Chromium: apt-get install chromium")
    if found is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    return found


@contextmanager
def open_chromium() -> Iterator[Browser]:
    program = find_chromium()
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *sandbox])
        yield browser
        browser.close()
