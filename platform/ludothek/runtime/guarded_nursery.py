"""Tasks that fail alone."""

from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import structlog
import trio

from ludothek.kit.reports import careful
from transports import BUGS

log = structlog.get_logger()


@attrs.frozen
class Guarded:
    """A nursery whose tasks may fail without cancelling the others."""

    nursery: trio.Nursery

    def start_soon(
        self, work: Callable[..., Awaitable[object]], /, *args: Any, name: object = None
    ) -> None:
        self.nursery.start_soon(self._run, work, *args, name=name or work)

    async def _run(self, work: Callable[..., Awaitable[object]], *args: Any) -> None:
        try:
            await work(*args)
        except* BUGS as bugs:
            with careful("connection crashed"):
                log.error("connection crashed", exc_info=bugs)
