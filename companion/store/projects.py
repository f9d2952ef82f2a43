"""Which projects and checkouts the store knows, and what it notes about each."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec import Struct

from companion.errors import StoreUnwritable
from companion.records import RepoState, Skipped
from companion.store import identity
from companion.store.bulk import insert_dicts
from companion.store.by_columns import column_where, delete_where, put_row, value_where
from companion.store.database import Database
from companion.store.identity import Checkout, Project
from companion.store.rows import Table
from companion.store.texts import clean

USER_ID = "user_id"

SKIPPED = Table(Skipped, "skipped")


def identify(database: Database, state: RepoState, now: datetime) -> tuple[str, str]:
    """The ids of the project and the checkout that a repository is; both are made where they are new.

    In a store that is only read a new checkout has no id, and a new project neither.
    """
    state = identity.comparable(state)
    with database.read() as connection:
        known = identity.known(connection, state)
    if known is not None:
        return known
    if database.unwritable is not None:
        return recognised(database, state), ""
    with database.write() as connection:
        return identity.settle(connection, state, now)


def recognised(database: Database, state: RepoState) -> str:
    """The project that a repository is, where it is known by its folder or its remote; nothing is written."""
    with database.read() as connection:
        return identity.recognised(connection, identity.comparable(state))


def projects(database: Database) -> tuple[Project, ...]:
    """Every project, the first seen first."""
    return identity.PROJECTS.where(database, order="first_seen_at, id")


def project(database: Database, id_: str) -> Project | None:
    """One project by its id."""
    return identity.PROJECTS.one(database, id=id_)


def project_name(database: Database, id_: str) -> str:
    """What people call a project; its id where it is unknown."""
    known = project(database, id_)
    return id_ if known is None else known.name


def checkouts(database: Database, project_id: str) -> tuple[Checkout, ...]:
    """The checkouts of a project, by folder."""
    with database.read() as connection:
        return identity.checkouts_of(connection, project_id)


def checkout_head(database: Database, checkout: str) -> str:
    """The commit a checkout was last scanned at; empty before the first scan."""
    return str(value_where(database, "checkouts", "head", id=checkout, otherwise=""))


def scanned_at(database: Database, checkout: str) -> datetime | None:
    """When a checkout was last read to the end, naive UTC; None if it never was."""
    at: datetime | None = value_where(database, "checkouts", "scanned_at", id=checkout)
    return at


def set_scanned(database: Database, checkout: str, state: RepoState, now: datetime) -> None:
    """Note that a checkout was scanned as `state` describes it."""
    identity.CHECKOUTS.change(database, checkout, branch=state.branch, head=state.head, scanned_at=now)


def consent(database: Database, project_id: str, now: datetime) -> None:
    """Note that the user agreed to reading a project."""
    identity.PROJECTS.change(database, project_id, consent_at=now)


def user_id(database: Database, fresh: Callable[[], str] = lambda: f"u1{secrets.token_hex(15)}") -> str:
    """The id of the store's one user, made by `fresh` the first time it is asked for."""
    known = get_value(database, USER_ID)
    if known:
        return known
    with database.write():
        known = get_value(database, USER_ID) or fresh()
        set_value(database, USER_ID, known)
    return known


def get_value(database: Database, name: str) -> str:
    """A single value kept under a name; empty if there is none."""
    return str(value_where(database, "store_meta", "value", name=name, otherwise=""))


def set_value(database: Database, name: str, value: str) -> None:
    """Keep a single value under a name. No memory depends on it, so caches stay."""
    put_row(database, "store_meta", quiet=True, name=name, value=value)


class StoredRoots(Struct, frozen=True):
    """Keeps what git found out about the oldest commit of each git folder."""

    database: Database

    def note(self, common_dir: str) -> str:
        """What was kept for a git folder; empty if nothing was."""
        return get_value(self.database, _root_name(common_dir))

    def keep(self, common_dir: str, note: str) -> None:
        """Keep a note for a git folder. It only spares time: a store that cannot be written does without."""
        with suppress(StoreUnwritable):
            set_value(self.database, _root_name(common_dir), note)


def _root_name(common_dir: str) -> str:
    return f"root:{clean(common_dir)}"


def set_skipped(
    database: Database, checkout: str, rows: Iterable[Skipped], before: Iterable[str] | None = None
) -> None:
    """Replace the list of what was not read of a checkout, or what it says of the paths `before`."""
    among = {} if before is None else {"path": [clean(path) for path in before]}
    with database.write() as connection:
        delete_where(connection, "skipped", checkout_id=checkout, **among)
        SKIPPED.insert(connection, list(rows), checkout_id=checkout)


def skipped(database: Database, checkout: str) -> tuple[Skipped, ...]:
    """What a checkout's last scan did not read, by path."""
    return SKIPPED.where(database, order="path, reason", checkout_id=checkout)


def note_unlearned(database: Database, checkout: str, paths: Sequence[str]) -> None:
    """Note paths whose code is indexed and which nothing was learned from yet."""
    with database.write() as connection:
        rows = [{"checkout_id": checkout, "path": clean(path)} for path in paths]
        insert_dicts(connection, "unlearned", rows)


def unlearned(database: Database, checkout: str) -> set[str]:
    """The paths that a scan which was cut off left unlearned."""
    return set(column_where(database, "unlearned", "path", checkout_id=checkout))


def clear_unlearned(database: Database, checkout: str) -> None:
    """Everything indexed was learned from."""
    delete_where(database, "unlearned", checkout_id=checkout)
