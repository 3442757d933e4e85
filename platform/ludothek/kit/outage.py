"""Failures of the outside world: logged when they begin and end, not in between."""

from typing import Any

import structlog

log = structlog.get_logger()


class Outage:
    """Something that may fail repeatedly; the failure is reported once."""

    def __init__(self, **context: Any) -> None:
        self._context = context
        self._last: str | None = None

    def failed(self, event: str, error: str, **details: Any) -> None:
        """It has failed; a different error is reported again."""
        if error != self._last:
            self._last = error
            log.warning(event, error=error, **self._context, **details)

    def worked(self, event: str, **details: Any) -> None:
        """It has worked, which is reported only after a failure."""
        if self._last is not None:
            self._last = None
            log.info(event, **self._context, **details)
