"""Where lines came from is found out behind the answers, once, and never more than is kept."""

from __future__ import annotations

import threading
import time
from datetime import datetime

from companion.api import why_in_full
from companion.app.scanning import origins
from companion.app.scanning.origins import origins_of_lines
from companion.ports import NoProgress
from companion.records import UNCOMMITTED, Blamed

FOUND = (Blamed(1, 2, "ab"),)
DEADLINE_S = 20.0


def at_last(known, key, find=lambda: FOUND):
    end = time.monotonic() + DEADLINE_S
    while (found := known.of(key, find)) is None:
        assert time.monotonic() < end
        threading.Event().wait(0.01)
    return found


def test_the_first_question_does_not_wait_and_the_next_one_knows():
    known, may_end, asked = origins_of_lines(), threading.Event(), []

    def slow():
        asked.append(1)
        may_end.wait(DEADLINE_S)
        return FOUND

    assert known.of("a", slow) is None
    assert known.of("a", slow) is None
    may_end.set()
    assert at_last(known, "a", slow) == FOUND
    assert len(asked) == 1


def test_what_fails_is_empty_and_is_not_tried_for_ever():
    def fails():
        raise OSError("gone")

    assert at_last(origins_of_lines(), "a", fails) == ()


def test_of_many_files_the_latest_come_first_and_the_oldest_are_let_go():
    known, begun, may_end, order = origins_of_lines(), threading.Event(), threading.Event(), []

    def first():
        begun.set()
        may_end.wait(DEADLINE_S)
        return FOUND

    known.of("first", first)
    assert begun.wait(DEADLINE_S)
    many = range(origins.WAITING + 5)
    for number in many:
        known.of(number, lambda number=number: order.append(number) or FOUND)
    may_end.set()
    end = time.monotonic() + DEADLINE_S
    while len(order) < origins.WAITING:
        assert time.monotonic() < end
        threading.Event().wait(0.01)
    assert order == list(reversed(many))[: origins.WAITING]


def test_whoever_can_wait_is_answered_at_once_when_it_is_found_and_not_before_their_time_is_over():
    known, may_end = origins_of_lines(), threading.Event()

    def slow():
        may_end.wait(DEADLINE_S)
        return FOUND

    assert known.of("a", slow, 0.05) is None
    threading.Timer(0.05, may_end.set).start()
    assert known.of("a", slow, DEADLINE_S) == FOUND


def told(companion, path, line):
    return why_in_full(companion, path, line).written


def part(number, value):
    return f'def part_{number}():\n    """Part {number}."""\n    return {value}\n\n\n'


def test_lines_of_one_definition_name_their_own_commits_also_after_the_next_one(desk, repo):
    repo.write("parts.py", part(0, 0) + part(1, 1))
    repo.commit("write the parts")
    repo.write("parts.py", part(0, 0) + part(1, 11))
    repo.commit("tune one")
    companion = desk.open(repo.root)
    try:
        companion.scan(NoProgress())
        assert told(companion, "parts.py", 8).text == "Tune one (+1 -1 lines)"
        assert told(companion, "parts.py", 7).text == "Write the parts (made part_1, 3 lines)"
        assert [step.text for step in why_in_full(companion, "parts.py", 7).others] == ["Tune one (+1 -1 lines)"]
        assert told(companion, "parts.py", 2).text == "Write the parts (made part_0, 3 lines)"
        repo.write("parts.py", part(0, 10) + part(1, 11))
        assert told(companion, "parts.py", 3) == UNCOMMITTED
        repo.commit("tune zero")
        companion.refresh(None)
        assert told(companion, "parts.py", 3).text == "Tune zero (+1 -1 lines)"
        assert told(companion, "parts.py", 8).text == "Tune one (+1 -1 lines)"
    finally:
        companion.close()


def test_a_message_with_a_secret_is_told_without_it(desk, repo):
    token = "ghp_" + "a1B2" * 9
    repo.write("a.py", "x = 1\n")
    repo.commit(f"use {token} here\n\nThis is needed because {token} would not be used otherwise at all.")
    companion = desk.open(repo.root)
    try:
        companion.scan(NoProgress())
        line = told(companion, "a.py", 1)
        assert token not in line.text + line.detail
        assert line.text.startswith("Use ")
        assert line.detail.startswith("This is needed because ")
    finally:
        companion.close()


def test_a_file_changed_when_its_last_commit_did_under_whatever_name_and_by_how_many_files(desk, repo):
    repo.write("a.py", "# one\n\n\ndef a():\n    return 1\n")
    repo.commit("write it", GIT_COMMITTER_DATE="2020-01-01T00:00:00Z")
    repo.git("mv", "a.py", "b.py")
    repo.commit("move it", GIT_COMMITTER_DATE="2021-01-01T00:00:00Z")
    for number in range(40):
        repo.write(f"more/m{number}.py", "x = 1\n")
    repo.write("b.py", "# One\n\n\ndef a():\n    return 1\n")
    landed = {f"GIT_{who}_DATE": "2022-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    repo.commit("touch everything", **landed)
    companion = desk.open(repo.root)
    try:
        companion.scan(NoProgress())
        last = told(companion, "b.py", 0)
        assert (last.text, last.at) == ("Touch everything", datetime(2022, 1, 1))
        (mark,) = [mark for mark in companion.marks("b.py") if not mark.symbol]
        assert mark.changed_at == datetime(2022, 1, 1)
        assert told(companion, "b.py", 1).text == "Touch everything (+1 -1 lines)"
        assert told(companion, "b.py", 4).text == "Write it (made a, 2 lines)", "what a file was called changes no line"
    finally:
        companion.close()
