"""The OpenAPI description, generated from the classes that implement the interface."""

import inspect
import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Union, get_args, get_origin

import attrs

from ludothek import __version__
from ludothek.control.messages import ErrorView
from ludothek.control.operations import OPERATIONS, Operation
from ludothek.control.reading import fields_of

Schema = dict[str, Any]

PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
    Any: {},
}


@cache
def describe() -> Schema:
    """The whole interface as an OpenAPI 3.1 document."""
    schemas: dict[str, Schema] = {}
    paths: dict[str, Schema] = {
        "/openapi.json": {"get": _description_of_itself()},
        "/metrics": {"get": _metrics()},
    }
    for operation in OPERATIONS:
        described = _operation(operation, schemas)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ludothek, the organiser's interface",
            "version": __version__,
            "description": "HTTP over a Unix socket; whoever may open the socket is an organiser.",
        },
        "servers": [{"url": "http://localhost"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _description_of_itself() -> Schema:
    return {
        "operationId": "describe",
        "summary": "This description",
        "responses": {"200": {"description": "OK", "content": _content({"type": "object"})}},
    }


def _metrics() -> Schema:
    text = {"text/plain": {"schema": {"type": "string"}}}
    return {
        "operationId": "metrics",
        "summary": "The daemon's metrics for Prometheus, or in OpenMetrics format if accepted",
        "responses": {"200": {"description": "OK", "content": text}},
    }


def _operation(operation: Operation, schemas: dict[str, Schema]) -> Schema:
    described: Schema = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": _parameters(operation, schemas),
        "responses": {
            str(operation.status): {
                "description": "Done",
                "content": _content(_schema(operation.answer, schemas)),
            },
            "default": {
                "description": _doc(ErrorView),
                "content": _content(_schema(ErrorView, schemas)),
            },
        },
    }
    if fields := fields_of(operation.request, "body"):
        body = _object(fields, schemas) | {"additionalProperties": False}
        required = "required" in body
        described["requestBody"] = {"content": _content(body), "required": required}
    return described


def _parameters(operation: Operation, schemas: dict[str, Schema]) -> list[Schema]:
    return [
        {
            "name": field.name,
            "in": part,
            "required": _required(field),
            "description": field.metadata["help"],
            "schema": _schema(field.type, schemas),
        }
        for part in ("path", "query")
        for field in fields_of(operation.request, part).values()
    ]


def _content(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _schema(kind: Any, schemas: dict[str, Schema]) -> Schema:
    """The schema of a type; classes are added to `schemas` and referenced."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, Union):
        return {"anyOf": [_schema(arg, schemas) for arg in args]}
    if origin in (list, Sequence):
        return {"type": "array", "items": _schema(args[0], schemas)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(args[1], schemas)}
    if kind.__name__ not in schemas:
        fields = {field.name: field for field in attrs.fields(kind)}
        schemas[kind.__name__] = {"description": _doc(kind)} | _object(fields, schemas)
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _object(fields: Mapping[str, "attrs.Attribute[Any]"], schemas: dict[str, Schema]) -> Schema:
    properties = {
        name: _schema(field.type, schemas) | {"description": field.metadata["help"]}
        for name, field in fields.items()
    }
    described: Schema = {"type": "object", "properties": properties}
    if required := [name for name, field in fields.items() if _required(field)]:
        described["required"] = required
    return described


def _required(field: "attrs.Attribute[Any]") -> bool:
    return field.default is attrs.NOTHING


def _doc(cls: type) -> str:
    return inspect.cleandoc(cls.__doc__ or "")
