"""What a member must not do, whose laptop somebody else has: by SQL, with all that the login may."""

from __future__ import annotations

import psycopg
import pytest
from postgres import Base
from team_records import ADA, BOB, entry, version, withdrawal

from companion.errors import TeamServerRefused
from companion.team.text import record_id

OURS, THEIRS = version("What Ada shared"), version("The zanzibar plan", BOB)
INSERT = """
insert into companion.log (project, record, kind, author, made_at, body)
values (%(project)s, %(record)s, 'SharedVersion', 'x', now(), '{}')
"""


@pytest.fixture
def team(base: Base) -> Base:
    """Ada and Mallory share the shop; Bob has a project of his own; Eve may read the shop."""
    (
        base.admit("ada", author=ADA),
        base.admit("mallory"),
        base.admit("bob", "plans"),
        base.admit("eve", role="companion_read"),
    )
    with base.server("ada") as ada, base.server("bob", "plans") as bob:
        ada.push([entry(OURS)], {record_id(OURS): [0.1] * 384})
        bob.push([entry(THEIRS)], {record_id(THEIRS): [0.1] * 384})
        ada.exchange_uses([record_id(OURS)])
    return base


FORBIDDEN = [
    "update companion.log set body = '{}'",
    "update companion.log set author = 'mallory'",
    "delete from companion.log",
    "truncate companion.log",
    "update companion.texts set words = ''",
    "delete from companion.texts",
    "insert into companion.texts values ('shop', 'x', 'spam')",
    "update companion.meanings set login = 'mallory'",
    "delete from companion.meanings",
    "update companion.members set author = 'Ada'",
    "insert into companion.members values ('mallory', 'plans')",
    "delete from companion.members",
    "select * from companion.members",
    "update companion.server set id = gen_random_uuid()",
    "insert into companion.migrations values (99, 'x')",
    "delete from companion.migrations",
    "delete from companion.uses",
    "update companion.uses set login = 'mallory'",
    "insert into companion.uses (project, version, login) select project, record, 'ada' from companion.log",
    "select companion.place()",
    "drop table companion.log",
    "alter table companion.log disable row level security",
    "alter table companion.log disable trigger place",
    "create table companion.own (x text)",
    "set session authorization ada",
    "set role ada",
    "set session_replication_role = replica",
    "grant companion_maintain to mallory",
]
APPEND_WITH = """
insert into companion.log (project, record, kind, author, made_at, {column})
values ('shop', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'SharedVersion', 'x', now(), {value})
"""
CHOSEN = {"login": "'ada'", "position": "1", "arrived_at": "now()"}


def test_a_member_can_neither_rewrite_nor_rule(team: Base):
    before = _everything(team)
    assert [one for one in FORBIDDEN if not _refused(team, one)] == []
    assert _everything(team) == before


def test_a_member_cannot_choose_what_the_server_says_of_a_record(team: Base):
    for column, value in CHOSEN.items():
        assert _refused(team, APPEND_WITH.format(column=column, value=value)), column
    assert not _refused(team, APPEND_WITH.format(column="body", value="'{}'")), "the rest of it is right"


def test_a_member_reads_nothing_of_other_projects(team: Base):
    asked = [
        "select * from companion.log where project = 'plans'",
        "select project, record from companion.texts where project = 'plans'",
        "select * from companion.meanings where project = 'plans'",
        "select * from companion.find('plans', 'zanzibar', 10, 10)",
        "select * from companion.used('plans')",
        "select * from companion.mine() as project where project <> 'shop'",
    ]
    for statement in asked:
        assert team.run(statement, "mallory") == [], statement
        if "mine" not in statement and "used" not in statement:
            assert team.run(statement, "bob"), f"of whom it is finds it: {statement}"


def test_a_member_appends_to_no_other_project(team: Base):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        team.run(INSERT, "mallory", project="plans", record="a" * 32)
    team.run(INSERT, "mallory", project="shop", record="a" * 32)
    assert team.run("select login from companion.log where record = %(record)s", record="a" * 32) == [("mallory",)]


def test_who_may_read_may_not_append(team: Base):
    with team.server("eve") as eve:
        assert [hit.version for hit in eve.search("shared", None, 5)] == [record_id(OURS)]
        with pytest.raises(TeamServerRefused):
            eve.push([entry(version("By Eve"))], {})
        with pytest.raises(TeamServerRefused):
            eve.exchange_uses([record_id(OURS)])
        assert eve.exchange_uses(()) == {record_id(OURS): 1}


def test_a_stranger_sees_nothing_at_all(team: Base):
    team.run("create role nobody_yet login")
    try:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            team.run("select * from companion.log", "nobody_yet")
    finally:
        team.run("drop role nobody_yet")


def test_only_who_shared_it_its_author_or_a_maintainer_withdraws_a_version(team: Base):
    taken = entry(withdrawal(OURS, ADA))
    with team.server("mallory") as mallory, pytest.raises(TeamServerRefused, match="only who shared a version"):
        mallory.push([taken], {})
    with team.server("mallory") as mallory:
        mallory.push([entry(withdrawal(OURS, "Mallory"))], {})
    assert team.run("select body is null from companion.log where record = %(id)s", id=record_id(OURS)) == [(False,)]
    brought = version("Brought by another", ADA)
    with team.server("mallory") as mallory, team.server("ada") as ada:
        mallory.push([entry(brought)], {})
        ada.push([taken, entry(withdrawal(brought, ADA))], {})
    assert team.run("select count(*) from companion.log where body is null") == [(2,)]


def test_a_maintainer_withdraws_what_anybody_shared(team: Base):
    team.admit("chief", role="companion_maintain")
    with team.server("chief") as chief:
        chief.push([entry(withdrawal(OURS, ADA))], {})
    assert team.run("select body is null from companion.log where record = %(id)s", id=record_id(OURS)) == [(True,)]


def test_a_maintainer_admits_members(team: Base):
    team.admit("chief", role="companion_maintain")
    team.run("insert into companion.members (login, project) values ('mallory', 'plans')", "chief")
    with team.server("mallory", "plans") as mallory:
        mallory.check()


def test_nobody_sees_whom_something_was_of_use_to(team: Base):
    assert team.run("select * from companion.uses", "mallory") == []
    with team.server("mallory") as mallory, team.server("bob", "plans") as bob:
        assert mallory.exchange_uses(()) == {record_id(OURS): 1}
        assert bob.exchange_uses([record_id(OURS)]) == {}, "nor does another project say or see anything of it"
        assert mallory.exchange_uses(()) == {record_id(OURS): 1}


def test_nobody_gives_another_members_version_a_vector(team: Base):
    statement = (
        "insert into companion.meanings (project, record, model, meaning) values ('shop', %(id)s, 'm', %(vector)s)"
    )
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        team.run(statement, "mallory", id=record_id(OURS), vector=str([0.1] * 384))


def test_a_record_that_is_too_large_is_refused(team: Base):
    with team.server("ada") as ada, pytest.raises(TeamServerRefused):
        ada.push([entry(version("x" * 300_000))], {})


def _refused(base: Base, statement: str) -> bool:
    """Whether a member's statement is refused for want of a right."""
    try:
        base.run(statement, "mallory")
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


def _everything(base: Base) -> list[list[tuple[object, ...]]]:
    tables = ("log", "texts", "meanings", "members", "uses", "server", "migrations")
    return [base.run(f"select * from companion.{table} order by 1") for table in tables]
