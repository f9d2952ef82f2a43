"""Which subjects carry no meaning, and which always do."""

from __future__ import annotations

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, Log, episodes, learn

from companion.kinds.history.noise import noise_subject


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
        "Make a small optimization of the pool",
        "Let's talk about the next pool",
        "Fix the deprecation notices of the pool",
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
