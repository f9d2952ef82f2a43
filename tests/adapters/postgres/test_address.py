"""How a server may be spoken to: never with a password in its URL, and encrypted unless it is on this machine."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from companion.adapters.postgres.connection import KEYRING_SERVICE, checked_address, keyring_password
from companion.errors import TeamServerRefused, UsageError


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch):
    for name in ("PGHOST", "PGHOSTADDR", "PGSERVICE", "PGPASSWORD", "PGSSLROOTCERT"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:hunter2@db.example.org/team",
        "postgresql://ada@db.example.org/team?password=hunter2",
        "postgresql://ada@localhost/team?sslpassword=hunter2",
        "postgres://ada:hunter2@localhost/team?nonsense=hunter2",
        "mysql://ada:hunter2@localhost/team",
        "host=localhost password=hunter2",
    ],
)
def test_a_url_with_a_password_is_refused_and_not_repeated(url: str):
    with pytest.raises(UsageError) as refused:
        checked_address(url)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("mode", ["disable", "allow", "prefer"])
def test_plain_text_over_a_network_is_refused(mode: str):
    with pytest.raises(UsageError, match="plain text"):
        checked_address(f"postgresql://ada@db.example.org/team?sslmode={mode}")


@pytest.mark.parametrize(
    "rest",
    [
        "db.example.org/team",
        "10.0.0.7/team",
        "localhost,db.example.org/team",
        "/team?service=ours",
        "localhost.org/team",
    ],
)
def test_over_a_network_the_server_must_show_who_it_is_where_nothing_else_is_said(rest: str):
    assert checked_address(f"postgresql://ada@{rest}")["sslmode"] == "verify-full"


@pytest.mark.parametrize("mode", ["require", "verify-ca"])
def test_a_team_may_choose_another_way_of_encryption(mode: str):
    assert checked_address(f"postgresql://ada@db.example.org/team?sslmode={mode}")["sslmode"] == mode


@pytest.mark.parametrize("rest", ["localhost/team", "127.0.0.1:5433/team", "[::1]/team", "/team?host=/run/pg", "/team"])
def test_on_this_machine_nothing_need_be_encrypted(rest: str):
    assert "sslmode" not in checked_address(f"postgresql://ada@{rest}")


def test_a_host_named_by_the_environment_counts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PGHOST", "db.example.org")
    assert checked_address("postgresql:///team")["sslmode"] == "verify-full"
    monkeypatch.setenv("PGHOST", "")
    monkeypatch.setenv("PGSERVICE", "ours")
    assert checked_address("postgresql:///team")["sslmode"] == "verify-full"


def test_the_keyring_is_asked_only_where_no_password_is_set(monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[str, str]] = []
    ring = SimpleNamespace(get_password=lambda service, user: asked.append((service, user)) or "from the ring")
    monkeypatch.setitem(sys.modules, "keyring", ring)  # type: ignore[arg-type]
    assert keyring_password({"user": "ada"}) == "from the ring"
    assert asked == [(KEYRING_SERVICE, "ada")]
    monkeypatch.setenv("PGPASSWORD", "from the shell")
    assert keyring_password({"user": "ada"}) is None


def test_without_a_keyring_there_is_no_password(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert keyring_password({"user": "ada"}) is None


def test_without_the_driver_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(TeamServerRefused, match=r"pip install 'companion-context\[team\]'"):
        checked_address("postgresql://ada@localhost/team")
