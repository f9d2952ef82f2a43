"""What the tables know of work that stopped: failing commands, decisions, what was turned down."""

from __future__ import annotations

from datetime import datetime

from companion.records import Memory
from companion.records.reasoning import Answered
from companion.store.database import Database
from companion.store.memories.rows_sql import memories_of
from companion.store.reason.answers import ANSWERS
from companion.store.working.commands import COMMANDS, Command

_FAILED = COMMANDS.select("""
where checkout_id = $checkout
    and started_at >= $since
    and step <> ''
qualify row_number() over (partition by directory, step order by started_at desc, id) = 1
    and exit_code not in (0, 130, 143)
order by started_at desc, id
limit $limit
""")
"""130 and 143 are how a shell tells of a command that somebody stopped."""

_DECISIONS = """
select id
from memories
where project_id = $project
    and kind = 'fact'
    and type = 'decision'
    and status = 'active'
    and superseded_by = ''
    and source <> 'shadow-extraction'
    and persona in ('', $persona)
    and scope_branch in ('', $branch)
    and (not contains(learner, '@') or ends_with(learner, '@' || $checkout))
    and if(
        body->>'status' = 'in force',
        coalesce(valid_from, if(source = 'scan', null, created_at)) >= $since,
        body->>'status' = 'proposed'
    )
order by coalesce(valid_from, created_at) desc, id
limit $limit
"""
"""Those that conversations left are open items, and told as such."""

_TURNED_DOWN = ANSWERS.select("""
where project_id = $project
    and outcome = 'rejected'
    and outcome_at >= $since
order by outcome_at desc, id
limit $limit
""")


def failed(database: Database, checkout: str, since: datetime, limit: int) -> tuple[Command, ...]:
    """Commands that went wrong when they were run last, newest first."""
    return _FAILED.all(database, checkout=checkout, since=since, limit=limit)


def decisions(
    database: Database, project: str, checkout: str, branch: str, persona: str, since: datetime, limit: int
) -> tuple[Memory, ...]:
    """Decisions that were taken since a moment, and proposed ones whatever their age, newest first."""
    seen_by = {"checkout": checkout, "branch": branch, "persona": persona}
    return memories_of(database, _DECISIONS, project=project, since=since, limit=limit, **seen_by)


def turned_down(database: Database, project: str, since: datetime, limit: int) -> tuple[Answered, ...]:
    """What was proposed for a request and a person rejected, newest first."""
    return _TURNED_DOWN.all(database, project=project, since=since, limit=limit)
