"""Which commits and branches become memories, and which are found as passages alone."""

from __future__ import annotations

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, episodes, learn

from companion.kinds.history.drafting import origin_of
from companion.kinds.history.episodes import Episodes, today_of
from companion.records import ArtifactKind, FileRole, Importance, Kind, ParsedFile

PLAIN = "Rework connections of the pool"


def subjects(log: Log, paths: tuple[str, ...] = SOURCE_AND_TEST) -> list[str]:
    return [draft.subject for draft in episodes(list(Episodes().learn(HistoryWorld(log.commits, paths=paths))))]


def test_a_title_alone_stays_in_the_history_whatever_it_says() -> None:
    log = Log()
    for subject in (PLAIN, "Support chunked bodies in the client", "Don't hand out closed connections when idle"):
        log.commit(subject, "", SOURCE_AND_TEST)
    assert subjects(log) == []


CAUSE = "Two workers wrote to the pool at once, otherwise the second one would wait for ever."
BEFORE = "Previously each of two workers wrote to the pool at once."
MORE = (
    "The pool is asked first and the server after it. What the server holds is read by each worker in turn. A worker"
    " that ends gives back what it holds, and the next one takes it."
)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (f"{CAUSE} {MORE}", True),
        (f"{BEFORE} {MORE}", True),
        (CAUSE, False),
        (f"{MORE} {MORE}", False),
        (f"{CAUSE}\n\n- {MORE}", False),
        (f"- {CAUSE}\n- {CAUSE}\n\n{CAUSE} {MORE}", False),
    ],
    ids=["explained", "told beside what was before", "a reason in a sentence", "no reason", "a list", "behind a list"],
)
def test_what_is_explained_with_its_reason_is_told_and_a_remark_is_not(body: str, told: bool) -> None:
    log = Log()
    log.commit("Keep the pool in one place", body, SOURCE_AND_TEST)
    assert bool(subjects(log)) is told


def test_an_explanation_with_reasons_that_speaks_of_its_title_earns_a_place() -> None:
    log = Log()
    log.commit("Drop closed connections of the pool", WHY, SOURCE_AND_TEST)
    assert subjects(log) == ["Drop closed connections of the pool"]


@pytest.mark.parametrize(
    "body",
    [
        "The pool is nicer now.",
        "Connections of the pool are kept in a list of their own that the worker of the server reads.",
        "- Move the list of connections\n- Read it once\n- Write it once because it is shared",
        "I think the pool kept connections because nobody asked whether they were open, but maybe not only then.",
    ],
    ids=["a remark", "no reason", "a list of steps", "a guess"],
)
def test_words_below_a_title_that_give_no_reason_earn_nothing(body: str) -> None:
    log = Log()
    log.commit(PLAIN, body, SOURCE_AND_TEST)
    assert subjects(log) == []


def test_a_revert_is_told_if_it_says_why() -> None:
    told, mute = Log(), Log()
    for log, body in ((told, "It leaked a connection whenever a thread ended before its request."), (mute, "")):
        bad = log.commit("Cache the pool per thread", "", SOURCE_AND_TEST)
        log.commit('Revert "Cache the pool per thread"', body, SOURCE_AND_TEST, reverts=bad.sha)
    assert subjects(told) == ['Revert "Cache the pool per thread"']
    assert subjects(mute) == []


def test_a_revert_that_only_names_what_it_reverts_says_not_why() -> None:
    log = Log()
    bad = log.commit("Cache the pool per thread", "", SOURCE_AND_TEST)
    body = (
        f'Revert "Cache the pool per thread and close it at the end of each of them"\n\nThis reverts commit {bad.sha}.'
    )
    log.commit('Revert "Cache the pool per thread"', body, SOURCE_AND_TEST, reverts=bad.sha)
    assert subjects(log) == []


def test_a_title_that_says_no_more_than_that_a_weakness_was_closed_is_not_told() -> None:
    log = Log()
    log.commit("Second security fix", "", SOURCE_AND_TEST)
    assert subjects(log) == []


def test_a_weakness_that_was_closed_is_told_however_short_its_title() -> None:
    log = Log()
    log.commit("Fix CVE-2024-1234 in cookies", "", ("src/pool.py",))
    log.commit("Update the parser (CVE-2024-1235)", "", ("go.mod", "go.sum"))
    log.commit("fix(sec): CVE-2024-1236", "", SOURCE_AND_TEST)
    assert subjects(log) == ["Fix CVE-2024-1234 in cookies", "fix(sec): CVE-2024-1236"]


@pytest.mark.parametrize(
    ("subject", "body"),
    [("feat!: close idle pools", "Nobody closed them."), ("Close idle pools", "BREAKING CHANGE: x")],
)
def test_what_breaks_its_users_is_told_as_significant(subject: str, body: str) -> None:
    log = Log()
    log.commit(subject, body, SOURCE_AND_TEST)
    (told,) = episodes(learn(log.commits))
    assert told.importance == Importance.SIGNIFICANT


def test_an_error_that_is_only_named_is_not_told() -> None:
    log = Log()
    log.commit("Fix deadlock in threads", "", SOURCE_AND_TEST)
    log.commit("Fix KeyError in Config", "", SOURCE_AND_TEST)
    assert subjects(log) == []


def test_a_commit_of_documentation_alone_is_not_told_but_a_decision_record_is() -> None:
    log = Log()
    log.commit("Explain how the pool drops connections", "A page on pools.", ("docs/pool.md",))
    record = log.commit("Record the choice of one pool per process", "A record.", ("docs/adr/0007-one-pool.md",))
    told = episodes(learn(log.commits))
    assert [draft.origin for draft in told] == [origin_of(record.sha)]
    assert any(artifact.kind is ArtifactKind.ADR for artifact in told[0].artifacts)


def test_a_bare_title_that_states_a_decision_is_told() -> None:
    log = Log()
    log.commit("Drop support for EOL Python 3.7", "", ("src/client.py", *SOURCE_AND_TEST))
    assert any(draft.kind is Kind.FACT for draft in learn(log.commits))


def test_files_of_one_language_of_the_users_are_housekeeping() -> None:
    log = Log()
    log.commit("Fix adjectives of the error messages", "", ("src/locales/ja.ts",))
    assert not episodes(learn(log.commits))


@pytest.mark.parametrize(
    "subject",
    [
        "[docs] Note how the pool closes",
        "Document how the pool closes connections",
    ],
)
def test_documentation_is_no_event_however_well_explained(subject: str) -> None:
    log = Log()
    log.commit(subject, WHY)
    assert not episodes(learn(log.commits))


def test_what_touches_tests_and_prose_alone_is_no_event() -> None:
    log = Log()
    log.commit("Close connections of the pool in time", WHY, ("tests/test_pool.py", "docs/pool.md"))
    log.commit("Close connections of the pool in common tests", WHY, ("src/commonTest/Pool.kt",))
    assert not episodes(learn(log.commits))


def test_an_explained_change_of_files_that_are_all_gone_is_not_told_but_of_a_file_written_anew_elsewhere() -> None:
    log = Log()
    log.commit("Drop closed connections of the pool", WHY, ("old/broker.py", "tests/test_broker.py"))
    kept = log.commit("Drop closed connections of the second pool", WHY, ("old/pool.py", "tests/test_pool.py"))
    assert subjects(log, ("src/new/pool.py", "tests/test_pool.py")) == [kept.subject]


def test_what_concerns_a_version_of_a_platform_that_was_given_up_is_not_told() -> None:
    log = Log()
    log.commit("Fix closed connections when Python 2.6 waits", WHY, SOURCE_AND_TEST)
    log.commit("Fix closed connections on PHP 7 when idle", WHY, SOURCE_AND_TEST)
    kept = [
        log.commit("Fix closed connections on Python 3.12 when idle", WHY, SOURCE_AND_TEST).subject,
        log.commit("Fix closed connections on Python 3 when idle", WHY, SOURCE_AND_TEST).subject,
    ]
    log.commit("Drop support for EOL Python 3.7", "", SOURCE_AND_TEST)
    log.commit("Drop support for EOL Python 3.8", "", SOURCE_AND_TEST)
    log.commit("Drop support for EOL PHP 8.0", "", SOURCE_AND_TEST)
    drafts = learn(log.commits)
    assert [draft.subject for draft in episodes(drafts)] == kept
    assert [draft.subject for draft in drafts if draft.kind is Kind.FACT] == ["Python 3.8", "PHP 8.0"]


def test_a_refactoring_that_names_a_weakness_closed_none() -> None:
    log = Log()
    log.commit("Minor refactor of CVE-2024-1234", "", SOURCE_AND_TEST)
    assert subjects(log) == []


def test_a_file_at_the_door_of_a_folder_and_one_of_the_tests_are_no_later_form_of_a_gone_one() -> None:
    log = Log()
    log.commit("Drop closed connections of the pool", WHY, ("index.js", "tests/test_pool.py"))
    log.commit("Drop closed connections of the second pool", WHY, ("old/pool.js", "tests/test_pool.py"))
    assert subjects(log, ("src/other/index.js", "benchmark/pool.js")) == []


def test_what_touches_continuous_integration_alone_is_no_event_however_well_explained() -> None:
    log = Log()
    log.commit("Drop closed connections of the pool", WHY, (".github/workflows/checks.yml",))
    assert subjects(log, ()) == []


def test_a_file_at_the_door_of_a_folder_is_known_again_with_its_folder() -> None:
    log = Log()
    kept = log.commit("Drop closed connections of the pool", WHY, ("src/pool/mod.rs", "tests/test_pool.rs"))
    log.commit("Drop closed connections of the door", WHY, ("src/door/mod.rs", "tests/test_door.rs"))
    assert subjects(log, ("crate/src/pool/mod.rs", "crate/tests/test_pool.rs")) == [kept.subject]


def test_what_is_half_gone_with_all_of_its_tests_tells_of_other_code() -> None:
    log = Log()
    files = ("src/pool.py", "old/broker.py")
    log.commit("Drop closed connections of the pool", WHY, (*files, "tests/test_broker.py"))
    tested = log.commit("Drop closed connections of the second pool", WHY, (*files, "tests/test_pool.py"))
    untested = log.commit("Drop closed connections of the third pool when idle", WHY, files)
    assert subjects(log, SOURCE_AND_TEST) == [tested.subject, untested.subject]


def test_the_door_of_a_part_that_is_gone_is_not_known_again_by_the_folder_of_its_source() -> None:
    log = Log()
    log.commit("Drop closed connections of the broker", WHY, ("broker/src/lib.rs",))
    kept = log.commit("Drop closed connections of the pool", WHY, ("pool/src/lib.rs",))
    assert subjects(log, ("crates/pool/src/lib.rs",)) == [kept.subject]


@pytest.mark.parametrize("name", ["`take`", "take_all", "TAKE_ALL", "takeAll", "Pool.take", "pool.Take"])
def test_what_names_code_that_stands_nowhere_is_not_told_unless_it_was_its_removal(name: str) -> None:
    log = Log()
    log.commit(f"Fix {name} for closed connections", WHY, SOURCE_AND_TEST)
    log.commit(f"Remove {name} for closed connections", WHY, SOURCE_AND_TEST)
    code = ParsedFile(
        path="src/pool.py", language="python", role=FileRole.SOURCE, content_hash="1", size_bytes=1, lines=1
    )
    told = Episodes().learn(HistoryWorld(log.commits, code=(code,), paths=SOURCE_AND_TEST))
    assert [draft.subject.split()[0] for draft in told] == ["Remove"]


def test_what_was_written_anew_since_is_not_told_and_a_decision_is() -> None:
    log = Log()
    kept = log.commit("Keep connections of the pool open", WHY, SOURCE_AND_TEST)
    decided = log.commit("Drop support for Python 3.7", WHY, SOURCE_AND_TEST)

    def told(left: int, put: int = 40) -> set[str]:
        lines = {kept.sha: (put, left), decided.sha: (put, left)}
        drafts = Episodes().learn(HistoryWorld(commits=log.commits, left=lines))
        return {draft.evidence[0].ref for draft in drafts}

    assert told(7) == told(0, 1) == {decided.sha}
    assert told(8) == told(1, 5) == told(0, 0) == {kept.sha, decided.sha}


def test_an_episode_whose_lines_went_since_holds_no_longer() -> None:
    kept = Log().commit("Keep connections of the pool open", WHY, SOURCE_AND_TEST)
    (draft,) = Episodes().learn(HistoryWorld(commits=(kept,)))

    def why(left: int) -> str:
        return today_of(HistoryWorld(commits=(kept,), left={kept.sha: (40, left)})).outdated(draft)

    assert (why(30), why(3)) == ("", "of 40 lines it put 3 are left")
