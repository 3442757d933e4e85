"""Errors: the one answer to everything that is refused."""

import structlog

from games.roborally.messages import Error
from games.roborally.settings import Settings

log = structlog.get_logger()

# «nur als Hinweis»
HINT = "Whoops. That did not work. Try to adjust something."


class Refused(Exception):
    """Something cannot be done at this moment; the text says why."""


def refusal(reason: str, settings: Settings) -> Error:
    """The answer to a refused message; whether it says why is up to the operator."""
    log.debug("refused", reason=reason)
    return Error(reason if settings.detailed_errors else HINT)
