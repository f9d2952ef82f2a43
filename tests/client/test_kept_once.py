"""A write whose daemon is killed: it is kept once, whatever the moment, and whoever asked hears which."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pytest
from waiting import until

from companion.api import Companion, Note, Todo
from companion.client import connect
from companion.client.starting import stop_daemon
from companion.errors import AlreadyKept, StoreError
from companion.records import Profile, SearchQuery
from companion.records.talk import Message, Role
from companion.store.files import FILE_NAME

from .houses import House

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9")

DOOMED = """
import os, signal, sys

from companion.store.database import Database
from companion.surfaces.cli.main import app
from companion.surfaces.http.handler import RequestHandler

def die():
    os.kill(os.getpid(), signal.SIGKILL)

moment = sys.argv[1]
sign, once, answer = Database._sign, Database.once, RequestHandler.answer

def doomed_sign(self, cursor):
    signed = sign(self, cursor)
    if signed and moment == "before the commit":
        die()
    return signed

def doomed_answer(self, verb, ask, progress, id_=""):
    if verb.lane.name == "read":
        return answer(self, verb, ask, progress, id_)
    if moment == "before it began":
        die()
    said = answer(self, verb, ask, progress, id_)
    if moment == "after the commit":
        die()
    return said

Database._sign, RequestHandler.answer = doomed_sign, doomed_answer
app(["serve"])
"""
"""A daemon that is killed at a moment of the first write it is asked for."""

MOMENTS = ("before it began", "before the commit", "after the commit")


@contextmanager
def doomed(house: House, moment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A daemon of the house that a moment kills; by the end of the block it is dead."""
    process = subprocess.Popen([sys.executable, "-c", DOOMED, moment], cwd=house.root, stdin=subprocess.DEVNULL)
    until(lambda: house.daemon is not None)
    yield process
    assert process.wait(60) == -9


def rows(house: House, table: str, where: str = "true") -> int:
    """How many rows a table has that fit; of a store that nobody owns."""
    stop_daemon(house.home)
    with duckdb.connect(str(house.home / FILE_NAME), read_only=True) as connection:
        (found,) = connection.execute(f"select count(*) from {table} where {where}").fetchone() or (0,)
    return int(found)


def said_turn(companion: Companion) -> object:
    return companion.add_turn([Message(Role.USER, "We ship on the second Tuesday")])


WRITES: dict[str, tuple[Callable[[Companion], object], str, str]] = {
    "remember": (lambda one: one.remember(Note("The walrus owns billing")), "memories", "value like '%walrus%'"),
    "add_todo": (lambda one: one.add_todo(Todo("Feed the walrus")), "items", "text like '%walrus%'"),
    "start_conversation": (lambda one: one.start_conversation("Walrus"), "conversations", "title = 'Walrus'"),
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("what", WRITES)
def test_a_write_is_kept_once_however_its_daemon_dies(house: House, what: str, moment: str):
    write, table, where = WRITES[what]
    told: list[str] = []
    with doomed(house, moment):
        companion = connect(house.root)
        try:
            write(companion)
        except AlreadyKept as kept:
            told.append(kept.what)
        finally:
            companion.close()
    assert rows(house, table, where) == 1
    assert [("was kept" in what) for what in told] == [True] * (moment == "after the commit")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_command_says_that_it_was_kept_or_does_it(house: House, moment: str):
    with doomed(house, moment):
        said = house.run("remember", "The walrus owns billing")
    assert said.returncode == 0
    if moment == "after the commit":
        assert "what you asked for was kept" in said.stderr
        assert "Error" not in said.stderr
    else:
        assert "Remembered" in said.stdout
    again = house.run("remember", "The walrus owns billing")
    assert again.returncode == 0
    assert rows(house, "memories", "value like '%walrus%'") == 1


def test_turns_are_said_once(house: House):
    first = connect(house.root, start=True)
    first.start_conversation("Plans")
    first.close()
    stop_daemon(house.home)
    with doomed(house, "after the commit"):
        companion = connect(house.root)
        with pytest.raises(AlreadyKept):
            said_turn(companion)
        companion.close()
    assert rows(house, "turns") == 1


def test_what_takes_long_and_was_cut_off_says_that_the_rest_is_to_be_asked_for(house: House):
    first = connect(house.root, start=True)
    first.start_conversation("Plans")
    said_turn(first)
    first.close()
    stop_daemon(house.home)
    with doomed(house, "after the commit"):
        companion = connect(house.root)
        with pytest.raises(StoreError) as told:
            companion.close_conversation()
        companion.close()
    assert "what it had finished is kept" in told.value.what
    assert "again" in told.value.next_step


def test_the_same_id_is_never_done_twice(house: House):
    companion: Any = connect(house.root, start=True)
    body = {"repo": str(house.root), "note": json.loads(json.dumps({"text": "The walrus owns billing"}))}
    caller = companion._caller
    caller.ask("POST", "/remember", body, 30, again=True, id_="one")
    with pytest.raises(AlreadyKept):
        caller.ask("POST", "/remember", {**body, "note": {"text": "Something else"}}, 30, again=True, id_="one")
    caller.ask("POST", "/remember", body, 30, again=True, id_="two")
    assert len(companion.search(SearchQuery("walrus owns billing", profile=Profile.MEMORY))) == 1
    assert not companion.search(SearchQuery("Something else", profile=Profile.MEMORY))
    companion.close()
