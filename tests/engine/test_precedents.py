"""Precedents: the past change of the same sort comes first, what goes along is told, and nothing rather than anything."""

from __future__ import annotations

from datetime import timedelta

from fakes import WordCounter
from msgspec.structs import replace

from companion.engine.assemble import assemble
from companion.engine.recalling.past_work import of_precedents, precedents_of, why_alike
from companion.engine.recalling.recall import Ask
from companion.engine.recalling.went_along import habits_of
from companion.ports import PastChange
from companion.records import Activity, ChangeStatus, EvidenceKind, FileChange, Signals, Tier
from engine.fake_library import FakeLibrary
from engine.makers import NOW, episode

NEW, CHANGED = ChangeStatus.ADDED, ChangeStatus.MODIFIED


def change(number: int, subject: str, *paths: str, ago: int = 10) -> PastChange:
    """A commit; a path that begins with `+` was added by it."""
    files = tuple(FileChange(NEW if path[0] == "+" else CHANGED, path.lstrip("+")) for path in paths)
    sha = f"{number:040x}"
    return PastChange(sha, subject, NOW - timedelta(days=ago), (sha,), files, 0.0, (), ago)


def subjects(text: str, *changes: PastChange, at_hand: tuple[str, ...] = ()) -> list[str]:
    return [one.subject for one in precedents_of(text, FakeLibrary(changes=changes), NOW, at_hand)]


ADD_RETRY = change(1, "add retry option to download command", "src/cli.py", "tests/test_cli.py", "docs/cli.md")
FIX_RETRY = change(2, "fix crash in retry option of download command", "src/cli.py")
ADD_CACHE = change(3, "add cache size", "src/cache.py", "tests/test_cache.py")
FIX_OTHER = change(4, "fix wrong colour of the banner", "src/banner.py")


def test_the_change_of_the_same_sort_comes_before_one_that_shares_as_many_words() -> None:
    found = subjects("add timeout option to download command", FIX_RETRY, FIX_OTHER, ADD_CACHE, ADD_RETRY)
    assert found[0] == ADD_RETRY.subject
    assert FIX_OTHER.subject not in found


def test_nothing_is_shown_where_only_a_common_word_is_shared() -> None:
    assert subjects("add support for reading parquet tables from cloud storage", ADD_CACHE, FIX_OTHER) == []


def test_nothing_later_than_the_moment_is_a_precedent() -> None:
    later = replace(ADD_RETRY, at=NOW + timedelta(days=1))
    assert subjects("add timeout option to download command", later) == []


def test_work_that_was_picked_for_another_line_is_shown_once() -> None:
    picked = change(9, "add retry option to download command (#12)", "src/cli.py", ago=3)
    assert len(subjects("add timeout option to download command", ADD_RETRY, picked)) == 1


def test_a_mass_change_comes_after_a_small_one_that_says_the_same() -> None:
    mass = change(5, "add timeout option to upload command", *(f"src/{n}.py" for n in range(40)), ago=1)
    small = change(6, "add retry option to upload command", "src/up.py", ago=9)
    assert subjects("add delay option to upload command", mass, small)[0] == small.subject


def test_of_two_like_changes_the_one_in_the_file_at_hand_comes_first() -> None:
    there = change(7, "add limit to queue size", "src/queue.py", ago=50)
    elsewhere = change(8, "add limit to queue size per host", "src/host.py", ago=40)
    assert subjects("add limit to queue age", there, elsewhere, at_hand=("src/queue.py",))[0] == there.subject


def test_a_precedent_says_why() -> None:
    (found,) = precedents_of("add timeout option to download command", FakeLibrary(changes=[ADD_RETRY, ADD_RETRY]), NOW)
    assert why_alike(found).startswith("did the same sort of thing, in cli.py and its tests; matches ")


def precedent(number: int, *paths: str) -> PastChange:
    return change(number, f"add thing {number}", *paths)


def test_a_file_that_most_of_them_changed_is_a_habit_and_code_is_none() -> None:
    found = habits_of([precedent(n, "src/app.py", *(["CHANGES.rst"] if n != 2 else [])) for n in range(4)])
    assert [(habit.path, habit.times, habit.of) for habit in found] == [("CHANGES.rst", 3, 4)]


def test_a_fragment_that_does_not_exist_yet_is_told_as_a_template_with_its_example() -> None:
    (found,) = habits_of([precedent(n, f"+docs/changes/{n}7.feature.rst") for n in range(1, 5)])
    assert (found.path, found.made, found.example_path) == (
        "docs/changes/NUMBER.feature.rst",
        True,
        "docs/changes/17.feature.rst",
    )


def test_a_template_says_which_folder_and_which_part_of_a_name_varies() -> None:
    kinds = ["api", "feature", "bugfix", "api"]
    (found,) = habits_of([precedent(n, f"+docs/changes/{kind}/{n}.rst") for n, kind in enumerate(kinds)])
    assert found.path == "docs/changes/*/NUMBER.rst"
    (found,) = habits_of([precedent(n, f"tests/test_{name}.py") for n, name in enumerate(["cli", "io", "net", "web"])])
    assert found.path == "tests/test_*.py"


def test_what_half_of_them_did_is_no_habit() -> None:
    assert habits_of([precedent(1, "CHANGES.rst"), precedent(2, "CHANGES.rst"), precedent(3, "a.py")]) == ()


def ask(query: str) -> Ask:
    return Ask(Signals(query=query), (), NOW, Activity.NEW_FEATURE, text="add timeout option to download command")


def test_a_task_in_words_brings_its_precedents_into_the_context() -> None:
    library = FakeLibrary(changes=[ADD_RETRY, ADD_CACHE])
    context = assemble(2_000, Signals(query="add timeout option to download command"), (), library, WordCounter(), NOW)
    items = [item for report in context.tiers for item in report.items if item.section == "Precedents"]
    assert items[0].id == f"precedent:{ADD_RETRY.sha}"
    assert (items[0].tier, items[0].evidence[0].kind) == (Tier.RELEVANT, EvidenceKind.COMMIT)
    assert "tests: tests/test_cli.py" in items[0].text


def test_no_task_brings_no_precedent() -> None:
    assert of_precedents(ask(""), (), FakeLibrary(changes=[ADD_RETRY]), WordCounter()) == []


def test_the_first_tells_the_habits_and_each_has_a_shorter_form() -> None:
    changes = [change(n, f"add option {n} to download command", "src/cli.py", "docs/cli.md") for n in range(4)]
    first, *others = of_precedents(
        ask("add option to download command"), (), FakeLibrary(changes=changes), WordCounter()
    )
    assert "such work changes docs/cli.md (4 of the 4 nearest)" in first.forms[0].text
    assert all("nearest" not in form.text for other in others for form in other.forms)
    assert all(one.forms[0].tokens > one.forms[1].tokens for one in (first, *others))


def test_a_precedent_that_is_remembered_too_says_the_same_as_its_memory() -> None:
    memory = episode("add retry option to download command", names=("src/cli.py",))
    remembered = replace(ADD_RETRY, sha=memory.draft.evidence[0].ref, commits=(memory.draft.evidence[0].ref,))
    (found,) = of_precedents(ask("add retry to download"), (memory,), FakeLibrary(changes=[remembered]), WordCounter())
    assert found.says == memory.key
