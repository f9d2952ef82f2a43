"""Which titles leave nothing to know, and that words of every log make no change of behaviour housekeeping."""

from __future__ import annotations

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, Log, episodes, learn

from companion.kinds.history.titles import is_housekeeping, sort_of


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
        "fix lint",
        "Fix typo in docs (#123)",
        "style: reformat",
        "[docs] Say how the pool closes",
        "wip",
        "Fix tests",
        "Add tests for the pool",
        "ci: use a newer image",
        "Update README.md",
        "Update CHANGELOG",
        "Merge branch 'main' into feature",
        "🌐 Update Portuguese translation",
        "Address review comments",
        "minor cleanup",
        "oops",
    ],
)
def test_housekeeping_is_no_memory_however_well_it_is_explained(subject: str) -> None:
    assert is_housekeeping(subject)
    log = Log()
    log.commit("Start the pool")
    log.commit(subject, WHY, SOURCE_AND_TEST)
    assert [draft.subject for draft in episodes(learn(log.commits))] == []


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
        "fix: release the lock when the worker dies",
        "Add a test client that keeps cookies",
        "Check the version of the protocol",
        "Write the format of dates as it was read",
    ],
)
def test_a_change_of_behaviour_is_never_housekeeping_for_a_word_in_it(subject: str) -> None:
    assert not is_housekeeping(subject)


@pytest.mark.parametrize(
    "subject", ["Fix vulnerability (security fix)", "defusedxml for security fix.", "Fix for #957"]
)
def test_a_title_that_says_only_that_something_was_mended_is_no_memory(subject: str) -> None:
    assert is_housekeeping(subject)


@pytest.mark.parametrize(
    ("subject", "sort"),
    [
        ("Mention that reusing an instance can improve performance", ""),
        ("Bump the checker to 2.49.0 and fix new warnings", ""),
        ("Both fallbacks relied on a lookup which performs folding", ""),
        ("Performing the renaming of the tests", ""),
        ("Add a reporter of crashes", "feature"),
        ("Memory leak in the parser", "fix"),
        ("res.send() HEAD support", "feature"),
        ("Improve `value(Number)` performance (#2702)", "performance"),
        ("Make lookups faster", "performance"),
        ("Bump com.fasterxml.jackson.core:jackson-databind (#3066)", ""),
        ("perf: fold once", "performance"),
        ("4.62.5", "chore"),
        ("Release v2.0.0-rc.1", "chore"),
        ("1.2 is slow", ""),
        ("Use LinkedHashMap as the default Map", ""),
        ("Switch to the new clock", ""),
        ("Rename the clock", "refactor"),
    ],
)
def test_the_sort_of_a_change_is_that_of_its_verb_or_of_what_it_is_about(subject: str, sort: str) -> None:
    assert sort_of(subject) == sort
