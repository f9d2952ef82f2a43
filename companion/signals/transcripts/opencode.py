"""opencode: its database `~/.local/share/opencode/opencode.db`, tables `session`, `message` and `part`.

A part's JSON says what it is; text that the program put there is marked as synthetic. Reasoning, tools and sessions
of helpers (those that have a parent) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.records.talk import Role
from companion.signals.transcripts.injected import typed
from companion.signals.transcripts.said import (
    AssistantLogs,
    Facts,
    HeardMessage,
    LogForm,
    NotOfThisForm,
    Rows,
    Surroundings,
    as_object,
    json_of,
    moment_of,
    text_of,
)

_SESSIONS = """
select id, directory, title
from session
where parent_id is null
order by id
"""
_PARTS = """
select message.id, message.data, message.time_created, part.data
from message
join part on part.message_id = message.id
where message.session_id = :session
order by message.time_created, message.id, part.id
"""
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


def read(rows: Rows, facts: Facts) -> Iterator[HeardMessage]:
    """What every session says, one after the other; the parts of a message are one."""
    for session, folder, title in rows(_SESSIONS, {}):
        facts.session, facts.folder, facts.title, facts.before = str(session), str(folder or ""), str(title or ""), ""
        last = ""
        for id_, message, at, part in rows(_PARTS, {"session": session}):
            try:
                about, said = as_object(json_of(message)), as_object(json_of(part))
            except NotOfThisForm:
                continue
            role = _ROLES.get(text_of(about.get("role")))
            if role is None or said.get("type") != "text" or said.get("synthetic") or said.get("ignored"):
                continue
            text = text_of(said.get("text"))
            text = typed(text) if role is Role.USER else text
            if text.strip():
                yield HeardMessage(role, text, moment_of(at), str(id_), goes_on=str(id_) == last)
                last = str(id_)


def _places(around: Surroundings) -> Sequence[Path]:
    said = around.environ.get("XDG_DATA_HOME", "")
    return (*(Path(said) / "opencode" for _ in [0] if said), around.home / ".local" / "share" / "opencode")


ASSISTANT = AssistantLogs("opencode", "opencode", LogForm.TABLES, _places, ("opencode.db",), read, name_of=str)
