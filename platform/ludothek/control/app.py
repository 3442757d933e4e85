"""The organiser's interface as an ASGI application."""

from collections.abc import Iterable, Mapping
from inspect import isawaitable
from typing import Any

import attrs
import orjson
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludothek.contract.codec import CannotRead
from ludothek.contract.orders import OrderRefused
from ludothek.control.messages import ErrorView
from ludothek.control.metrics import Metrics
from ludothek.control.openapi import describe
from ludothek.control.operations import OPERATIONS, Operation
from ludothek.control.organiser import Crashed, Mistaken, NotFound, NotOffered, NotReady, Organiser
from ludothek.control.reading import read
from ludothek.kit.reports import careful
from ludothek.observe import terminal_json
from ludothek.settings.fields import SettingsError
from transports import BUGS

log = structlog.get_logger()


STATUS_OF: Mapping[type[Exception], int] = {
    CannotRead: 400,
    Mistaken: 400,
    NotFound: 404,
    OrderRefused: 409,
    SettingsError: 409,
    Crashed: 500,
    NotOffered: 501,
    NotReady: 503,
}


def make_app(organiser: Organiser) -> Starlette:
    """Everything an organiser may request."""
    routes = [_route(operation, organiser) for operation in OPERATIONS]
    description = Route("/openapi.json", _describe, methods=["GET"])
    return _app([*routes, description, _metrics(organiser)])


def make_metrics_app(organiser: Organiser) -> Starlette:
    """What anybody on this machine may request: metrics and health checks, no orders."""
    routes = [_route(operation, organiser) for operation in OPERATIONS if operation.harmless]
    return _app([*routes, _metrics(organiser)])


def _app(routes: Iterable[Route]) -> Starlette:
    return Starlette(routes=[*routes], exception_handlers={HTTPException: _no_such_route})


def _metrics(organiser: Organiser) -> Route:
    metrics = Metrics(organiser)

    async def tell(request: Request) -> Response:
        try:
            text, media_type = metrics.tell(request.headers.get("accept", ""))
        except BUGS as bug:
            with careful("the metrics crashed"):
                log.error("the metrics crashed", exc_info=bug)
            return _json(ErrorView(error="internal error; the log says more"), 500)
        return Response(text, headers={"content-type": media_type})

    return Route("/metrics", tell, methods=["GET"])


def _route(operation: Operation, organiser: Organiser) -> Route:
    async def respond(request: Request) -> Response:
        return await obey(operation, organiser, request)

    path = path_pattern(operation)
    return Route(path, respond, methods=[operation.method], name=operation.name)


def path_pattern(operation: Operation) -> str:
    """Its path for a route: games and users choose keys, which may contain slashes."""
    return operation.path.replace("{lobby}", "{lobby:path}").replace("{client}", "{client:path}")


async def obey(operation: Operation, organiser: Organiser, request: Request) -> Response:
    """Answer an organiser's request, and log what changes something."""
    response = await _answer(operation, organiser, request)
    if operation.method != "GET":
        what, status = request.scope["path"], response.status_code
        log.info("organiser's request", operation=operation.name, path=what, status=status)
    return response


async def _answer(operation: Operation, organiser: Organiser, request: Request) -> Response:
    try:
        body = await request.body()
        asked = read(operation.request, request.path_params, request.query_params, body)
        answer = operation.act(organiser, asked)
        return _json(await answer if isawaitable(answer) else answer, operation.status)
    except tuple(STATUS_OF) as error:
        status = next(status for kind, status in STATUS_OF.items() if isinstance(error, kind))
        return _json(ErrorView(error=str(error)), status)
    except BUGS as bug:
        with careful("organiser's request crashed"):
            log.error("organiser's request crashed", operation=operation.name, exc_info=bug)
        return _json(ErrorView(error="internal error; the log says more"), 500)


async def _no_such_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    what = f"{request.method} {request.scope['path']}: {error.detail}"
    return _json(ErrorView(error=what), error.status_code)


async def _describe(_: Request) -> Response:
    return _json(describe(), 200)


def _json(answer: Any, status: int) -> Response:
    # Facts are whatever a game reports; values that JSON cannot represent become strings.
    content = terminal_json.dumps(answer, _plain, orjson.OPT_NON_STR_KEYS)
    return Response(content, status, media_type="application/json")


def _plain(value: Any) -> Any:
    if attrs.has(type(value)):
        return attrs.asdict(value, recurse=False)
    return list(value) if isinstance(value, (set, frozenset)) else str(value)
