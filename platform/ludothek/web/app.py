"""The page as an ASGI application: files, and what browsers ask for."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from time import time
from typing import Any

import attrs
import orjson
import structlog
import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from ludothek.contract import registry
from ludothek.control.local_names import name_in
from ludothek.kit.reports import careful
from ludothek.runtime.endpoint import Endpoint
from ludothek.settings.config_file import LOCAL
from ludothek.settings.limits import origin
from ludothek.web import files, pages
from ludothek.web.answers import json_answer, reliable
from ludothek.web.bulletin import Bulletin
from ludothek.web.compressed import compressed_json
from ludothek.web.directions import directions
from ludothek.web.files import PageFile
from ludothek.web.gallery import Gallery
from ludothek.web.openapi import describe
from ludothek.web.repeater import NotShown
from ludothek.web.stream import EventStream
from ludothek.web.tournaments import Tournaments
from ludothek.web.viewer import Viewer
from ludothek.web.visitors import Visitors

log = structlog.get_logger()

# Files by the paths that people see.
PAGES = {
    "/": "index.html",
    "/m/{id}": "match.html",
    "/t/{id}": "tournament.html",
    "/play/{game}": "play.html",
    "/organiser": "organiser.html",
    "/hall": "hall.html",
}
MOST_LISTED = 200
MOST_NAMED = 2
LISTED = 50

_NUMBER = re.compile("[0-9]{1,15}")  # more than will ever be counted


@attrs.frozen(kw_only=True)
class StreamLimits:
    """How many browsers may follow something at the same time."""

    viewers: int
    viewers_per_address: int


@attrs.frozen(kw_only=True)
class Site:
    """Everything that the page shows, by request."""

    endpoints: Sequence[Endpoint]
    gallery: Gallery
    bulletin: Bulletin
    tournaments: Tournaments
    visitors: Visitors
    limits: StreamLimits

    def app(self, more: Sequence[BaseRoute] = ()) -> Starlette:
        """The application; other parts of the page bring routes of their own."""
        answers: Mapping[str, Callable[[Request], Awaitable[ASGIApp]]] = {
            "/api/games": self.games,
            "/api/matches": self.matches,
            "/api/live": self.live,
            "/api/ended": self.ended,
            "/api/matches/{id}": self.match,
            "/api/matches/{id}/history": self.history,
            "/api/matches/{id}/live": self.watch,
            "/api/matches/{id}/record": self.record,
            "/api/tournaments": self.list_tournaments,
            "/api/tournaments/{id}": self.tournament,
            "/api/tournaments/{id}/games": self.tournament_games,
            "/api/tournaments/{id}/live": self.follow_tournament,
            "/api/openapi.json": self.description,
            "/assets/{name}": self.asset,
            "/games/{game}/{name}": self.game_file,
        }
        routes = [Route(path, reliable(answer)) for path, answer in answers.items()]
        told = {"/": self.home_page, "/m/{id}": self.match_page, "/play/{game}": self.play_page}
        shown = [Route(path, told.get(path) or _page(name)) for path, name in PAGES.items()]
        refusals = {HTTPException: _no_such_page}
        app = Starlette(routes=[*more, *routes, *shown], exception_handlers=refusals)
        app.router.redirect_slashes = False  # to an address that the request itself has chosen
        return app

    # What there is

    async def games(self, request: Request) -> Response:
        return json_answer(self._games(request))

    def _games(self, request: Request) -> Sequence[Any]:
        host = name_in(request.headers.get("host", "")) or LOCAL
        return [directions(each, host) for each in self.endpoints if each.opened]

    async def matches(self, _: Request) -> Response:
        return json_answer(await self._matches())

    async def _matches(self) -> Mapping[str, Any]:
        await self.bulletin.refresh()
        ended, rest = await self.bulletin.ended.find(game="", player="", before=0, limit=LISTED)
        lobbies = orjson.Fragment(await self.bulletin.lobbies())
        return {"lobbies": lobbies, "ended": ended, "next": rest or None}

    async def ended(self, request: Request) -> Response:
        query = request.query_params
        limit = min(_number(query.get("limit"), LISTED), MOST_LISTED)
        await self.bulletin.refresh()
        found, rest = await self.bulletin.ended.find(
            game=query.get("game", ""),
            player=query.get("player", "")[:200],
            before=_number(query.get("before"), 0),
            limit=max(1, limit),
        )
        return json_answer({"matches": found, "next": rest or None})

    async def live(self, request: Request) -> ASGIApp:
        return self._stream(request, self.bulletin.reading)

    # Matches

    async def match(self, request: Request) -> ASGIApp:
        match_id = request.path_params["id"]
        running = self.gallery.about(match_id)
        if running is not None:
            return json_answer(running)
        return compressed_json(request, await self.gallery.ended(match_id, self._who(request)))

    async def history(self, request: Request) -> ASGIApp:
        match_id = request.path_params["id"]
        return compressed_json(request, await self.gallery.history(match_id, self._who(request)))

    async def watch(self, request: Request) -> ASGIApp:
        match_id = request.path_params["id"]
        if self.gallery.find(match_id) is None:
            raise NotShown(404, "no such match is running")

        def follow(viewer: Viewer) -> AbstractContextManager[None]:
            return self.gallery.watching(match_id, viewer)

        return self._stream(request, follow)

    async def record(self, request: Request) -> Response:
        name, content = await self.gallery.download(request.path_params["id"], self._who(request))
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(content, headers=headers, media_type="application/octet-stream")

    def _who(self, request: Request) -> str:
        """Whose turn it is among those who have matches repeated; empty: many share the address."""
        host: str = request.scope["ludothek.host"]
        return origin(host) if self.visitors.limits.counts(host) else ""

    # Tournaments

    async def list_tournaments(self, _: Request) -> Response:
        return json_answer(await self.tournaments.all())

    async def tournament(self, request: Request) -> Response:
        found = await self.tournaments.find(request.path_params["id"])
        return json_answer(orjson.Fragment(found.scoreboard) if found.scoreboard else found.summary)

    async def tournament_games(self, request: Request) -> Response:
        found = await self.tournaments.find(request.path_params["id"])
        query = request.query_params
        content = await found.games(
            players=tuple(name[:200] for name in query.getlist("player")[:MOST_NAMED]),
            before=_number(query.get("before"), 0),
            limit=max(1, min(_number(query.get("limit"), LISTED), MOST_LISTED)),
            who=self._who(request),
        )
        return json_answer(orjson.Fragment(content))

    async def follow_tournament(self, request: Request) -> ASGIApp:
        found = await self.tournaments.find(request.path_params["id"])
        return self._stream(request, found.following)

    # Pages, with what they ask for first: then browsers need not ask

    async def home_page(self, request: Request) -> Response:
        told: dict[str, Any] = {"/api/games": self._games(request)}
        with careful("what the first page tells"):
            told["/api/matches"] = await self._matches()
        return pages.page(request, PAGES["/"], told=told, date=time())

    async def match_page(self, request: Request) -> Response:
        match_id, game = request.path_params["id"], ""
        told: dict[str, Any] = {}
        with suppress(NotShown):  # the page asks again, and says why
            if (running := self.gallery.about(match_id)) is not None:
                told[f"/api/matches/{match_id}"] = running
                game = running["game"]
        return pages.page(request, PAGES["/m/{id}"], told=told, date=time(), game=game)

    async def play_page(self, request: Request) -> Response:
        told = {"/api/games": self._games(request)}
        return pages.page(request, PAGES["/play/{game}"], told=told, date=time())

    # Files

    async def asset(self, request: Request) -> Response:
        return _file(files.shell(), request)

    async def game_file(self, request: Request) -> Response:
        name = request.path_params["game"]
        for endpoint in self.endpoints:
            if endpoint.game.name == name and endpoint.game.page is not None:
                return _file(files.of_game(endpoint.game.page), request)
        if self.tournaments.has(name):
            game = await trio.to_thread.run_sync(registry.load, name)
            if game.page is not None:
                return _file(files.of_game(game.page), request)
        raise NotShown(404, "no such game is served here")

    async def description(self, _: Request) -> Response:
        return json_answer(describe())

    # Streams

    def _stream(
        self, request: Request, follow: Callable[[Viewer], AbstractContextManager[None]]
    ) -> ASGIApp:
        if request.method == "HEAD":  # events have no end, and go past what would leave them out
            raise NotShown(405, "events are for GET")
        host = request.scope["ludothek.host"]
        limits = self.limits
        if not self.visitors.may_stream(host, limits.viewers, limits.viewers_per_address):
            raise NotShown(503, "too many people are watching; try again later")
        if request.scope["http_version"] != "1.1":
            raise NotShown(426, "events need HTTP/1.1")

        return EventStream(self.visitors.streaming(host), follow)


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        return pages.page(request, name)

    return respond


async def _no_such_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.page(request, "missing.html", status=error.status_code)
    problem = f"{request.method} {request.scope['path']}: {error.detail}"
    return json_answer({"error": problem}, error.status_code)


def _file(found: Mapping[str, PageFile], request: Request) -> Response:
    name = request.path_params["name"]
    if name not in found:
        raise NotShown(404, "no such file")
    return found[name].answer(request)


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and _NUMBER.fullmatch(text) else otherwise
