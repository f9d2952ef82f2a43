"""Fixes of advisories, and requests that were squashed under the name of a merge."""

from __future__ import annotations

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, episodes, learn

from companion.kinds.history.episodes import Episodes
from companion.kinds.history.landed import of_commit
from companion.records import Draft, Importance, Person

CHANGELOG = "changelog/GHSA-qccp-gfcp-xxvc.bugfix.rst"


def told(subject: str, body: str = "", files: tuple[str, ...] = SOURCE_AND_TEST, *, author: str = "Anna Berg") -> Draft:
    log = Log()
    base = log.commit("wip", parents=())
    log.commit(subject, body, files, parents=(base,), author=Person(author, "a@example.org"))
    (draft,) = episodes(learn(log.commits))
    return draft


@pytest.mark.parametrize(
    ("subject", "body", "files", "title"),
    [
        (
            "Merge commit from fork",
            "Addresses like `//evil.com` passed the guard, so that a URL replaced\nthe host.\n\nThey get a dot now.\n\n"
            "Security: GHSA-33mh-2634-fwr2",
            SOURCE_AND_TEST,
            "Addresses like `//evil.com` passed the guard, so that a URL replaced the host (GHSA-33mh-2634-fwr2)",
        ),
        (
            "Merge commit from fork",
            "* Add a changelog entry\n\n* Remove sensitive headers in proxy pools too\n\n* Fix lint",
            (*SOURCE_AND_TEST, CHANGELOG),
            "Remove sensitive headers in proxy pools too (GHSA-qccp-gfcp-xxvc)",
        ),
        (
            "Merge pull request from GHSA-9x8m-2xpf-crp3",
            "* Enforce matching proxy meta and header\n\n* Remove extra empty line",
            SOURCE_AND_TEST,
            "Enforce matching proxy meta and header (GHSA-9x8m-2xpf-crp3)",
        ),
        ("Merge commit from fork", "", SOURCE_AND_TEST, "Security fix in src/pool.py"),
        ("Merge commit from fork", "* Stop decoding twice", SOURCE_AND_TEST, "Stop decoding twice (security fix)"),
        ("Set verify flags", "CVE-2016-9015 was the reason.", SOURCE_AND_TEST, "Set verify flags (CVE-2016-9015)"),
    ],
)
def test_a_fix_of_an_advisory_is_always_a_memory_titled_by_what_it_did(
    subject: str, body: str, files: tuple[str, ...], title: str
) -> None:
    draft = told(subject, body, files)
    assert draft.subject == title
    assert draft.levels.summary.startswith(title)
    assert draft.importance == Importance.SIGNIFICANT
    assert draft.evidence[0].quote == subject


def test_a_fix_of_an_advisory_outlives_its_files() -> None:
    log = Log()
    log.commit("Merge commit from fork", "Stop decoding twice.", SOURCE_AND_TEST)
    (draft,) = Episodes().learn(HistoryWorld(log.commits, paths=("src/other.py",)))
    assert draft.subject == "Stop decoding twice (security fix)"


def test_an_advisory_merged_with_its_commits_is_known_by_its_number() -> None:
    log = Log()
    base = log.commit("wip", parents=())
    work = log.commit("Refuse a header with a line break", "CVE-2024-12345", SOURCE_AND_TEST, parents=(base,))
    log.merge(base, work, "Merge pull request #7 from anna/cve")
    (draft,) = episodes(learn(log.commits))
    assert draft.subject == "Refuse a header with a line break (CVE-2024-12345)"


def test_a_dependency_raised_for_an_advisory_is_no_event() -> None:
    log = Log()
    log.commit("Upgrade the parser library", "It has CVE-2024-12345.", ("requirements.txt",))
    assert learn(log.commits) == []


@pytest.mark.parametrize("subject", ["Merge pull request #7 from anna/pool", "Merge branch 'pool'"])
def test_a_squashed_request_is_told_by_its_body(subject: str) -> None:
    body = (
        "Refuse a second handshake when the pool is closed\n\nA closed pool gave out connections because nothing asked "
        "whether it was closed before the handshake, so that a request waited until it timed out. The handshake is "
        "refused now, and the request gets a connection of its own, which is closed behind it."
    )
    draft = told(subject, body)
    assert draft.subject == "Refuse a second handshake when the pool is closed"
    assert "A closed pool gave out connections" in draft.levels.full


@pytest.mark.parametrize("subject", ["Merge headers without overwriting them", "merge conflict", "Fix the merge (#7)"])
def test_a_title_that_merges_things_of_the_code_is_its_own(subject: str) -> None:
    assert of_commit(Log().commit(subject, WHY)).title.startswith(subject.removesuffix(" (#7)"))


def test_a_chore_that_mentions_an_advisory_is_none_of_its_fixes() -> None:
    log = Log()
    log.commit("ci: use a newer image", "The old one has CVE-2024-12345.", SOURCE_AND_TEST)
    assert learn(log.commits) == []


def test_an_advisory_in_what_a_step_pasted_is_not_what_its_branch_answered() -> None:
    log = Log()
    base = log.commit("wip", parents=())
    work = log.commit("Pin the tools", f"{WHY}\n\nIt said:\n\n    CVE-2024-12345\n", SOURCE_AND_TEST, parents=(base,))
    log.merge(base, work, "Merge pull request #7 from anna/tools")
    (draft,) = episodes(learn(log.commits))
    assert draft.subject == "Pin the tools"
