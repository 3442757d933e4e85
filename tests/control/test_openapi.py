"""The description of the organiser's interface is valid, complete and true."""

import re
from pathlib import Path
from typing import Any

import jsonschema
from openapi_spec_validator import OpenAPIV31SpecValidator, validate
from starlette.routing import Route

from ludothek.contract.clock import Clock
from ludothek.control.app import make_app
from ludothek.control.openapi import describe
from ludothek.control.operations import OPERATIONS
from ludothek.control.organiser import Organiser
from tests.support.organiser_console import Organiser as Console
from tests.support.organiser_console import meek_game, open_control


def test_it_is_valid() -> None:
    validate(describe(), cls=OpenAPIV31SpecValidator)


async def test_it_describes_every_route_and_no_other() -> None:
    app = make_app(Organiser([], Clock()))
    routes = {
        (re.sub(r":\w+}", "}", route.path), method)
        for route in app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    described = {
        (path, method.upper())
        for path, methods in describe()["paths"].items()
        for method in methods
    }
    assert described == routes
    assert len(described) == len(OPERATIONS) + 2


def test_it_names_what_a_request_needs() -> None:
    seat = describe()["paths"]["/lobbies/{game}/{lobby}/seat"]["post"]
    assert [(p["name"], p["in"], p["required"]) for p in seat["parameters"]] == [
        ("game", "path", True),
        ("lobby", "path", True),
    ]
    body = seat["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["clients"]
    assert set(body["properties"]) == {"clients", "spectator"}
    start = describe()["paths"]["/lobbies/{game}/{lobby}/start"]["post"]
    assert "requestBody" not in start


async def test_real_answers_are_as_described(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game()) as organiser:
        description = await organiser.get("/openapi.json")
        assert description == describe()
        path = "/lobbies/{game}/{lobby}/pause"
        for looking in ("/status", "/health", "/ready", "/wire"):
            await _check(organiser, description, "GET", looking, looking)
        await _check(organiser, description, "GET", "/lobbies", "/lobbies")
        await _check(organiser, description, "GET", "/clients", "/clients")
        await _check(organiser, description, "POST", "/lobbies", "/lobbies", {"game": "meek"})
        await _check(organiser, description, "POST", "/lobbies", "/lobbies", {"game": "none"})
        await _check(organiser, description, "POST", path, "/lobbies/meek/1/pause")
        path = "/lobbies/{game}/{lobby}/wire"
        await _check(organiser, description, "POST", path, "/lobbies/meek/1/wire", {"on": True})


async def _check(
    organiser: Console, description: Any, method: str, path: str, url: str, body: Any = None
) -> None:
    status, answer = await organiser.ask(method, url, body)
    responses = description["paths"][path][method.lower()]["responses"]
    response = responses.get(str(status), responses["default"])
    schema = response["content"]["application/json"]["schema"]
    jsonschema.validate(answer, schema | {"components": description["components"]})
