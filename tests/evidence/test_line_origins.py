"""Line origins: whatever is done to files, each line is known to be of the commit that put it there, or of none."""

from __future__ import annotations

import json
from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from companion.evidence.line_origins import MASS_FILES, LineOrigins
from companion.records.line_changes import CommitLines, FileLines, Hunk, Moved

EDITS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.integers(0, 3), st.integers(0, 4), st.sampled_from("-abc")),
    max_size=12,
)
"""Commits: a file, where it is changed, lines taken out, lines put in, and what it is called then (`-`: as before)."""


def hunks(old: list[str], new: list[str]) -> tuple[Hunk, ...]:
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(Hunk(i, j - i, b - a) for tag, i, j, a, b in codes if tag != "equal")


def changed(path: str, *found: tuple[int, int, int], old: str | None = None, blob: str = "") -> FileLines:
    return FileLines(path, path if old is None else old, blob or path, tuple(Hunk(*one) for one in found))


def made(*commits: CommitLines) -> LineOrigins:
    origins = LineOrigins()
    for commit in commits:
        origins.fold(commit)
    return origins


def lines(origins: LineOrigins, path: str, count: int, blob: str = "") -> list[str]:
    return ["".join(sha for sha, _ in origins.makers(path, blob or path, (n, n))) for n in range(1, count + 1)]


@given(EDITS)
def test_every_line_is_of_the_commit_that_wrote_it_through_edits_renames_and_restarts(edits) -> None:
    origins, texts = LineOrigins(), {"a": [], "b": [], "c": []}
    for number, (path, at, out, put, to) in enumerate(edits):
        before = texts.pop(path, None)
        old = before or []
        new = [*old[:at], *(f"{number} {n}" for n in range(put)), *old[at + out :]]
        name = path if to == "-" else to
        overwritten = [FileLines("", name, "")] if name != path and name in texts else []
        texts[name] = new
        file = FileLines(name, "" if before is None else path, f"{name}{number}", hunks(old, new))
        origins.fold(CommitLines(str(number), merge=False, files=(*overwritten, file)))
        origins.retain(list("abc"))
        origins = LineOrigins.of_json(json.loads(json.dumps(origins.as_json())))
        assert lines(origins, name, len(new), f"{name}{number}") == [line.split()[0] for line in new]


def test_of_another_content_and_of_lines_older_than_what_was_read_nothing_is_said() -> None:
    origins = made(CommitLines("new", merge=False, files=(changed("a", (3, 1, 2)),)))
    assert lines(origins, "a", 7) == ["", "", "", "new", "new", "", ""]
    assert origins.makers("a", "another", (1, 7)) == origins.makers("b", "b", (1, 7)) == ()


def test_makers_are_counted_and_the_newest_comes_first() -> None:
    origins = made(
        CommitLines("one", merge=False, files=(changed("a", (0, 0, 5), old=""),)),
        CommitLines("two", merge=True, files=(changed("a", (4, 1, 1)),)),
    )
    assert origins.makers("a", "a", (2, 5)) == (("two", 1), ("one", 3))
    assert origins.is_merge("two")
    assert not origins.is_merge("one")


def test_a_sweeping_commit_hides_nobody_and_made_what_was_not_there() -> None:
    mass = tuple(changed(f"m{n}") for n in range(MASS_FILES))
    origins = made(
        CommitLines("one", merge=False, files=(changed("a", (0, 0, 2), old=""),)),
        CommitLines("two", merge=False, files=(changed("a", (2, 0, 2)),)),
        CommitLines("formatted", merge=False, files=(*mass, changed("a", (0, 4, 8), (4, 0, 1)))),
    )
    assert lines(origins, "a", 9) == ["one"] * 4 + ["two"] * 4 + ["formatted"]
    origins.fold(CommitLines("grown", merge=False, files=(*mass, changed("a", (0, 1, 3)))))
    assert lines(origins, "a", 3) == ["grown"] * 3, "three lines for one are no other form of it"


def test_a_merge_of_a_sweeping_commit_hides_nobody_and_gives_what_it_brought_to_who_made_it() -> None:
    mass = tuple(changed(f"m{n}") for n in range(MASS_FILES))
    origins = made(CommitLines("one", merge=False, files=(changed("a", (0, 0, 4), old=""),)))
    branch = made(CommitLines("formatted", merge=False, files=(*mass, changed("a", (0, 2, 2), (4, 0, 1)))))
    origins.fold(CommitLines("merge", merge=True, files=(*mass, changed("a", (0, 2, 2), (4, 0, 1)))), branch)
    assert lines(origins, "a", 5) == ["one"] * 4 + ["formatted"]


def test_of_many_files_that_come_at_once_nobody_is_known_to_have_made_the_lines() -> None:
    brought = tuple(changed(f"m{n}", (0, 0, 2), old="") for n in range(MASS_FILES))
    origins = made(CommitLines("import", merge=False, files=(*brought, changed("a", (0, 0, 2), old=""))))
    assert lines(origins, "a", 2) == ["", ""]
    origins = made(
        CommitLines("work", merge=False, files=(*brought[1:], changed("a", (0, 0, 2), old=""), changed("b")))
    )
    assert lines(origins, "a", 2) == ["work", "work"]


def test_two_files_that_change_places_take_their_lines_along() -> None:
    origins = made(
        CommitLines("one", merge=False, files=(changed("a", (0, 0, 1), old=""),)),
        CommitLines("two", merge=False, files=(changed("b", (0, 0, 1), old=""),)),
        CommitLines("swap", merge=False, files=(changed("a", old="b"), changed("b", old="a"))),
    )
    assert (lines(origins, "a", 1), lines(origins, "b", 1)) == (["two"], ["one"])


def test_what_is_no_text_any_more_is_forgotten_and_so_is_what_may_not_be_read() -> None:
    origins = made(
        CommitLines("one", merge=False, files=(changed("a", (0, 0, 1), old=""), changed("b", (0, 0, 1), old="")))
    )
    origins.fold(CommitLines("two", merge=False, files=(FileLines("a", "a", "a", text=False),)))
    assert lines(origins, "a", 1) == [""]
    origins.retain(["a", "c"])
    assert origins.as_json()["files"] == {}


def test_commits_whose_lines_are_gone_are_left_out_of_what_is_compact() -> None:
    origins = made(
        CommitLines("one", merge=True, files=(changed("a", (0, 0, 2), old=""),)),
        CommitLines("two", merge=False, files=(changed("a", (0, 2, 3)),)),
    )
    origins.compact()
    assert (origins.as_json()["commits"], origins.as_json()["merges"]) == (["two"], [])
    assert lines(origins, "a", 3) == ["two"] * 3


def test_a_copy_that_is_fed_leaves_what_others_read_as_it_was() -> None:
    origins = made(CommitLines("one", merge=False, files=(changed("a", (0, 0, 2), old=""),)))
    origins.copy().fold(CommitLines("two", merge=False, files=(changed("a", (0, 2, 2)),)))
    assert lines(origins, "a", 2) == ["one", "one"]


def test_lines_that_moved_keep_their_makers_and_those_older_than_what_was_read_have_none() -> None:
    gone = FileLines("", "a", "", (Hunk(0, 4, 0),))
    into = FileLines("b", "", "b", (Hunk(0, 0, 5),), moved=(Moved(1, "a", 0, 2), Moved(3, "a", 8, 1)))
    origins = made(
        CommitLines("one", merge=False, files=(changed("a", (0, 0, 4), old=""),)),
        CommitLines("two", merge=False, files=(gone, into)),
    )
    assert lines(origins, "b", 5) == ["two", "one", "one", "", "two"]


def test_of_what_a_commit_put_into_source_it_is_known_how_much_is_left() -> None:
    origins = made(
        CommitLines("one", merge=False, files=(changed("a.py", (0, 0, 9), old=""), changed("a.md", (0, 0, 5), old=""))),
        CommitLines("two", merge=False, files=(changed("a.py", (2, 6, 3)), changed("test_a.py", (0, 0, 4), old=""))),
        CommitLines(
            "moves",
            merge=False,
            files=(
                FileLines("b.py", "", "b", (Hunk(0, 0, 3),), moved=(Moved(0, "a.py", 0, 2),)),
                changed("a.py", (0, 2, 0)),
            ),
        ),
    )
    assert [origins.left_of(sha) for sha in ("one", "two", "moves", "none")] == [(9, 3), (3, 3), (1, 1), None]
    origins.retain(["a.py", "b.py"])
    again = LineOrigins.of_json(json.loads(json.dumps(origins.as_json())))
    again.fold(CommitLines("last", merge=False, files=(changed("b.py", (0, 3, 1)),)))
    assert (again.left_of("one"), again.left_of("moves")) == ((9, 1), (1, 0))
