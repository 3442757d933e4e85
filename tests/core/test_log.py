"""What the log says of a crash is short, and keeps secrets."""

import pytest
import structlog

from ludothek import log


@pytest.mark.parametrize("style", ["console", "json"])
def test_a_traceback_tells_no_values(
    style: log.LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    log.setup(style)
    try:
        password = "s3cret".upper()
        assert password / 2  # type: ignore[operator]
    except TypeError as bug:
        structlog.get_logger().error("crashed", exc_info=bug)
    finally:
        structlog.configure(**before)
    said = capsys.readouterr().err
    assert "TypeError" in said
    assert "S3CRET" not in said


@pytest.mark.parametrize("style", ["console", "json"])
def test_what_an_exception_quotes_is_not_obeyed(
    style: log.LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    log.setup(style)
    try:
        raise ValueError("Eve\x1b[31m\x9b31m\u202egnp.exe")
    except ValueError as bug:
        structlog.get_logger().error("crashed", names=["Eve\x9b\u202e"], exc_info=bug)
    finally:
        structlog.configure(**before)
    said = capsys.readouterr().err
    assert "gnp.exe" in said
    assert all(line.isprintable() for line in said.split("\n"))
