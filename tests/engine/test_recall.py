"""What is asked of the library, and what happens when it cannot answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from fakes import WordCounter
from msgspec.structs import replace

from companion.engine.assemble import assemble
from companion.engine.recalling.guard import Guarded
from companion.engine.recalling.recall import Ask, recall
from companion.ports import Library
from companion.records import (
    Activity,
    Context,
    DecisionStatus,
    Kind,
    Passage,
    PassageKind,
    Prediction,
    Signals,
    Status,
)
from engine.fake_library import FakeLibrary
from engine.makers import NOW, decision, fact, kept
from engine.scenes import AT_LOGIN, ERROR, LOGIN, project

METHODS = sorted(name for name in vars(Library) if not name.startswith("_"))


class Broken:
    """A library of which some methods fail."""

    def __init__(self, library: FakeLibrary, broken: set[str]) -> None:
        self._library = library
        self._broken = broken
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., object]:
        def answer(*args: object, **more: object) -> object:
            self.asked.append(name)
            if name in self._broken:
                raise RuntimeError(f"{name} is damaged")
            return getattr(self._library, name)(*args, **more)

        return answer


def ask(**more: object) -> Ask:
    return Ask(AT_LOGIN, (), NOW, Activity.REVIEW, LOGIN, text="login", **more)  # type: ignore[arg-type]


def context_from(library: object) -> Context:
    signals = replace(AT_LOGIN, query="login loop", collaborators=("Ann",), activity=Activity.REVIEW)
    return assemble(4_000, signals, (ERROR,), library, WordCounter(), NOW)  # type: ignore[arg-type]


def test_the_guard_answers_every_question_of_the_library() -> None:
    assert set(METHODS) <= set(dir(Guarded))


@pytest.mark.parametrize("method", METHODS)
def test_a_part_that_fails_is_named_with_a_command_and_the_rest_is_assembled(method: str) -> None:
    library = Broken(project(), {method})
    context = context_from(library)
    assert any(item for tier in context.tiers for item in tier.items)
    if method in library.asked:
        named = [line for line in context.missing if "RuntimeError" in line]
        assert named, method
        assert all("`companion " in line for line in named)
        assert named[0].split(" (")[0] in context.text


def test_nearly_every_part_of_the_library_is_asked() -> None:
    library = Broken(project(), set())
    context_from(library)
    assert set(METHODS) - set(library.asked) <= {
        "alike",
        "commit_summary",
        "get",
        "readiness",
        "recent",
        "weights",
    }


def test_a_library_that_fails_in_all_its_parts_still_gives_a_valid_context() -> None:
    context = context_from(Broken(project(), set(METHODS)))
    assert context.tokens <= context.budget_tokens
    assert len(context.missing) >= 8
    assert not any(tier.items for tier in context.tiers)


def test_a_task_in_words_is_never_exploring_whatever_fails() -> None:
    library = Broken(project(), set(METHODS))
    context = assemble(900, Signals(query="how does sign-in work"), (), library, WordCounter(), NOW)  # type: ignore[arg-type]
    assert context.activity is Activity.NEW_FEATURE


def test_damage_that_the_library_reports_itself_is_passed_on() -> None:
    library = project()
    library.damaged = ("vectors: try `companion rebuild`",)
    context = context_from(library)
    assert context.missing == ("vectors: try `companion rebuild`",)
    assert "vectors: try `companion rebuild`" in context.text


def test_the_questions_are_as_many_for_a_large_library_as_for_a_small_one() -> None:
    library = Broken(project(), set())
    recall(ask(), library)  # type: ignore[arg-type]
    assert len(library.asked) <= 13


def test_what_no_longer_holds_is_not_recalled() -> None:
    gone = replace(fact("login", "is archived", names=[LOGIN]), status=Status.ARCHIVED)
    past = fact("login", "was true once", names=[LOGIN])
    past = replace(past, draft=replace(past.draft, valid_to=NOW - timedelta(days=1)))
    old = decision("Sessions?", "tokens", names=[LOGIN], status=DecisionStatus.SUPERSEDED)
    live = fact("login", "is live", names=[LOGIN])
    found = recall(ask(), FakeLibrary([gone, past, old, live]))
    assert [memory.id for memory in found.memories] == [live.id]


def test_what_is_valid_until_later_is_recalled() -> None:
    until = fact("login", "is true until the release", names=[LOGIN])
    until = replace(until, draft=replace(until.draft, valid_to=NOW + timedelta(days=1)))
    assert len(recall(ask(), FakeLibrary([until])).memories) == 1


def test_each_memory_comes_once_whichever_way_it_was_found() -> None:
    memory = decision("login?", "login by form", names=[LOGIN], scope="src/auth")
    assert len(recall(ask(), FakeLibrary([memory])).memories) == 1


def test_where_no_file_is_likely_the_likeliest_are_looked_into() -> None:
    told = "the login loops"
    library = FakeLibrary()
    library.passages_ = [Passage(PassageKind.CHUNK, told, path=f"src/{name}.py", span=(1, 2)) for name in "abcd"]

    def looked_into(*probabilities: float) -> list[str]:
        files = [Prediction(f"src/{name}.py", one, one) for name, one in zip("abcd", probabilities, strict=True)]
        asked = Ask(Signals(), (), NOW, Activity.DEBUGGING, text=told, predictions=tuple(files))
        return sorted(hit.passage.path for hit in recall(asked, library).places)

    assert looked_into(0.3, 0.02, 0.019, 0.001) == ["src/a.py", "src/b.py"]
    assert looked_into(0.01, 0.005, 0.002, 0.001) == ["src/a.py", "src/b.py", "src/c.py"]


def test_without_words_nothing_is_searched() -> None:
    library = Broken(project(), set())
    found = recall(Ask(Signals(), (), NOW, Activity.EXPLORING), library)  # type: ignore[arg-type]
    assert "search" not in library.asked
    assert found.matched is None


def test_a_memory_of_the_same_error_is_told_from_other_errors() -> None:
    found = recall(ask(error_files=("src/web/views.py",)), project())
    assert found.same_errors == frozenset()
    again = recall(replace(ask(), errors=(ERROR,)), project())
    assert len(again.same_errors) == 1
    assert not again.same_errors & again.recent_errors


def test_an_unreadable_kind_of_memory_does_no_harm() -> None:
    empty = fact("login", "", names=[LOGIN])
    draft = replace(
        empty.draft, kind=Kind.EPISODE, levels=replace(empty.draft.levels, full="", summary="", compressed="")
    )
    context = context_from(FakeLibrary([kept(draft)]))
    assert context.tokens <= context.budget_tokens
