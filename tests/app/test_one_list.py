"""Memories, passages and turns in one list: by how much of the question they say, each thing once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime

import pytest
from engine.makers import episode
from msgspec.structs import replace
from repos import Repo

from app.conftest import Desk
from app.talks import say
from companion.app.local import LocalCompanion
from companion.app.verbs.ask.one_list import called_hits, leaning, memory_hit, memory_hits, one_list, passage_hits
from companion.ports import NoProgress
from companion.records import Hit, Kind, Passage, PassageHit, PassageKind, Profile, SearchQuery

AT = datetime(2024, 5, 1)
CHUNK = Passage(PassageKind.CHUNK, 'def total():\n    """Adds up."""', "def total()", path="a.py", span=(1, 9))
DOCSTRING = Passage(PassageKind.DOCSTRING, "Adds up.", "total", path="a.py", span=(2, 2))
COMMIT = Passage(PassageKind.COMMIT, "Fix the loop", "Fix the loop", ref="c" * 40, at=AT)


@pytest.fixture
def live(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    companion = desk.open(shop.root)
    companion.scan(NoProgress())
    yield companion
    companion.close()


def found(passage: Passage, score: float = 1.0, covers: float = 1.0) -> PassageHit:
    return PassageHit(passage, score, covers, ("word",))


def test_what_says_more_of_the_question_stands_above_what_says_it_louder():
    half, whole = found(CHUNK, 9.0, 0.5), found(COMMIT, 8.0, 1.0)
    assert [hit.sort for hit in one_list(passage_hits([half, whole]), 5)] == ["commit", "chunk"]


def test_a_docstring_and_its_chunk_are_one_and_the_chunk_is_told():
    (hit,) = one_list(passage_hits([found(DOCSTRING, 3.0), found(CHUNK, 2.0)]), 5)
    assert (hit.sort, hit.spans, hit.path, hit.score) == ("chunk", ((1, 9),), "a.py", 1.0)


def test_what_is_said_deep_within_a_chunk_is_told_by_itself():
    deep, around = replace(DOCSTRING, span=(42, 42)), replace(CHUNK, span=(1, 90))
    (hit,) = one_list(passage_hits([found(deep, 3.0), found(around, 2.0)]), 5)
    assert (hit.sort, hit.spans) == ("docstring", ((42, 42),))


def test_what_is_near_in_meaning_stands_above_what_merely_says_a_word_and_fits():
    said = PassageHit(COMMIT, 9.0, 0.3, ("word",), near=0.1)
    meant = PassageHit(CHUNK, 0.0, 0.0, (), near=0.6)
    assert [(hit.sort, hit.fits) for hit in one_list(passage_hits([said, meant]), 5)] == [
        ("chunk", True),
        ("commit", False),
    ]


def test_what_has_no_vector_is_judged_by_its_words_alone():
    bare, measured = PassageHit(COMMIT, 9.0, 1.0, ("word",)), PassageHit(CHUNK, 3.0, 0.3, ("word",), near=0.4)
    assert [hit.sort for hit in one_list(passage_hits([bare, measured]), 5)] == ["commit", "chunk"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where is the loop?", "chunk"),
        ("Which function has the loop?", "chunk"),
        ("When was the loop fixed?", "commit"),
        ("Which commit fixed the loop?", "commit"),
        ("How often does the loop run?", "chunk"),
        ("fix the loop", "commit"),
    ],
)
def test_the_form_of_a_question_decides_between_what_says_as_much(question: str, first: str):
    both = [found(COMMIT, 3.1), found(CHUNK, 3.0)]
    assert one_list(passage_hits(both, leaning(question)), 5)[0].sort == first


def test_memories_are_measured_as_passages_are():
    loud = Hit(episode("Fix a", names=["a.py"]), 1.0, share=0.2, covers=0.3)
    (passage, memory) = one_list([*memory_hits([loud], {}, AT), *passage_hits([found(COMMIT)])], 5)
    assert (passage.sort, memory.score) == ("commit", 0.3)


def test_the_same_words_of_two_commits_are_told_once_unless_they_were_asked_for():
    again = Passage(PassageKind.COMMIT, "Fix the loop", "Fix the loop", ref="d" * 40, at=AT)
    assert len(one_list(passage_hits([found(COMMIT), found(again)]), 5)) == 1
    assert len(one_list(called_hits([COMMIT, again], ["loop"]), 5)) == 2


def test_the_commit_of_that_very_subject_is_before_all_that_says_as_much():
    hits = one_list([*passage_hits([found(CHUNK, 9.0)]), *called_hits([COMMIT], ["loop"])], 5)
    assert [(hit.commit, hit.score) for hit in hits] == [("c" * 40, 1.0), (None, 1.0)]


def test_what_hardly_says_anything_of_the_question_does_not_fit():
    near, far = one_list(passage_hits([found(COMMIT), found(CHUNK, 1.0, 0.2)]), 5)
    assert (near.fits, far.fits) == (True, False)


def test_memories_of_the_same_words_are_two():
    one, other = (memory_hit(Hit(episode(title, names=["a.py"]), 0.5), AT) for title in ("Fix a", "Fix b"))
    assert len(one_list([one, other], 5)) == 2


def test_one_search_answers_from_files_history_and_talk(live: LocalCompanion):
    live.start_conversation("Rounding")
    say(live, "we said that the zeppelin carries the invoices")
    assert live.search(SearchQuery("floats lose cents"))[0].path == "docs/adr/0001-money.md"
    assert live.search(SearchQuery("Add the cart"))[0].commit
    (turn, *_) = live.search(SearchQuery("zeppelin invoices"))
    assert (turn.sort, turn.fits) == ("turn", True)
    assert not any(hit.fits for hit in live.search(SearchQuery("frobnicated quuxes of the zygote")))


def test_how_something_is_made_is_found_before_what_was_made_otherwise(desk: Desk, new_repo: Callable[..., Repo]):
    repo = new_repo()
    repo.write("RELEASE.md", "# Release\n\nWait for the checks, tag the commit, push the tag.\n")
    for name in ("cart", "till", "price", "stock"):
        repo.write(f"{name}.py", f"def release_{name}():\n    return 1\n")
    repo.write("guard.py", "# Copies of the lock are made here, since locks are made once.\nLOCK = 1\n")
    repo.commit("Begin")
    desk.scan(repo.root)
    with closing(desk.open(repo.root)) as companion:
        assert companion.search(SearchQuery("how is a release made"))[0].path == "RELEASE.md"
        assert companion.search(SearchQuery("release made"))[0].path == "guard.py"


def test_how_the_tests_are_run_is_found_where_it_is_said(desk: Desk, new_repo: Callable[..., Repo]):
    repo = new_repo()
    repo.write(
        "CONTRIBUTING.md", "# Contributing\n\n## Testing\n\nCall `make check` to run all tests before you push.\n"
    )
    repo.write("tests/test_run.py", "def test_run_how_tests():\n    assert run(tests)\n")
    repo.write("run.py", "def run(tests):\n    return tests\n")
    repo.commit("Run the tests")
    repo.write("run.py", "def run(tests):\n    return list(tests)\n")
    repo.commit("Run tests again and again")
    companion = desk.open(repo.root, embedder=True)
    companion.scan(NoProgress())
    first, *_ = companion.search(SearchQuery("How do I run the tests?"))
    companion.close()
    assert (first.path, first.fits) == ("CONTRIBUTING.md", True)
    assert "make check" in first.text


def test_a_filter_that_only_memories_meet_and_a_named_profile_find_memories_alone(live: LocalCompanion):
    for query in (SearchQuery("cart", kinds=(Kind.FACT,)), SearchQuery("cart", profile=Profile.RECALL)):
        assert all(hit.memory for hit in live.search(query))
    assert any(hit.memory is None for hit in live.search(SearchQuery("cart")))


def test_of_an_earlier_moment_only_commits_until_then_are_found(live: LocalCompanion, shop: Repo):
    hits = live.search(SearchQuery("add the cart sum", as_of=datetime(2030, 1, 1)))
    assert {hit.sort for hit in hits if hit.memory is None} <= {"commit", "turn"}
    assert not live.search(SearchQuery("Add the cart", as_of=datetime(2020, 1, 1)))
