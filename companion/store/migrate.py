"""Bring a store's schema up to date: numbered scripts, each in a transaction, each once."""

from __future__ import annotations

from companion_schema import LATEST, Migration, migrations

from companion.__about__ import __version__
from companion.store.backup import backup
from companion.store.binding import duckdb
from companion.store.database import Database
from companion.store.trouble import too_new

_FIRST = 1
"""Number of the script that finds an empty store."""

_CREATE = """
create table if not exists schema_migrations (
    number integer primary key,
    name varchar not null,
    written_by varchar not null,
    applied_at timestamp not null default (now() at time zone 'UTC')
);
comment on table schema_migrations is 'Which numbered scripts made this store what it is.';
comment on column schema_migrations.number is 'Number of the script, from 1.';
comment on column schema_migrations.name is 'Its name.';
comment on column schema_migrations.written_by is 'Version of companion that ran it.';
comment on column schema_migrations.applied_at is 'When it was run, UTC.';
"""

_APPLIED = """
select number, written_by
from schema_migrations
order by number
"""

_NOTE = """
insert into schema_migrations (number, name, written_by)
values ($number, $name, $written_by)
"""


def migrate(database: Database) -> None:
    """Run the migrations a store lacks; an existing store is backed up first, then checkpointed.

    Raises StoreTooNew for a store with more than this program knows.
    """
    with database.read() as connection:
        applied = _applied(connection)
    if applied and max(applied) > LATEST:
        raise too_new(database.path, applied[max(applied)], __version__)
    missing = [migration for migration in migrations() if migration.number not in applied]
    if not missing:
        return
    if applied:
        backup(database, None)
    for migration in missing:
        _apply(database, migration)
    database.checkpoint()


def bring_up_to_date(database: Database) -> None:
    """Run the migrations that a copy of a store lacks; it is a copy already, so none is made of it."""
    with database.read() as connection:
        applied = _applied(connection)
    for migration in migrations():
        if migration.number not in applied:
            _apply(database, migration)


def _applied(connection: duckdb.DuckDBPyConnection) -> dict[int, str]:
    try:
        return {int(row[0]): str(row[1]) for row in connection.execute(_APPLIED).fetchall()}
    except duckdb.CatalogException:  # a new store; to look through all tables first takes ten times as long
        return {}


def _apply(database: Database, migration: Migration) -> None:
    with database.write() as connection:
        if migration.number == _FIRST:
            connection.execute(_CREATE)
        connection.execute(migration.sql)
        connection.execute(_NOTE, {"number": migration.number, "name": migration.name, "written_by": __version__})
