"""Nudges as they are kept: a row for each thing that could be offered, with no word of what it says.

What a nudge is about may be deleted for good at any time; its row holds ids, so nothing is left behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from companion.errors import the_one
from companion.records.nudges import Nudge, NudgeAnswer, NudgeSort, NudgeState
from companion.store.by_columns import set_where
from companion.store.database import Database
from companion.store.rows import Given, Table, apart
from companion.store.statements import execute
from companion.store.texts import hashed_id

KEPT_BACK_FOR = timedelta(days=90)
"""What was kept back and not looked at again for so long is settled, or gone."""
PAST_MOST = 500
"""Offers looked back at: more than a year of two a day, most of which weigh nothing any more."""

NUDGES = Table(Nudge, "nudges", {"text": Given(""), **apart("opens", "next_step")})

_OF_SUBJECTS = NUDGES.select("""
where user_id = $user
    and (state = 'offered' or subject in (select unnest($subjects::varchar[])))
order by offered_at desc nulls last, id
limit $limit
""")

_PRUNE = """
delete from nudges
where state = 'kept back'
    and decided_at < $before
"""


def nudge_id(user: str, sort: NudgeSort, subject: str) -> str:
    """The id of a nudge: the same subject is the same one."""
    return hashed_id("n1", user, sort.value, subject)


def latest(database: Database, user: str, limit: int) -> tuple[Nudge, ...]:
    """What was decided last first."""
    return NUDGES.where(database, order="decided_at desc, id", limit=limit, user_id=user)


def past(database: Database, user: str, subjects: Sequence[str]) -> tuple[Nudge, ...]:
    """What was offered, and what is kept of these subjects."""
    return _OF_SUBJECTS.all(database, user=user, subjects=subjects, limit=PAST_MOST)


def get(database: Database, user: str, id_: str) -> Nudge:
    """A nudge by its id or the beginning of it. Raises UsageError."""
    found = NUDGES.begun(database, id_, user_id=user)
    return the_one(found, id_, "nudge", "`companion call nudges` lists them with their ids.")


def keep_back(
    database: Database, user: str, project: str, kept: Sequence[tuple[NudgeSort, str, str]], now: datetime
) -> None:
    """Note why things are not offered: sort, subject, reason. What was offered already is left as it is."""
    with database.write(quiet=True) as connection:
        for sort, subject, why in kept:
            id_ = nudge_id(user, sort, subject)
            before = NUDGES.one(connection, id=id_)
            if before is None:
                new = Nudge(id_, sort, subject, "", NudgeState.KEPT_BACK, why, now)
                NUDGES.insert(connection, [new], user_id=user, project_id=project)
            elif before.state is NudgeState.KEPT_BACK:
                NUDGES.refresh(connection, [replace(before, why=why, decided_at=now)], "why", "decided_at")
        execute(connection, _PRUNE, {"before": now - KEPT_BACK_FOR})


def offer(
    database: Database, user: str, project: str, sort: NudgeSort, subject: str, seen: Sequence[Nudge], now: datetime
) -> bool:
    """Note that something is offered; false, and nothing noted, where another client was quicker.

    `seen` is what the decision was made on: a nudge that was offered since makes it void.
    """
    with database.write(quiet=True) as connection:
        if _offered(past(database, user, ())) != _offered(seen):
            return False
        id_, why = nudge_id(user, sort, subject), "nothing spoke against it"
        new = Nudge(id_, sort, subject, "", NudgeState.OFFERED, why, now, times=1, offered_at=now)
        if (before := NUDGES.one(connection, id=id_)) is None:
            NUDGES.insert(connection, [new], user_id=user, project_id=project)
        else:
            again = replace(new, times=before.times + 1)
            NUDGES.refresh(
                connection, [again], "state", "why", "decided_at", "times", "offered_at", "answer", "answered_at"
            )
    return True


def answer(database: Database, id_: str, said: NudgeAnswer, now: datetime) -> None:
    """Note the answer to an offer; a later one takes its place."""
    told = {"answer": said, "answered_at": now}
    set_where(database, "nudges", told, quiet=True, id=id_, state=NudgeState.OFFERED)


def join(database: Database, id_: str, conversation: str) -> None:
    """Note the conversation that an offer joined."""
    with database.write(quiet=True) as connection:
        NUDGES.change(connection, id_, conversation_id=conversation)


def _offered(rows: Sequence[Nudge]) -> list[tuple[str, int]]:
    return sorted((row.id, row.times) for row in rows if row.state is NudgeState.OFFERED)
