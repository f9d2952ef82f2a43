"""A commit is found first by its own subject, and no answer is surer than its words allow."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Note
from companion.app.local import LocalCompanion
from companion.errors import UnknownMemory
from companion.ports import NoProgress
from companion.records import Episode, Kind, Profile, SearchHit, SearchQuery, Visibility
from companion.records.looking import TimelineQuery
from companion.records.search import State

SUBJECTS = (
    "Drop start_requests() support (#7490)",
    "Bump the linter (#11)",
    "Bump the linter (#12)",
    "Tidy",
    "Read the whole archive before the first page is written",
)
"""Chores and small changes, of which no memory is made."""


@pytest.fixture
def told(shop: Repo, desk: Desk) -> Iterator[LocalCompanion]:
    """A shop with those commits, read."""
    for number, subject in enumerate(SUBJECTS):
        shop.write(f"src/part{number}.py", f"VALUE = {number}\n")
        shop.commit(subject)
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    yield companion
    companion.close()


def search(companion: LocalCompanion, text: str, **more: Any) -> tuple[SearchHit, ...]:
    return companion.search(SearchQuery(text, profile=Profile.LEARNED, **more))


def first(hits: tuple[SearchHit, ...]) -> tuple[str, float]:
    """The title of the commit that stands first, and how sure that is."""
    return hits[0].title, hits[0].score


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_commit_is_found_first_by_its_own_subject(told: LocalCompanion, subject: str) -> None:
    assert first(search(told, subject)) == (subject, 1.0)


def test_each_of_two_hundred_commits_is_found_first_by_its_subject(shop: Repo, desk: Desk) -> None:
    verbs, things = (
        ("Add", "Drop", "Fix", "Rename", "Test"),
        ("the reader", "a cache", "parse_header()", "docs of `Cart`"),
    )
    subjects = [f"{verb} {thing} for case {number}" for number in range(10) for verb in verbs for thing in things]
    subjects += ["WIP", "...", "Up", "v1.2.3"]
    stream = [
        f"commit refs/heads/main\ncommitter A <a@b.c> {1_700_000_000 + at} +0000\ndata <<X\n{subject}\nX\n"
        for at, subject in enumerate(subjects)
    ]
    shop.git("checkout", "-q", "--orphan", "other")
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"], cwd=shop.root, input="".join(stream), text=True, check=True
    )
    shop.git("checkout", "-q", "-f", "main")
    companion = desk.open(shop.root)
    companion.scan(NoProgress())
    missed = [subject for subject in subjects if first(search(companion, subject, limit=3))[0] != subject]
    companion.close()
    assert missed == []


@pytest.mark.parametrize("subject", ["DROP start_requests() support", "drop support of `start_requests`"])
def test_the_number_of_its_request_its_case_and_the_order_of_its_words_do_not_matter(
    told: LocalCompanion, subject: str
) -> None:
    assert first(search(told, subject)) == (SUBJECTS[0], 1.0)


def test_one_word_too_many_still_finds_it_and_says_so(told: LocalCompanion) -> None:
    title, score = first(search(told, "read the whole old archive before the first page is written"))
    assert title == SUBJECTS[4]
    assert 0.5 <= score < 1


def test_a_commit_of_another_subject_is_none_of_that_subject(told: LocalCompanion) -> None:
    assert not [hit for hit in search(told, "Drop the archive") if hit.reasons[0].feature == "subject"]
    assert len([hit for hit in search(told, "bump the linter") if hit.reasons[0].feature == "subject"]) == 2


def test_a_memory_made_of_the_commit_stands_for_it(told: LocalCompanion) -> None:
    (episode,) = [
        one.memory
        for one in told.timeline(TimelineQuery(state=State.CURRENT, limit=500)).happened
        if one.memory.draft.type == "commit"
    ][:1]
    assert isinstance(episode.draft.body, Episode)
    (sha,) = episode.draft.body.commits
    subject = told.expand(sha).title
    hits = search(told, subject)
    assert [hit.commit for hit in hits].count(sha) == 1
    assert hits[0].id == episode.id


def test_filters_that_leave_no_commit_leave_none(told: LocalCompanion) -> None:
    subject = SUBJECTS[0]
    then = told.expand(search(told, subject)[0].id).memory
    assert then is not None
    before = then.created_at - timedelta(days=1)
    others: tuple[dict[str, Any], ...] = (
        {"kinds": (Kind.FACT,)},
        {"visibility": (Visibility.USER_PRIVATE,)},
        {"entities": ("file:shop/cart.py",)},
        {"scope_path": "shop"},
        {"as_of": before},
        {"until": before},
    )
    for given in others:
        assert not [hit for hit in search(told, subject, **given) if hit.reasons[0].feature == "subject"], given
    assert first(search(told, subject, kinds=(Kind.EPISODE,)))[0] == subject


def test_a_found_commit_is_shown_in_full_by_the_beginning_of_its_id(told: LocalCompanion) -> None:
    sha = search(told, SUBJECTS[2])[0].id
    shown = told.expand(sha[:10])
    assert (shown.id, shown.title) == (sha, SUBJECTS[2])
    assert "src/part2.py" in shown.text
    assert told.expand(f"precedent:{sha}") == shown
    with pytest.raises(UnknownMemory):
        told.expand("0" * 10)


def test_the_cards_of_what_was_found_pass_over_commits(told: LocalCompanion) -> None:
    told.cards([hit.id for hit in search(told, SUBJECTS[0])])


def test_nothing_is_said_to_be_sure_that_has_none_of_the_rare_words(told: LocalCompanion) -> None:
    for note in ("Tests run with the shop's own runner", "The cart holds items", "Prices are rounded in the cart"):
        told.remember(Note(note))
    sure = search(told, "prices are rounded in the cart")[0]
    unsure = search(told, "the frobnicator of the quuxifying zygote in the cart")[0]
    assert sure.score > 0.8
    assert unsure.score < 0.4
    assert "cart" in unsure.text.lower()
