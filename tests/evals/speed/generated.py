"""A store of any size made from a seed: files, history and memories that look like a project's.

For measuring latency and for tests of scale; the same seed gives the same store. Words follow a
Zipf-like law, files are touched in clusters, and memories name files, people and topics, so that
indexes meet the skew that real projects have.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path

from msgspec.structs import replace

from companion.kinds.by_hand import draft_from_note
from companion.ports import Redactor, TokenCounter
from companion.records import (
    ChangeStatus,
    Commit,
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    Evidence,
    EvidenceKind,
    FactType,
    Failure,
    FileChange,
    FileRole,
    Importance,
    Kind,
    Levels,
    Link,
    LinkKind,
    ParsedFile,
    Pattern,
    Person,
    RepoState,
    Scope,
    Symbol,
    SymbolKind,
    Visibility,
    Workflow,
    entity,
)
from companion.signals.files import blob_id
from companion.store import projects
from companion.store.code.tables import Code
from companion.store.database import Database
from companion.store.history.commits import CommitHistory
from companion.store.memories.memories import Memories
from companion.store.opening import open_store

START = datetime(2020, 1, 6, 9, 0)
"""When the generated project begins."""

VOCABULARY_WORDS = 4_000
SYMBOLS_A_FILE = 20
FILES, FILES_A_MEMORY = 3_000, 3
COMMITS, COMMITS_A_MEMORY = 10_000, 10
"""Of a generated project, whatever is remembered of it; a store of hardly any memories is of a smaller one."""
PEOPLE = 40
DRAFTS_AT_ONCE = 20_000
LIVED_PARTS = 20
"""Moments at which a store that was lived with learned, evenly over its days."""
NOTED_EACH = 50
"""Beside so many memories a person notes a thing twice in two orders of its words, and another that is denied later."""
_SYLLABLES = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu ra re ri ro ru".split()


@dataclass(frozen=True, slots=True)
class Generated:
    """An open generated store: its project, checkout, paths and words to ask for."""

    database: Database
    project: str
    checkout: str
    paths: tuple[str, ...]
    words: tuple[str, ...]
    now: datetime


class _World:
    """The random choices of one seed."""

    def __init__(self, seed: int, files: int) -> None:
        self.chance = random.Random(seed)
        self.words = tuple(self._word() for _ in range(VOCABULARY_WORDS))
        self._ranks = list(accumulate(1 / (rank + 10) for rank in range(VOCABULARY_WORDS)))
        self.paths = tuple(self._path(number) for number in range(files))
        self.people = tuple(
            Person(f"{self._word().title()} {self._word().title()}", f"p{number}@example.org")
            for number in range(PEOPLE)
        )

    def say(self, count: int) -> str:
        """So many words, common ones often."""
        return " ".join(self.chance.choices(self.words, cum_weights=self._ranks, k=count))

    def some_paths(self, count: int) -> list[str]:
        """Files near each other, as one commit touches them; early ones are touched more often."""
        size = len(self.paths)
        first = int(size * self.chance.random() ** 2)
        return sorted({self.paths[(first + self.chance.randrange(12)) % size] for _ in range(count)})

    def _word(self) -> str:
        return "".join(self.chance.choices(_SYLLABLES, k=self.chance.randint(2, 4)))

    def _path(self, number: int) -> str:
        folder = f"src/area{number // 120}/part{number // 20 % 6}"
        name = "_".join(self.chance.sample(self.words, 2))
        return f"{folder}/{name}_{number}.py" if number % 4 else f"tests/area{number // 120}/test_{name}_{number}.py"


def paths_of(seed: int, memories: int) -> tuple[str, ...]:
    """The files that a store of this seed and so many memories knows."""
    return _World(seed, min(FILES, FILES_A_MEMORY * memories)).paths


def generate(
    home: Path,
    memories: int,
    seed: int,
    *,
    counter: TokenCounter,
    redactor: Redactor,
    lived: bool = False,
    state: RepoState | None = None,
) -> Generated:
    """Make a store in `home` with about so many memories, files and commits; about 15 s for 100,000.

    `lived` has them learned over all the days of the project, not on the last, with notes between them of which
    some say the same and some deny one another: what a run finds in a store that was worked with. `state` is a
    checkout that holds `content` at `paths_of` the seed; without it there is one in name only.
    """
    world = _World(seed, min(FILES, FILES_A_MEMORY * memories))
    commits = min(COMMITS, COMMITS_A_MEMORY * memories)
    database = open_store(home, wait_s=5.0, memory_limit="400MB")
    now = START + timedelta(hours=commits)
    state = state or RepoState(str(home), str(home / ".git"), _sha(f"root {seed}"), "", _sha(f"head {seed}"), "main")
    project, checkout = projects.identify(database, state, now)
    made = list(_commits(world, commits))
    CommitHistory(database, redactor).add(project, made)
    code = Code(database, counter, redactor)
    code.replace(checkout, [_parsed(world, path) for path in world.paths])
    code.set_links(checkout, list(world.paths), list(_links(world)))
    keeper = Memories(database, counter, redactor, "generated")
    drafts = _drafts(world, made, memories)
    drafts = _lived(world, drafts, made) if lived else drafts
    at_once = max(1, memories // LIVED_PARTS) if lived else DRAFTS_AT_ONCE
    part = 0
    while batch := list(islice(drafts, at_once)):
        learned_at = min(now, START + (now - START) * (part + 1) / LIVED_PARTS) if lived else now
        keeper.reconcile(project, f"generated {part}", [draft.origin for draft in batch], batch, learned_at)
        part += 1
    projects.set_scanned(database, checkout, state, now)
    database.checkpoint()
    return Generated(database, project, checkout, world.paths, world.words, now)


def _commits(world: _World, count: int) -> Iterator[Commit]:
    for number in range(count):
        at = START + timedelta(hours=number)
        changes = tuple(
            FileChange(ChangeStatus.MODIFIED, path) for path in world.some_paths(world.chance.randint(1, 6))
        )
        yield Commit(
            sha=_sha(f"commit {number}"),
            parents=(_sha(f"commit {number - 1}"),) if number else (),
            author=world.chance.choice(world.people),
            authored_at=at,
            committed_at=at,
            subject=world.say(world.chance.randint(4, 10)).capitalize(),
            body="",
            changes=changes,
        )


def content(path: str) -> bytes:
    """A file's content as it was indexed: its lines, and nothing that a question depends on."""
    return "".join(f"line = {number}  # {path}\n" for number in range(1, SYMBOLS_A_FILE * 10 + 1)).encode()


def _parsed(world: _World, path: str) -> tuple[ParsedFile, str, int]:
    symbols = tuple(_symbol(world, place) for place in range(SYMBOLS_A_FILE))
    parsed = ParsedFile(
        path=path,
        language="python",
        role=FileRole.TEST if path.startswith("tests/") else FileRole.SOURCE,
        content_hash=blob_id(content(path)),
        size_bytes=4_000,
        lines=SYMBOLS_A_FILE * 10,
        symbols=symbols,
    )
    return parsed, ", ".join(symbol.name for symbol in symbols), 0


def _symbol(world: _World, place: int) -> Symbol:
    name = "_".join(world.chance.sample(world.words, 2))
    line = place * 10 + 1
    return Symbol(name, name, SymbolKind.FUNCTION, line, line + 8, f"def {name}(value: int) -> str:")


def _links(world: _World) -> Iterator[Link]:
    for source in world.paths:
        for target in world.some_paths(3):
            if target != source:
                yield Link(source, target, LinkKind.IMPORT, 1.0, (world.chance.choice(world.words),))


def _drafts(world: _World, commits: Sequence[Commit], count: int) -> Iterator[Draft]:
    """Six in ten are episodes of commits; the rest facts, patterns, decisions, errors, workflows."""
    makers = (_episode,) * 60 + (_fact,) * 25 + (_pattern,) * 8 + (_decision,) * 3 + (_failure,) * 2 + (_workflow,) * 2
    for number in range(count):
        yield makers[world.chance.randrange(len(makers))](world, commits[number % len(commits)], number)


def _lived(world: _World, drafts: Iterator[Draft], commits: Sequence[Commit]) -> Iterator[Draft]:
    """The same in the order of the project's days, episodes with the day they happened, and what people noted."""
    for number, draft in enumerate(drafts):
        happened = commits[number % len(commits)].committed_at
        yield replace(draft, valid_from=happened) if draft.kind is Kind.EPISODE else draft
        if number % NOTED_EACH == 0:
            what, why = world.say(2), world.say(3)
            yield _note(f"Always use {what} for the {why}.", happened)
            yield _note(f"For the {why} always use {what}.", happened)
        elif number % NOTED_EACH == 1:
            said = f"use {world.say(2)} for the {world.say(3)}."
            yield _note(f"Always {said}", happened)
            yield _note(f"Never {said}", happened)


def _note(text: str, at: datetime) -> Draft:
    return draft_from_note(text, Kind.FACT, Scope(), Visibility.PROJECT_SHARED, False, "", at)


def _levels(world: _World, title: str) -> Levels:
    return Levels(f"{title}. {world.say(60)}", f"{title}. {world.say(12)}", title, title[:50])


def _episode(world: _World, commit: Commit, number: int) -> Draft:
    title = f"{commit.subject} {number}"
    return Draft(
        kind=Kind.EPISODE,
        type="commit",
        subject=title,
        attribute="",
        value=title,
        levels=_levels(world, title),
        origin=f"commit:{number}",
        evidence=(Evidence(EvidenceKind.COMMIT, commit.sha),),
        body=Episode(title, commit.committed_at, (commit.author.name,), (commit.sha,), "fix"),
        entities=(*(entity("file", change.path) for change in commit.changes), entity("person", commit.author.name)),
    )


def _about_file(world: _World, number: int, kind: Kind, type_: str, said: str) -> dict[str, object]:
    path = world.some_paths(1)[0]
    return {
        "kind": kind,
        "type": type_,
        "subject": f"{world.say(2)} {number}",
        "attribute": world.chance.choice(world.words),
        "value": said,
        "levels": _levels(world, said),
        "origin": f"{path}#{number}",
        "evidence": (Evidence(EvidenceKind.FILE, path, world.chance.randint(1, 200)),),
        "entities": (entity("file", path), entity("topic", world.chance.choice(world.words[:300]))),
        "scope": Scope(language="python", path=path.rsplit("/", world.chance.randint(0, 2))[0]),
    }


def _fact(world: _World, _: Commit, number: int) -> Draft:
    said = world.say(5)
    rare = world.chance.random()
    importance = Importance.CRITICAL if rare < 0.002 else Importance.SIGNIFICANT if rare < 0.03 else Importance.DEFAULT
    label = "convention" if world.chance.random() < 0.02 else ""
    given = _about_file(world, number, Kind.FACT, FactType.FACT, said)
    return Draft(**given, importance=importance, label=label)  # type: ignore[arg-type]


def _pattern(world: _World, _: Commit, number: int) -> Draft:
    said = f"{world.say(3)} is written with {world.say(2)}"
    given = _about_file(world, number, Kind.PATTERN, "", said)
    support = world.chance.randint(3, 200)
    places = given["evidence"]
    return Draft(**given, body=Pattern(said, {"name": said}, said, support, 1, exceptions=places))  # type: ignore[arg-type]


def _decision(world: _World, _: Commit, number: int) -> Draft:
    said = world.say(5)
    given = _about_file(world, number, Kind.FACT, FactType.DECISION, said)
    return Draft(**given, body=Decision(f"{said}?", said, world.say(8), DecisionStatus.IN_FORCE))  # type: ignore[arg-type]


def _failure(world: _World, commit: Commit, number: int) -> Draft:
    said = f"ValueError: {world.say(5)}"
    given = _about_file(world, number, Kind.EPISODE, "error", said)
    return Draft(**given, body=Failure(_sha(said)[:16], "ValueError", said, world.say(4), commit.sha))  # type: ignore[arg-type]


def _workflow(world: _World, _: Commit, number: int) -> Draft:
    said = f"{world.say(2)} by {world.say(3)}"
    given = _about_file(world, number, Kind.WORKFLOW, "", said)
    return Draft(**given, body=Workflow(said, (world.say(2), world.say(2))))  # type: ignore[arg-type]


def _sha(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
