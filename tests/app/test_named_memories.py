"""A memory by its id or label: one's own project's first, and none of another project's is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Note
from companion.app.local import LocalCompanion
from companion.errors import UnknownMemory, UsageError
from companion.records import Scope, SearchQuery, Status


@pytest.fixture
def here(desk: Desk, new_repo: Callable[..., Repo]) -> Iterator[LocalCompanion]:
    """A companion of one of two projects."""
    opened = _opened(desk, new_repo("here"))
    yield opened
    opened.close()


def _opened(desk: Desk, repo: Repo) -> LocalCompanion:
    repo.write("src/a.py", f"# of {repo.root.name}\n")
    repo.commit(f"Begin {repo.root.name}")
    desk.scan(repo.root)
    return desk.open(repo.root)


def test_a_memory_of_another_project_is_not_changed_and_said_to_be_of_it(
    here: LocalCompanion, desk: Desk, new_repo: Callable[..., Repo]
):
    elsewhere = new_repo("elsewhere")
    there = _opened(desk, elsewhere)
    kept = there.remember(Note("Loans are kept for ten years"))
    there.close()
    for change in (here.forget, here.revive, here.erase, lambda id_: here.pin(id_, on=True)):
        with pytest.raises(UsageError, match="is a memory of elsewhere, not of here") as refused:
            change(kept.id)
        assert f"-C {elsewhere.root}" in refused.value.next_step
    assert here.expand(kept.id).memory.status is Status.ACTIVE, "it can be read from everywhere"


def test_a_beginning_that_several_have_names_those_of_this_project_by_what_they_say(
    here: LocalCompanion, desk: Desk, new_repo: Callable[..., Repo]
):
    for text in ("Loans are kept for ten years", "Books are sorted by author"):
        here.remember(Note(text))
    there = _opened(desk, new_repo("elsewhere"))
    there.remember(Note("Prices are in cents"))
    there.close()
    with pytest.raises(UnknownMemory) as several:
        here.forget("m1")
    assert "Books are sorted by author" in several.value.what
    assert "Prices" not in several.value.what


def test_a_label_names_a_memory_wherever_an_id_does(here: LocalCompanion):
    kept = here.remember(Note("Loans are kept for ten years", label="loans"))
    assert here.dossier("loans").memory.id == here.expand("loans").id == kept.id
    assert here.forget("loans").id == here.revive("loans").id == kept.id


def test_a_scope_where_nothing_is_is_told(here: LocalCompanion):
    here.search(SearchQuery(text="loans", scope_path="src"))
    assert not [one for one in here.notices() if "There is no" in one]
    here.search(SearchQuery(text="loans", scope_path="src/nowhere"))
    here.remember(Note("Loans are kept", scope=Scope(path="nopath")))
    assert [one.split(" in ")[0] for one in here.notices() if "There is no" in one] == [
        "There is no `src/nowhere`",
        "There is no `nopath`",
    ]
