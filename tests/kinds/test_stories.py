"""How a commit or a branch is told: its title and the opening of its story, as it was written."""

from __future__ import annotations

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, episodes, learn
from msgspec.structs import replace

from companion.kinds.history.branches import brought
from companion.kinds.history.episodes import Episodes
from companion.kinds.history.landed import Landed, of_branch, of_commit
from companion.kinds.history.salience import gives_reason
from companion.records import ChangeStatus, Draft, FileChange, FileRole, ParsedFile


def landed(log: Log) -> Landed:
    """What the last commit of a log is."""
    return of_commit(log.commits[-1])


def test_a_story_is_told_up_to_the_first_list_whose_items_others_may_lean_on() -> None:
    log = Log()
    body = f"{WHY}\n\n* oops, run again\n* Pin pytest\n\nIt is pinned because the new one is slow."
    log.commit("Drop proxies argument of the client (#7)", body, SOURCE_AND_TEST, pull_request="7")
    assert landed(log).told == WHY


def test_of_squashed_commits_the_first_is_told_and_none_that_mends_it() -> None:
    log = Log()
    title = "Drop proxies argument of the client (#7)"
    log.commit(title, f"* Drop the argument\n\n{WHY}\n\n* Pin pytest\n\nThe new one is slow.", SOURCE_AND_TEST)
    assert landed(log).told == WHY
    log.commit(title, f"* Drop the argument\n* Pin pytest\n\n{WHY}", SOURCE_AND_TEST)
    assert landed(log).told == ""


@pytest.mark.parametrize(
    "around",
    [
        "I'm not sure about the name.",
        "Is this right?",
        "It is probably better.",
        "Before:\n\n    Traceback: pasted output",
        "For example, the following fails:",
        "Discussion: https://example.org/1",
        "The fix from https://example.org/1 works.",
        "--HG--\nextra : convert_revision : 1",
        "MIGRATED_REVID=170749054",
        "It was added in f4e6b9aab54b and in #14.",
        "It causes problems, if you have an app like this\n\n    app = App()\n\n",
        "==14954==ERROR: LeakSanitizer: detected memory leaks\n#0 0x4848A in jv_mem_calloc jv_alloc.c:153",
        "Found it once I ran it :)",
        "Thanks to @anna.",
        "The new code is covered by tests.",
        "* Add a test\n\nAlso count them, because people asked for the number of connections there are.",
        "Previously\n\n    pool.take(closed=True)\n\nwent wrong because we asked for the same connection twice.",
        "An example of why it went wrong can be found here.",
        "Signed-off-by: Anna Berg <anna@example.org>",
    ],
)
def test_a_story_has_no_talk_no_pasted_code_and_nothing_that_leans_on_what_is_not_there(around: str) -> None:
    log = Log()
    log.commit("Keep connections of the pool open", f"{WHY}\n\n{around}", SOURCE_AND_TEST)
    assert landed(log).told == WHY


def test_a_paragraph_is_told_as_it_was_written_but_for_asides_at_its_end() -> None:
    log = Log()
    told = "I saw that it is slow. Then it waits, because the lock is held."
    log.commit("Let go of the lock", f"{told} I hope so. Thanks to all.", SOURCE_AND_TEST)
    assert landed(log).told == told


def test_a_paragraph_that_speaks_of_an_address_is_not_told() -> None:
    log = Log()
    log.commit("Let go of the lock", f"{WHY}\n\nBy https://example.org/1 it is slow. So it waits.", SOURCE_AND_TEST)
    assert landed(log).told == WHY


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("- allow lists in the response class", "allow lists in the response class"),
        ("--line-ranges dedents a decorator", "--line-ranges dedents a decorator"),
        ("Close the pool when idle. (#12). Fixes #11.", "Close the pool when idle"),
        ("Close the pool when idle, fixing #11", "Close the pool when idle"),
        ("Close the pool when idle. Fix for #11.", "Close the pool when idle"),
        ("Close the pool when idle for issue #11", "Close the pool when idle"),
        ("Close the pool when idle [#43 state:resolved]", "Close the pool when idle"),
        ("Close the pool when idle [reported by Anna]", "Close the pool when idle"),
        ("Close the pool when idle (thanks Ben)", "Close the pool when idle"),
        ("Close the pool when idle [ci skip]", "Close the pool when idle"),
        ("Close the pool when idle (#12 1/3)", "Close the pool when idle"),
        ("Close the pool when idle:", "Close the pool when idle"),
        ("[WIP] Close the pool when idle", "Close the pool when idle"),
        ("[PR #12/f00ba47 backport][3.11] Close the pool when idle", "Close the pool when idle"),
        ("1285 close the pool when idle", "close the pool when idle"),
        ("🐛 Close the pool when idle", "Close the pool when idle"),
        (":bug: Close the pool when idle", "Close the pool when idle"),
        ("bug #12 Close the pool when idle (anna, ben)", "Close the pool when idle"),
        ("12: Close the pool when idle r=anna a=ben", "Close the pool when idle"),
        ("Fix #12", "Fix #12"),
    ],
)
def test_a_title_is_told_without_the_numbers_and_tags_that_tools_put_around_it(subject: str, title: str) -> None:
    log = Log()
    log.commit(subject, WHY, SOURCE_AND_TEST)
    assert landed(log).title.rstrip(".") == title


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Auto merge of #536 - fork:pool, r=anna", "Keep closed connections out of the pool"),
        ("Merge #12", "12: Keep closed connections out of the pool r=anna a=ben"),
        ("bug #12 Keep closed connections out of the pool (anna, ben)", "This PR was squashed."),
    ],
)
def test_a_merge_by_a_merging_robot_is_titled_by_its_request(subject: str, body: str) -> None:
    log = Log()
    base = log.commit("Start the pool")
    work = log.commit("Keep them", "", SOURCE_AND_TEST, parents=(base,))
    log.merge(base, work, subject, f"{body}\n\n{WHY}")
    (branch,) = brought(log.commits)
    assert of_branch(branch, gives_reason).title == "Keep closed connections out of the pool"


@pytest.mark.parametrize("body", ["", "…", f"\n{WHY}", f"...\n\n{WHY}"], ids=["nothing", "dots", "below", "dots above"])
@pytest.mark.parametrize("subject", ["…", "...", "Keep the pool open…"])
def test_a_cut_subject_that_nothing_goes_on_from_is_told_as_it_stands(subject: str, body: str) -> None:
    log = Log()
    start = log.commit("Start the pool")
    fixed = log.commit("Fix the pool", WHY, SOURCE_AND_TEST, parents=(start,))
    log.merge(start, fixed, subject, body)
    (branch,) = brought(log.commits)
    told = of_branch(branch, gives_reason)
    assert told.title.startswith((subject.rstrip("…."), "Fix the pool")), told


def branch_of(*steps: tuple[str, str], subject: str = "Merge branch 'work'", body: str = "") -> Draft:
    log = Log()
    base = log.commit("Start the pool", parents=())
    tip = base
    for title, why in steps:
        tip = log.commit(title, why, SOURCE_AND_TEST, parents=(tip,))
    log.merge(base, tip, subject, body)
    (draft,) = episodes(learn(log.commits))
    return draft


def test_a_branch_tells_where_it_ended_and_not_what_it_gave_up_on_the_way() -> None:
    draft = branch_of(
        ("Add nil check to Pool.take when it is closed", WHY),
        ("Return early from a closed pool", f"Use an early return instead of adding a nil check when closed. {WHY}"),
    )
    assert draft.subject == "Return early from a closed pool"
    assert "Add nil check" not in draft.levels.full


def test_a_branch_is_told_by_the_commit_that_is_called_as_its_request() -> None:
    draft = branch_of(
        ("Make the pool of connections faster", WHY),
        (
            "Remove an argument of the pool",
            WHY,
        ),
        subject="Merge #7",
        body="Faster pool of connections",
    )
    assert draft.subject == "Make the pool of connections faster"


def test_a_branch_that_matters_is_told_by_a_short_reason_where_it_has_no_long_one() -> None:
    short = "Its certificate went unread, because the flag was set before the handshake."
    draft = branch_of(("Set the flag of the pool later", short), body="Fix the pool (CVE-2016-9015)")
    assert short in draft.levels.full


def test_a_branch_does_not_tell_a_name_that_it_gave_another_before_it_was_merged() -> None:
    draft = branch_of(
        ("Add an ignore_errors option so that a broken part does not stop the rest", WHY),
        ("Rename ignore_errors to silent", ""),
        ("Pass over broken parts if silent is set", WHY),
    )
    assert "ignore_errors" not in draft.levels.full.replace("Rename ignore_errors", "")
    assert draft.subject == "Pass over broken parts if silent is set"


def test_a_branch_does_not_tell_a_name_that_stands_nowhere() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    one = log.commit("Add ignore_errors when a part is broken", WHY, SOURCE_AND_TEST, parents=(base,))
    two = log.commit("Go on after a broken part when silent", WHY, SOURCE_AND_TEST, parents=(one,))
    log.merge(base, two, "Merge branch 'work'")
    code = ParsedFile(
        path="src/pool.py", language="python", role=FileRole.SOURCE, content_hash="1", size_bytes=1, lines=1
    )
    (draft,) = Episodes().learn(HistoryWorld(log.commits, code=(code,), paths=SOURCE_AND_TEST))
    assert draft.subject == "Go on after a broken part when silent"
    assert "ignore_errors" not in draft.levels.full


def test_a_file_that_came_and_went_within_a_branch_is_none_of_its_files() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    one = log.commit("Read a broken part again when it fails", WHY, SOURCE_AND_TEST, parents=(base,))
    added = replace(one, changes=(*one.changes, FileChange(ChangeStatus.ADDED, "src/retry.py")))
    two = log.commit("Move it into the pool", WHY, SOURCE_AND_TEST, parents=(one,))
    gone = replace(two, changes=(*two.changes, FileChange(ChangeStatus.DELETED, "src/retry.py")))
    merge = log.merge(base, two, "Merge branch 'work'")
    (draft,) = episodes(learn([base, added, gone, merge]))
    assert "file:src/retry.py" not in draft.entities
