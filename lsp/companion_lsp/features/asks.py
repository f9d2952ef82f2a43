"""`companion/ask`: a verb of the daemon's API, for what an editor's views show and let people do.

Only the verbs listed here are answered, each as the API answers it. Where a list is shown its texts are cut: a memory
may be as long as a book, and only its head is seen. What a person chooses from comes as `rows` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from companion.errors import UsageError
from companion.wire import Between
from companion_lsp.drawing import DrawnRow, drawn
from companion_lsp.requests import SAYS_CHARACTERS, Uri, answers, place_of
from companion_lsp.server import COMMAND_S, CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion

ASK = "companion/ask"
TEXT_CHARACTERS = 4_000
"""Characters of a text in a list: more than a tooltip or a quick pick shows of it."""
SLOW_S = 600.0
"""Deadline of what goes over the whole store or asks a language model, as the daemon gives itself."""
NAME_CHARACTERS = 40
"""Longer than the longest name of a verb."""

LISTS = frozenset({"search", "contradictions", "threads", "story", "superseded", "timeline"})
"""Verbs whose answers are shown as lists."""
LOOKS = frozenset({"assemble", "explain", "why", "at_work", "stats", "doctor", "judge_again", "active_conversation"})
"""Verbs that change nothing and are answered in full."""
SLOW_ACTS = frozenset({"refresh", "close_conversation"})
"""Verbs that change something and may take long."""
ACTS = SLOW_ACTS | {"settle", "settle_thread", "pin", "pass_over", "remember", "forget", "revive"}
"""Verbs after which what is shown is no longer right."""


class _Asked(Struct, frozen=True):
    """Which verb is asked, and of which repository; what it is asked with stands beside."""

    verb: Annotated[str, Between(1, NAME_CHARACTERS)]
    uri: Uri = ""
    folder: Uri = ""


def register(server: CompanionServer) -> None:
    """Answers companion/ask."""
    said: set[tuple[Path, str]] = set()

    async def answer(ls: CompanionServer, given: tuple[_Asked, object]) -> object:
        asked, body = given
        verb = askable(asked.verb)
        place = place_of(ls, asked.uri, asked.folder)
        found, listed, notices = await put(ls, place, verb, body)
        new = [one for one in notices if (place.root, one) not in said]  # a connection repeats what it once heard
        said.update((place.root, one) for one in new)
        return {"result": found, "rows": listed, "notices": new}

    answers(server, ASK, _read, answer)


def askable(verb: str) -> str:
    """A verb that is one of those listed here. Raises UsageError for any other."""
    if verb not in LISTS | LOOKS | ACTS:
        raise UsageError(f"`{verb}` cannot be asked here.", "Use the command line or the HTTP API for it.")
    return verb


async def put(
    server: CompanionServer, place: OpenDocument, verb: str, body: object
) -> tuple[object, list[DrawnRow], tuple[str, ...]]:
    """A verb's answer in JSON, its rows, and what the user should know beside it. Raises CompanionError."""
    deadline_s = SLOW_S if verb in SLOW_ACTS else COMMAND_S
    told = await server.ask(place, lambda companion, _: _put(companion, place.root, verb, body), deadline_s)
    if verb in ACTS:
        server.changed(place.root, verb)
    return told


def _read(params: object) -> tuple[_Asked, object]:
    from companion import wire

    given: object = dict(params) if isinstance(params, Mapping) else params
    body = given.pop("ask", {}) if isinstance(given, dict) else {}
    return wire.decode(_Asked, given), body


def _put(companion: Companion, root: Path, name: str, body: object) -> tuple[object, list[DrawnRow], tuple[str, ...]]:
    from companion import wire
    from companion.escape import one_line
    from companion.ports import NoProgress
    from companion.surfaces.http.verbs import VERBS

    verb = next(one for one in VERBS if one.name == name)
    answer = verb.answer(companion, wire.decode_any(verb.ask, body), NoProgress())
    found = wire.encode(answer, verb.result)
    notices = tuple(one_line(one, SAYS_CHARACTERS) for one in companion.notices())
    return cut(found) if name in LISTS else found, _rows(answer, root, companion), notices


def _rows(answer: object, root: Path, companion: Companion) -> list[DrawnRow]:
    """Contradictions as rows to choose from."""
    from companion.records import Contradiction
    from companion.surfaces import rows

    listed = answer if isinstance(answer, tuple) else ()
    found = [rows.of_contradiction(one) for one in listed if isinstance(one, Contradiction)]
    if not found:
        return []
    now = companion.now()
    return [drawn(row, root, now) for row in found]


def cut(found: object) -> object:
    """The same with its long texts cut and cleaned of what cannot be seen."""
    from companion.escape import visible_text

    if isinstance(found, str):
        head = visible_text(found[:TEXT_CHARACTERS])
        return head if len(found) <= TEXT_CHARACTERS else f"{head[:-1].rstrip()}…"
    if isinstance(found, list):
        return [cut(one) for one in found]
    if isinstance(found, dict):
        return {name: cut(one) for name, one in found.items()}
    return found
