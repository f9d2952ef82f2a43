"""The commits that made the best places: what decided the matter first, nothing twice, and nothing for its own sake."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from fakes import WordCounter

from companion.engine.recalling.made_so import SHOWN, of_makers
from companion.engine.recalling.recall import MESSAGES_FOUND, Ask, Recalled, makers_of
from companion.ports import CommitSummary, LineMaker
from companion.records import (
    Activity,
    Candidate,
    Evidence,
    EvidenceKind,
    Memory,
    Passage,
    PassageHit,
    PassageKind,
    Signals,
    Span,
    Tier,
)
from engine.fake_library import FakeLibrary
from engine.makers import NOW, episode

POOL, QUEUE = "src/pool.py", "src/queue.py"
TASK = "the pool must not grow while it drains"


def hit(span: Span, score: float, path: str = POOL) -> PassageHit:
    return PassageHit(Passage(PassageKind.CHUNK, "code", path=path, span=span, symbol=f"f{span[0]}"), score)


def maker(sha: str, lines: int) -> LineMaker:
    return LineMaker(sha * 40, lines)


def told(sha: str, title: str = "", reason: str = "", branch: tuple[str, ...] = ()) -> CommitSummary:
    return CommitSummary(sha * 40, title or f"change {sha}", reason, NOW - timedelta(days=400), branch)


def message(sha: str, text: str) -> Passage:
    return Passage(PassageKind.COMMIT, text, text, ref=sha * 40, at=NOW)


def file(path: str, score: float) -> Candidate:
    return Candidate(f"file:{path}", path, Tier.RELEVANT, "Places", score, ())


def shown(
    makers: dict[tuple[str, Span], tuple[LineMaker, ...]],
    *places: PassageHit,
    said: tuple[Passage, ...] = (),
    beside: tuple[Candidate, ...] = (file(POOL, 0.8), file(QUEUE, 0.4)),
    memories: tuple[Memory, ...] = (),
    tells: tuple[CommitSummary, ...] = tuple(map(told, "abcde")),
    at_hand: str = "",
) -> list[Candidate]:
    library = FakeLibrary(made=makers, passages_=said, told={one.sha: one for one in tells})
    known = Recalled(memories, places=places, makers=makers, messages=library.messages(TASK, MESSAGES_FOUND))
    ask = Ask(Signals(query=TASK, current_file=at_hand), (), NOW, Activity.DEBUGGING, current=at_hand, text=TASK)
    return of_makers(ask, known, beside, library, WordCounter())


def test_the_commit_that_speaks_of_the_task_comes_before_the_one_of_most_lines() -> None:
    makers = {(POOL, (1, 20)): (maker("c", 2), maker("b", 3), maker("a", 15))}
    found = shown(makers, hit((1, 20), 4.0), said=(message("b", "a pool that drains must not grow"),))
    assert [one.id[5:6] for one in found] == ["b", "a", "c"]
    assert found[0].reasons[0].says == "made 3 of 20 lines of f1"


def test_what_made_a_little_of_several_likely_places_comes_before_what_made_most_of_a_less_likely_one() -> None:
    makers = {
        (POOL, (1, 20)): (maker("a", 8), maker("b", 9)),
        (POOL, (30, 49)): (maker("a", 8), maker("c", 9)),
        (QUEUE, (1, 9)): (maker("d", 9),),
    }
    found = shown(makers, hit((1, 20), 4.0), hit((30, 49), 4.0), hit((1, 9), 4.0, QUEUE))
    assert [one.id[5:6] for one in found] == ["a", "d", "b", "c"]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_who_made_what_is_at_hand_is_told_first_though_that_is_not_shown() -> None:
    makers = {(POOL, (1, 20)): (maker("a", 20),), (QUEUE, (1, 20)): (maker("b", 20),)}
    found = shown(makers, hit((1, 20), 4.0), hit((1, 20), 4.0, QUEUE), beside=(file(QUEUE, 0.8),), at_hand=POOL)
    assert [one.id[5:6] for one in found] == ["a", "b"]


def test_of_a_file_without_a_task_those_are_told_that_made_most_of_it() -> None:
    library = FakeLibrary(told={one.sha: one for one in map(told, "abc")})
    ask = Ask(Signals(current_file=POOL), (), NOW, Activity.EXPLORING, current=POOL)
    known = Recalled(written=(maker("c", 3), maker("b", 37), maker("a", 60)))
    found = of_makers(ask, known, (), library, WordCounter())
    assert [one.id[5:6] for one in found] == ["a", "b"]
    assert found[0].reasons[0].says == "made 60 of 100 lines of pool.py"


def test_a_file_is_asked_once_who_made_its_pieces() -> None:
    asked: list[str] = []

    class Asked(FakeLibrary):
        def makers(self, path: str, spans: Sequence[Span]) -> tuple[tuple[LineMaker, ...], ...]:
            asked.append(path)
            return super().makers(path, spans)

    made = {(POOL, (30, 40)): (maker("a", 3), maker("b", 8)), (QUEUE, (1, 9)): (maker("c", 9),)}
    places = (hit((1, 20), 4.0), hit((30, 40), 3.5), hit((1, 9), 1.0, QUEUE))
    assert makers_of(places, Asked(made=made)) == made
    assert sorted(asked) == [POOL, QUEUE]


def test_who_wrote_a_test_is_not_told() -> None:
    test = "tests/test_pool.py"
    found = shown(
        {(test, (1, 9)): (maker("a", 9),), (POOL, (1, 9)): (maker("b", 9),)},
        hit((1, 9), 4.0, test),
        hit((1, 9), 4.0),
        beside=(file(test, 0.8), file(POOL, 0.8)),
    )
    assert [one.id[5:6] for one in found] == ["b"]


def test_a_commit_that_made_lines_of_several_places_is_told_once_with_all_of_them() -> None:
    makers = {(POOL, (1, 10)): (maker("a", 9),), (POOL, (20, 24)): (maker("a", 5),)}
    (one,) = shown(makers, hit((1, 10), 4.0), hit((20, 24), 3.9))
    assert one.reasons[0].says == "made 5 of 5 lines of f20; 9 of 10 lines of f1"
    assert one.files == (POOL,)


def test_a_change_that_was_taken_to_two_lines_of_work_is_told_once() -> None:
    makers = {(POOL, (1, 20)): (maker("a", 12), maker("b", 8))}
    tells = (told("a", "Shrink the pool"), told("b", "Shrink the pool"))
    assert [one.id[5:6] for one in shown(makers, hit((1, 20), 4.0), tells=tells)] == ["a"]


def test_a_commit_is_dated_shows_its_reason_and_can_be_shown_without() -> None:
    tells = (told("a", "Shrink the pool", "Idle ones cost memory."),)
    (one,) = shown({(POOL, (1, 9)): (maker("a", 9),)}, hit((1, 9), 4.0), tells=tells)
    assert [form.text for form in one.forms] == ["Shrink the pool\nIdle ones cost memory.", "Shrink the pool"]
    assert (one.tier, one.at, one.evidence) == (
        Tier.RELEVANT,
        NOW - timedelta(days=400),
        (Evidence(EvidenceKind.COMMIT, "a" * 40),),
    )


def test_a_commit_that_is_a_precedent_or_a_memory_too_says_the_same_as_that() -> None:
    memory = episode("Shrink the pool")
    merge = told("a", branch=("e" * 40, memory.draft.evidence[0].ref))
    evidence = (Evidence(EvidenceKind.COMMIT, "e" * 40),)
    precedent = Candidate("precedent:x", "x", Tier.RELEVANT, "Precedents", 0.6, (), evidence=evidence)
    (one,) = shown(
        {(POOL, (1, 9)): (maker("a", 9),)},
        hit((1, 9), 4.0),
        beside=(file(POOL, 0.8), precedent),
        memories=(memory,),
        tells=(merge,),
    )
    assert set(one.says.split()) == {"precedent:x", *memory.key.split()}


def test_no_more_are_shown_than_are_read_at_a_glance_and_none_without_places() -> None:
    many = {(POOL, (1, 90)): tuple(maker(sha, 9) for sha in "abcdef")}
    said = tuple(message(sha, TASK) for sha in "abcdef")
    tells = tuple(map(told, "bcdef"))  # of the first nothing is known that could be told
    assert [one.id[5:6] for one in shown(many, hit((1, 90), 4.0), said=said, tells=tells)] == [*"bcdef"]
    more = (*tells, told("g"))
    makers = {(POOL, (1, 90)): tuple(maker(sha, 9) for sha in "abcdefg")}
    assert len(shown(makers, hit((1, 90), 4.0), said=said, tells=more)) == SHOWN == len("bcdef")
    assert shown(many, said=said) == []
    assert shown(many, hit((1, 90), 4.0), said=said, beside=()) == [], "of what may not be shown nothing is told"
    assert shown({}, hit((1, 90), 4.0), said=said) == []
