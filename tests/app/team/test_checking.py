"""What `companion doctor` says of a team's server: whether it can be used, and if not what to type."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from laptops import PROJECT, laptop
from lines import line_to
from postgres import Base

from companion.adapters.secrets import SecretRedactor
from companion.api import Finding
from companion.app.doctor import examine
from companion.app.team.checking import AGAIN, WITHIN_S, server_finding
from companion.app.team.linking import ServerLink

NOBODY = "postgresql://ada@127.0.0.1:1/team"
"""No server listens there."""


def found(url: str, within_s: float = WITHIN_S) -> Finding:
    (one,) = server_finding(ServerLink(url, PROJECT), SecretRedactor(), within_s)
    return one


@contextmanager
def passwords(base: Base, login: str) -> Iterator[None]:
    """While the block lasts the server wants a password of a login."""
    ((path,),) = base.run("show hba_file")
    rules = Path(str(path))
    before = rules.read_text()
    rules.write_text(f"local all {login} scram-sha-256\n{before}")
    base.run("select pg_reload_conf()")
    try:
        yield
    finally:
        rules.write_text(before)
        base.run("select pg_reload_conf()")


def test_a_project_without_a_server_has_nothing_to_be_said_of_one():
    assert server_finding(None, SecretRedactor()) == ()


def test_a_server_that_can_be_used_is_well(base: Base):
    base.admit("ada")
    one = found(base.url("ada"))
    assert (one.state, one.next_step) == ("ok", "")
    assert f"this project is {PROJECT} there" in one.what


def test_a_server_without_vectors_says_what_its_administrator_types(base: Base):
    base.admit("ada")
    base.run("drop table companion.meanings cascade")
    one = found(base.url("ada"))
    assert one.state == "warning"
    assert "no vectors" in one.what
    assert f"companion team prepare {base.url('ada')}" in one.next_step


def test_a_server_that_is_not_there_costs_nothing_but_sharing():
    one = found(NOBODY)
    assert (one.state, one.next_step) == ("warning", AGAIN)


def test_a_server_that_says_nothing_is_not_waited_for(base: Base, postgres_folder: str):
    base.admit("ada")
    with line_to(postgres_folder) as line:
        line.hold()
        one = found(f"postgresql://ada@127.0.0.1:{line.port}/{base.name}?connect_timeout=600", 0.2)
    assert one.what.endswith("did not answer within 0.2 s.")
    assert one.next_step == AGAIN


def test_who_is_not_a_member_is_told_whom_to_ask_for_what(base: Base):
    base.admit("ada", project="another")
    one = found(base.url("ada"))
    assert one.state == "warning"
    assert "`ada` is not a member" in one.what
    assert "companion.members" in one.next_step


def test_tables_that_are_missing_are_named_with_the_command_that_makes_them(postgres_folder: str):
    one = found(Base(postgres_folder, "postgres").url())
    assert "no tables" in one.what
    assert "companion team prepare" in one.next_step


def test_a_password_that_is_missing_or_wrong_is_asked_for_by_the_place_it_belongs_in(
    base: Base, monkeypatch: pytest.MonkeyPatch
):
    base.admit("grace")
    base.run("alter role grace password 'hunter2'")
    monkeypatch.setenv("PGPASSFILE", "/nowhere")
    with passwords(base, "grace"):
        for given in ("", "wrong-one"):
            monkeypatch.setenv("PGPASSWORD", given)
            one = found(base.url("grace"))
            assert "wants a password" in one.what
            assert one.next_step.startswith("Put it into ~/.pgpass or the keyring")
            assert "wrong-one" not in str(one)
        monkeypatch.setenv("PGPASSWORD", "hunter2")
        assert found(base.url("grace")).state == "ok"


def test_a_missing_driver_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    one = found(NOBODY)
    assert "psycopg" in one.what
    assert "pip install 'companion-context[team]'" in one.next_step


def test_doctor_looks_at_the_server_whether_the_store_is_open_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with laptop(tmp_path / "ada", "Ada", NOBODY) as ada, laptop(tmp_path / "bob", "Bob") as bob:
        inside = [one for one in ada.here.doctor() if one.name == "team's server"]
        assert [one for one in bob.here.doctor() if one.name == "team's server"] == []
    monkeypatch.setenv("COMPANION_HOME", str(ada.home))
    outside = [one for one in examine(tmp_path / "ada" / "repo", repair=False) if one.name == "team's server"]
    assert inside == outside
    assert [one.next_step for one in inside] == [AGAIN]
