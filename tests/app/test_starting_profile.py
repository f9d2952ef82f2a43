"""A starting profile can be given: what a text says of its writer, in every project, and only as long as it says it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from repos import Repo

from app.conftest import Desk
from companion.app.local import LocalCompanion
from companion.errors import UsageError
from companion.records import SearchQuery, Source, Status, Visibility

GITHUB_TOKEN = "ghp_" + "R9x2LmQ7vT4kZ8nB3cY6wP1sD5fG0hJ2aK4e"
PROFILE = """# Me
I maintain the billing service,
and work in Berlin time.

## How I work
- Small pull requests, one idea each.
1. I prefer pytest over unittest,
   and fixtures over mocks.
"""
SAYS = [
    "I maintain the billing service, and work in Berlin time.",
    "Small pull requests, one idea each.",
    "I prefer pytest over unittest, and fixtures over mocks.",
]


def _story(companion: LocalCompanion) -> set[str]:
    return {one.draft.value for one in companion.story()}


def test_each_paragraph_and_item_is_one_thing_that_is_private_and_known_in_every_project(
    live: LocalCompanion, desk: Desk, new_repo: Callable[..., Repo]
):
    said = live.seed(PROFILE)
    assert [one.draft.value for one in said] == SAYS
    assert {one.draft.source for one in said} == {Source.SEEDED}
    assert {one.draft.visibility for one in said} == {Visibility.USER_PRIVATE}
    assert [one.draft.label for one in said] == ["me", "how i work", "how i work"]
    assert _story(live) == set(SAYS)
    elsewhere = new_repo("elsewhere")
    elsewhere.write("a.py", "A = 1\n")
    elsewhere.commit("Begin")
    desk.scan(elsewhere.root)
    live.close()
    there = desk.open(elsewhere.root)
    assert [hit.memory.draft.value for hit in there.search(SearchQuery("unittest mocks")) if hit.memory] == SAYS[2:]
    there.close()


def test_given_again_it_says_what_it_says_now_and_what_it_says_no_more_is_archived(live: LocalCompanion):
    first = live.seed(PROFILE)
    again = live.seed(
        PROFILE.replace("over unittest", "over nose").replace("- Small pull requests, one idea each.\n", "")
    )
    assert [one.id for one in again if one.draft.value == SAYS[0]] == [first[0].id], "what stayed is the same memory"
    assert _story(live) == {SAYS[0], SAYS[2].replace("unittest", "nose")}
    gone = live.expand(first[1].id).memory
    assert gone is not None and gone.status is Status.ARCHIVED
    assert live.seed(PROFILE)[0].id == first[0].id
    assert _story(live) == set(SAYS)


def test_no_secret_of_it_is_kept(live: LocalCompanion):
    (said,) = live.seed(f"My token is {GITHUB_TOKEN}.")
    assert GITHUB_TOKEN not in said.draft.levels.full


@pytest.mark.parametrize("nothing", ["", " \n\n", "# Me\n", "word " * 5_000])
def test_a_text_that_says_nothing_or_too_much_changes_nothing(live: LocalCompanion, nothing: str):
    live.seed(PROFILE)
    with pytest.raises(UsageError, match="1 to 20,000 characters"):
        live.seed(nothing)
    assert _story(live) == set(SAYS)
