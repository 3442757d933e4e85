"""Clients that make noise push nothing else out of the log."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from ludothek.observe import log
from ludothek.observe.ration import RATE, Ration

BURST = int(RATE.burst)


class Watch:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """A clock that stands still until told to advance."""
    found = Watch()
    monkeypatch.setattr(log, "Ration", lambda: Ration(found))
    return found


@pytest.fixture(autouse=True)
def usual_log() -> Iterator[None]:
    """Nothing that a test sets up is left for the others."""
    before = structlog.get_config()
    yield
    log.setup("console")
    structlog.configure(**before)


@pytest.fixture
def logger(watch: Watch) -> structlog.typing.FilteringBoundLogger:
    log.setup("json")
    structlog.configure(cache_logger_on_first_use=False)
    return structlog.get_logger()  # type: ignore[no-any-return]


def lines(capfd: pytest.CaptureFixture[str], event: str) -> list[dict[str, object]]:
    entries = map(json.loads, capfd.readouterr().err.splitlines())
    return [entry for entry in entries if entry["event"] == event]


def test_a_flood_of_one_kind_is_cut_short_and_says_so(
    logger: structlog.typing.FilteringBoundLogger,
    watch: Watch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for _ in range(BURST + 500):
        logger.info("client dropped", reason="http request")
    assert len(lines(capfd, "client dropped")) == BURST
    assert log.left_out() == 500
    watch.now += 60
    logger.info("client dropped", reason="silent")
    logger.info("client dropped", reason="silent")
    first, second = lines(capfd, "client dropped")
    assert first["left_out"] == 500
    assert "left_out" not in second


def test_in_the_long_run_a_flood_is_a_trickle(
    logger: structlog.typing.FilteringBoundLogger,
    watch: Watch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for _ in range(100 * BURST):
        watch.now += 0.001
        logger.warning("connection refused")
    assert len(lines(capfd, "connection refused")) <= BURST + 0.1 * BURST * RATE.per_second


def test_noise_hides_nothing_else(
    logger: structlog.typing.FilteringBoundLogger, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2 * BURST):
        logger.info("client dropped")
    logger.info("strike")
    logger.warning("client dropped", reason="guessing")
    written = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [entry["event"] for entry in written[-2:]] == ["strike", "client dropped"]
    assert written[-1]["level"] == "warning"


def test_of_every_match_there_is_a_line(
    logger: structlog.typing.FilteringBoundLogger, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2 * BURST):
        logger.info("match ended")
    assert len(lines(capfd, "match ended")) == 2 * BURST


def test_a_long_line_counts_as_several(
    logger: structlog.typing.FilteringBoundLogger, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(BURST):
        logger.error("lobby crashed", inputs=["x" * 999] * 100)
    assert 1 <= len(lines(capfd, "lobby crashed")) <= BURST / 100 + 1


def test_who_wants_to_read_everything_does(watch: Watch, capfd: pytest.CaptureFixture[str]) -> None:
    log.setup("json", verbosity=1)
    structlog.configure(cache_logger_on_first_use=False)
    for _ in range(2 * BURST):
        structlog.get_logger().debug("client connected")
    assert len(lines(capfd, "client connected")) == 2 * BURST


def test_a_crash_is_told_however_much_was_said_before(
    logger: structlog.typing.FilteringBoundLogger,
    watch: Watch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for _ in range(3):
        logger.error("lobby crashed", inputs=["x" * 999] * 10 * BURST)
    assert len(lines(capfd, "lobby crashed")) == 1
    watch.now += BURST / RATE.per_second + 1
    logger.error("lobby crashed", inputs=[])
    (line,) = lines(capfd, "lobby crashed")
    assert line["left_out"] == 2


@pytest.mark.usefixtures("logger")
def test_libraries_have_a_share_too(watch: Watch, capfd: pytest.CaptureFixture[str]) -> None:
    noisy = logging.getLogger("trio")
    for n in range(2 * BURST):
        noisy.error(f"accept returned {n}")
    assert capfd.readouterr().err.count("accept returned") == BURST
    watch.now += 1
    noisy.error("accept returned again")
    (line,) = lines(capfd, "accept returned again")
    assert line["left_out"] == BURST
