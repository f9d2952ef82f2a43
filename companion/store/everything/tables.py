"""Which tables an export of everything holds, row by row, beside those of memories.

A test fails for a table that is neither here nor said there to be made again from what it was made of.
"""

from __future__ import annotations

from msgspec import Struct


class KeptTable(Struct, frozen=True):
    """A table that is exported: the question for its rows in their order, and the columns that hold people's words."""

    name: str
    rows: str
    said: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """What tells its rows, where the table does not say so itself; without any, a row is told by all of it."""
    later: tuple[str, ...] = ()
    """Columns that exports of earlier versions lack."""


KEPT = (
    KeptTable("projects", "select * from projects order by id", ("name",)),
    KeptTable("acts", "select * from acts order by id", ("name",)),
    KeptTable("conversations", "select * from conversations order by id", ("title", "preview", "made_by")),
    KeptTable(
        "turns", "select * from turns order by conversation_id, number", ("messages", "words", "gist", "channel")
    ),
    KeptTable("items", "select * from items order by id", ("text", "quote", "details")),
    KeptTable("talk_places", "select * from talk_places order by user_id"),
    KeptTable("talk_moves", "select * from talk_moves order by conversation_id, number", ("why",)),
    KeptTable("turn_moves", "select * from turn_moves order by turn_id, number", ("why",)),
    KeptTable("talk_sessions", "select * from talk_sessions order by id"),
    KeptTable("talk_summaries", "select * from talk_summaries order by id", ("text",)),
    KeptTable("talk_states", "select * from talk_states order by user_id, persona", ("error",)),
    KeptTable("talk_sources", "select * from talk_sources order by name"),
    KeptTable("talk_logs", "select * from talk_logs order by source, name", ("facts", "why")),
    KeptTable("talk_gone", "select * from talk_gone order by digest"),
    KeptTable("nudges", "select * from nudges order by id", ("why",)),
    KeptTable("answers", "select * from answers order by id", ("request", "action", "said", "right_reading", "note")),
    KeptTable("influences", "select * from influences order by answer_id, source_id", ("why",)),
    KeptTable("memory_links", "select * from memory_links order by project_id, relation, a, b", ("reason",)),
    KeptTable("aliases", "select * from aliases order by project_id, entity", ("reason",)),
    KeptTable("rulings", "select * from rulings order by pair_hash, judge", ("reason",)),
    KeptTable("judgements", "select * from judgements order by id", ("why", "reason"), later=("also",)),
    KeptTable("rewordings", "select * from rewordings order by text_hash, model", ("why_not",)),
    KeptTable("runs", "select * from runs order by id", ("notes",), later=("notes",)),
    KeptTable(
        "run_changes",
        "select * from run_changes order by run_id, number",
        ("change", "reason", "why_not", "said"),
        later=("said",),
    ),
    KeptTable("run_decisions", "select * from run_decisions order by run_id, place", ("reason", "said")),
    KeptTable("run_rows", "select * from run_rows order by all", ("before", "after")),
    KeptTable("run_digests", "select * from run_digests order by all"),
    KeptTable(
        "events",
        "select * from events order by checkout_id, number",
        ("path", "symbol", "branch"),
        ("checkout_id", "number"),
    ),
    KeptTable("servings", "select * from servings order by all", ("path", "items", "files"), later=("files",)),
    KeptTable("foreseen", "select * from foreseen order by all"),
    KeptTable("replayed", "select * from replayed order by project_id, sha"),
    KeptTable("team_records", "select * from team_records order by project_id, id", ("text",)),
    KeptTable("team_sent", "select * from team_sent order by project_id, record_id, way"),
    KeptTable("commands", "select * from commands order by id", ("command", "step", "directory", "branch", "failure")),
    KeptTable("sightings", "select * from sightings order by id", ("message", "frames", "symbols", "fix_lines", "fix")),
)
"""What nothing but this store knows."""
