"""Errors: the one answer to everything that is refused."""

from collections.abc import Iterator

import structlog

from games.roborally.messages import Error
from games.roborally.settings import Settings
from ludothek.contract.client import Client
from ludothek.contract.effects import Effect, Explain, Send

log = structlog.get_logger()

# «nur als Hinweis»
HINT = "Whoops. That did not work. Try to adjust something."


class Refused(Exception):
    """Something cannot be done at this moment; the text says why."""


def refuse(client: Client, reason: str, settings: Settings) -> Iterator[Effect]:
    """The answer to a refused message; whether it says why is up to the operator."""
    log.debug("refused", reason=reason)
    yield Explain(client, reason)
    yield Send(client, Error(reason if settings.detailed_errors else HINT))
