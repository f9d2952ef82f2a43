"""Resources, which a client may show or attach, and prompts, which a person may choose."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from msgspec import Struct

from companion.api import why_in_full
from companion.errors import UsageError
from companion.surfaces.mcp import answers, talk_answers
from companion.surfaces.mcp.answers import Answer
from companion.surfaces.mcp.asks import FOUND_MAX, PATH_MAX_CHARACTERS
from companion.surfaces.mcp.tool import Working
from companion.surfaces.mcp.tools import judging, notes
from companion.surfaces.mcp.tools.memories import context, expand
from companion.surfaces.mcp.tools.talks import (
    get_conversation_archive,
    get_open_threads,
    get_your_story,
    where_were_we,
)

SCHEME = "companion://"
MEDIA_TYPE = "application/xml"
"""What a resource is written in, unless it says otherwise; told when it is read, which is early enough."""
LINE_MAX_DIGITS = 7
"""No file that is indexed has more lines."""


class Resource(Struct, frozen=True):
    """Something that can be read at an address; one with `{id}` in it stands for many."""

    name: str
    path: str
    says: str
    read: Callable[[Working, str], Answer]
    media_type: str = MEDIA_TYPE

    @property
    def uri(self) -> str:
        """Its whole address."""
        return SCHEME + self.path


class Argument(Struct, frozen=True):
    """What a prompt is made for."""

    name: str
    says: str
    required: bool = False
    most: int = PATH_MAX_CHARACTERS


class Prompt(Struct, frozen=True):
    """A beginning of work: what is asked of the assistant, and the data that it needs for that."""

    name: str
    says: str
    arguments: tuple[Argument, ...]
    write: Callable[[Working, Mapping[str, str]], tuple[str, str]]


def _talks(working: Working, _: str) -> Answer:
    return talk_answers.talks(working.companion.conversations(persona=working.persona, limit=FOUND_MAX))


RESOURCES: tuple[Resource, ...] = (
    Resource("context", "context", "What is known for the current work", lambda working, _: context.call(working)),
    Resource(
        "preamble",
        "preamble",
        "The notes in sight",
        lambda working, _: Answer(working.companion.preamble().text),
        "text/markdown",
    ),
    Resource("notes", "notes", "", lambda working, _: notes.shown(working.companion.notes())),
    Resource("threads", "threads", "What is open", lambda working, _: get_open_threads.call(working, limit=FOUND_MAX)),
    Resource("story", "story", "", lambda working, _: get_your_story.call(working, limit=FOUND_MAX)),
    Resource(
        "contradictions",
        "contradictions",
        "",
        lambda working, _: answers.opposed(working.companion.contradictions(), FOUND_MAX),
    ),
    Resource("judgements", "judgements", "", lambda working, _: judging.pending_judgements.call(working)),
    Resource("conversations", "conversations", "", _talks),
    Resource("memory", "memories/{id}", "", expand.call),
    Resource("conversation", "conversations/{id}", "", get_conversation_archive.call),
)


def resource_at(uri: str) -> tuple[Resource, str]:
    """The resource of an address, and the id in it. Raises UsageError for an address of none."""
    path = uri.removeprefix(SCHEME) if uri.startswith(SCHEME) else ""
    for one in RESOURCES:
        before, template, _ = one.path.partition("{id}")
        id_ = path.removeprefix(before) if template and path.startswith(before) else ""
        if id_ or (path == one.path and not template):
            return one, id_
    raise UsageError("There is no such resource.", f"There are {', '.join(one.uri for one in RESOURCES)}.")


def _start_work(working: Working, given: Mapping[str, str]) -> tuple[str, str]:
    known = context.call(working, query=given["task"], file=given.get("file", ""))
    wanted = (
        f"Task: {given['task']}\n\n"
        "The data below is what is remembered of this repository. Name the decisions, conventions and earlier "
        "failures in it that bear on the task, with their ids, then propose the next steps."
    )
    return wanted, known.text


def _why(working: Working, given: Mapping[str, str]) -> tuple[str, str]:
    line = given["line"]
    if not (line.isascii() and line.isdigit() and 0 < len(line) <= LINE_MAX_DIGITS and int(line)):
        raise UsageError("`line` must be a whole number from 1.", "Give the line that you ask about.")
    why = why_in_full(working.companion, working.at_hand(given["file"]), int(line))
    wanted = (
        f"Why is {given['file']}, line {line}, as it is? Explain it from the data below, name the source of each "
        "statement, and say what it does not tell."
    )
    return wanted, answers.reasons(why)


def _begin_day(working: Working, _: Mapping[str, str]) -> tuple[str, str]:
    wanted = (
        "Greet the user in two or three sentences by the data below: offer to go on with the conversation that waits, "
        "or name what is due, open and waited for. Offer, do not demand, and add nothing that is not there."
    )
    return wanted, where_were_we.call(working).text


PROMPTS: tuple[Prompt, ...] = (
    Prompt("begin_day", "Begin with what is open", (), _begin_day),
    Prompt(
        "start_work",
        "Begin a task",
        (Argument("task", "What is to be done", required=True, most=sys.maxsize), Argument("file", "Where")),
        _start_work,
    ),
    Prompt(
        "why",
        "Explain a line",
        (Argument("file", "Path", required=True), Argument("line", "Number", required=True)),
        _why,
    ),
)


def written(working: Working, name: str, given: Mapping[str, str] | None) -> tuple[str, str]:
    """A prompt's words and its data. Raises UsageError for what is not known, missing or too long."""
    prompt = next((one for one in PROMPTS if one.name == name), None)
    if prompt is None:
        raise UsageError("There is no such prompt.", f"There are {', '.join(one.name for one in PROMPTS)}.")
    values = dict(given or {})
    known = {one.name: one for one in prompt.arguments}
    for name_, value in values.items():
        if name_ not in known or len(value) > known[name_].most:
            raise UsageError(f"`{name_[:40]}` is not understood.", f"`{prompt.name}` takes {', '.join(known)}.")
    if missing := [one.name for one in prompt.arguments if one.required and not values.get(one.name, "").strip()]:
        raise UsageError(f"`{missing[0]}` is missing.", f"`{prompt.name}` takes {', '.join(known)}.")
    return prompt.write(working, values)
