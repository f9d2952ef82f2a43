"""How a commit or a branch is told: its title and its story, without what is for the day only."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, episodes, learn

from companion.kinds.history.branches import brought
from companion.kinds.history.episodes import Episodes
from companion.kinds.history.stories import Happening, of_branch, of_commit
from companion.records import ChangeStatus, Draft, FileChange, ParsedFile, Role


def story_of(log: Log) -> Happening:
    """What the last commit of a log tells."""
    told = of_commit(log.commits[-1])
    assert told is not None
    return told


def test_a_squashed_list_tells_parts_of_the_result_and_no_steps_of_the_work() -> None:
    log = Log()
    body = "\n".join(
        (
            "* Drop the proxies argument of the client",
            "* Reject negative timeouts before a socket opens",
            "* oops, run again",
            "* First pass at a pool",
            "* Pin pytest",
            "* Add docs",
            "for more information, see https://pre-commit.ci",
        )
    )
    log.commit("Drop proxies argument of the client (#7)", body, SOURCE_AND_TEST, pull_request="7")
    told = story_of(log)
    assert "Reject negative timeouts before a socket opens" in told.story
    for step in ("oops", "First pass", "Pin pytest", "Add docs", "more information", "- Drop"):
        assert step not in told.story


def test_a_short_line_of_a_squashed_list_is_told_only_if_it_says_how_the_result_behaves() -> None:
    log = Log()
    body = (
        "* Move helpers of the pool around\n* Direct iteration of chunks\n* Don't quote values that are numbers already"
    )
    log.commit("Allow numbers in multipart data (#8)", body, SOURCE_AND_TEST, pull_request="8")
    told = story_of(log)
    assert "Don't quote values" in told.story
    assert "helpers" not in told.story
    assert "Direct iteration" not in told.story


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("Fix the date header of cached answers. In theory", "Fix the date header of cached answers."),
        ("Fixed tests. Added a check for nested transformers", "Added a check for nested transformers"),
        ("Added a strict mode of objects. pool@3.0.0-alpha.9", "Added a strict mode of objects"),
        ("Do not clobber stored defaults in", "Do not clobber stored defaults"),
        ("Avoid long factory names of commands [ci skip]", "Avoid long factory names of commands"),
        (
            "Ensure inclusive bounds of sizes; update snapshots\\n\\n- Set emits them",
            "Ensure inclusive bounds of sizes",
        ),
    ],
)
def test_a_title_has_no_chatter_no_release_and_no_cut_end(subject: str, title: str) -> None:
    log = Log()
    log.commit(subject, "", SOURCE_AND_TEST)
    told = story_of(log)
    assert told.title == title


def test_a_story_has_no_talk_to_reviewers_no_pasted_code_and_no_loose_end() -> None:
    log = Log()
    body = (
        f"{WHY} I'm not sure about the name. Is this right?\n\n    Traceback: pasted output\n\nBefore:\n\n"
        "For example, the following fails:\n\nDiscussion: https://example.org/1\n\n--HG--\nextra : convert_revision : 1"
    )
    log.commit("Keep connections of the pool open", body, SOURCE_AND_TEST)
    told = story_of(log)
    assert told.story == WHY


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna's patch pointed me in the right direction here.",
        "Not completely sure if that is correct, but it reads better.",
        "The original code is implemented by @anna in #14.",
        "In the above example four functions are added to the map.",
        "==14954==ERROR: LeakSanitizer: detected memory leaks\n#0 0x4848A in jv_mem_calloc jv_alloc.c:153",
        "It causes problems, if you have an app like this\n\n    app = App()\n\n",
        "The fix from https://example.org/1 works.",
        "https://example.org/1 introduced a new error type.",
        "Documentation in README.md is also updated to be more accurate.",
        "Feels like it may have been copied from another option.",
        WHY,
        "commit f4e6b9aab54b270ca703794fde9370d00821dfca\nAuthor: Anna <anna@example.org>\nDate: Sun Apr 12 19:25 2015",
        "Tests will follow, also results of performance testing.",
        "The docs of both differ, but open to suggestions.",
        "Found it once I figured out that I need to run it :)",
    ],
)
def test_what_leans_on_something_that_is_gone_or_speaks_of_its_author_is_not_told(sentence: str) -> None:
    log = Log()
    log.commit("Keep connections of the pool open", f"{WHY}\n\n{sentence}", SOURCE_AND_TEST)
    told = story_of(log)
    assert told.story == WHY


def test_a_title_is_told_without_bullet_comma_or_version_but_with_its_flag() -> None:
    log = Log()
    log.commit("- allow lists in the response class. v3.1.2", WHY, SOURCE_AND_TEST)
    log.commit("Fixes #12, flattened fields ignored their tag", WHY, SOURCE_AND_TEST)
    log.commit("--line-ranges dedents a decorator", WHY, SOURCE_AND_TEST)
    assert [told.title for commit in log.commits if (told := of_commit(commit))] == [
        "allow lists in the response class",
        "flattened fields ignored their tag",
        "--line-ranges dedents a decorator",
    ]


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("Reject empty cookies before sending; misc refactoring", "Reject empty cookies before sending"),
        ("Reject empty cookies before sending (#12 1/3)", "Reject empty cookies before sending"),
        ("[PR #12/f00ba47 backport][3.11] Reject empty cookies before sending", "Reject empty cookies before sending"),
        ("1285 fix cookies that are lost after a redirect", "fix cookies that are lost after a redirect"),
        ("Reject empty cookies before sending, also see", "Reject empty cookies before sending"),
    ],
)
def test_a_title_is_told_without_numbers_of_its_parts_and_chores_at_its_end(subject: str, title: str) -> None:
    log = Log()
    log.commit(subject, WHY, SOURCE_AND_TEST)
    assert story_of(log).title == title


def test_a_merge_by_a_merging_robot_is_titled_by_its_request() -> None:
    log = Log()
    base = log.commit("Start the pool")
    work = log.commit("Keep closed connections out of the pool", WHY, SOURCE_AND_TEST, parents=(base,))
    log.merge(base, work, "Auto merge of #536 - fork:pool, r=anna", "Keep closed connections out of the pool")
    (branch,) = brought(log.commits)
    told = of_branch(branch)
    assert told is not None
    assert told.title == "Keep closed connections out of the pool"


def test_a_merge_that_a_tool_numbered_and_signed_is_titled_by_its_title_alone() -> None:
    log = Log()
    base = log.commit("Start the pool of connections", "")
    side = log.commit("close it", "", SOURCE_AND_TEST, parents=[base])
    body = (
        "This PR was squashed before being merged into the 1.x branch.\n\nDiscussion\n----------\n\n"
        f"Drop closed connections of the pool\n\n{WHY}"
    )
    log.commit("bug #12 Drop closed connections of the pool (anna, ben)", body, (), parents=[base, side])
    (told,) = [draft for draft in episodes(learn(log.commits)) if "Drop" in draft.subject]
    assert told.subject == "Drop closed connections of the pool"
    assert "squashed" not in told.levels.full


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("Close the pool when idle [reported by Anna]", "Close the pool when idle"),
        ("Close the pool when idle [#43 state:resolved]", "Close the pool when idle"),
        ("Close the pool when idle (thanks Ben)", "Close the pool when idle"),
        ("Close the pool when idle. (#12). Fixes #11.", "Close the pool when idle."),
        ("[WIP] Close the pool when idle", "Close the pool when idle"),
        ("Close the pool when idle:", "Close the pool when idle"),
        ("Close the pool when idle, fixing #11", "Close the pool when idle"),
        ("Close the pool when idle -.-", "Close the pool when idle"),
        ("🐛 Close the pool when idle 😬😬", "Close the pool when idle"),
        (":bug: Close the pool when idle :)", "Close the pool when idle"),
    ],
)
def test_a_title_is_told_without_thanks_tickets_faces_and_what_it_was_before(subject: str, title: str) -> None:
    log = Log()
    log.commit(subject, WHY, SOURCE_AND_TEST)
    (told,) = episodes(learn(log.commits))
    assert told.subject.rstrip(".") == title.rstrip(".")


def test_a_variable_that_a_tool_left_at_the_end_of_a_message_is_not_told() -> None:
    log = Log()
    log.commit("Drop closed connections of the pool", f"{WHY}\n\nMIGRATED_REVID=170749054\n", SOURCE_AND_TEST)
    (told,) = episodes(learn(log.commits))
    assert "MIGRATED_REVID" not in told.levels.full


@pytest.mark.parametrize("body", ["", "…", f"\n{WHY}", f"...\n\n{WHY}"], ids=["nothing", "dots", "below", "dots above"])
@pytest.mark.parametrize("subject", ["…", "...", "Keep the pool open…"])
def test_a_cut_subject_that_nothing_goes_on_from_is_told_as_it_stands(subject: str, body: str) -> None:
    log = Log()
    start = log.commit("Start the pool")
    fixed = log.commit("Fix the pool", WHY, SOURCE_AND_TEST, parents=(start,))
    log.merge(start, fixed, subject, body)
    (branch,) = brought(log.commits)
    told = of_branch(branch)
    assert told is None or told.title.startswith(subject.rstrip("….")), told


def test_brackets_that_held_nothing_but_an_address_go_with_it() -> None:
    log = Log()
    body = f"The component (https://example.org/1) of the pool is told (see https://example.org/2). {WHY}"
    log.commit("Drop closed connections of the pool", body, SOURCE_AND_TEST)
    assert story_of(log).story == f"The component of the pool is told. {WHY}"


def test_a_merge_of_a_queue_is_titled_without_its_number_and_its_people() -> None:
    log = Log()
    base = log.commit("Start the pool of connections", "")
    side = log.commit("Drop closed connections", WHY, SOURCE_AND_TEST, parents=[base])
    log.commit("Merge #12", f"12: Drop closed connections of the pool r=anna a=ben\n\n{WHY}", (), parents=[base, side])
    named = log.commit("13: Close idle connections of the pool r=anna a=ben", WHY, SOURCE_AND_TEST)
    titles = [draft.subject for draft in episodes(learn(log.commits))]
    assert titles == ["Drop closed connections of the pool", "Close idle connections of the pool"]
    assert named.subject not in titles


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


def test_a_branch_does_not_tell_a_name_that_it_gave_another_before_it_was_merged() -> None:
    draft = branch_of(
        ("Add an ignore_errors option so that a broken part does not stop the rest", WHY),
        ("Rename ignore_errors to silent", ""),
        ("Pass over broken parts if silent is set", "The rest is read on, since a broken part is no reason to stop."),
    )
    assert "ignore_errors" not in draft.levels.full.replace("Rename ignore_errors", "")
    assert draft.subject == "Pass over broken parts if silent is set"


def test_a_branch_does_not_tell_a_name_that_stands_nowhere_unless_its_request_names_it() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    one = log.commit("Add ignore_errors when a part is broken", WHY, SOURCE_AND_TEST, parents=(base,))
    two = log.commit("Go on after a broken part when silent", WHY, SOURCE_AND_TEST, parents=(one,))
    merge = log.merge(base, two, "Merge branch 'work'")
    code = ParsedFile(path="src/pool.py", language="python", role=Role.SOURCE, content_hash="1", size_bytes=1, lines=1)
    (draft,) = Episodes().learn(HistoryWorld(log.commits, code=(code,), paths=SOURCE_AND_TEST))
    assert draft.subject == "Go on after a broken part when silent"
    assert "ignore_errors" not in draft.levels.full
    named = replace(merge, body=f"Add ignore_errors for broken parts\n\n{WHY}")
    (draft,) = Episodes().learn(HistoryWorld([base, one, two, named], code=(code,), paths=SOURCE_AND_TEST))
    assert "ignore_errors" in draft.subject


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
