"""A repository with secrets wherever people leave them, and a search for what is left of any of them.

Values are drawn from a seed; none is written down here.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from adapters.issued import BLOCKS, HASHED, ISSUED
from adapters.placed import PASSWORDS, TOKENS, phrase
from adapters.planted import SHAPED
from adapters.strong import django, password
from adapters.strong import drawn as generated
from repos import Repo

WINDOW = 10
"""Characters of a secret that are searched for, beginning at every `STRIDE`th: no 14 in a row can be left unseen."""
STRIDE = 5


@dataclass
class Planted:
    """The secrets that were handed out, by where they stand."""

    draw: random.Random
    by_place: dict[str, str] = field(default_factory=dict)

    def __call__(self, place: str, kind: str) -> str:
        """A new secret of a kind for a place."""
        makers = {**SHAPED, **ISSUED, **BLOCKS, **HASHED, **PASSWORDS, **TOKENS}
        self.by_place[place] = makers[kind](self.draw)
        return self.by_place[place]

    def strong(self, place: str, make: Callable[[random.Random], str]) -> str:
        """A new secret from a generator of passwords for a place."""
        self.by_place[place] = make(self.draw)
        return self.by_place[place]

    def left_in(self, text: str) -> list[str]:
        """The places whose secret, or a good part of it, is in a text. Case and white space do not count."""
        plain = _squeezed(text)
        return [place for place, secret in self.by_place.items() if any(run in plain for run in _runs(secret))]


def _squeezed(text: str) -> str:
    return re.sub(r"(?:\\n|\s)+", "", text).lower()


def _runs(secret: str) -> Iterator[str]:
    for line in secret.replace("\\n", "\n").splitlines():
        plain = _squeezed(line)
        if "-----" in plain:
            continue
        size = min(WINDOW, len(plain))
        for at in (*range(0, len(plain) - size, STRIDE), len(plain) - size):
            run = plain[at : at + size]
            if len(set(run)) >= 5 and not run.isalpha():
                yield run
    if " " in secret or secret.isalpha():
        yield _squeezed(secret)


def plant(repo: Repo, secret: Planted) -> None:
    """Fill a repository: code in several languages, settings, prose, history, names, and files nobody may open."""
    _code(repo, secret)
    _long_lines(repo, secret)
    _settings(repo, secret)
    _prose(repo, secret)
    _never_opened(repo, secret)
    repo.commit("Add the service")
    _history(repo, secret)


def _code(repo: Repo, secret: Planted) -> None:
    repo.write(
        "app/client.py",
        f'''"""Talks to the payment service.

The staging password is {secret("module docstring", "strong password")}, ask Ann for the other.
"""

import os

API_KEY = "{secret("python constant", "urlsafe token")}"
SETTINGS = {{"host": "db1", "db_password": "{secret("python dict", "made-up password")}"}}
TOKEN = os.environ.get("PAYMENT_TOKEN", "{secret("python fallback", "hex token")}")
# password = "{secret("python comment", "letters and digits")}"
URL = "postgresql://svc:{secret("python address", "short token")}@db.internal.corp.io:5432/app"


def connect(host: str = "db1", password: str = "{secret("default argument", "strong password")}", retries: int = 3) -> None:
    """Opens a connection.

    >>> connect("db1", password="{secret("doctest", "strong password")}")
    """
    return login(host, token="{secret("python call", "github")}")


def {secret("function name", "razorpay")}() -> None:
    """A name can be a secret too."""


class Client:
    """Signs with {secret("class docstring", "stripe")}."""

    secret_key = "{secret("class attribute", "base64 token")}"

    def headers(self, token: str = "{secret("method default", "anthropic")}") -> dict[str, str]:
        """Bearer {secret("method docstring", "jwt")}"""
        return {{"Authorization": "Bearer {secret("python header", "urlsafe token")}"}}
''',
    )
    repo.write(
        "web/api.ts",
        f"""import {{ fetch }} from './http';
import widget from 'https://cdn.corp.io/widget.js?access_token={secret("import address", "urlsafe token")}';

/** Calls the maps service with {secret("typescript docs", "google")}. */
export const mapsKey: string = '{secret("typescript constant", "short token")}';
export function load(url: string, apiKey = '{secret("typescript default", "small token")}') {{
  return fetch(url, {{ headers: {{ 'X-Api-Key': '{secret("typescript header", "hex token")}' }} }});
}}
""",
    )
    repo.write(
        "server/main.go",
        f"""package main

// dbPassword is {secret("go comment", "strong password")} on staging.
const dbPassword = "{secret("go constant", "strong password")}"

func Connect(host string) string {{
\treturn "app:{secret("go address", "short token")}@tcp(" + host + ":3306)/orders"
}}
""",
    )
    repo.write(
        "lib/Mailer.java",
        f"""class Mailer {{
    /** Uses {secret("javadoc", "sendgrid")}. */
    private static final String SMTP_PASSWORD = "{secret("java constant", "strong password")}";
}}
""",
    )
    repo.write("lib/sign.rb", f"KEY = <<~PEM\n{secret('ruby key', 'rsa key')}\nPEM\n\ndef sign(text)\n  text\nend\n")


def _long_lines(repo: Repo, secret: Planted) -> None:
    """Secrets where something is cut off: in the middle of long signatures, sentences and constants."""
    parameters = ", ".join(f"option_{number}: int = {number}" for number in range(7))
    words = "This sentence goes on for quite a while before it comes to the point, which is the one that matters, "
    repo.write(
        "app/long.py",
        f'''JSON_TOKEN = "{secret("long constant", "jwt")}"
SPLIT_TOKEN = (
    "{secret("first part", "urlsafe token")}"
    "{secret("second part", "urlsafe token")}"
)


def order({parameters}, password: str = "{secret("end of a signature", "strong password")}", token: str = "{secret("beyond a signature", "github fine")}") -> None:
    """{words}{secret("end of a sentence", "pypi")}"""


@app.route("/pay", headers={{"Authorization": "Bearer {secret("decorator", "jwt")}"}})
def pay() -> None:
    raise ValueError("{words}{secret("raised", "openai project")}")


def test_login() -> None:
    log.info("login with password={secret("logged", "strong password").replace(",", "x").replace("=", "x")} done")
    assert login(token="{secret("asserted", "gitlab")}")
''',
    )
    repo.write(
        "notes/run.ipynb",
        json.dumps(
            {
                "cells": [
                    {
                        "cell_type": "code",
                        "outputs": [],
                        "source": [f'api_key = "{secret("notebook", "urlsafe token")}"\n', "run()\n"],
                    }
                ],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            },
            indent=1,
        ),
    )
    repo.write(
        "db/users.sql",
        f"CREATE TABLE users (id int);\nCREATE USER app PASSWORD '{secret('sql', 'strong password')}';\n",
    )
    repo.write(
        "src/Config.php",
        f"<?php\nclass Config {{\n    const API_SECRET = '{secret('php constant', 'hex token')}';\n}}\n",
    )
    repo.write(
        "src/lib.rs",
        f'/// Uses {secret("rust docs", "slack")}.\npub const TOKEN: &str = "{secret("rust constant", "small token")}";\n',
    )


def _settings(repo: Repo, secret: Planted) -> None:
    repo.write(
        "pyproject.toml",
        f'[project]\nname = "shop"\nrequires-python = ">=3.11"\n\n[tool.deploy]\ntoken = "{secret("pyproject", "pypi")}"\n',
    )
    repo.write(
        "package.json",
        f'{{"name": "shop", "scripts": {{"deploy": "NPM_TOKEN={secret("package script", "npm")} npm publish"}}}}\n',
    )
    repo.write(
        ".github/workflows/ci.yml",
        f"""name: ci
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    env:
      DB_PASSWORD: {secret("ci variable", "strong password").replace("#", "x").replace("%", "x").replace("*", "x")}
    steps:
      - run: pytest
      - run: curl -u deploy:{secret("ci command", "short token")} https://repo.corp.io/upload
""".replace("DB_PASSWORD: ", "DB_PASSWORD: "),
    )
    repo.write(
        "Makefile",
        f"AWS_SECRET_ACCESS_KEY ?= {secret('make variable', 'aws secret')}\n\ndeploy:\n\tdeployer --token {secret('make recipe', 'digitalocean')} up\n\ntest:\n\tpytest\n",
    )
    repo.write(
        "Dockerfile", f"FROM python:3.11\nENV ADMIN_PASSWORD={secret('dockerfile', 'short token')}\nCMD pytest\n"
    )
    repo.write(
        "docker-compose.yml",
        f"services:\n  db:\n    image: postgres\n    environment:\n      POSTGRES_PASSWORD: '{secret('compose', 'strong password')}'\n",
    )
    repo.write(
        "deploy/values.yaml",
        f"db:\n  host: db1\n  password: {secret.strong('strong yaml', password)}\n"
        f"api_keys:\n  - {secret('first of a list', 'urlsafe token')}\n  - {secret('second of a list', 'hex token')}\n",
    )
    repo.write(
        "docs/windows.md",
        "# Windows\n\nMap the share first:\n\n    net use Z: \\\\files\\share /user:CORP\\ann "
        f"a{secret.strong('command', lambda d: generated(d, '()[]{}#!', 16))}\n",
    )
    repo.write("tox.ini", f"[testenv]\nsetenv =\n    API_TOKEN = {secret('tox', 'urlsafe token')}\ncommands = pytest\n")
    repo.write(
        "deploy/app.yaml", f"apiVersion: v1\nkind: Secret\ndata:\n  tls.key: {secret('cluster', 'base64 token')}\n"
    )


def _prose(repo: Repo, secret: Planted) -> None:
    repo.write(
        "README.md",
        f"# Shop\n\nRun `make test` with `API_KEY={secret('readme', 'urlsafe token')}`.\n\n"
        f"## Login with token {secret('readme heading', 'digitalocean')}\n\nThe admin password is {secret('readme prose', 'strong password')}.\n",
    )
    repo.write(
        "docs/adr/0001-vault.md",
        "# 1. Keep secrets in the vault\n\n## Status\n\nAccepted\n\n## Context\n\n"
        f"The token {secret('adr context', 'gitlab')} stood in app/client.py.\n\n## Decision\n\n"
        f"We use the vault with `{secret('adr decision', 'vault')}` because rotating by hand failed.\n",
    )
    repo.write(
        "CONTRIBUTING.md",
        f"# Contributing\n\nAlways log in with passphrase: `{secret('contributing', 'passphrase')}`\n",
    )
    repo.write("users.htpasswd.txt", f"ann:{secret('password file', 'bcrypt')}\n")


def _never_opened(repo: Repo, secret: Planted) -> None:
    repo.write(".gitignore", "build/\n*.local\n")
    repo.write(".companionignore", "private/\n")
    for path, place, kind in NEVER_OPENED:
        repo.write(path, f'api_token = "{secret(place, kind)}"\nplain words only of {path}\n')


NEVER_OPENED = (
    (".env", "environment", "urlsafe token"),
    ("config/.env.production", "environment of production", "hex token"),
    ("deploy/id_rsa", "private key file", "small token"),
    ("certs/server.pem", "pem file", "base64 token"),
    (".aws/credentials", "cloud credentials", "aws secret"),
    ("config/secrets.yaml", "secrets file", "urlsafe token"),
    ("build/settings.py", "ignored folder", "hex token"),
    ("app/notes.local", "ignored file", "small token"),
    ("private/plan.py", "own ignore file", "urlsafe token"),
)
"""Files that may not even be opened: path, the place's name, kind of secret."""


def _joinable(draw: random.Random) -> str:
    return generated(draw, "7", 18)


def _history(repo: Repo, secret: Planted) -> None:
    repo.write("app/a.py", "def one():\n    return 1\n")
    repo.write("app/client.py", (repo.root / "app/client.py").read_text("utf-8") + "\n\ndef more():\n    return 2\n")
    repo.commit(
        f"Fix the login with token {secret('commit subject', 'github')}\n\n"
        "The login failed because the client kept an old token, so that no request came through after an hour unless "
        "somebody had logged in again. The token is asked for anew an hour after it was given, and the old one is kept "
        "until the answer is there.\n\nFixes #7"
    )
    repo.write("app/a.py", "def one():\n    return 2\n")
    repo.commit(
        "Fix rounding of prices\n\n"
        f"The total was off because the password {secret('commit body', 'strong password')} had expired.\n\n"
        f"Co-authored-by: {secret('trailer', 'slack')} <bot@corp.io>"
    )
    repo.write(f"deploy/{secret('file name', 'gitlab')}.sh", "echo up\n")
    repo.commit("Add the script")
    repo.git("mv", f"deploy/{secret.by_place['file name']}.sh", "deploy/up.sh")
    repo.commit("Rename the script")
    repo.write(f"web/{secret('folder name', 'npm')}/index.ts", "export const one = 1;\n")
    repo.write(f"web/password-{secret.strong('file with a password', _joinable)}.ts", "export const two = 2;\n")
    repo.commit("Add the page")
    repo.write("app/b.py", "def two():\n    return 2\n")
    repo.commit("Add two", "--author", f"{secret('author', 'stripe')} <{secret('address', 'hugging face')}@corp.io>")
    repo.git("tag", f"v1.0-{secret('tag', 'github')}")
    repo.write("app/e.py", "def five():\n    return 5\n")
    repo.commit(
        f"Set SECRET_KEY to {secret.strong('django subject', django)}\n\n"
        f"The admin password is {secret.strong('strong in a body', password)} now, because the old one was in a chat.\n"
        "Everybody in that chat could have set up an account of the shop, and whoever left it kept what they had read. "
        "The new one is known to those who are on call this month, and is set anew when they hand over to others.\n"
        f"DB_PASSWORD={secret.strong('strong setting in a body', password)}\n"
    )
    repo.git("checkout", "-q", "-b", f"fix/rotate-password-{secret.strong('branch with a password', _joinable)}")
    repo.write("app/f.py", "def six():\n    return 6\n")
    repo.commit("Fix six, since it was wrong")
    repo.git("checkout", "-q", "main")
    repo.minute += 1
    repo.git("merge", "--no-ff", "-q", f"fix/rotate-password-{secret.by_place['branch with a password']}")
    repo.git("checkout", "-q", "-b", f"fix/{secret('merged branch', 'twilio')}")
    repo.write("app/c.py", "def three():\n    return 3\n")
    repo.commit("Fix three, since it was wrong")
    repo.git("checkout", "-q", "main")
    repo.minute += 1
    repo.git("merge", "--no-ff", "-q", f"fix/{secret.by_place['merged branch']}")
    repo.git("remote", "add", "origin", f"https://bot:{secret('remote', 'github')}@git.corp.io/shop/shop.git")
    repo.git("checkout", "-q", "-b", f"feature/{secret('branch', 'digitalocean')}")
    repo.write("app/d.py", "def four():\n    return 4\n")
    repo.commit("Fix four because it was three")


def everything_in(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file of a folder as text, and every value of every table in it: where it stands, and what is there."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes()
        yield str(path.relative_to(folder)), content.replace(b"\0", b"").decode("latin-1")
        if content.startswith(b"SQLite format 3"):
            yield from _sqlite(path)
        elif content[8:12] == b"DUCK":
            yield from _duckdb(path)


def _sqlite(path: Path) -> Iterator[tuple[str, str]]:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        for (table,) in connection.execute("select name from sqlite_master where type = 'table'").fetchall():
            yield f"{path.name}:{table}", _as_text(connection.execute(f'select * from "{table}"'))
    finally:
        connection.close()


def _duckdb(path: Path) -> Iterator[tuple[str, str]]:
    connection = duckdb.connect(str(path), read_only=True)
    try:
        tables = connection.execute(
            "select table_schema, table_name from information_schema.tables order by all"
        ).fetchall()
        for schema, table in tables:
            yield f"{path.name}:{table}", _as_text(connection.execute(f'select * from "{schema}"."{table}"').fetchall())
    finally:
        connection.close()


def _as_text(rows: Iterable[tuple[object, ...]]) -> str:
    values = (value for row in rows for value in row)
    return "\n".join(value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in values)


def asked_by_hand(secret: Planted) -> dict[str, str]:
    """Texts that a person types, by what they are typed as."""
    return {
        "remember": f"The deploy key is in the vault, old api_key = {secret('remembered', 'urlsafe token')}",
        "remembered phrase": f'The wifi password: "{secret("remembered phrase", "passphrase")}"',
        "label": f"billing {secret('label', 'github')}",
        "query": f"why does token {secret('query', 'slack')} fail in app/client.py",
        "error": (
            'Traceback (most recent call last):\n  File "app/client.py", line 14, in connect\n'
            f"    login(host, token='{secret('error line', 'github')}')\n"
            f"ValueError: password={secret('error message', 'strong password')} refused\n"
        ),
        "collaborator": secret("collaborator", "npm"),
        "entity": secret("entity", "stripe"),
    }


def drawn(seed: int) -> Planted:
    """Nothing planted yet."""
    planted = Planted(random.Random(seed))
    assert phrase(planted.draw)
    return planted
