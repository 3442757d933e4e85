"""The organiser's page: everything that `platform ctl` can do, for whoever is logged in."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, cast

import attrs
import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ludothek.contract.codec import CannotRead, read_object
from ludothek.control.app import obey, path_pattern
from ludothek.control.logins import keep
from ludothek.control.operations import OPERATIONS, Operation
from ludothek.control.organiser import NotFound, Organiser
from ludothek.control.sessions import Session, Sessions
from ludothek.web.answers import json_answer, reliable
from ludothek.web.curves import Curves
from ludothek.web.feed import Feed, Say
from ludothek.web.login import Login, Visit
from ludothek.web.repeater import NotShown
from ludothek.web.wire_stream import WireStream

ROOT = "/api/organiser"

# Streams of all organisers together: two for each browser.
MAX_STREAMS = 50

Tell = Callable[[Say, Callable[[], bool]], Awaitable[None]]


def organiser_routes(
    organiser: Organiser, sessions: Sessions, curves: Curves, login: Login
) -> Sequence[Route]:
    """Everything that the organiser's page asks for."""
    desk = OrganiserDesk(organiser, sessions, curves, login)
    own = [
        Route(f"{ROOT}/login", reliable(desk.log_in), methods=["POST"]),
        Route(f"{ROOT}/logout", reliable(desk.log_out), methods=["POST"]),
        Route(f"{ROOT}/me", reliable(desk.me), methods=["GET"]),
        Route(f"{ROOT}/curves", reliable(desk.curves_live), methods=["GET"]),
        Route(f"{ROOT}/wire/live", reliable(desk.wire_live), methods=["GET"]),
    ]
    shared = [desk.route(operation) for operation in OPERATIONS if operation.by_page]
    return [*own, *shared]


@attrs.define(eq=False)
class OrganiserDesk:
    """Answers organisers at their browsers."""

    organiser: Organiser
    sessions: Sessions
    curves: Curves
    login: Login
    _streams: int = 0

    # Who

    async def log_in(self, request: Request) -> Response:
        try:
            key = read_object(await request.body()).get("key")
        except CannotRead as problem:
            raise NotShown(400, str(problem)) from None
        if not isinstance(key, str):
            raise NotShown(400, "key: expected a string")
        credentials = self.login.enter(request, key)
        session = credentials.session
        await keep(self.sessions)
        answer = json_answer({**_about(session), "token": credentials.token, "live": session.live})
        self.login.remember(answer, request, credentials)
        return answer

    async def log_out(self, request: Request) -> Response:
        self.login.leave(self.login.change(request))
        await keep(self.sessions)
        answer = json_answer({})
        self.login.forget(answer, request)
        return answer

    async def me(self, request: Request) -> Response:
        """Also for those who are not logged in: browsers report refusals as errors of the page."""
        visit = self.login.find(request)
        return json_answer({"session": None} if visit is None else _about(visit.session))

    # What

    def route(self, operation: Operation) -> Route:
        """The same operation as on the control socket."""
        changes = operation.method != "GET"

        async def respond(request: Request) -> Response:
            visit = self.login.change(request) if changes else self.login.read(request)
            who = {"session": visit.session.number, "address": request.scope["ludothek.host"]}
            with structlog.contextvars.bound_contextvars(**who):
                answer = await obey(operation, self.organiser, request)
            answer.headers["cache-control"] = "no-store"
            return answer

        path, name = f"{ROOT}{path_pattern(operation)}", f"page {operation.name}"
        return Route(path, reliable(respond), methods=[operation.method], name=name)

    # Live

    async def curves_live(self, request: Request) -> ASGIApp:
        return self._feed(self.login.follow(request), self.curves.tell)

    async def wire_live(self, request: Request) -> ASGIApp:
        visit = self.login.follow(request)
        query = request.query_params
        game, kind, key = (query.get(name, "") for name in ("game", "kind", "key"))
        try:
            wire = self.organiser.endpoint(game).wire
        except NotFound as problem:
            raise NotShown(404, str(problem)) from None
        target = cast("Literal['endpoint', 'lobby', 'client']", kind), key
        recording = wire.recordings.get(target) if wire is not None else None
        if wire is None or recording is None:
            raise NotShown(404, f"{kind or 'endpoint'} {game}/{key} is not recorded"[:200])
        stream = WireStream(recording.path, lambda: wire.recordings.get(target) is recording)
        return self._feed(visit, stream.tell)

    def _feed(self, visit: Visit, tell: Tell) -> Feed:
        if self._streams >= MAX_STREAMS:
            raise NotShown(503, "too many organisers are looking; close some pages")
        goes_on = self.login.goes_on(visit)

        async def counted(say: Say) -> None:
            with self._streaming():
                await tell(say, goes_on)

        return Feed(counted)

    @contextmanager
    def _streaming(self) -> Iterator[None]:
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1


def _about(session: Session) -> dict[str, Any]:
    return {"session": session.number, "ends": session.ends}
