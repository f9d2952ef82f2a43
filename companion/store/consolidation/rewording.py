"""Which texts a model may word better, and what became of asking it."""

from __future__ import annotations

from datetime import datetime, timedelta

from companion.ports.composing import composed
from companion.records import Wording
from companion.store.by_columns import put_row
from companion.store.database import Database
from companion.store.memories.rows_sql import BY_HAND
from companion.store.rows import Query

TRIES_MOST = 3
"""Runs in which a model is asked about one text in vain: a fourth answer is hardly better than the third."""
REST = timedelta(hours=12)
"""Between two tries: another run, whenever this one began."""
WORTH_TOKENS = 24
"""A shorter summary says all that there is to say in it."""
REASON_CHARACTERS = 300
"""Kept of why an answer was not used."""

_TO_REWORD = Query(
    Wording,
    composed(
        """
with mine as (
    select
        id, kind, if(kind = 'episode', subject, content_compressed) as statement,
        content_full, content_summary, content_compressed, content_index,
        [tokens_full, tokens_summary, tokens_compressed, tokens_index] as tokens, md5(content_full) as text_hash
    from memories
    where project_id = $project
        and status = 'active'
        and tokens_summary >= $least
        and not {by_hand}
)
select
    id, kind, statement, content_full, content_summary, content_compressed, content_index,
    tokens, mine.text_hash, coalesce(tries, 0) as tries
from mine
left join rewordings on rewordings.text_hash = mine.text_hash and rewordings.model = $model
where rewordings.text_hash is null
    or rewordings.why_not <> '' and tries < $tries and tried_at < $before
order by coalesce(rewordings.tries, 0), tokens[2] desc, id
limit $limit
""",
        by_hand=BY_HAND,
    ),
    {"levels": "content_"},
)


def to_reword(database: Database, project: str, model: str, now: datetime, limit: int) -> tuple[Wording, ...]:
    """Memories the model was not asked about yet, or in vain another run, longest summaries first."""
    tries = {"least": WORTH_TOKENS, "tries": TRIES_MOST, "before": now - REST}
    return _TO_REWORD.all(database, project=project, model=model, limit=limit, **tries)


def note(database: Database, model: str, wording: Wording, why_not: str, now: datetime) -> None:
    """Keep what asking came to; nothing of the texts."""
    given = {
        "text_hash": wording.text_hash,
        "model": model,
        "tries": wording.tries + 1,
        "why_not": why_not[:REASON_CHARACTERS],
        "tried_at": now,
    }
    put_row(database, "rewordings", quiet=True, **given)
