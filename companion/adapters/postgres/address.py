"""Where a server is and how it may be spoken to: encrypted unless it is on this machine, and without a password in it.

Passwords come from PGPASSWORD, a service or pgpass file, or the system's keyring, and are kept nowhere else.
"""

from __future__ import annotations

import importlib
import ipaddress
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import TeamServerRefused, UsageError

if TYPE_CHECKING:
    from types import ModuleType

SCHEMES = ("postgresql://", "postgres://")
ENCRYPTED = ("require", "verify-ca", "verify-full")
"""Values of `sslmode` that never fall back to plain text."""
KEYRING_SERVICE = "companion team"
"""Under this name and the user's a password may lie in the system's keyring."""
INSTALL = "Run `pip install 'companion-context[team]'`."


def driver() -> ModuleType:
    """The package psycopg. Raises TeamServerRefused where it is not installed."""
    try:
        return importlib.import_module("psycopg")
    except ImportError:
        raise TeamServerRefused("psycopg, which speaks to PostgreSQL, is not installed.", INSTALL) from None


def checked_address(url: str) -> dict[str, str]:
    """The parameters of a connection to a URL, with `sslmode` set where the server is not on this machine.

    Raises UsageError for what is no URL of PostgreSQL, has a password in it, or asks for plain text over a network.
    """
    if not url.startswith(SCHEMES):
        raise UsageError("This is not the URL of a PostgreSQL server.", "It looks like `postgresql://user@host/base`.")
    psycopg = driver()
    try:
        given: dict[str, str] = importlib.import_module("psycopg.conninfo").conninfo_to_dict(url)
    except psycopg.Error:  # its words may repeat a password
        raise UsageError(
            "The URL of the server cannot be read.", "It looks like `postgresql://user@host/base`."
        ) from None
    if {"password", "sslpassword"} & given.keys():
        raise UsageError(
            "There is a password in the URL. It was not kept.",
            "Put it into PGPASSWORD, ~/.pgpass or the keyring, and leave it out of the URL.",
        )
    if _on_this_machine(given):
        return given
    mode = given.setdefault("sslmode", "verify-full")
    if mode not in ENCRYPTED:
        raise UsageError(
            f"`sslmode={mode}` may send what your team shares over the network as plain text.",
            f"Use one of {', '.join(ENCRYPTED)}; `verify-full` unless you say otherwise.",
        )
    if mode == "verify-full" and not (given.get("sslrootcert") or os.environ.get("PGSSLROOTCERT") or _own_roots()):
        given["sslrootcert"] = "system"
    return given


def keyring_password(given: dict[str, str]) -> str | None:
    """The password that the keyring has for a user of a server, if there is a keyring and no other password is set."""
    if os.environ.get("PGPASSWORD") or not given.get("user"):
        return None
    with suppress(Exception):  # a keyring that is locked or has no backend: then the server says that one is missing
        found: str | None = importlib.import_module("keyring").get_password(KEYRING_SERVICE, given["user"])
        return found
    return None


def _on_this_machine(given: dict[str, str]) -> bool:
    hosts = given.get("hostaddr") or given.get("host") or os.environ.get("PGHOSTADDR") or os.environ.get("PGHOST", "")
    if not hosts:  # a socket of this machine, unless a service file names another
        return not (given.get("service") or os.environ.get("PGSERVICE"))
    return all(map(_is_loopback, str(hosts).split(",")))


def _is_loopback(host: str) -> bool:
    if host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _own_roots() -> bool:
    """Whether the user has certificates of their own for PostgreSQL, which it reads by itself."""
    return (Path.home() / ".postgresql" / "root.crt").exists()
