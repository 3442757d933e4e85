"""The OpenAPI description of what the page asks for."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from ludothek import __version__

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}
ANYTHING: Schema = {}


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": [*fields]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_TOURNAMENT: Schema = {
    "id": TEXT,
    "title": TEXT,
    "problem": _maybe(TEXT),
    "game": TEXT,
    "game_title": TEXT,
    "format": TEXT,
    "players": INTEGER,
    "entrants": INTEGER,
    "played": INTEGER,
    "size": INTEGER,
    "complete": {"type": "boolean"},
    "best": _list(TEXT),
    "ended": _maybe(TEXT),
}
_SCOREBOARD: Schema = _TOURNAMENT | {
    "standings": _list(_ref("Standing")),
    "better": _list(_maybe(NUMBER)),
    "meetings": _maybe(_list(_list(_maybe(_list(NUMBER))))),
    "bracket": _maybe(_list({"type": "object"})),
    "sprt": _maybe({"type": "object"}),
    "lost": {"type": "object"},
    "time": {"type": "object"},
    "failures": INTEGER,
    "games": _list(_ref("TournamentGame")),
}
SCHEMAS: Mapping[str, Schema] = {
    "Game": _object(
        name=TEXT,
        title=TEXT,
        endpoint=TEXT,
        protocol=TEXT,
        version=TEXT,
        url=TEXT,
        port=INTEGER,
        difficulties=_list(TEXT),
        playable={"type": "boolean"},
        how=_object(lines=_list(TEXT), bot=TEXT),
    ),
    "Lobby": _object(
        lobby=TEXT,
        game=TEXT,
        endpoint=TEXT,
        name=TEXT,
        stage=TEXT,
        players=_list(TEXT),
        spectators=INTEGER,
        match=_maybe(TEXT),
        score=_maybe(_list(_maybe(INTEGER))),
        move=_maybe(INTEGER),
    ),
    "Place": _object(name=TEXT, seat=INTEGER, score=_maybe(INTEGER), rank=_maybe(INTEGER)),
    "EndedMatch": _object(
        id=_maybe(TEXT),
        game=TEXT,
        time=TEXT,
        lobby=TEXT,
        players=_list(_ref("Place")),
        winner=_maybe(TEXT),
        reason=TEXT,
        moves=INTEGER,
        seconds=NUMBER,
        record=_maybe(TEXT),
    ),
    "Seat": _object(
        name=TEXT,
        score=_maybe(INTEGER),
        turn={"type": "boolean"},
        clock=_maybe(NUMBER),
        ticking={"type": "boolean"},
        gone={"type": "boolean"},
        own={"type": "object"},
    ),
    "View": _object(
        stage=TEXT,
        players=_list(_ref("Seat")),
        move=INTEGER,
        board={"type": "object"},
        winner=_maybe(TEXT),
        reason=_maybe(TEXT),
    ),
    "Position": _object(
        n=INTEGER, after=INTEGER, date=NUMBER, told=_list({"type": "object"}), view=_ref("View")
    ),
    "Match": _object(
        id=TEXT,
        game=TEXT,
        title=TEXT,
        endpoint=_maybe(TEXT),
        lobby=_maybe(TEXT),
        live={"type": "boolean"},
        began=NUMBER,
        scenery=ANYTHING,
        result=_maybe({"type": "object"}),
        record=_maybe(TEXT),
        positions=_list(_ref("Position")),
        note=_maybe({"type": "object"}),
        tournament=_maybe(_object(id=TEXT, title=TEXT, game=_ref("TournamentGame"))),
    ),
    "TournamentGame": _object(
        number=INTEGER,
        round=INTEGER,
        seats=_list(TEXT),
        points=_list(_maybe(INTEGER)),
        shares=_list(NUMBER),
        reasons=_list(TEXT),
        seconds=NUMBER,
        ended=TEXT,
        match=_maybe(TEXT),
        waits={"type": "boolean"},
    ),
    "Standing": _object(
        place=INTEGER,
        name=TEXT,
        games=INTEGER,
        points=NUMBER,
        wins=INTEGER,
        draws=INTEGER,
        losses=INTEGER,
        rating=_maybe(NUMBER),
        error=_maybe(NUMBER),
    ),
    # One that cannot be read has nothing but its id, its title and the problem.
    "Tournament": {**_object(id=TEXT, title=TEXT, problem=_maybe(TEXT)), "properties": _TOURNAMENT},
    "Scoreboard": {**_object(id=TEXT, title=TEXT, problem=_maybe(TEXT)), "properties": _SCOREBOARD},
    "Error": _object(error=TEXT),
}

ID: Schema = {"name": "id", "in": "path", "required": True, "schema": TEXT}


def _query(name: str, schema: Schema, description: str) -> Schema:
    return {"name": name, "in": "query", "schema": schema, "description": description}


@cache
def describe() -> Schema:
    """Everything that anybody may ask for, as an OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Ludothek, the page", "version": __version__},
        "paths": {**_matches(), **_tournaments()},
        "components": {"schemas": dict(SCHEMAS)},
    }


def _matches() -> Schema:
    return {
        "/api/games": _get("games", "The games that are served", _list(_ref("Game"))),
        "/api/matches": _get(
            "matches",
            "Open lobbies, and the matches that ended last",
            _object(
                lobbies=_list(_ref("Lobby")),
                ended=_list(_ref("EndedMatch")),
                next=_maybe(INTEGER),
            ),
        ),
        "/api/ended": _get(
            "ended",
            "Ended matches, the newest first",
            _object(matches=_list(_ref("EndedMatch")), next=_maybe(INTEGER)),
            _query("player", TEXT, "part of the name of a player"),
            _query("game", TEXT, "name of a game"),
            _query("before", INTEGER, "`next` of an earlier answer"),
            _query("limit", INTEGER, "how many, up to 200"),
        ),
        "/api/live": _events("live", "Events `lobbies` and `ended` as things change"),
        "/api/matches/{id}": _get(
            "match",
            "An ended match with all its positions, or a running one with its newest",
            _ref("Match"),
            ID,
        ),
        "/api/matches/{id}/history": _get(
            "history",
            "The positions of a running match so far",
            _object(positions=_list(_ref("Position")), note=_maybe({"type": "object"})),
            ID,
        ),
        "/api/matches/{id}/live": _events(
            "watch", "Events `position` after each step, and `over` at the end", ID
        ),
        "/api/matches/{id}/record": _answer(
            "record",
            "The record of an ended match, for platform replay",
            {"application/octet-stream": {"schema": TEXT}},
            ID,
        ),
    }


def _tournaments() -> Schema:
    return {
        "/api/tournaments": _get(
            "tournaments", "The tournaments that are shown", _list(_ref("Tournament"))
        ),
        "/api/tournaments/{id}": _get(
            "tournament",
            "How a tournament stands, with its latest games",
            _ref("Scoreboard"),
            ID,
        ),
        "/api/tournaments/{id}/games": _get(
            "tournament_games",
            "Games of a tournament, the latest first",
            _object(games=_list(_ref("TournamentGame")), next=_maybe(INTEGER)),
            ID,
            _query("player", TEXT, "name of somebody who has played in them, up to twice"),
            _query("before", INTEGER, "`next` of an earlier answer"),
            _query("limit", INTEGER, "how many, up to 200"),
        ),
        "/api/tournaments/{id}/live": _events(
            "follow", "Events `tournament`: how it stands, after each change", ID
        ),
    }


def _get(name: str, summary: str, schema: Schema, *parameters: Schema) -> Schema:
    return _answer(name, summary, {"application/json": {"schema": schema}}, *parameters)


def _events(name: str, summary: str, *parameters: Schema) -> Schema:
    return _answer(name, summary, {"text/event-stream": {"schema": TEXT}}, *parameters)


def _answer(name: str, summary: str, content: Schema, *parameters: Schema) -> Schema:
    error = {"description": "Why not", "content": {"application/json": {"schema": _ref("Error")}}}
    return {
        "get": {
            "operationId": name,
            "summary": summary,
            "parameters": [*parameters],
            "responses": {"200": {"description": "OK", "content": content}, "default": error},
        }
    }
