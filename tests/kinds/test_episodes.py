"""Which happenings of a history are told, how, and how often."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds.history import HistoryWorld, Log

from companion.kinds.episodes import Episodes, origin_of
from companion.kinds.noise import noise_subject
from companion.records import (
    ArtifactKind,
    Commit,
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    EpisodeType,
    Failure,
    Importance,
    Kind,
    ParsedFile,
    Person,
    Role,
    Symbol,
    SymbolKind,
)

SOURCE_AND_TEST = ("src/pool.py", "tests/test_pool.py")
WHY = (
    "The pool kept closed connections because the check ran before the handshake. Closed connections are"
    " dropped now, so that a request after an idle hour does not fail with a reset any more."
)


def learn(commits: Sequence[Commit], old: Sequence[Commit] = ()) -> list[Draft]:
    return list(Episodes().learn(HistoryWorld(commits=commits, old=old)))


def episodes(drafts: Sequence[Draft]) -> list[Draft]:
    return [draft for draft in drafts if draft.kind is Kind.EPISODE]


@pytest.mark.parametrize(
    "subject",
    [
        "1.2.3",
        "v2.0.0-rc.1",
        "release version 2.1.1",
        "chore: prepare tokio v1.47.2",
        "start version 3.1",
        "Bump actions/checkout from 3 to 4 (#12)",
        "chore(deps): update dependency vite to v5",
        "update dev dependencies",
        "[pre-commit.ci] pre-commit autoupdate",
        "Apply fixes from StyleCI",
        "cargo fmt",
        "fix lint",
        "Fix typo in docs (#123)",
        "style: reformat",
        "wip",
        "fixup! add pool",
        "Fix tests",
        "Add tests for the pool",
        "ci: use a newer image",
        "Update README.md",
        "Update CHANGELOG",
        "Merge branch 'main' into feature",
        "Merge remote-tracking branch 'origin/stable'",
        "🌐 Update Portuguese translation",
        "Address review comments",
        "minor cleanup",
        "oops",
        "remove unused imports",
    ],
)
def test_housekeeping_is_noise(subject: str) -> None:
    assert noise_subject(subject)
    log = Log()
    log.commit("Start the pool")
    log.commit(subject, WHY, SOURCE_AND_TEST)
    assert [draft.subject for draft in episodes(learn(log.commits))] == []


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


def test_a_commit_of_documentation_alone_is_not_told_but_a_decision_record_is() -> None:
    log = Log()
    log.commit("Explain how the pool drops connections", "A page on pools.", ("docs/pool.md",))
    record = log.commit("Record the choice of one pool per process", "A record.", ("docs/adr/0007-one-pool.md",))
    told = episodes(learn(log.commits))
    assert [draft.origin for draft in told] == [origin_of(record.sha)]
    assert any(artifact.kind is ArtifactKind.ADR for artifact in told[0].artifacts)


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
    merge = log.merge(base, second, "Merge pull request #7 from anna/pool", "Reuse connections", pull_request="7")
    (draft,) = episodes(learn(log.commits))
    assert draft.type == EpisodeType.BRANCH
    assert draft.subject == "Reuse connections"
    assert draft.origin == origin_of(merge.sha)
    assert [e.ref for e in draft.evidence] == [merge.sha, first.sha, second.sha]
    assert "add Pool.take" in draft.levels.full
    assert "fix lint" not in draft.levels.full
    assert "file:src/pool.py" in draft.entities


def test_a_sync_of_two_long_lived_lines_is_not_told_but_the_requests_merged_behind_it_are() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    work = log.commit("Fix the pool on restart", WHY, SOURCE_AND_TEST, parents=(base,))
    on_stable = log.merge(base, work, "Merge pull request #8 from anna/restart", "Survive a restart", pull_request="8")
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
    revert = log.commit('Revert "Cache the pool per thread"', "It leaked.", SOURCE_AND_TEST, reverts=bad.sha)
    by_origin = {draft.origin: draft for draft in episodes(learn(log.commits))}
    taken_back = by_origin[origin_of(bad.sha)]
    assert taken_back.importance == Importance.TRIVIAL
    assert taken_back.valid_to == revert.committed_at
    assert taken_back.label == "reverted"
    assert taken_back.levels.summary.startswith(
        f"Reverted on {revert.committed_at:%Y-%m-%d}: Cache the pool per thread."
    )
    assert by_origin[origin_of(revert.sha)].importance == Importance.SIGNIFICANT


def test_a_revert_that_comes_later_speaks_for_the_older_commit_too() -> None:
    log = Log()
    bad = log.commit("Cache the pool per thread", WHY, SOURCE_AND_TEST)
    log.commit("Drop support for Python 3.7", WHY, SOURCE_AND_TEST)
    revert = log.commit('Revert "Cache the pool per thread"', "It leaked.", SOURCE_AND_TEST, reverts=bad.sha)
    world = HistoryWorld(commits=[revert], old=log.commits[:-1])
    assert set(Episodes().origins(world)) == {origin_of(bad.sha), origin_of(revert.sha)}
    drafts = episodes(list(Episodes().learn(world)))
    assert {draft.origin: draft.label for draft in drafts}[origin_of(bad.sha)] == "reverted"


def test_a_revert_of_a_revert_gives_the_commit_back_its_place() -> None:
    log = Log()
    good = log.commit("Cache the pool per thread", WHY, SOURCE_AND_TEST)
    revert = log.commit('Revert "Cache the pool per thread"', "It leaked.", SOURCE_AND_TEST, reverts=good.sha)
    log.commit('Revert "Revert "Cache""', "It did not leak.", SOURCE_AND_TEST, reverts=revert.sha)
    labels = {draft.origin: draft.label for draft in episodes(learn(log.commits))}
    assert labels[origin_of(good.sha)] == ""
    assert labels[origin_of(revert.sha)] == "reverted"


def test_a_merge_seen_later_folds_commits_that_were_told_before() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    work = log.commit("Fix the pool on restart", WHY, SOURCE_AND_TEST, parents=(base,))
    merge = log.merge(base, work, "Merge pull request #8 from anna/restart", "Survive a restart", pull_request="8")
    world = HistoryWorld(commits=[merge], old=[base, work])
    assert origin_of(work.sha) in Episodes().origins(world)
    assert [draft.origin for draft in episodes(list(Episodes().learn(world)))] == [origin_of(merge.sha)]


@pytest.mark.parametrize(
    ("subject", "body", "error_type", "message"),
    [
        ("Fix KeyError in Config.load when the file is empty", "", "KeyError", "in Config.load when the file is empty"),
        (
            "fix: read the header once",
            "It failed with\n\n    ValueError: header was read twice\n",
            "ValueError",
            "header was read twice",
        ),
        ("sync: fix deadlock in shutdown of the pool", "", "deadlock", "in shutdown of the pool"),
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


def test_raising_an_error_on_purpose_is_no_failure() -> None:
    log = Log()
    log.commit("Raise ValueError in Config.load when the file is empty", WHY, SOURCE_AND_TEST)
    (draft,) = learn(log.commits)
    assert isinstance(draft.body, Episode)


@pytest.mark.parametrize(
    ("subject", "body", "about", "choice", "reason"),
    [
        ("Drop support for Python 3.7", WHY, "Python 3.7", "no longer supported", ""),
        ("Deprecate `load_all` in favor of `load_many`", WHY, "load_all", "deprecated in favour of load_many", ""),
        (
            "Keep cookies between requests",
            "We decided to store them on disk because memory is lost on restart.",
            "Keep cookies between requests",
            "to store them on disk because memory is lost on restart",
            "because memory is lost on restart",
        ),
        ("Add structured tracing spans", "Switch from `log` to `tracing`.", "log", "tracing instead of log", ""),
    ],
)
def test_a_stated_choice_is_a_decision_in_force(subject: str, body: str, about: str, choice: str, reason: str) -> None:
    log = Log()
    commit = log.commit(subject, body, SOURCE_AND_TEST)
    (draft,) = [d for d in learn(log.commits) if d.kind is Kind.FACT]
    assert isinstance(draft.body, Decision)
    assert (draft.subject, draft.value, draft.body.reason) == (about, choice, reason)
    assert draft.body.status is DecisionStatus.IN_FORCE
    assert draft.evidence[0].ref == commit.sha


@pytest.mark.parametrize(
    "sentence",
    [
        "The old API was deprecated in 2016 and nobody noticed.",
        "This no longer fails.",
        "We should decide on a name.",
        "Switch to a loop.",
        "Remove support code for the old parser.",
        "The 'name' parameter of fields.Method is deprecated in favour of `serialize` and is optional.",
        "Use `eq` instead of == because the linter asks for it.",
        "List of steps:\n\n- Switch from _exit to exitOverride.\n- Name it well everywhere.\n- Show it to readers.",
    ],
)
def test_talk_around_choices_is_no_decision(sentence: str) -> None:
    log = Log()
    log.commit("Fix the pool on restart", f"{WHY} {sentence}", SOURCE_AND_TEST)
    assert [draft for draft in learn(log.commits) if draft.kind is Kind.FACT] == []


def test_the_later_of_two_decisions_on_one_question_stands() -> None:
    log = Log()
    log.commit("Add structured tracing spans", "Deprecate `old_log`.", SOURCE_AND_TEST)
    later = log.commit("Add spans for every worker", "Deprecate `old_log` in favour of `Tracer`.", SOURCE_AND_TEST)
    (draft,) = [d for d in learn(log.commits) if d.kind is Kind.FACT]
    assert draft.origin == origin_of(later.sha)


def test_a_fix_ported_to_another_line_is_told_once() -> None:
    log = Log()
    base = log.commit("Start the pool", parents=())
    one = log.commit("Fix the pool on restart (#3)", WHY, SOURCE_AND_TEST, parents=(base,))
    log.commit("[2.x] Fix the pool on restart (#4)", WHY, SOURCE_AND_TEST, parents=(one,))
    assert [draft.origin for draft in episodes(learn(log.commits))] == [origin_of(one.sha)]


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


@pytest.mark.parametrize(
    "subject",
    [
        "Fix golint complaints",
        "Update tests for the new client",
        "Various CI and doc refactors",
        "Add postcard to the list of data formats",
        "Update for recent changes in the framework",
        "Fix compilation on nightly",
        "Attempt to fix the bundle",
        "First pass at a pool",
        "Started implementing native enums",
        "Cherry-pick 7ba35c4 from main",
        "Reverted #1564",
        "Fixed issues created when merging 0.26.1",
        "ruff linter: use the default length",
        "by not relying on the crate",
        "Add missing type hints to the pool",
        "moved classes around",
        "Fix some warnings",
        "Tidy-up in the pool",
    ],
)
def test_work_that_leaves_nothing_to_know_is_noise(subject: str) -> None:
    assert noise_subject(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "Avoid a warning with the exposed route option",
        "Make the current request optional in responses",
        "Try to reconnect when the pool is closed",
        "Add --strict to the list command",
        "Support pathlib.Path for the static folder",
        "Fix symlinks that point outside of the root",
        "Drop Content-Length headers on redirects",
    ],
)
def test_a_change_of_behaviour_is_never_noise_for_a_word_in_it(subject: str) -> None:
    assert not noise_subject(subject)


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
    (draft,) = episodes(learn(log.commits))
    assert "Reject negative timeouts before a socket opens" in draft.levels.full
    for step in ("oops", "First pass", "Pin pytest", "Add docs", "more information", "- Drop"):
        assert step not in draft.levels.full


def test_a_short_line_of_a_squashed_list_is_told_only_if_it_says_how_the_result_behaves() -> None:
    log = Log()
    body = (
        "* Move helpers of the pool around\n* Direct iteration of chunks\n* Don't quote values that are numbers already"
    )
    log.commit("Allow numbers in multipart data (#8)", body, SOURCE_AND_TEST, pull_request="8")
    (draft,) = episodes(learn(log.commits))
    assert "Don't quote values" in draft.levels.full
    assert "helpers" not in draft.levels.full
    assert "Direct iteration" not in draft.levels.full


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
    (draft,) = episodes(learn(log.commits))
    assert draft.subject == title


def test_a_bare_title_that_states_a_decision_is_told() -> None:
    log = Log()
    log.commit("Drop support for Python 3.7", "", ("src/client.py", *SOURCE_AND_TEST))
    assert any(draft.kind is Kind.FACT for draft in learn(log.commits))


def test_files_of_one_language_of_the_users_are_housekeeping() -> None:
    log = Log()
    log.commit("Fix adjectives of the error messages", "", ("src/locales/ja.ts",))
    assert not episodes(learn(log.commits))


def test_a_story_has_no_talk_to_reviewers_no_pasted_code_and_no_loose_end() -> None:
    log = Log()
    body = (
        f"{WHY} I'm not sure about the name. Is this right?\n\n    Traceback: pasted output\n\nBefore:\n\n"
        "For example, the following fails:\n\nDiscussion: https://example.org/1\n\n--HG--\nextra : convert_revision : 1"
    )
    log.commit("Keep connections of the pool open", body, SOURCE_AND_TEST)
    (draft,) = episodes(learn(log.commits))
    story = draft.levels.full.partition("\n\n")[2].partition("\n\nFiles:")[0]
    assert story == WHY


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
    (draft,) = episodes(learn(log.commits))
    assert draft.levels.full.partition("\n\n")[2].partition("\n\nFiles:")[0] == WHY


def test_a_title_is_told_without_bullet_comma_or_version_but_with_its_flag() -> None:
    log = Log()
    log.commit("- allow lists in the response class. v3.1.2", WHY, SOURCE_AND_TEST)
    log.commit("Fixes #12, flattened fields ignored their tag", WHY, SOURCE_AND_TEST)
    log.commit("--line-ranges dedents a decorator", WHY, SOURCE_AND_TEST)
    assert [draft.subject for draft in episodes(learn(log.commits))] == [
        "allow lists in the response class",
        "flattened fields ignored their tag",
        "--line-ranges dedents a decorator",
    ]


def test_a_merge_by_a_merging_robot_is_titled_by_its_request() -> None:
    log = Log()
    base = log.commit("Start the pool")
    work = log.commit("Keep closed connections out of the pool", WHY, SOURCE_AND_TEST, parents=(base,))
    log.merge(base, work, "Auto merge of #536 - fork:pool, r=anna", "Keep closed connections out of the pool")
    (draft,) = episodes(learn(log.commits))
    assert draft.subject == "Keep closed connections out of the pool"


def test_what_is_deprecated_is_decided_only_while_it_stands_in_the_code() -> None:
    log = Log()
    log.commit("Deprecate `Pool.take_all`", WHY, SOURCE_AND_TEST)
    log.commit("Deprecate `helpers.total_seconds`", WHY, SOURCE_AND_TEST)
    log.commit("Deprecate `Pool.give_back`", WHY, SOURCE_AND_TEST)
    log.commit("Remove deprecated give_back", WHY, SOURCE_AND_TEST)
    code = ParsedFile(
        path="src/pool.py",
        language="python",
        role=Role.SOURCE,
        content_hash="1",
        size_bytes=1,
        lines=1,
        symbols=tuple(
            Symbol(name, f"Pool.{name}", SymbolKind.METHOD, 1, 2, f"def {name}(self)")
            for name in ("take_all", "give_back")
        ),
    )
    drafts = Episodes().learn(HistoryWorld(commits=log.commits, code=(code,), paths=SOURCE_AND_TEST))
    assert [draft.subject for draft in drafts if draft.kind is Kind.FACT] == ["Pool.take_all"]


def test_a_sentence_about_its_author_is_no_decision() -> None:
    log = Log()
    log.commit("Keep one pool", "I've chosen to keep one pool, because two would fight over sockets.", SOURCE_AND_TEST)
    assert not [draft for draft in learn(log.commits) if draft.kind is Kind.FACT]


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
    assert [draft.subject for draft in episodes(learn(log.commits))] == [title]


@pytest.mark.parametrize(
    "subject",
    [
        "[docs] Note how the pool closes",
        "Document how the pool closes connections",
        "playground: close connections of the pool",
    ],
)
def test_documentation_and_playgrounds_are_no_events_however_well_explained(subject: str) -> None:
    log = Log()
    log.commit(subject, WHY)
    assert not episodes(learn(log.commits))


def test_what_touches_tests_and_prose_alone_is_no_event() -> None:
    log = Log()
    log.commit("Close connections of the pool in time", WHY, ("tests/test_pool.py", "docs/pool.md"))
    log.commit("Close connections of the pool in common tests", WHY, ("src/commonTest/Pool.kt",))
    assert not episodes(learn(log.commits))


def test_a_bare_rework_that_nobody_asked_for_needs_a_change_log_to_be_told() -> None:
    alone, noted = Log(), Log()
    alone.commit("Store cookies beside sessions", "", ("src/pool.py",))
    noted.commit("Store cookies beside sessions", "", ("src/pool.py", "CHANGES.rst"))
    assert len(episodes(learn(noted.commits))) >= len(episodes(learn(alone.commits)))
