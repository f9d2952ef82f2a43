"""What each sort of change does, as images: a statement a sort writes, for a batch, rows before and after.

Nothing is moved here; `images.put` does that. What a memory goes through when it leaves (archived, with a
reason; the contradictions it stood in closed, or taken over by the memory that stays) is the same for all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.ports import TokenCounter
from companion.records import memory_key
from companion.records.tidying import Rescope, Reword
from companion.store.bulk import insert_rows
from companion.store.consolidation.about import About
from companion.store.consolidation.batches import Planned
from companion.store.consolidation.deeds_sql import BATCH, DEEDS, WORD_COLUMNS, WORDS
from companion.store.memories.rows_sql import load

if TYPE_CHECKING:
    import duckdb

ROW_COLUMNS = ("run_id", "number", "table_name", "row_key", "before", "after")


def write(connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned], counter: TokenCounter) -> None:
    """Write the images of a batch, all of one sort, that is about to be carried out."""
    what = batch[0].what
    if what == "Reword":
        _write_images(connection, about, _reworded(connection, batch, counter))
    elif what == "Rescope":
        _write_images(connection, about, _rescoped(connection, about.project, batch))
    numbers = [one.number for one in batch]
    for statement in DEEDS.get(what, ()):
        connection.execute(BATCH + statement, about.given(BATCH + statement, numbers))


def moved_path(path: str, change: Rescope) -> str:
    """Where a path is after a rename of it, or of a folder that it lies in; itself where the rename is not its."""
    if path == change.path:
        return change.to
    return change.to + path[len(change.path) :] if path.startswith(change.path + "/") else path


def moved_entities(entities: Sequence[str], change: Rescope) -> dict[str, str]:
    """The file entities that a rename moves, old to new."""
    files = {name: "file:" + moved_path(name[5:], change) for name in entities if name.startswith("file:")}
    return {old: new for old, new in files.items() if old != new}


Image = tuple[int, str, str, dict[str, object] | None, dict[str, object] | None]
"""Number of the change, table, key of the row, the row before and after."""


def _reworded(
    connection: duckdb.DuckDBPyConnection, batch: Sequence[Planned], counter: TokenCounter
) -> Iterator[Image]:
    changes = {one.memories[0]: (one.number, one.change) for one in batch}
    for id_, *texts in connection.execute(WORDS, {"ids": list(changes)}).fetchall():
        number, change = changes[id_]
        assert isinstance(change, Reword)
        levels = change.levels
        words = (levels.summary, levels.compressed, levels.index)
        after = (*words, *map(counter.count, words))
        yield (
            number,
            "memories",
            id_,
            dict(zip(WORD_COLUMNS, texts, strict=True)),
            dict(zip(WORD_COLUMNS, after, strict=True)),
        )


def _rescoped(connection: duckdb.DuckDBPyConnection, project: str, batch: Sequence[Planned]) -> Iterator[Image]:
    found = {memory.id: memory for memory in load(connection, [one.memories[0] for one in batch])}
    for one in batch:
        memory, change = found[one.memories[0]], one.change
        assert isinstance(change, Rescope)
        draft = memory.draft
        scope = replace(draft.scope, path=moved_path(draft.scope.path, change))
        key = memory_key(replace(draft, scope=scope), project)
        before = {"scope_path": draft.scope.path, "memory_key": memory.key}
        after = {"scope_path": scope.path, "memory_key": key if scope != draft.scope else memory.key}
        yield one.number, "memories", memory.id, {**before}, {**after}
        for old, new in moved_entities(draft.entities, change).items():
            image: dict[str, object] = {"memory_id": memory.id, "entity": old}
            yield one.number, "memory_entities", f"{memory.id}\x1f{old}", image, None
            if new not in draft.entities:
                yield one.number, "memory_entities", f"{memory.id}\x1f{new}", None, image | {"entity": new}


def _write_images(connection: duckdb.DuckDBPyConnection, about: About, images: Iterable[Image]) -> None:
    rows = [
        (about.run, number, table, key, _json(before), _json(after)) for number, table, key, before, after in images
    ]
    insert_rows(connection, "night_rows", ROW_COLUMNS, rows)


def _json(image: dict[str, object] | None) -> str | None:
    return None if image is None else json.dumps(image, ensure_ascii=False)
