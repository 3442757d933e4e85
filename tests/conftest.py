"""What happens around every test."""

import os
from collections.abc import AsyncIterator, Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings
from trio.testing import MockClock

from ludothek.daemon import descriptors
from tests.support import helpers
from tests.support.helpers import hang_up_all, sockets_to_close
from transports import Poller

# A package of its own, with tests of its own: see test_plugin.py.
collect_ignore = ["plugin"]

# Each connection of a test has two ends, and most people may open 1024 files.
descriptors.raise_limit()

# Begun first: one that takes half a minute would otherwise be left over at the end, on one core.
LONGEST = (
    "tests/attacks/test_explanations.py",
    "tests/daemon/test_real_systemd.py",
    "tests/games/hexxagon/test_crowd.py",
    "tests/games/quidditch/test_crowd.py",
    "tests/interop/",
    "tests/test_chaos.py",
    "tests/test_plugin.py",
)

# The same examples every time, however long this machine takes for each of them.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

# Rich tracebacks in logs take seconds, in which nobody is served.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)


def pytest_xdist_auto_num_workers() -> int:
    """More than there are cores: many tests wait for processes, browsers and timeouts."""
    return len(os.sched_getaffinity(0)) * 3 // 2 or 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(autouse=True, scope="session")
def spare_the_home_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Daemons that tests start keep nothing among the user's own matches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True)
def close_sockets() -> Iterator[None]:
    """Close what a test has left open, so that the next one does not hear of it."""
    yield
    hang_up_all()
    while sockets_to_close:
        sockets_to_close.pop().close()


@pytest.fixture(autouse=True)
def restore_log() -> Iterator[None]:
    """Where one test sends the log does not concern the next one."""
    config = structlog.get_config()
    yield
    structlog.configure(**config)


@pytest.fixture
async def poller() -> AsyncIterator[Poller]:
    """What links over sockets are served by."""
    async with helpers.running_poller() as poller:
        yield poller


@pytest.fixture
def unhurried_clock() -> MockClock:
    """In place of `autojump_clock` where TCP is used."""
    return helpers.unhurried_clock()
