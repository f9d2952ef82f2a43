"""Which tables an export of everything holds, row by row, beside those of memories.

A test fails for a table that is neither here nor said there to be made again from what it was made of.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """A table that is exported: the question for its rows in their order, and the columns that hold people's words."""

    name: str
    rows: str
    said: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """What tells its rows, where the table does not say so itself; without any, a row is told by all of it."""
    later: tuple[str, ...] = ()
    """Columns that exports of earlier versions lack."""


KEPT = (
    Kept("projects", "select * from projects order by id", ("name",)),
    Kept("acts", "select * from acts order by id", ("name",)),
    Kept("conversations", "select * from conversations order by id", ("title", "preview", "made_by")),
    Kept("turns", "select * from turns order by conversation_id, number", ("messages", "words", "gist", "channel")),
    Kept("items", "select * from items order by id", ("text", "quote", "details")),
    Kept("talk_places", "select * from talk_places order by user_id"),
    Kept("talk_moves", "select * from talk_moves order by conversation_id, number", ("why",)),
    Kept("turn_moves", "select * from turn_moves order by turn_id, number", ("why",)),
    Kept("talk_sessions", "select * from talk_sessions order by id"),
    Kept("talk_summaries", "select * from talk_summaries order by id", ("text",)),
    Kept("talk_states", "select * from talk_states order by user_id, persona", ("error",)),
    Kept("talk_sources", "select * from talk_sources order by name"),
    Kept("talk_logs", "select * from talk_logs order by source, name", ("facts", "why")),
    Kept("talk_gone", "select * from talk_gone order by digest"),
    Kept("nudges", "select * from nudges order by id", ("why",)),
    Kept("answers", "select * from answers order by id", ("request", "action", "said", "right_reading", "note")),
    Kept("influences", "select * from influences order by answer_id, source_id", ("why",)),
    Kept("memory_links", "select * from memory_links order by project_id, relation, a, b", ("reason",)),
    Kept("aliases", "select * from aliases order by project_id, entity", ("reason",)),
    Kept("rulings", "select * from rulings order by pair_hash, judge", ("reason",)),
    Kept("judgements", "select * from judgements order by id", ("why", "reason")),
    Kept("rewordings", "select * from rewordings order by text_hash, model", ("why_not",)),
    Kept("night_runs", "select * from night_runs order by id"),
    Kept("night_changes", "select * from night_changes order by run_id, number", ("change", "reason", "why_not")),
    Kept("night_rows", "select * from night_rows order by all", ("before", "after")),
    Kept("night_digests", "select * from night_digests order by all"),
    Kept(
        "events",
        "select * from events order by checkout_id, number",
        ("path", "symbol", "branch"),
        ("checkout_id", "number"),
    ),
    Kept("servings", "select * from servings order by all", ("path", "items", "files"), later=("files",)),
    Kept("foreseen", "select * from foreseen order by all"),
    Kept("replayed", "select * from replayed order by project_id, sha"),
    Kept("commands", "select * from commands order by id", ("command", "step", "directory", "branch", "failure")),
    Kept("sightings", "select * from sightings order by id", ("message", "frames", "symbols", "fix_lines", "fix")),
)
"""What nothing but this store knows."""
