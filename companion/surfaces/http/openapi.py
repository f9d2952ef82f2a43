"""The published document of the API, made from the table of verbs; `openapi.json` beside this file is a copy."""

from __future__ import annotations

import json
from functools import cache

from companion.__about__ import __version__
from companion.api import DaemonState, News
from companion.surfaces.http.asks import Id, PageAsk, Repo, StopAsk
from companion.surfaces.http.lanes import LONG
from companion.surfaces.http.schema import Schemas, answer_schema, problem
from companion.surfaces.http.verbs import VERBS, Verb
from companion.wire.forms import Schema

ABOUT = """Everything that Companion remembers, for any program of the same user.

Reached over a Unix socket that only its user can open, or over 127.0.0.1 with the token from a file that only
the user can read. Requests are JSON objects; `repo` is the absolute path of a folder in the repository that is
meant, and may be left out while the background service has only one open. Each answer has `notices`: what the
user should know in addition, in sentences. Errors are `application/problem+json` with the next step. Times are in
UTC."""


PAGE = (
    "A link to the local page of a repository. It works once, within a minute; the page has a listener of its own, "
    "where nothing of this API is answered."
)


@cache
def document() -> bytes:
    """The OpenAPI document as bytes."""
    return (json.dumps(described(), indent=2, ensure_ascii=True) + "\n").encode("ascii")


def described() -> Schema:
    """The OpenAPI document."""
    schemas = Schemas()
    paths: Schema = {verb.route.path: {"post": _verb(schemas, verb)} for verb in VERBS}
    paths["/status"] = {"get": _own(schemas, "status", "What the background service is and does.", DaemonState)}
    paths["/stop"] = {"post": _own(schemas, "stop", "End the background service cleanly.", type(None), StopAsk)}
    paths["/page"] = {"post": _own(schemas, "page", PAGE, str, PageAsk)}
    paths["/attach"] = {"get": _attach(schemas)}
    anything: Schema = {"type": "object"}
    paths["/openapi.json"] = {
        "get": _operation("openapi", "This document.", {"application/json": {"schema": anything}})
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Companion", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "responses": {"problem": problem()},
            "schemas": dict(sorted(schemas.components.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "On TCP only."}},
        },
        "security": [{"token": []}],
    }


def _verb(schemas: Schemas, verb: Verb) -> Schema:
    answer = answer_schema(schemas, verb.result, flat=verb.special.flat)
    content: Schema = {"application/json": {"schema": answer}}
    says = verb.says
    if verb.tells and verb.lane is not LONG:
        content |= _lines()
    if verb.lane is LONG:
        content = _lines()
        says += "\n\nA line of JSON at a time: `progress` while it goes on, at last `result` or `problem`."
    said = _operation(verb.name, says, content)
    said["requestBody"] = _body(schemas.record(verb.ask, without=verb.special.in_path))
    if verb.special.in_path:
        said["parameters"] = [{"name": verb.special.in_path, "in": "path", "required": True, "schema": schemas.of(Id)}]
    return said


def _own(schemas: Schemas, name: str, says: str, result: object, ask: type | None = None) -> Schema:
    """What is asked of the daemon itself."""
    content: Schema = {"application/json": {"schema": answer_schema(schemas, result, flat=False)}}
    said = _operation(name, says, content)
    return said if ask is None else {**said, "requestBody": _body(schemas.record(ask))}


def _attach(schemas: Schemas) -> Schema:
    says = (
        "Hold a connection open: while it lasts the background service stays, and reports what changes in a "
        "repository, a line of JSON each. First comes `attached`, the state of the service; then `news`."
    )
    schemas.of(News)
    said = _operation("attach", says, _lines())
    said["parameters"] = [{"name": "repo", "in": "query", "required": True, "schema": schemas.of(Repo)}]
    return said


def _operation(name: str, says: str, content: Schema) -> Schema:
    answer = {"description": "The answer.", "content": content}
    return {
        "operationId": name,
        "summary": says.split("\n", 1)[0],
        "description": says,
        "responses": {"200": answer, "default": {"$ref": "#/components/responses/problem"}},
    }


def _lines() -> Schema:
    return {"application/x-ndjson": {"schema": {"type": "string"}}}


def _body(schema: Schema) -> Schema:
    return {"required": True, "content": {"application/json": {"schema": schema}}}
