"""The OpenAPI document: what each verb is asked with and answers, read from the same type hints as the wire."""

from __future__ import annotations

import inspect

from companion import wire
from companion.wire.forms import Forms, Schema

PROBLEM: Schema = {
    "type": "object",
    "description": "What went wrong (RFC 9457): `detail` says what happened, `next_step` what helps.",
    "required": ["type", "title", "status", "detail", "next_step", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "next_step": {"type": "string", "minLength": 1},
        "code": {"type": "string", "description": "The name of the error."},
        "holder_pid": {"type": ["integer", "null"]},
    },
}


class Schemas(Forms):
    """Schemas of types; those of records are collected under their names."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {"Problem": PROBLEM}
        self._records: dict[str, type] = {}

    def record(self, record: type, *, without: str = "", tag: str = "") -> Schema:
        """The schema of a record itself, with what is said of it."""
        about = {"type": "object", "description": inspect.getdoc(record) or ""}
        return {**about, **super().record(record, without=without, tag=tag)}

    def _named(self, name: str, record: type, tag: str = "") -> Schema:
        if self._records.setdefault(name, record) is not record:  # two rooms have a record of that name
            name = f"{record.__module__.rpartition('.')[2].title()}{name}"
        if name not in self.components:
            self.components[name] = {}  # a record that holds its own kind finds its name taken
            self.components[name] = self.record(record, tag=tag)
        return {"$ref": f"#/components/schemas/{name}"}


def answer_schema(schemas: Schemas, result: object, *, flat: bool) -> Schema:
    """What an answer holds: the result, or its fields, and the notices."""
    notices = {"type": "array", "items": {"type": "string"}, "description": "What the user should know beside it."}
    if flat:
        said = schemas.record(wire.class_of(result))
        properties, needed = said["properties"], said["required"]
    else:
        properties, needed = {"result": schemas.of(result)}, ["result"]
    return {
        "type": "object",
        "properties": {**properties, "notices": notices},
        "required": [*needed, "notices"],
        "additionalProperties": False,
    }


PROBLEMS = """Something went wrong, whatever the verb:

- 400: the request is not one: no JSON, or broken HTTP
- 401: the token is missing or wrong (only on TCP)
- 403: the request comes from another user or another page
- 404: there is no such repository, memory or address
- 405: the address has no such method
- 408: the request was not sent in time
- 409: the request was understood, and the state of things forbids it
- 413: the request is too large
- 415: the request is not JSON
- 422: a field of the request is missing, unknown or has the wrong shape
- 500: the program failed, or the store is damaged
- 503: too busy, too slow, or another process holds the store
- 507: the disk is full or read-only"""


def problem() -> Schema:
    """What is answered where something went wrong, whatever the verb."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": PROBLEMS, "content": {"application/problem+json": {"schema": schema}}}
