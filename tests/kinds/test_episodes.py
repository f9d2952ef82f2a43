"""Which happenings of a history are told, how, and how often."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, episodes, learn
from msgspec.structs import replace

from companion.kinds.history.episodes import Episodes, origin_of
from companion.records import (
    ArtifactKind,
    ChangeStatus,
    Commit,
    Draft,
    Episode,
    EpisodeType,
    Failure,
    FileChange,
    Importance,
    Person,
)

SUBJECTS = st.sampled_from(
    [
        "Fix the pool",
        "wip",
        "Add nested prefixes",
        'Revert "x"',
        "Drop support for Ruby 2",
        "Merge branch 'main'",
        "",
        "…",
    ]
) | st.text(max_size=60)


@pytest.mark.parametrize(
    "subject",
    [
        "Fix the pool handing out closed connections",
        "feat(router): support nested prefixes",
        "time: wake `DelayQueue` when cleared (#8320)",
        "Drop support for Python 3.7",
        "perf: read the index lazily",
        "fix: release the lock when the worker dies",
        "Deprecate should_ignore_error",
        "Add a test client that keeps cookies",
    ],
)
def test_what_changed_for_its_users_is_told(subject: str) -> None:
    log = Log()
    log.commit(subject, WHY, SOURCE_AND_TEST)
    assert len(episodes(learn(log.commits))) == 1


def test_robots_tell_nothing() -> None:
    log = Log()
    log.commit("Fix pool", WHY, SOURCE_AND_TEST, author=Person("dependabot[bot]", "support@github.com"))
    assert learn(log.commits) == []


def test_an_episode_knows_its_commit_files_people_issues_and_quoted_code() -> None:
    log = Log()
    commit = log.commit(
        "Fix `Pool.take` handing out closed connections (#42)",
        f"{WHY}\n\nFixes #17\nSigned-off-by: Anna Berg <anna@example.org>",
        SOURCE_AND_TEST,
        pull_request="42",
    )
    (draft,) = learn(log.commits)
    assert isinstance(draft.body, Episode)
    assert draft.subject == draft.body.title == "Fix `Pool.take` handing out closed connections"
    assert draft.body.change == "fix"
    assert draft.body.people == ("Anna Berg",)
    assert draft.valid_from == commit.committed_at
    assert {(a.kind, a.ref) for a in draft.artifacts} == {
        (ArtifactKind.COMMIT, commit.sha),
        (ArtifactKind.PULL_REQUEST, "42"),
        (ArtifactKind.ISSUE, "17"),
        (ArtifactKind.FILE, "src/pool.py"),
        (ArtifactKind.FILE, "tests/test_pool.py"),
    }
    assert set(draft.entities) == {
        "file:src/pool.py",
        "file:tests/test_pool.py",
        "person:anna_berg",
        "symbol:Pool.take",
    }
    assert "Signed-off-by" not in draft.levels.full


def test_a_merged_request_is_told_once_with_its_commits_inside() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    first = log.commit("add Pool.take", WHY, SOURCE_AND_TEST, parents=(base,))
    second = log.commit("fix lint", "", ("src/pool.py",), parents=(first,))
    merge = log.merge(
        base, second, "Merge pull request #7 from anna/pool", f"Reuse connections\n\n{WHY}", pull_request="7"
    )
    (draft,) = episodes(learn(log.commits))
    assert draft.type == EpisodeType.BRANCH
    assert draft.subject == "Reuse connections"
    assert draft.origin == origin_of(merge.sha)
    assert [e.ref for e in draft.evidence] == [merge.sha, first.sha, second.sha]
    assert isinstance(draft.body, Episode)
    assert draft.body.commits == (merge.sha, first.sha, second.sha)
    assert "fix lint" not in draft.levels.full
    assert "file:src/pool.py" in draft.entities


def test_a_sync_of_two_long_lived_lines_is_not_told_but_the_requests_merged_behind_it_are() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    work = log.commit("Fix the pool on restart", WHY, SOURCE_AND_TEST, parents=(base,))
    on_stable = log.merge(
        base, work, "Merge pull request #8 from anna/restart", f"Survive a restart\n\n{WHY}", pull_request="8"
    )
    log.merge(base, on_stable, "Merge branch 'stable'")
    assert [draft.subject for draft in episodes(learn(log.commits))] == ["Survive a restart"]


def test_a_branch_of_housekeeping_is_not_told() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    work = log.commit("fix typo", "", ("src/pool.py",), parents=(base,))
    log.merge(base, work, "Merge pull request #9 from anna/typo", "Fix typo in docs", pull_request="9")
    assert learn(log.commits) == []


def test_a_revert_supersedes_what_it_took_back() -> None:
    log = Log()
    bad = log.commit("Cache the pool per thread", WHY, SOURCE_AND_TEST)
    revert = log.commit(
        'Revert "Cache the pool per thread"',
        "It leaked a connection whenever a thread ended before its request.",
        SOURCE_AND_TEST,
        reverts=bad.sha,
    )
    by_origin = {draft.origin: draft for draft in episodes(learn(log.commits))}
    taken_back = by_origin[origin_of(bad.sha)]
    assert taken_back.importance == Importance.TRIVIAL
    assert taken_back.valid_to == revert.committed_at
    assert taken_back.label == "reverted"
    assert taken_back.levels.summary.startswith(
        f"Reverted on {revert.committed_at:%Y-%m-%d}: Cache the pool per thread"
    )
    assert by_origin[origin_of(revert.sha)].importance == Importance.SIGNIFICANT


def test_a_revert_that_comes_later_speaks_for_the_older_commit_too() -> None:
    log = Log()
    bad = log.commit("Cache the pool per thread", WHY, SOURCE_AND_TEST)
    log.commit("Drop support for Python 3.7", WHY, SOURCE_AND_TEST)
    revert = log.commit(
        'Revert "Cache the pool per thread"',
        "It leaked a connection whenever a thread ended before its request.",
        SOURCE_AND_TEST,
        reverts=bad.sha,
    )
    world = HistoryWorld(commits=[revert], old=log.commits[:-1])
    assert set(Episodes().origins(world)) == {origin_of(bad.sha), origin_of(revert.sha)}
    drafts = episodes(list(Episodes().learn(world)))
    assert {draft.origin: draft.label for draft in drafts}[origin_of(bad.sha)] == "reverted"


def test_a_revert_of_a_revert_gives_the_commit_back_its_place_and_of_the_two_the_last_is_told() -> None:
    log = Log()
    good = log.commit("Cache the pool per thread", WHY, SOURCE_AND_TEST)
    revert = log.commit(
        'Revert "Cache the pool per thread"',
        "It leaked a connection whenever a thread ended before its request.",
        SOURCE_AND_TEST,
        reverts=good.sha,
    )
    log.commit(
        'Revert "Revert "Cache""',
        "It did not leak after all, because the leak was in the check and not in the cache.",
        SOURCE_AND_TEST,
        reverts=revert.sha,
    )
    labels = {draft.origin: draft.label for draft in episodes(learn(log.commits))}
    assert labels[origin_of(good.sha)] == ""
    assert origin_of(revert.sha) not in labels


def test_a_merge_seen_later_folds_commits_that_were_told_before() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    work = log.commit("Fix the pool on restart", WHY, SOURCE_AND_TEST, parents=(base,))
    merge = log.merge(
        base, work, "Merge pull request #8 from anna/restart", f"Survive a restart\n\n{WHY}", pull_request="8"
    )
    world = HistoryWorld(commits=[merge], old=[base, work])
    assert origin_of(work.sha) in Episodes().origins(world)
    assert [draft.origin for draft in episodes(list(Episodes().learn(world)))] == [origin_of(merge.sha)]


SAID = "Nobody had looked at it."


@pytest.mark.parametrize(
    ("subject", "body", "error_type", "message"),
    [
        (
            "Fix KeyError in Config.load when the file is empty",
            SAID,
            "KeyError",
            "in Config.load when the file is empty",
        ),
        (
            "fix: read the header once",
            f"{SAID} It failed with\n\n    ValueError: header was read twice\n",
            "ValueError",
            "header was read twice",
        ),
        ("sync: fix deadlock when the pool shuts down", SAID, "deadlock", "when the pool shuts down"),
    ],
)
def test_a_fix_that_names_its_error_becomes_an_error_with_its_fix(
    subject: str, body: str, error_type: str, message: str
) -> None:
    log = Log()
    commit = log.commit(subject, body, SOURCE_AND_TEST)
    (draft,) = learn(log.commits)
    assert draft.type == EpisodeType.ERROR
    assert isinstance(draft.body, Failure)
    assert (draft.body.error_type, draft.body.message) == (error_type, message)
    assert draft.body.fix_commit == commit.sha
    assert draft.body.verified is False
    assert draft.body.fingerprint


@pytest.mark.parametrize("body", ["", "Fix memory leaks for the pool.", "Fixes #16"])
def test_a_message_that_says_no_more_than_its_subject_is_found_and_not_told(body: str) -> None:
    log = Log()
    log.commit("Fix memory leaks for the pool (#17)", body, SOURCE_AND_TEST)
    assert learn(log.commits) == []


def test_raising_an_error_on_purpose_is_no_failure() -> None:
    log = Log()
    log.commit("Raise ValueError in Config.load when the file is empty", WHY, SOURCE_AND_TEST)
    (draft,) = learn(log.commits)
    assert isinstance(draft.body, Episode)


def test_a_fix_ported_to_another_line_is_told_once() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    one = log.commit("Fix the pool on restart (#3)", WHY, SOURCE_AND_TEST, parents=(base,))
    log.commit("[2.x] Fix the pool on restart (#4)", WHY, SOURCE_AND_TEST, parents=(one,))
    assert [draft.origin for draft in episodes(learn(log.commits))] == [origin_of(one.sha)]


@st.composite
def histories(draw: st.DrawFn) -> list[Commit]:
    """Any graph of up to twelve commits: merges, several roots, reverts of anything."""
    log = Log()
    for _ in range(draw(st.integers(0, 12))):
        earlier = log.commits
        parents = draw(st.lists(st.sampled_from(earlier), max_size=2, unique_by=id)) if earlier else []
        reverts = draw(st.sampled_from([*(c.sha for c in earlier), "0" * 40, "", "", ""]))
        body = draw(st.sampled_from(["", WHY, "Drop support for Python 3.6."]) | st.text(max_size=80))
        log.commit(draw(SUBJECTS), body, SOURCE_AND_TEST, parents=parents, reverts=reverts)
    return log.commits


@settings(max_examples=150, deadline=None)
@given(histories())
def test_any_history_is_told_the_same_twice_each_origin_once_and_only_spoken_ones(commits: list[Commit]) -> None:
    drafts = learn(commits)
    assert drafts == learn(commits)
    told = [draft.origin for draft in episodes(drafts)]
    assert len(told) == len(set(told))
    assert {draft.origin for draft in drafts} <= set(Episodes().origins(HistoryWorld(commits=commits)))
    inside = [e.ref for draft in episodes(drafts) if draft.type == EpisodeType.BRANCH for e in draft.evidence]
    assert len(inside) == len(set(inside)) or any(draft.label == "reverted" for draft in drafts)


@st.composite
def mainlines(draw: st.DrawFn) -> tuple[list[Commit], list[int]]:
    """A main line of commits, merged branches and reverts, and the places where it stood at rest."""
    log = Log()
    rests = [0]
    tip = log.commit("Start the pool", parents=())
    for number in range(draw(st.integers(1, 7))):
        subject = f"{draw(st.sampled_from(['Fix the pool for case', 'wip', 'Add nested prefix']))} {number}"
        match draw(st.sampled_from(["commit", "branch", "revert"])):
            case "commit":
                tip = log.commit(subject, WHY, SOURCE_AND_TEST, parents=(tip,))
            case "branch":
                side = tip
                for part in range(draw(st.integers(1, 3))):
                    side = log.commit(f"Carry part {part} of {number}", WHY, SOURCE_AND_TEST, parents=(side,))
                tip = log.merge(tip, side, f"Merge pull request #{number} from anna/x", subject, str(number))
            case _:
                target = draw(st.sampled_from(log.commits))
                tip = log.commit(f'Revert "{target.subject}"', WHY, SOURCE_AND_TEST, parents=(tip,), reverts=target.sha)
        rests.append(len(log.commits))
    return log.commits, rests


@settings(max_examples=120, deadline=None)
@given(mainlines(), st.data())
def test_learning_in_two_steps_leaves_what_learning_at_once_does(
    told: tuple[list[Commit], list[int]], data: st.DataObject
) -> None:
    commits, rests = told
    cut = data.draw(st.sampled_from(rests))
    kept: dict[str, Draft] = {}
    for old, new in (([], commits[:cut]), (commits[:cut], commits[cut:])):
        world = HistoryWorld(commits=new, old=old)
        for origin in Episodes().origins(world):
            kept.pop(origin, None)
        kept.update({draft.origin: draft for draft in episodes(list(Episodes().learn(world)))})
    assert kept == {draft.origin: draft for draft in episodes(learn(commits))}


def test_a_merge_without_a_title_of_commits_that_share_no_file_is_told_commit_by_commit() -> None:
    def told(second: str, body: str = "") -> set[str]:
        log = Log()
        base = log.commit("Start the pool", parents=())
        one = log.commit("Keep connections open", WHY, ("src/pool.py",), parents=(base,))
        two = log.commit("Read headers once", WHY, (second,), parents=(one,))
        log.merge(base, two, "Merge branch 'work'", body)
        return {draft.subject for draft in episodes(learn(log.commits))}

    assert told("src/headers.py") == {"Keep connections open", "Read headers once"}
    assert told("src/pool.py") == {"Read headers once"}
    assert told("src/headers.py", "Faster requests") == {"Read headers once"}


def test_an_episode_names_the_files_that_are_there_and_none_that_is_gone() -> None:
    log = Log()
    log.commit("Keep connections open", WHY, ("src/pool.py", "src/old.py", "src/queue.py"))
    moved = FileChange(ChangeStatus.RENAMED, "src/store/pool.py", "src/pool.py")
    log.commit("Move the pool")
    log.commits[-1] = replace(log.commits[-1], changes=(moved,))
    world = HistoryWorld(commits=log.commits, paths=("src/store/pool.py", "src/queue.py"))
    (draft,) = episodes(list(Episodes().learn(world)))
    assert draft.levels.full.endswith("Files: src/pool.py, src/queue.py")
