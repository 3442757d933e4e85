"""Who breaks the protocol on purpose, again and again, does not fill the log."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import structlog

from ludothek import log
from ludothek.loudness import Loudness
from transports import Rate


def test_the_same_line_is_not_written_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = structlog.get_config()
    with (tmp_path / "log").open("w+") as file:
        monkeypatch.setattr(sys, "stderr", file)
        log.setup("json")
        try:
            logger = structlog.get_logger()
            for number in range(5000):
                logger.info("strike", reason="not JSON", client=number)
                logger.info("match ended", lobby=number)
                logger.warning("wrong password", failures=number)
        finally:
            monkeypatch.undo()
            log.setup("console")
            structlog.configure(**before)
        file.seek(0)
        written = [json.loads(line)["event"] for line in file]
    assert 1000 <= written.count("strike") < 2500
    assert written.count("match ended") == written.count("wrong password") == 5000


def test_the_next_line_says_how_many_were_left_out() -> None:
    now = 0.0
    loudness = Loudness(Rate(per_second=1, burst=3), lambda: now)

    def say(event: str, level: str = "info") -> dict[str, Any] | None:
        try:
            return dict(loudness(None, level, {"event": event}))
        except structlog.DropEvent:
            return None

    assert [say("strike") for _ in range(10)] == [{"event": "strike"}] * 3 + [None] * 7
    assert say("client dropped") == {"event": "client dropped"}
    now = 2.0  # and not as much later as the noise was long
    assert [say("strike") for _ in range(3)] == [
        {"event": "strike", "left_out": 7},
        {"event": "strike"},
        None,
    ]
    assert say("strike", "error") == {"event": "strike"}
