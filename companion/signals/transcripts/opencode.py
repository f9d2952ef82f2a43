"""opencode: its database `~/.local/share/opencode/opencode.db`, tables `session`, `message` and `part`.

A part's JSON says what it is; text that the program put there is marked as synthetic. Reasoning, tools and sessions
of helpers (those that have a parent) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.records.talk import Role
from companion.signals.transcripts.fields import moment_of, record_or_empty, text_of
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, Rows, said_by

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
        facts.begin(str(session), str(folder or ""), str(title or ""))
        last = ""
        for id_, about, at, part in rows(_PARTS, {"session": session}):
            role, said = _ROLES.get(text_of(record_or_empty(about), "role")), record_or_empty(part)
            if said.get("type") != "text" or said.get("synthetic") or said.get("ignored"):
                continue
            for one in said_by(role, [text_of(said.get("text"))], moment_of(at), str(id_), goes_on=str(id_) == last):
                yield one
                last = one.id


_HOMES = ("$XDG_DATA_HOME/opencode", "~/.local/share/opencode")
ASSISTANT = AssistantLogs("opencode", "opencode", LogForm.TABLES, _HOMES, ("opencode.db",), read, name_of=str)
