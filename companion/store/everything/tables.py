"""Which tables an export of everything holds, row by row, beside those of memories.

A test fails for a table that is neither here nor said there to be made again from what it was made of.
"""

from __future__ import annotations

from msgspec import Struct

from companion.ports.composing import composed


class KeptTable(Struct, frozen=True):
    """A table that is exported: the order of its rows, and the columns that hold people's words."""

    name: str
    order: str
    said: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """What tells its rows, where the table does not say so itself; without any, a row is told by all of it."""
    later: tuple[str, ...] = ()
    """Columns that exports of earlier versions lack."""

    @property
    def rows(self) -> str:
        """The question for its rows."""
        return composed("select * from {name} order by {order}", name=self.name, order=self.order)


KEPT = (
    KeptTable("projects", "id", ("name",)),
    KeptTable("acts", "id", ("name",)),
    KeptTable("conversations", "id", ("title", "preview", "made_by")),
    KeptTable("turns", "conversation_id, number", ("messages", "words", "gist", "channel")),
    KeptTable("items", "id", ("text", "quote", "details")),
    KeptTable("talk_places", "user_id"),
    KeptTable("turn_moves", "turn_id, number", ("why",)),
    KeptTable("talk_sessions", "id"),
    KeptTable("talk_summaries", "id", ("text",)),
    KeptTable("talk_states", "user_id, persona", ("error",)),
    KeptTable("talk_sources", "name"),
    KeptTable("talk_logs", "source, name", ("facts", "why")),
    KeptTable("talk_gone", "digest"),
    KeptTable("nudges", "id", ("why",)),
    KeptTable("answers", "id", ("request", "action", "said", "right_reading", "note")),
    KeptTable("influences", "answer_id, source_id", ("why",)),
    KeptTable("memory_links", "project_id, relation, a, b", ("reason",)),
    KeptTable("aliases", "project_id, entity", ("reason",)),
    KeptTable("rulings", "pair_hash, judge", ("reason",)),
    KeptTable("judgements", "id", ("why", "reason"), later=("also",)),
    KeptTable("rewordings", "text_hash, model", ("why_not",)),
    KeptTable("runs", "id", ("notes",), later=("notes",)),
    KeptTable("run_changes", "run_id, number", ("change", "reason", "why_not", "said"), later=("said",)),
    KeptTable("run_decisions", "run_id, place", ("reason", "said")),
    KeptTable("run_rows", "all", ("before", "after")),
    KeptTable("run_digests", "all"),
    KeptTable("events", "checkout_id, number", ("path", "symbol", "branch"), ("checkout_id", "number")),
    KeptTable("servings", "all", ("path", "items", "files"), later=("files",)),
    KeptTable("foreseen", "all"),
    KeptTable("replayed", "project_id, sha"),
    KeptTable("team_records", "project_id, id", ("text",)),
    KeptTable("team_sent", "project_id, record_id, way"),
    KeptTable("commands", "id", ("command", "step", "directory", "branch", "failure")),
    KeptTable("sightings", "id", ("message", "frames", "symbols", "fix_lines", "fix")),
)
"""What nothing but this store knows."""
