"""What went wrong, as `application/problem+json` (RFC 9457): what happened, and the next step."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from companion import wire
from companion.errors import (
    CompanionError,
    NotARepository,
    StoreError,
    StoreHeld,
    StoreUnwritable,
    UnknownConversation,
    UnknownMemory,
)

MEDIA_TYPE = "application/problem+json"

STATUS: tuple[tuple[type[CompanionError], int], ...] = (
    (UnknownMemory, 404),
    (UnknownConversation, 404),
    (NotARepository, 404),
    (StoreHeld, 503),
    (StoreUnwritable, 507),
    (StoreError, 500),
    (CompanionError, 409),
)
"""The status of each error; the first that fits. 409: the request was understood, the state of things forbids it."""

UNEXPECTED = "See `companion logs` for the place in the program, and report it."


class Refused(Exception):
    """A request that no companion was asked about: `code` says in a word why."""

    def __init__(
        self, status: int, code: str, what: str, next_step: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(what)
        self.status = status
        self.code = code
        self.what = what
        self.next_step = next_step
        self.headers = dict(headers or {})


def problem(status: int, code: str, what: str, next_step: str) -> dict[str, object]:
    """The members of a problem."""
    title = "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in code).strip().capitalize()
    return {
        "type": f"urn:companion:{code}",
        "title": title,
        "status": status,
        "detail": what,
        "next_step": next_step or "Run `companion doctor` for what may be wrong.",
        "code": code,
    }


def problem_of(wrong: Exception) -> dict[str, object]:
    """What an error says to a client; of a fault nothing but that there was one."""
    if isinstance(wrong, Refused):
        return problem(wrong.status, wrong.code, wrong.what, wrong.next_step)
    if not isinstance(wrong, CompanionError):
        return problem(500, "Fault", "The program failed at this.", UNEXPECTED)
    status = next(status for kind, status in STATUS if isinstance(wrong, kind))
    said = problem(status, type(wrong).__name__, wrong.what, wrong.next_step)
    if isinstance(wrong, StoreHeld):
        said["holder_pid"] = wrong.holder_pid
    return said


def response_of(wrong: Exception) -> Response:
    """The whole answer to a request that failed."""
    said = problem_of(wrong)
    headers = wrong.headers if isinstance(wrong, Refused) else None
    return Response(wire.to_json(said), status_code=int(str(said["status"])), media_type=MEDIA_TYPE, headers=headers)
