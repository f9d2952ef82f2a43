"""Which happenings earn a place among the memories, and which stay in the history."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, episodes, learn

from companion.kinds.history.drafting import origin_of
from companion.kinds.history.episodes import Episodes
from companion.records import ArtifactKind, ChangeStatus, FileChange, Kind

PLAIN = "Rework connections of the pool"


def subjects(log: Log, paths: tuple[str, ...] = SOURCE_AND_TEST) -> list[str]:
    return [draft.subject for draft in episodes(list(Episodes().learn(HistoryWorld(log.commits, paths=paths))))]


def test_what_nothing_explains_and_no_circumstance_is_proven_of_stays_in_the_history() -> None:
    log = Log()
    log.commit(PLAIN, "", SOURCE_AND_TEST)
    log.commit("Support chunked bodies in the client", "", SOURCE_AND_TEST)
    log.commit("Fix shape caching", "", SOURCE_AND_TEST)
    assert subjects(log) == []


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


@pytest.mark.parametrize(
    "subject",
    [
        "Drop a connection when its peer closed it",
        "Fix waiting for a closed connection instead of failing",
        "Don't hand out closed connections",
        "Drop connections of the pool while reading",
        "Support connections that are closed by default after an hour",
    ],
)
def test_a_title_that_says_what_holds_when_is_told_if_a_test_proves_it(subject: str) -> None:
    proven, claimed = Log(), Log()
    proven.commit(subject, "", SOURCE_AND_TEST)
    claimed.commit(subject, "", ("src/pool.py",))
    assert subjects(proven) == [subject]
    assert subjects(claimed) == []


@pytest.mark.parametrize(
    "subject",
    ["Close it when idle", "Drop a connection when it is closed. Read the list once. " + "Write it once. " * 3],
    ids=["half of it", "a list"],
)
def test_a_title_that_leaves_out_half_or_lists_several_things_proves_nothing(subject: str) -> None:
    log = Log()
    log.commit(subject, "", SOURCE_AND_TEST)
    assert subjects(log) == []


def test_a_sweep_over_many_files_is_not_proven_by_a_test_beside_it() -> None:
    log = Log()
    swept = (*SOURCE_AND_TEST, *(f"src/{name}.py" for name in "abcde"))
    log.commit("Close files when they are not needed", "", swept)
    few = log.commit("Close connections when they are not needed", "", swept[:-1])
    assert subjects(log, swept) == [few.subject]


def test_a_circumstance_of_files_that_are_gone_is_not_told_and_a_moved_file_is_not_gone() -> None:
    log = Log()
    log.commit("Support chunked bodies only when the old server reads", "", ("old/server.py", "tests/test_server.py"))
    kept = log.commit("Support chunked bodies only when the client reads", "", ("client.py", "tests/test_client.py"))
    moved = FileChange(ChangeStatus.RENAMED, "src/client.py", "client.py")
    log.commits.append(replace(log.commit("Lay out the sources anew", "", ("x.py",)), sha="f" * 40, changes=(moved,)))
    assert subjects(log, ("src/client.py", "tests/test_client.py")) == [kept.subject]


def test_a_revert_is_told_if_it_says_why() -> None:
    told, mute = Log(), Log()
    for log, body in ((told, "It leaked a connection whenever a thread ended before its request."), (mute, "")):
        bad = log.commit("Cache the pool per thread", "", SOURCE_AND_TEST)
        log.commit('Revert "Cache the pool per thread"', body, SOURCE_AND_TEST, reverts=bad.sha)
    assert subjects(told) == ['Revert "Cache the pool per thread"']
    assert subjects(mute) == []


def test_a_weakness_that_was_closed_is_told_however_short_its_title() -> None:
    log = Log()
    log.commit("Fix CVE-2024-1234 in cookies", "", ("src/pool.py",))
    log.commit("Update the parser (CVE-2024-1235)", "", ("go.mod", "go.sum"))
    assert subjects(log) == ["Fix CVE-2024-1234 in cookies"]


def test_an_error_that_is_only_named_is_not_told() -> None:
    log = Log()
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


def test_an_explained_change_of_files_that_are_all_gone_is_not_told_but_of_a_file_written_anew_elsewhere() -> None:
    log = Log()
    log.commit("Drop closed connections of the pool", WHY, ("old/broker.py", "tests/test_broker.py"))
    kept = log.commit("Drop closed connections of the second pool", WHY, ("old/pool.py", "tests/test_pool.py"))
    assert subjects(log, ("src/new/pool.py", "tests/test_pool.py")) == [kept.subject]


def test_a_weakness_of_the_source_is_told_by_its_usual_names() -> None:
    log = Log()
    log.commit("Prevent open redirect through encoded hosts", "", ("src/pool.py",))
    log.commit("Add a page on open redirects", "", ("src/pool.py",))
    assert subjects(log) == ["Prevent open redirect through encoded hosts"]


@pytest.mark.parametrize(
    "subject",
    [
        "Improve the pool when connections are closed",
        "Simplify the pool when only one connection is open",
        "Rename the pool so that only workers see it",
        "Refactor test_pool to not use closed connections",
    ],
)
def test_a_title_that_only_says_that_something_is_better_or_elsewhere_proves_nothing(subject: str) -> None:
    log = Log()
    log.commit(subject, "", SOURCE_AND_TEST)
    assert subjects(log) == []


def test_an_explanation_that_a_test_proves_or_whose_title_says_when_needs_fewer_pieces_of_evidence() -> None:
    body = "The pool kept them because the check ran before the handshake was over."
    bare, proven, timed, swept = Log(), Log(), Log(), Log()
    bare.commit("Support connections kept by the pool", body, ("src/pool.py",))
    proven.commit("Support connections kept by the pool", body, SOURCE_AND_TEST)
    timed.commit("Support connections kept by the pool until it ends", body, ("src/pool.py",))
    swept.commit("Support connections kept by the pool", body, (*SOURCE_AND_TEST, "src/a.py", "src/b.py", "src/c.py"))
    assert [len(subjects(log, ())) for log in (bare, proven, timed, swept)] == [0, 1, 1, 0]


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


@pytest.mark.parametrize(
    "subject",
    [
        "Can't use the pool without a server!",
        "Remove the pool as it does not actually work",
        "Do not fill the tests with lines of the log",
        "Fix: use the pool instead of the list",
        "to only look at the first host of the pool",
    ],
    ids=["a complaint", "a mood", "of tests", "one piece of code for another", "half a sentence"],
)
def test_a_title_that_remarks_or_only_swaps_code_proves_nothing(subject: str) -> None:
    log = Log()
    log.commit(subject, "", SOURCE_AND_TEST)
    assert subjects(log) == []


def test_a_swap_of_code_is_told_if_it_says_when_or_why() -> None:
    log = Log()
    when = log.commit("Fix: use the pool instead of the list when a server is slow", "", SOURCE_AND_TEST)
    why = log.commit(
        "Fix: use the raw path instead of the plain one",
        "This prevents that information is lost: the encoded form that was sent by the client, when addresses change.",
        SOURCE_AND_TEST,
    )
    assert subjects(log) == [when.subject, why.subject]


def test_what_only_puts_code_in_order_needs_one_piece_of_evidence_more() -> None:
    rest = f"Callers close each of the two in the end{', one after the other' * 12}."

    def told(title: str) -> list[str]:
        log = Log()
        body = (
            "The pool and its connections stood in one file because that was how the work began in another old project."
        )
        log.commit(title, f"{body}\n\n{rest}", SOURCE_AND_TEST)
        return subjects(log)

    assert told("Bound connections of the pool")
    assert not told("Extract connections of the pool")
    assert not told("Use a list for connections of the pool")
    assert told("Extract connections of the pool when it is idle")
    assert told("Move connections of the pool to the option `pool`")


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


@pytest.mark.parametrize(
    "subject",
    [
        "Fix behavior of the pool when a list is given",
        "Fixes important bug in the pool when it is closed",
        "Change handling of hosts if the pool is closed",
        "Fix messages of the pool if no host is found",
    ],
)
def test_a_title_that_says_that_something_was_wrong_and_not_what_proves_nothing(subject: str) -> None:
    log = Log()
    log.commit(subject, "", SOURCE_AND_TEST, pull_request="12")
    kept = log.commit("Fix bug, return the list when the pool is closed", "", SOURCE_AND_TEST)
    precise = log.commit("Fix issue where the pool is kept when idle", "", SOURCE_AND_TEST)
    assert subjects(log) == [kept.subject, precise.subject]


@pytest.mark.parametrize(
    "subject",
    ["where hosts of the pool are closed when nobody reads", "that hosts of the pool are closed when nobody reads"],
)
def test_the_second_half_of_a_sentence_proves_nothing(subject: str) -> None:
    log = Log()
    log.commit(subject, "", (*SOURCE_AND_TEST, "src/host.py"), pull_request="12")
    whole = log.commit("Only look at the first host of the pool", "", (*SOURCE_AND_TEST, "src/host.py"))
    assert subjects(log, ()) == [whole.subject]


def test_a_revert_that_names_a_circumstance_and_no_reason_is_not_told() -> None:
    log = Log()
    bad = log.commit("Never cache the pool per thread", "", SOURCE_AND_TEST)
    revert = log.commit('Revert "Never cache the pool per thread"', "", SOURCE_AND_TEST, reverts=bad.sha)
    assert revert.subject not in subjects(log)


@pytest.mark.parametrize(
    "subject",
    ["Fix type annotations of the pool", "Use a TypeVar for the pool", "Close the pool without typing annotations"],
)
def test_what_only_a_checker_of_types_reads_is_no_event_however_well_explained(subject: str) -> None:
    log = Log()
    log.commit(subject, WHY, SOURCE_AND_TEST)
    assert subjects(log) == []
