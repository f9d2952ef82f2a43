"""The library: what the engine reads, bound to a reader and a moment, fresh after every write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fakes import HashEmbedder, PlainRedactor, WordCounter
from stores import NOW, PROJECT, at, fact, memories, parts, passages_of, store
from vectorised import embed_pending

from companion.errors import ModelMissing
from companion.ports import Embedder, Library, Recent
from companion.records import (
    ChangeStatus,
    Commit,
    Decision,
    DecisionStatus,
    Draft,
    Failure,
    FileChange,
    FileRole,
    Importance,
    Kind,
    Levels,
    Link,
    LinkKind,
    Memory,
    ParsedFile,
    Person,
    Profile,
    Scope,
    SearchQuery,
    Symbol,
    SymbolKind,
    Workflow,
)
from companion.store import parameters
from companion.store.bulk import insert_rows
from companion.store.code.tables import Code
from companion.store.database import Database
from companion.store.history.commits import CommitHistory
from companion.store.library import NO_MODEL, StoreLibrary
from companion.store.passages.files_meant import weighed
from companion.store.readings import Readings
from companion.store.text.index import FOLDER, TextIndex
from companion.store.vectors.questions import Vector
from companion.store.vectors.vectors import Vectors

CHECKOUT = "c1"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        with opened.write() as connection:
            names = ("id", "project_id", "common_dir", "root")
            insert_rows(connection, "checkouts", names, [(CHECKOUT, PROJECT, "/g", "/r")])
        yield opened


def library(database: Database, **given: object) -> StoreLibrary:
    own = {name: given.pop(name) for name in ("text_index", "vectors", "readings", "passages") if name in given}
    wanted: dict[str, object] = {
        "embedder": None,
        "read_lines": lambda path, first, last, digest: f"{path}:{first}-{last} {digest}",
    }
    return StoreLibrary(parts(database, **own), PROJECT, CHECKOUT, **{**wanted, **given})  # type: ignore[arg-type]


def keep(database: Database, subject: str, **given: object) -> Memory:
    return memories(database).remember(PROJECT, fact(subject, **given), given.pop("when", NOW))  # type: ignore[arg-type]


def scanned(database: Database, **given: object) -> StoreLibrary:
    """A library after a scan has seen what is in the tables now."""
    return library(database, passages=passages_of(database, PROJECT, CHECKOUT), **given)


def damage(database: Database) -> None:
    """Have the index made, and then overwrite what tells of its parts."""
    library(database).about(["file:x.py"], 5)
    written = list((database.home / FOLDER).glob("*/meta.json"))
    assert written
    for file in written:
        file.write_bytes(os.urandom(20_000))


def subjects(found: tuple[Memory, ...]) -> list[str]:
    return [memory.draft.subject for memory in found]


def add_file(database: Database, path: str, *names: str) -> None:
    symbols = tuple(Symbol(n, n, SymbolKind.FUNCTION, i, i, f"def {n}()") for i, n in enumerate(names, start=1))
    parsed = ParsedFile(path, "python", FileRole.SOURCE, f"hash of {path}", 10, 3, symbols)
    Code(database, WordCounter(), PlainRedactor()).replace(CHECKOUT, [(parsed, "outline", 1)])


def add_commit(database: Database, number: int, subject: str, *paths: str) -> None:
    changes = tuple(FileChange(ChangeStatus.MODIFIED, path) for path in paths)
    person = Person("Ann", "ann@x.org")
    one = Commit(f"{number:040x}", ("p",), person, at(number), at(number), subject, "", changes)
    CommitHistory(database, PlainRedactor()).add(PROJECT, [one])


def test_it_is_a_library(database: Database) -> None:
    bound: Library = library(database)
    assert bound.recent(5) == ()
    assert bound.paths() == {}
    assert bound.topics(5) == ()


def test_about_gives_the_important_then_the_newest(database: Database) -> None:
    for days, name in enumerate(("a", "b", "c")):
        memories(database).remember(PROJECT, fact(name, entities=("file:x.py",)), at(days))
    memories(database).remember(
        PROJECT, fact("old but important", entities=("file:x.py",), importance=Importance.SIGNIFICANT), at(-9)
    )
    keep(database, "elsewhere", entities=("file:y.py",))
    found = library(database).about(["file:x.py", "file:none.py"], 3)
    assert subjects(found) == ["old but important", "c", "b"]
    assert library(database).about([], 3) == ()


def test_within_gives_the_nearest_scope_first(database: Database) -> None:
    for path in ("src", "src/app", "src/app/x.py", "docs", ""):
        keep(database, path or "root", scope=Scope(path=path), evidence=())
    assert subjects(library(database).within("src/app/x.py", 9)) == ["src/app/x.py", "src/app", "src"]
    assert subjects(library(database).within("src/other.py", 9)) == ["src"]


def test_within_finds_what_was_read_from_the_file(database: Database) -> None:
    keep(database, "a")
    assert subjects(library(database).within("pyproject.toml", 9)) == ["a"]


@pytest.mark.parametrize("damaged", [False, True])
def test_nobody_reads_what_is_not_theirs(database: Database, damaged: bool) -> None:
    named = {"entities": ("file:x.py",), "evidence": ()}
    keep(database, "all", **named, scope=Scope(path="x.py"))
    keep(database, "ada", **named, persona="ada", scope=Scope(path="x.py"))
    keep(database, "branch", **named, scope=Scope(path="x.py", branch="topic"))
    memories(database).remember(PROJECT, fact("later", **named, scope=Scope(path="x.py")), at(5))
    gone = memories(database).remember(PROJECT, fact("gone", **named, scope=Scope(path="x.py")), NOW)
    memories(database).forget(gone.id, at(3))
    if damaged:
        damage(database)
    readers = {
        "nobody": (library(database), {"all", "later"}),
        "ada": (library(database, persona="ada"), {"all", "ada", "later"}),
        "topic": (library(database, branch="topic"), {"all", "branch", "later"}),
        "before": (library(database, as_of=at(1)), {"all", "gone"}),
        "between": (library(database, as_of=at(4)), {"all"}),
    }
    for bound, seen in readers.values():
        assert set(subjects(bound.about(["file:x.py"], 9))) == seen
        assert set(subjects(bound.within("x.py", 9))) == seen
        hits = bound.search(SearchQuery("line length", limit=99, profile=Profile.MEMORY))
        assert {hit.memory.draft.subject for hit in hits} == seen


@pytest.mark.parametrize("damaged", [False, True])
def test_another_checkouts_files_are_not_spoken_of(database: Database, damaged: bool) -> None:
    for learner in ("facts", f"facts@{CHECKOUT}", "facts@c2"):
        told = fact(learner, origin=f"{learner}.toml", entities=("file:x.py",))
        memories(database).reconcile(PROJECT, learner, [told.origin], [told], NOW)
    if damaged:
        damage(database)
    found = library(database).about(["file:x.py"], 9)
    assert {(one.draft.subject, one.checkout) for one in found} == {("facts", ""), (f"facts@{CHECKOUT}", CHECKOUT)}


def test_failures_are_found_by_fingerprint_or_time(database: Database) -> None:
    for name, mark, when in (("a", "f1", NOW), ("b", "f2", at(2))):
        error = fact(
            name,
            kind=Kind.EPISODE,
            type="error",
            body=Failure(mark, "ValueError", "bad"),
            valid_from=when,
        )
        memories(database).remember(PROJECT, error, when)
    keep(database, "no failure")
    bound = library(database)
    assert subjects(bound.failures(["f1"], None)) == ["a"]
    assert subjects(bound.failures([], at(1))) == ["b"]
    assert subjects(bound.failures(["f1"], at(1))) == []
    assert set(subjects(bound.failures([], None))) == {"a", "b"}


def test_get_keeps_the_order_asked_for(database: Database) -> None:
    a, b = keep(database, "a"), keep(database, "b")
    assert subjects(library(database).get([b.id, "unknown", a.id])) == ["b", "a"]
    assert library(database).get([a.id]) == (a,)


def test_a_copy_in_the_index_is_the_memory_itself(database: Database) -> None:
    kept = memories(database).remember(
        PROJECT,
        fact(
            "Ünïcode “quotes”\n",
            body=Decision("Q?", "A", "because", DecisionStatus.IN_FORCE),
            scope=Scope("python", "src", "prod", "3.11", ""),
            valid_from=at(-3),
            valid_to=at(9),
            label="name",
            importance=Importance.SIGNIFICANT,
        ),
        NOW,
    )
    assert memories(database).get([kept.id]) == library(database).get([kept.id])


def test_standing_sorts_what_is_always_wanted(database: Database) -> None:
    kept = memories(database)
    pinned = keep(database, "pinned")
    kept.pin(pinned.id, True)
    keep(database, "critical", importance=Importance.CRITICAL)
    keep(database, "convention", label="convention")
    keep(database, "rule", label="convention", attribute="")
    keep(database, "flow", kind=Kind.WORKFLOW, type="", body=Workflow("deploy", ("test", "ship")))
    status = {"in": DecisionStatus.IN_FORCE, "out": DecisionStatus.SUPERSEDED}
    for name, stands in status.items():
        keep(database, f"decision {name}", type="decision", body=Decision("Q", "A", "R", stands))
    standing = library(database).standing()
    assert subjects(standing.foundation) == ["pinned", "critical"]
    assert sorted(subjects(standing.conventions)) == ["convention", "rule"]
    assert subjects(standing.rules) == ["rule"]
    assert subjects(standing.workflows) == ["flow"]
    assert subjects(standing.decisions) == ["decision in"]


def test_open_contradictions_stand_until_they_are_settled(database: Database) -> None:
    from companion.records import Resolution

    kept = memories(database)
    for origin, value in (("a.toml", "100"), ("b.cfg", "80")):
        kept.reconcile(PROJECT, "t", [origin], [fact("ruff", value, origin=origin)], NOW)
    bound = library(database)
    (open_one,) = bound.standing().contradictions
    kept.settle(open_one.id, Resolution.BOTH_VALID, "", at(1))
    assert bound.standing().contradictions == ()


def test_what_is_written_is_seen_at_once(database: Database) -> None:
    bound = library(database)
    assert bound.about(["file:x.py"], 5) == ()
    memory = keep(database, "a", entities=("file:x.py", "topic:auth"), scope=Scope(path="src"))
    assert subjects(bound.about(["file:x.py"], 5)) == ["a"]
    assert [hit.memory for hit in bound.search(SearchQuery("line length", profile=Profile.MEMORY))] == [memory]
    assert bound.topics(9) == ()
    other = keep(database, "b", entities=("topic:auth",), scope=Scope(path="src"))
    assert "auth" in [topic.name for topic in bound.topics(9)]
    assert bound.readiness().memories == 2
    add_file(database, "src/a.py", "go")
    assert list(bound.paths()) == ["src/a.py"]
    for one in (memory, other):
        memories(database).forget(one.id, at(1))
    assert bound.about(["file:x.py"], 5) == ()
    assert bound.search(SearchQuery("line length", profile=Profile.MEMORY)) == ()
    assert bound.readiness().memories == 0
    add_commit(database, 1, "Touch", "src/a.py", "src/b.py")
    assert [one.path for one in bound.cochanged(["src/a.py"], 5)] == ["src/b.py"]
    assert [one.path for one in bound.recent(1)] == ["src/a.py"]
    assert bound.owners("src/a.py", 3)[0].person == "Ann"


def test_topics_are_what_several_memories_speak_of(database: Database) -> None:
    for number in range(3):
        keep(database, f"a{number}", entities=("topic:auth_flow", f"file:src/auth/f{number}.py"))
    for subject in ("b", "c"):
        keep(database, subject, label="release", entities=())
    keep(database, "d", entities=("topic:alone",))
    topics = {topic.name: topic for topic in library(database).topics(9)}
    assert topics["auth flow"].memories == 3
    assert topics["src/auth/"].memories == 3
    assert topics["release"].memories == 2
    assert "alone" not in topics
    assert len(library(database).topics(1)) == 1


def test_files_are_matched_by_their_own_words_and_by_past_subjects(database: Database) -> None:
    add_file(database, "src/session_store.py", "open_session")
    add_file(database, "src/other.py", "run")
    add_commit(database, 1, "Fix the flaky websocket handshake", "src/other.py", "src/gone.py")
    bound = scanned(database)
    own = bound.match_files("session", 5)
    assert [(one.path, one.past) for one in own] == [("src/session_store.py", 0.0)]
    past = bound.match_files("WebSocket handshake fails", 5)
    assert [one.path for one in past] == ["src/other.py"]
    assert past[0].past == past[0].score > 0
    assert set(past[0].matched) == {"WebSocket", "handshake"}
    assert bound.match_files("the of", 5) == ()


def test_a_report_is_about_its_first_line_and_what_it_says_again(database: Database) -> None:
    add_file(database, "src/session.py", "run")
    add_file(database, "src/printer.py", "run")
    bound = scanned(database)
    report = "The printer stalls\n\n```\n$ run --session 3\n```"
    assert [one.path for one in bound.match_files(report, 5)] == ["src/printer.py", "src/session.py"]
    assert weighed("flaky flaky printer") == {"flaki": 1.0, "printer": 1.0}
    again = weighed("The printer stalls\nsession ends\nsession starts")
    assert again["printer"] > again["session"] > again["start"]


def test_a_long_report_is_matched_by_all_its_words(database: Database) -> None:
    add_file(database, "src/session.py", "keep_session")
    rare = [f"qu{chr(97 + number % 26)}{chr(97 + number // 26)}x" for number in range(40)]
    for word in rare:
        add_file(database, f"src/{word}.py", "run")
    report = "\n".join(["A session is lost", *rare])
    assert "src/session.py" in {one.path for one in scanned(database).match_files(report, 50)}


def test_later_commits_do_not_speak_for_an_earlier_moment(database: Database) -> None:
    add_file(database, "src/other.py", "run")
    add_commit(database, 1, "Something", "src/other.py")
    add_commit(database, 5, "Fix websocket", "src/other.py")
    assert scanned(database).match_files("websocket", 5)
    assert not scanned(database, as_of=at(3)).match_files("websocket", 5)
    assert library(database, as_of=at(3)).recent(5) == (Recent("src/other.py", 0, 1),)


def test_commits_that_are_gone_match_nothing_and_those_that_come_back_match_again(database: Database) -> None:
    add_file(database, "src/other.py", "run")
    add_file(database, "src/lasting.py", "run")
    add_commit(database, 1, "Rotate the flywheel", "src/lasting.py")
    add_commit(database, 2, "Fix the flaky websocket", "src/other.py")
    assert scanned(database).match_files("websocket", 5)
    CommitHistory(database, PlainRedactor()).mark_gone(PROJECT, [f"{2:040x}"])
    assert not scanned(database).match_files("websocket", 5)
    assert [one.path for one in scanned(database).match_files("flywheel", 5)] == ["src/lasting.py"]
    add_commit(database, 2, "Fix the flaky websocket", "src/other.py")
    add_commit(database, 3, "Oil the flywheel", "src/other.py")
    assert [one.path for one in scanned(database).match_files("websocket", 5)] == ["src/other.py"]
    assert {one.path for one in scanned(database).match_files("flywheel", 5)} == {"src/lasting.py", "src/other.py"}


def test_links_are_given_from_both_ends(database: Database) -> None:
    code = Code(database, WordCounter(), PlainRedactor())
    links = [Link("a.py", "b.py", LinkKind.IMPORT), Link("c.py", "a.py", LinkKind.TEST)]
    code.set_links(CHECKOUT, ["a.py", "c.py"], links)
    bound = library(database)
    assert bound.links(["a.py"]) == tuple(links)
    assert bound.links(["b.py", "a.py"]) == tuple(links)
    assert bound.links(["z.py"]) == ()


def test_a_body_is_read_as_it_was_indexed(database: Database) -> None:
    add_file(database, "a.py", "go")
    assert library(database).body("a.py", 1, 2) == "a.py:1-2 hash of a.py"
    assert library(database).body("unknown.py", 1, 2) == ""


def test_learned_weights_are_read_and_read_again(database: Database) -> None:
    bound = library(database)
    assert bound.weights("ranker") == {}
    parameters.save(database, PROJECT, "ranker", {"cochange": 0.5}, NOW)
    assert bound.weights("ranker") == {"cochange": 0.5}


def test_readiness_says_how_far_vectors_are(database: Database) -> None:
    keep(database, "a")
    index = TextIndex(database)
    vectors, embedder = Vectors(database, index), HashEmbedder()
    bound = library(database, text_index=index, vectors=vectors, embedder=embedder)
    assert (bound.readiness().embedded, bound.readiness().to_embed) == (0, 2)
    embed_pending(vectors, PROJECT, embedder)
    assert (bound.readiness().embedded, bound.readiness().to_embed, bound.readiness().missing) == (2, 0, ())
    assert library(database).readiness().missing == (NO_MODEL,)


class Broken(HashEmbedder):
    """A model that fails when it is used."""

    def embed(self, texts: object) -> object:  # type: ignore[override]
        raise RuntimeError("no kernel")


def test_a_failing_model_leaves_search_by_words(database: Database) -> None:
    keep(database, "a")
    index = TextIndex(database)
    vectors = Vectors(database, index)
    embed_pending(vectors, PROJECT, HashEmbedder())
    bound = library(database, text_index=index, vectors=vectors, embedder=Broken())
    assert subjects(tuple(hit.memory for hit in bound.search(SearchQuery("line length", profile=Profile.MEMORY)))) == [
        "a"
    ]
    assert any("no kernel" in reason for reason in bound.readiness().missing)


class Unloadable(HashEmbedder):
    """A model that tells its name alone: what loads it is not installed."""

    @property
    def dimension(self) -> int:  # type: ignore[override]
        raise ModelMissing("The embedding model cannot run.")

    def embed(self, texts: object) -> object:  # type: ignore[override]
        raise ModelMissing("The embedding model cannot run.")


def test_a_model_that_does_not_load_leaves_search_by_words(database: Database) -> None:
    keep(database, "a")
    index = TextIndex(database)
    given = {"embedder": Unloadable(), "text_index": index, "readings": Readings(database, index)}
    bound = library(database, **given)
    assert subjects(tuple(hit.memory for hit in bound.search(SearchQuery("line length", profile=Profile.MEMORY)))) == [
        "a"
    ]
    assert any("cannot run" in reason for reason in bound.missing())
    told = [library(database, **given).readiness() for _ in range(2)]
    assert [(one.to_embed, len(one.missing)) for one in told] == [(2, 1)] * 2


def test_while_a_question_waits_for_the_model_to_load_others_are_answered(database: Database) -> None:
    keep(database, "a", entities=("file:x.py",))
    index, embedder = TextIndex(database), HashEmbedder()
    vectors, readings = Vectors(database, index), Readings(database, index)
    embed_pending(vectors, PROJECT, embedder)
    bound = library(database, text_index=index, vectors=vectors, embedder=embedder, readings=readings)
    first = readings.questions.vector
    answered: list[list[str]] = []

    def loads(embedder: Embedder, text: str) -> Vector:
        answered.append(subjects(pool.submit(bound.about, ["file:x.py"], 5).result(60)))
        return first(embedder, text)

    with ThreadPoolExecutor(1) as pool:
        readings.questions.vector = loads  # type: ignore[method-assign]
        assert subjects(
            tuple(hit.memory for hit in bound.search(SearchQuery("line length", profile=Profile.MEMORY)))
        ) == ["a"]
    assert answered == [["a"]]


def test_a_question_has_no_vector_made_where_nothing_can_be_near_it(database: Database) -> None:
    keep(database, "a")
    bound = library(database, embedder=Broken())
    assert subjects(tuple(hit.memory for hit in bound.search(SearchQuery("line length", profile=Profile.MEMORY)))) == [
        "a"
    ]
    assert bound.readiness().missing == ()


def test_a_damaged_index_is_made_anew_without_a_word(database: Database) -> None:
    kept = keep(database, "a", entities=("file:x.py",), label="convention")
    damage(database)
    bound = library(database)
    assert subjects(bound.about(["file:x.py"], 5)) == ["a"]
    assert bound.get([kept.id]) == (kept,)
    assert subjects(bound.standing().conventions) == ["a"]
    assert [hit.memory for hit in bound.search(SearchQuery("line", profile=Profile.MEMORY))] == [kept]
    assert not any("index" in reason for reason in bound.readiness().missing)


def test_libraries_may_share_what_they_read(database: Database) -> None:
    add_file(database, "x.py", "go")
    index = TextIndex(database)
    readings = Readings(database, index)
    one = library(database, text_index=index, readings=readings)
    other = library(database, text_index=index, readings=readings, persona="ada")
    assert one.paths() is other.paths()
    keep(database, "hers", persona="ada", entities=("file:x.py",))
    assert one.about(["file:x.py"], 5) == ()
    assert subjects(other.about(["file:x.py"], 5)) == ["hers"]


def test_levels_survive_the_copy(database: Database) -> None:
    levels = Levels("full text", "summary text", "compressed", "index")
    draft: Draft = fact("a", levels=levels)
    kept = memories(database).remember(PROJECT, draft, NOW)
    assert library(database).get([kept.id])[0].draft.levels == levels
