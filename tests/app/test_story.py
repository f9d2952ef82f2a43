"""The story of a line as it is asked for: by line or by name, of whatever a repository holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import why_in_full
from companion.app.local import LocalCompanion
from companion.errors import UsageError
from companion.ports import NoProgress
from companion.records import UNCOMMITTED, Why

Opened = Callable[[Repo], LocalCompanion]


@pytest.fixture
def opened(desk: Desk) -> Iterator[Opened]:
    """Opens a companion that has read a repository."""
    open_ = []

    def read(repo: Repo) -> LocalCompanion:
        companion = desk.open(repo.root)
        open_.append(companion)
        companion.scan(NoProgress())
        return companion

    yield read
    for companion in open_:
        companion.close()


def area(name: str = "area", result: str = "width * height") -> str:
    return f'def {name}(width, height):\n    """The area of a rectangle, in squares."""\n    return {result}\n'


def told(why: Why) -> list[str]:
    return [step.text for step in why.steps]


def test_the_story_goes_from_what_made_a_definition_to_its_last_change_each_with_its_lines_and_links(
    opened: Opened, repo: Repo
):
    repo.git("remote", "add", "origin", "git@github.com:shop/cart.git")
    repo.write("a.py", "x = 1\n\n\n" + area())
    made = repo.commit("Measure rectangles (#3)")
    repo.write("a.py", "x = 1\n\n\n" + area(result="abs(width * height)"))
    fix = repo.commit("Fix negative areas\n\nA width may be negative because screens are mirrored. Fixes #5")
    why = why_in_full(opened(repo), "a.py", 5)
    assert (why.symbol, why.first_line, why.last_line, why.line) == ("area", 4, 6, 5)
    assert told(why) == ["Measure rectangles (made area, 3 lines)", "Fix negative areas (+1 -1 lines)"]
    assert [step.sha for step in why.steps] == [made, fix]
    assert [step.spans for step in why.steps] == [((4, 5),), ((6, 6),)]
    assert why.written == why.steps[0]
    assert why.steps[1].detail == "A width may be negative because screens are mirrored."
    assert [(one.sort, one.url) for one in why.steps[1].links] == [
        ("issue", "https://github.com/shop/cart/issues/5"),
        ("commit", f"https://github.com/shop/cart/commit/{fix}"),
    ]
    assert why.steps[0].links[0].url == "https://github.com/shop/cart/pull/3"
    assert not (why.asking or why.end)


def test_the_request_of_a_merge_stands_behind_the_commits_that_it_brought(opened: Opened, repo: Repo):
    repo.git("remote", "add", "origin", "https://gitlab.example.org/shop/cart.git")
    repo.write("b.py", "x = 1\n")
    repo.commit("begin")
    repo.git("switch", "-qc", "topic")
    repo.write("a.py", area())
    repo.commit("measure rectangles")
    repo.git("switch", "-q", "main")
    message = "Merge branch 'topic' into 'main'\n\nMeasure\n\nSee merge request shop/cart!7"
    repo.git("merge", "-q", "--no-ff", "topic", "-m", message)
    (step,) = why_in_full(opened(repo), "a.py", 1).steps
    assert [one.name for one in step.links] == ["!7", step.sha[:10]]


def test_a_step_names_the_first_release_that_has_it_and_what_is_not_released_names_none(opened: Opened, repo: Repo):
    repo.write("a.py", area())
    repo.commit("Measure rectangles")
    repo.git("tag", "nightly")
    repo.git("tag", "-a", "v1.2.0", "-m", "The first")
    repo.write("b.py", "x = 1\n")
    repo.commit("Go on")
    repo.git("tag", "v1.3.0")
    repo.write("a.py", area(result="abs(width * height)"))
    repo.commit("Fix negative areas")
    made, fixed = why_in_full(opened(repo), "a.py", 1).steps
    assert [(one.sort, one.name) for one in made.links] == [("release", "v1.2.0"), ("commit", made.sha[:10])]
    assert [one.sort for one in fixed.links] == ["commit"]


def test_a_definition_is_asked_for_by_name_and_of_several_each_is_listed_with_its_command(opened: Opened, repo: Repo):
    repo.write("a.py", "class Square:\n    def size(self):\n        return 1\n\n\n" + area())
    repo.write("b.py", "class Circle:\n    def size(self):\n        return 2\n")
    repo.commit("write")
    companion = opened(repo)
    assert why_in_full(companion, "", 0, "area").first_line == 6
    for name in ("Square.size", "Square::size", "Square#size()"):
        assert why_in_full(companion, "", 0, name).path == "a.py"
    assert why_in_full(companion, "b.py", 0, "size").symbol == "Circle.size"
    with pytest.raises(UsageError, match="2 definitions are called `size`") as several:
        companion.why("", 0, "size")
    rows = [f"companion why {place}.size)  def size(self):" for place in ("a.py:2  (Square", "b.py:2  (Circle")]
    assert "\n  ".join(rows) in several.value.next_step
    with pytest.raises(UsageError, match="No definition is called `length`"):
        companion.why("", 0, "length")


def test_of_one_name_in_one_file_the_definition_is_meant_that_says_what_it_does(opened: Opened, repo: Repo):
    declared = "@overload\ndef area(side: int) -> int: ...\n@overload\ndef area(side: float) -> float: ...\n"
    repo.write("a.py", "from typing import overload\n\n" + declared + area())
    repo.commit("write")
    assert why_in_full(opened(repo), "", 0, "area").first_line == 7


def test_of_definitions_that_take_different_things_under_one_name_each_is_listed_with_what_it_takes(
    opened: Opened, repo: Repo
):
    one, two = (
        "  String name(int id) {\n    return name(id, 0);\n  }\n",
        "  String name(int id, int of) { return id + of; }\n",
    )
    repo.write("A.java", f"class A {{\n{one}{two}}}\n\ninterface B {{\n  String title(int id);\n}}\n")
    repo.commit("write")
    companion = opened(repo)
    with pytest.raises(UsageError, match=r"2 definitions are called `A\.name`") as several:
        companion.why("", 0, "A.name")
    assert "why A.java:2  (A.name)  String name(int id) {\n" in several.value.next_step
    assert "why A.java:5  (A.name)  String name(int id, int of) {" in several.value.next_step
    assert why_in_full(companion, "", 0, "B.title").first_line == 9
    repo.write("a.js", "const area = (width, height) => width * height;\n")
    repo.write("b.js", "function area(radius) {\n  return 3 * radius * radius;\n}\n")
    companion.refresh(None)
    with pytest.raises(UsageError, match="2 definitions are called `area`"):
        companion.why("", 0, "area")


def test_the_story_of_a_name_singles_out_no_line_not_even_of_a_commit_that_is_none_of_its_steps(
    opened: Opened, repo: Repo
):
    lines = ["def area(width, height):"]
    for number in range(8):
        repo.write("a.py", "\n".join([*lines, "    return width * height", ""]))
        repo.commit(f"Change {number}")
        lines.extend(f"    width += {number * 10 + one}" for one in range(number + 4))
        lines[0] = "def area(width: int, height):" if number == 0 else lines[0]
    companion = opened(repo)
    named, of_line = why_in_full(companion, "", 0, "area"), why_in_full(companion, "a.py", 1)
    assert of_line.written is not None
    assert of_line.written not in of_line.steps
    assert named.end == f"{8 - len(named.steps)} more commits changed it: `git log -L1,{named.last_line}:a.py`."
    assert named.written is None
    assert named.steps == of_line.steps


def test_a_file_that_changed_since_it_was_read_is_told_of_as_it_lies(opened: Opened, repo: Repo):
    repo.write("a.py", area() + "\n\n" + area("other"))
    repo.commit("write")
    companion = opened(repo)
    repo.write("a.py", "# one\n# two\n" + area() + "\n\n" + area("other"))
    assert why_in_full(companion, "", 0, "other").first_line == 8
    assert why_in_full(companion, "a.py", 4).symbol == "area"
    secret = "ghp_" + "Zk3mQ9xT7bV2nR5wL8cY1dF6hJ0pS4aG2eK7"
    repo.write("a.py", area() + f"\n\ndef {secret}():\n    return 1\n")
    assert secret not in str(why_in_full(companion, "a.py", 9))
    repo.write("a.py", area())
    with pytest.raises(UsageError, match="is called `other` any more"):
        companion.why("", 0, "other")


def test_a_name_that_a_file_has_is_that_file_with_or_without_a_folder_before_it(opened: Opened, repo: Repo):
    repo.write("build.kts", "plugins {}\n")
    repo.write("LICENSE", "Free for all.\n")
    repo.commit("write")
    companion = opened(repo)
    assert [companion.why("", 0, name).path for name in ("build.kts", "LICENSE")] == ["build.kts", "LICENSE"]


def test_a_line_that_is_not_committed_says_so_and_its_definition_keeps_its_story(opened: Opened, repo: Repo):
    repo.write("a.py", area())
    repo.commit("write")
    companion = opened(repo)
    repo.write("a.py", area().replace("    return", "    width += 1\n    return"))
    companion.refresh(None)
    why = why_in_full(companion, "a.py", 3)
    assert (why.written, told(why)) == (UNCOMMITTED, ["Write (made area, 3 lines)"])
    assert [step.spans for step in why.steps] == [((1, 2), (4, 4))]
    repo.write("b.py", area("fresh"))
    companion.refresh(None)
    fresh = why_in_full(companion, "b.py", 1)
    assert (fresh.written, fresh.steps) == (UNCOMMITTED, ())


def test_a_shallow_clone_says_that_what_was_before_is_not_here(opened: Opened, repo: Repo, tmp_path: Path):
    repo.write("a.py", area())
    repo.commit("write")
    repo.write("a.py", area(result="abs(width * height)"))
    repo.commit("never below zero")
    repo.git("clone", "-q", "--depth=1", repo.root.as_uri(), str(tmp_path / "shallow"))
    why = why_in_full(opened(Repo(tmp_path / "shallow")), "a.py", 1)
    assert (why.written, why.steps) == (None, ())
    assert "git fetch --unshallow" in why.end


def test_without_a_forge_a_commit_is_known_by_its_id(opened: Opened, repo: Repo):
    repo.git("remote", "add", "origin", "https://git.example.org/shop/cart.git")
    repo.write("a.py", area())
    repo.commit("write (#3)")
    (step,) = why_in_full(opened(repo), "a.py", 1).steps
    assert [(one.sort, one.url) for one in step.links] == [("pull request", ""), ("commit", "")]


def test_a_binary_a_line_that_is_not_there_and_a_repository_without_commits_are_answered(opened: Opened, repo: Repo):
    repo.write("a.py", area())
    repo.write("b.bin", bytes(range(256)))
    companion = opened(repo)
    assert why_in_full(companion, "a.py", 1).written == UNCOMMITTED
    repo.commit("write")
    companion.refresh(None)
    assert not why_in_full(companion, "b.bin", 1).lines
    beyond = why_in_full(companion, "a.py", 99)
    assert (beyond.written, beyond.steps) == (None, ())


def test_of_a_generated_file_of_a_hundred_thousand_lines_a_line_is_told(opened: Opened, repo: Repo):
    lines = [f"value_{n} = {n}" for n in range(100_000)]
    for step in (1, 2):
        repo.write("a.py", "\n".join([f"step = {step}", *lines, ""]))
        repo.commit(f"generate {step}")
    companion = opened(repo)
    assert told(why_in_full(companion, "a.py", 1)) == ["Generate 1", "Generate 2 (+1 -1 lines)"]
    assert told(why_in_full(companion, "a.py", 90_000)) == ["Generate 1"]


def test_a_commit_that_only_dressed_lines_anew_wrote_none_of_them(opened: Opened, repo: Repo):
    repo.write("a.py", "def area(width, height):\n    return {'area': width * height, 'unit': 'square'}\n")
    repo.commit("write")
    repo.write(
        "a.py",
        'def area(width, height):\n    return {\n        "area": width * height,\n        "unit": "square",\n    }\n',
    )
    repo.commit("use another formatter")
    why = why_in_full(opened(repo), "a.py", 3)
    assert told(why) == ["Write (made area, 2 lines)"]
    assert why.written == why.steps[0]


def test_who_does_not_wait_has_what_is_ready_and_knows_that_more_comes(opened: Opened, repo: Repo):
    repo.write("a.py", area())
    repo.commit("write")
    companion = opened(repo)
    while not any(mark.changed_at for mark in companion.marks("a.py")):
        pass  # which commits wrote the lines is told by git, and waits for it
    first = companion.why("a.py", 1)
    assert first.asking or first.steps
    assert first.written is not None
    assert (first.written.author, first.written.links[-1].name) == ("Ann", first.written.sha[:10])
    why_in_full(companion, "a.py", 1)
    ready = companion.why("a.py", 1)
    assert not ready.asking
    assert told(ready) == ["Write (made area, 3 lines)"]


def test_the_line_of_a_package_is_no_definition_and_a_blank_line_has_no_story(opened: Opened, repo: Repo):
    repo.write("Area.java", "package org.area;\n\nclass Area {\n    int size = 1;\n}\n")
    repo.commit("write")
    companion = opened(repo)
    assert [mark.symbol for mark in companion.marks("Area.java")] == ["", "Area"]
    named = why_in_full(companion, "Area.java", 1)
    assert (named.symbol, told(named)) == ("", ["Write"])
    blank = why_in_full(companion, "Area.java", 2)
    assert (blank.written, blank.steps) == (None, ())


def test_a_commit_of_what_stood_there_before_did_not_make_a_definition(opened: Opened, repo: Repo):
    for subject, name in (("begin", "volume"), ("measure areas", "area")):
        repo.write("a.py", f"def {name}(width, height):\n    return width * height\n" if name == "area" else "x = 1\n")
        repo.commit(subject)
    assert told(why_in_full(opened(repo), "a.py", 1)) == ["Measure areas (made area, 2 lines)"]
