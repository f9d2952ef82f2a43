"""Acts, the containers of memories: one a project, others by name, and Your Story, which is always there."""

from __future__ import annotations

from datetime import datetime

from companion.errors import UsageError
from companion.records.talk import Act
from companion.store.by_columns import column_where, delete_where
from companion.store.database import Database
from companion.store.rows import Source, Table
from companion.store.talk import act_memories, items
from companion.store.texts import clean, hashed_id

YOUR_STORY = "Your Story"
NAME_MAX = 80
"""Characters of an act's name: a heading."""

ACTS = Table(Act, "acts")


def act_id(user: str, name: str, project: str = "") -> str:
    """The id of an act: a project has one, whatever it is called."""
    return hashed_id("a1", user, project or clean(name).casefold())


def all_of(source: Source, user: str) -> tuple[Act, ...]:
    """The user's acts, Your Story first; empty before any was made."""
    return ACTS.where(source, order="permanent desc, lower(name), id", user_id=user, deleted_at=None)


def ensure(database: Database, user: str, name: str, now: datetime, *, project: str = "") -> Act:
    """The act of a project, or of that name; made if it is not there. Raises UsageError for a name that is none."""
    called = " ".join(clean(name).split())
    if not called or len(called) > NAME_MAX:
        raise UsageError(f"An act's name has 1 to {NAME_MAX} characters.", 'Give one: `companion story --new "NAME"`.')
    id_ = act_id(user, called, project)
    with database.write(signed=False) as connection:  # made again it is the same one
        there = {act.id: act for act in all_of(connection, user)}
        if id_ in there:
            return there[id_]
        delete_where(connection, "acts", id=id_)  # one of that name that was deleted
        new = Act(id_, called, project, permanent=called == YOUR_STORY and not project, created_at=now)
        ACTS.insert(connection, [new], user_id=user)
    return new


def your_story(database: Database, user: str, now: datetime) -> Act:
    """The one permanent act, about the user."""
    return ensure(database, user, YOUR_STORY, now)


def named(database: Database, user: str, given: str) -> Act:
    """An act by its name or the beginning of its id. Raises UsageError, which names those there are."""
    there = all_of(database, user)
    fits = [act for act in there if act.name.casefold() == given.strip().casefold()]
    fits = fits or [act for act in there if given and act.id.startswith(given)]
    if len(fits) != 1:
        names = ", ".join(act.name for act in there) or "none yet"
        raise UsageError(
            f"There is no one act {given!r}; there are: {names}.", 'Make one: `companion story --new "NAME"`.'
        )
    return fits[0]


def delete(database: Database, act: Act, user: str, now: datetime) -> None:
    """Delete an act; what it holds goes to Your Story. Raises UsageError for Your Story and for a project's act."""
    if act.permanent or act.project:
        what = "Your Story is permanent." if act.permanent else f"{act.name} is the act of a project."
        raise UsageError(what, "Only other lines of work can be deleted.")
    with database.write() as connection:
        story = your_story(database, user, now)
        act_memories.assign(database, column_where(connection, "memories", "id", act_id=act.id), story)
        items.move_act(database, act.id, story.id)
        ACTS.change(connection, act.id, deleted_at=now)
