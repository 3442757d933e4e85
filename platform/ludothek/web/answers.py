"""What requests to the page are answered with, whatever happens."""

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from ludothek.kit.reports import careful
from ludothek.web.repeater import NotShown
from transports import BUGS

log = structlog.get_logger()

Answer = Callable[[Request], Awaitable[ASGIApp]]


def json_answer(answer: Any, status: int = 200) -> Response:
    content = orjson.dumps(answer, default=str, option=orjson.OPT_NON_STR_KEYS)
    headers = {"cache-control": "no-store"}
    return Response(content, status, headers, media_type="application/json")


def reliable(answer: Answer) -> Callable[[Request], Awaitable[Any]]:
    """An endpoint for Starlette that answers with an error where the other one raises one."""

    async def respond(request: Request) -> ASGIApp:
        try:
            return await answer(request)
        except NotShown as refusal:
            return json_answer({"error": str(refusal)}, refusal.status)
        except BUGS as bug:
            with careful("a request to the page crashed"):
                log.error("a request to the page crashed", path=request.scope["path"], exc_info=bug)
            return json_answer({"error": "internal error; the log says more"}, 500)

    return respond
