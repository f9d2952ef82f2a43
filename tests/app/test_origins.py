"""Where lines came from is found out behind the answers, once, and never more than is kept."""

from __future__ import annotations

import threading
import time

from companion.app.replay import Unseen
from companion.app.scanning import origins
from companion.app.scanning.origins import OriginsOfLines
from companion.engine.telling.why import COMMITS_SWEEPING
from companion.signals.git import Blamed

FOUND = (Blamed(1, 2, "ab"),)
DEADLINE_S = 20.0


def at_last(known, key, find=lambda: FOUND):
    end = time.monotonic() + DEADLINE_S
    while (found := known.of(key, find)) is None:
        assert time.monotonic() < end
        threading.Event().wait(0.01)
    return found


def test_the_first_question_does_not_wait_and_the_next_one_knows():
    known, may_end, asked = OriginsOfLines(), threading.Event(), []

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

    assert at_last(OriginsOfLines(), "a", fails) == ()


def test_of_many_files_the_latest_come_first_and_the_oldest_are_let_go():
    known, begun, may_end, order = OriginsOfLines(), threading.Event(), threading.Event(), []

    def first():
        begun.set()
        may_end.wait(DEADLINE_S)
        return FOUND

    known.of("first", first)
    assert begun.wait(DEADLINE_S)
    many = range(origins.FILES_WAITING + 5)
    for number in many:
        known.of(number, lambda number=number: order.append(number) or FOUND)
    may_end.set()
    end = time.monotonic() + DEADLINE_S
    while len(order) < origins.FILES_WAITING:
        assert time.monotonic() < end
        threading.Event().wait(0.01)
    assert order == list(reversed(many))[: origins.FILES_WAITING]


def until_told(companion, path, line, text):
    """What is said of a line once it begins with the text, asked again until it does."""
    end = time.monotonic() + DEADLINE_S
    while not (told := [one.text for one in companion.why(path, line).lines if one.text.startswith(text)]):
        assert time.monotonic() < end, companion.why(path, line)
        threading.Event().wait(0.02)
    return told[0]


def test_a_definition_tells_the_commit_of_its_own_lines_also_after_the_next_one(desk, repo):
    lines = "".join(f'def part_{n}():\n    """Part {n}."""\n    return {n}\n\n\n' for n in range(2))
    repo.write("parts.py", lines)
    repo.commit("write the parts")
    repo.write("parts.py", lines.replace("return 1", "return 11"))
    repo.commit("tune one")
    companion = desk.open(repo.root)
    try:
        companion.scan(Unseen())
        assert until_told(companion, "parts.py", 7, "Changed last") == "Changed last: tune one"
        assert until_told(companion, "parts.py", 2, "Changed last") == "Changed last: write the parts"
        repo.write("parts.py", lines.replace("return 1", "return 11").replace("return 0", "return 10"))
        repo.commit("tune zero")
        companion.refresh(None)
        assert until_told(companion, "parts.py", 2, "Changed last: tune") == "Changed last: tune zero"
        assert until_told(companion, "parts.py", 7, "Changed last") == "Changed last: tune one"
    finally:
        companion.close()


def test_a_sweep_is_nobodys_last_commit_nor_the_change_of_a_definition(desk, repo):
    repo.write("a.py", "# one\n\n\ndef a():\n    return 1\n")
    repo.commit("write it")
    for number in range(COMMITS_SWEEPING):
        repo.write(f"more/m{number}.py", "x = 1\n")
    repo.write("a.py", "# One\n\n\ndef a():\n    return 2\n")
    repo.commit("touch everything")
    companion = desk.open(repo.root)
    try:
        companion.scan(Unseen())
        assert until_told(companion, "a.py", 1, "Last commit") == "Last commit: write it"
        assert until_told(companion, "a.py", 4, "Changed last") == "Changed last: write it"
    finally:
        companion.close()
