"""A library held in memory: what the engine may ask of a project, answered from plain lists.

Also makers of memories and files for tests, and a generator of libraries of any size.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from companion.ports import Neighbour, Owner, Readiness, Recent, Standing, TextMatch, Topic
from companion.records import (
    CodeForms,
    Contradiction,
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    EpisodeType,
    Evidence,
    EvidenceKind,
    FactType,
    Failure,
    Hit,
    Importance,
    Kind,
    Levels,
    Link,
    LinkKind,
    Memory,
    Pattern,
    Reason,
    Role,
    Scope,
    SearchQuery,
    Symbol,
    SymbolKind,
    Usage,
    Workflow,
    entity,
    memory_key,
)

NOW = datetime(2026, 1, 5, 9, 0)
NEVER_USED = Usage()
_WORD = re.compile(r"\w+")


def words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


@dataclass
class FakeLibrary:
    """Answers like the store would, from what it was given."""

    memories: Sequence[Memory] = ()
    codes: Mapping[str, CodeForms] = field(default_factory=dict)
    links_: Sequence[Link] = ()
    commits: Sequence[tuple[str, tuple[str, ...]]] = ()
    contradictions: Sequence[Contradiction] = ()
    owners_: Mapping[str, tuple[Owner, ...]] = field(default_factory=dict)
    topics_: Sequence[Topic] = ()
    bodies: Mapping[str, str] = field(default_factory=dict)
    learned: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.by_id = {memory.id: memory for memory in self.memories}
        self.by_entity: dict[str, list[Memory]] = {}
        self.by_place: dict[str, list[Memory]] = {}
        self.by_word: dict[str, list[Memory]] = {}
        for memory in sorted(self.memories, key=lambda m: (-m.draft.importance, m.id)):
            for key in memory.draft.entities:
                self.by_entity.setdefault(key, []).append(memory)
            for place in {memory.draft.scope.path, *(e.ref for e in memory.draft.evidence)} - {""}:
                self.by_place.setdefault(place, []).append(memory)
            for word in words(memory.draft.levels.summary):
                self.by_word.setdefault(word, []).append(memory)
        self._together: dict[str, Counter[str]] = {}
        self._last: dict[str, int] = {}
        for at, (_, paths) in enumerate(self.commits):
            for path in paths:
                self._last[path] = at
                self._together.setdefault(path, Counter()).update(p for p in paths if p != path)
        self._standing = Standing(
            foundation=tuple(m for m in self.memories if m.draft.pinned or m.draft.importance == 3)[:20],
            conventions=tuple(m for m in self.memories if m.draft.type == FactType.PREFERENCE)[:60],
            workflows=tuple(m for m in self.memories if m.draft.kind is Kind.WORKFLOW)[:20],
            decisions=tuple(m for m in self.memories if isinstance(m.draft.body, Decision))[:60],
            contradictions=tuple(self.contradictions),
        )

    def commit_count(self) -> int:
        return len(self.commits)

    def paths(self) -> Mapping[str, CodeForms]:
        return self.codes

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        total: Counter[str] = Counter()
        for path in paths:
            total.update(self._together.get(path, Counter()))
        ranked = sorted((-n, p) for p, n in total.items() if p not in set(paths) and p in self.codes)
        return tuple(Neighbour(p, float(-n), -n, self.commits[self._last[p]][0], "a change") for n, p in ranked[:limit])

    def recent(self, limit: int) -> tuple[Recent, ...]:
        newest = len(self.commits) - 1
        ranked = sorted((newest - at, path) for path, at in self._last.items() if path in self.codes)
        return tuple(Recent(path, ago, 1) for ago, path in ranked[:limit])

    def links(self, paths: Sequence[str]) -> tuple[Link, ...]:
        wanted = set(paths)
        return tuple(link for link in self.links_ if link.source in wanted or link.target in wanted)

    def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
        wanted = words(text)
        found = [
            (-len(both), path, tuple(sorted(both)))
            for path, code in self.codes.items()
            if (both := wanted & words(path.replace("_", " ") + " " + code.outline))
        ]
        return tuple(TextMatch(path, float(-n), both) for n, path, both in sorted(found)[:limit])

    def owners(self, path: str, limit: int) -> tuple[Owner, ...]:
        return self.owners_.get(path, ())[:limit]

    def about(self, entities: Sequence[str], limit: int) -> tuple[Memory, ...]:
        found = {memory.id: memory for key in entities for memory in self.by_entity.get(key, ())}
        return tuple(sorted(found.values(), key=lambda m: (-m.draft.importance, m.id)))[:limit]

    def within(self, path: str, limit: int) -> tuple[Memory, ...]:
        places = [path]
        while "/" in path:
            path = path.rpartition("/")[0]
            places.append(path)
        found = {memory.id: memory for place in places for memory in self.by_place.get(place, ())}
        return tuple(sorted(found.values(), key=lambda m: (-m.draft.importance, m.id)))[:limit]

    def failures(self, fingerprints: Sequence[str], since: datetime | None) -> tuple[Memory, ...]:
        found = []
        for memory in self.by_entity.get("topic:error", ()):
            body = memory.draft.body
            if not isinstance(body, Failure) or (fingerprints and body.fingerprint not in fingerprints):
                continue
            if since is None or memory.created_at >= since:
                found.append(memory)
        return tuple(found)

    def expect(self, text: str) -> None:
        """Nothing takes long here."""

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        wanted = words(query.text)
        counts: Counter[str] = Counter()
        for word in wanted:
            counts.update(memory.id for memory in self.by_word.get(word, ())[:500])
        ranked = sorted((-n / max(len(wanted), 1), id_) for id_, n in counts.items())[: query.limit]
        return tuple(
            Hit(self.by_id[id_], -score, (Reason("words", -score, 1.0, "shares words"),)) for score, id_ in ranked
        )

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        return tuple(self.by_id[id_] for id_ in ids if id_ in self.by_id)

    def standing(self) -> Standing:
        return self._standing

    def topics(self, limit: int) -> tuple[Topic, ...]:
        return tuple(self.topics_[:limit])

    def body(self, path: str, first_line: int, last_line: int) -> str:
        lines = self.bodies.get(path, "").splitlines(keepends=True)
        return "".join(lines[first_line - 1 : last_line])

    def weights(self, name: str) -> Mapping[str, float]:
        return self.learned.get(name, {})

    def missing(self) -> tuple[str, ...]:
        return self.damaged

    def readiness(self) -> Readiness:
        return Readiness(len(self.memories), len(self.memories), 0, self.damaged)


def tokens_of(levels: Levels) -> tuple[int, int, int, int]:
    """About four characters a token: what the fakes say of their own length."""
    return tuple(  # type: ignore[return-value]
        len(text) // 4 + 1 for text in (levels.full, levels.summary, levels.compressed, levels.index)
    )


def kept(draft: Draft, created_at: datetime = NOW - timedelta(days=30), usage: Usage = NEVER_USED) -> Memory:
    """A draft as the store would keep it."""
    key = memory_key(draft, "p1")
    digest = hashlib.sha256(f"{key}{draft.value}{draft.levels.full}".encode("utf-8", "replace")).hexdigest()
    return Memory(f"m1{digest[:30]}", "p1", "u1", key, draft, created_at, tokens_of(draft.levels), usage=usage)


def fact(
    subject: str,
    text: str,
    *,
    path: str = "",
    line: int | None = 1,
    type_: FactType = FactType.FACT,
    importance: Importance = Importance.DEFAULT,
    scope: str = "",
    people: Sequence[str] = (),
    pinned: bool = False,
    names: Sequence[str] = (),
    created_at: datetime = NOW - timedelta(days=30),
    usage: Usage = NEVER_USED,
) -> Memory:
    """A fact read from a line of a file."""
    files = [entity("file", name) for name in names]
    draft = Draft(
        Kind.FACT,
        type_.value,
        subject,
        "is",
        text,
        Levels(f"{subject}: {text}", f"{subject}: {text}", text[:60], subject[:50]),
        path or "by-hand",
        evidence=(Evidence(EvidenceKind.FILE, path, line),) if path else (),
        entities=(*files, *(entity("person", who) for who in people)),
        scope=Scope(path=scope),
        importance=importance,
        pinned=pinned,
    )
    return kept(draft, created_at, usage)


def decision(
    question: str,
    choice: str,
    *,
    names: Sequence[str] = (),
    path: str = "docs/adr/004.md",
    line: int = 12,
    scope: str = "",
    status: DecisionStatus = DecisionStatus.IN_FORCE,
    usage: Usage = NEVER_USED,
    importance: Importance = Importance.SIGNIFICANT,
) -> Memory:
    """A decision from an ADR."""
    body = Decision(question, choice, "it was measured", status)
    levels = Levels(
        f"{question} We chose {choice}, because it was measured against the others in a long trial.",
        f"{question} {choice}, because it was measured.",
        f"{choice} (measured)",
        question[:50],
    )
    draft = Draft(
        Kind.FACT,
        FactType.DECISION.value,
        question,
        "decision",
        choice,
        levels,
        path,
        evidence=(Evidence(EvidenceKind.FILE, path, line),),
        body=body,
        entities=tuple(entity("file", name) for name in names),
        scope=Scope(path=scope),
        importance=importance,
    )
    return kept(draft, usage=usage)


def episode(
    title: str,
    *,
    names: Sequence[str] = (),
    change: str = "fix",
    days_ago: float = 10,
    people: Sequence[str] = ("Ann",),
    type_: EpisodeType = EpisodeType.COMMIT,
) -> Memory:
    """A commit that mattered."""
    sha = hashlib.sha1(title.encode("utf-8", "replace")).hexdigest()
    levels = Levels(f"{title}. It touched {', '.join(names)} and was reviewed.", f"{title}.", title[:60], title[:50])
    draft = Draft(
        Kind.EPISODE,
        type_.value,
        title,
        "happened",
        title,
        levels,
        "history",
        evidence=(Evidence(EvidenceKind.COMMIT, sha),),
        body=Episode(title, NOW - timedelta(days=days_ago), tuple(people), (sha,), change),
        entities=(*(entity("file", n) for n in names), *(entity("person", who) for who in people)),
    )
    return kept(draft, NOW - timedelta(days=days_ago))


def failure(
    message: str, *, fingerprint: str, fix: str = "", names: Sequence[str] = (), hours_ago: float = 2
) -> Memory:
    """An error that was seen, with its fix if that is known."""
    sha = hashlib.sha1(message.encode()).hexdigest()
    said = f"{message}; fixed by {fix}" if fix else message
    draft = Draft(
        Kind.EPISODE,
        EpisodeType.ERROR.value,
        message,
        "",
        fingerprint,
        Levels(said, said, said[:80], message[:50]),
        "errors",
        evidence=(Evidence(EvidenceKind.COMMIT, sha),) if fix else (),
        body=Failure(fingerprint, "TypeError", message, fix, sha if fix else ""),
        entities=(*(entity("file", name) for name in names), "topic:error"),
    )
    return kept(draft, NOW - timedelta(hours=hours_ago))


def pattern(trigger: str, hint: str, *, examples: Sequence[str] = (), exceptions: Sequence[str] = ()) -> Memory:
    """A convention of the code, with places that follow it and places that do not."""
    follow = tuple(Evidence(EvidenceKind.FILE, path, 3) for path in examples)
    depart = tuple(Evidence(EvidenceKind.FILE, path, 7) for path in exceptions)
    body = Pattern(trigger, {"route": "{method} /{resource}"}, hint, 9, len(depart), follow, depart)
    levels = Levels(f"{trigger}: {hint} (9 places follow it)", f"{trigger}: {hint}", hint, trigger[:50])
    return kept(
        Draft(
            Kind.PATTERN, "", trigger, "shape", hint, levels, "code", evidence=follow[:3], body=body,
            entities=tuple(entity("file", path) for path in (*examples, *exceptions)),
        )
    )  # fmt: skip


def workflow(trigger: str, steps: Sequence[str]) -> Memory:
    """Steps that a project runs."""
    hint = f"{trigger}: {' → '.join(steps)}"
    return kept(
        Draft(
            Kind.WORKFLOW, "", trigger, "steps", hint, Levels(hint, hint, hint, trigger[:50]), "Makefile",
            evidence=(Evidence(EvidenceKind.FILE, "Makefile", 4),), body=Workflow(trigger, tuple(steps)),
        )
    )  # fmt: skip


def contradiction(a: Memory, b: Memory, reason: str = "They name two values.") -> Contradiction:
    return Contradiction(f"x1{a.key[:15]}{b.key[:15]}", "p1", a, b, reason, 0.9, NOW - timedelta(days=1))


def code(path: str, functions: int = 12, language: str = "python") -> CodeForms:
    """A file with so many functions, in its forms."""
    stem = re.sub(r"\W", "_", path.rpartition("/")[2].partition(".")[0])
    names = [f"{stem}_{n}" for n in range(functions)]
    skeleton = "".join(
        f'def {name}(first: str, second: int = 0) -> str: ...\n    """Does part {n} of the work."""\n'
        for n, name in enumerate(names)
    )
    outline = ", ".join(names)
    symbols = tuple(
        Symbol(name, name, SymbolKind.FUNCTION, 1 + 4 * n, 4 + 4 * n, f"def {name}()") for n, name in enumerate(names)
    )
    role = Role.TEST if "test" in path else Role.SOURCE
    return CodeForms(
        path, language, role, hashlib.sha1(path.encode("utf-8", "replace")).hexdigest(), 4 * functions,
        skeleton, len(skeleton) // 4, outline, len(outline) // 4, symbols,
    )  # fmt: skip


def source_of(forms: CodeForms) -> str:
    """A text in which the file's symbols stand where they say."""
    return "".join(f"def {s.name}():\n    # the work\n    value = 1\n    return value\n" for s in forms.symbols)


_VERBS = ["fix", "add", "move", "drop", "check", "cache", "retry", "split", "guard", "log"]
_THINGS = [
    "session",
    "token",
    "login",
    "route",
    "query",
    "index",
    "worker",
    "parser",
    "schema",
    "buffer",
    "header",
    "cookie",
]


def generated(memories: int, files: int = 200, seed: int = 1) -> FakeLibrary:
    """A library of so many memories of all kinds over so many files; the same seed gives the same one."""
    pick = random.Random(seed)
    sources = [f"src/{_THINGS[n % 12]}/{_VERBS[n % 10]}_{n}.py" for n in range(files * 3 // 4)]
    tests = [f"tests/test_{path.rpartition('/')[2]}" for path in sources[: files - len(sources)]]
    paths = [*sources, *tests]
    codes = {path: code(path, 4 + at % 14) for at, path in enumerate(paths)}
    links = [Link(test, source, LinkKind.TEST, 2.0) for test, source in zip(tests, sources, strict=False)]
    for path in sources:
        for other in pick.sample(sources, 3):
            kind = pick.choice(list(LinkKind)[:3])
            links += [Link(path, other, kind, 1.0, (codes[other].symbols[0].name,))] if other != path else []
    commits = [
        (hashlib.sha1(str(n).encode()).hexdigest(), tuple(sorted(pick.sample(paths, pick.randint(1, 5)))))
        for n in range(min(memories, 2_000))
    ]
    made = [_generated_memory(n, pick, paths) for n in range(memories)]
    owners = {
        path: (Owner("Ann", "ann@example.org", 0.6, 9), Owner("Bob", "bob@example.org", 0.4, 5)) for path in paths
    }
    topics = tuple(Topic(thing, 9 - at // 2, f"companion search {thing}") for at, thing in enumerate(_THINGS))
    pairs = [m for m in made if m.draft.type == FactType.FACT][:8]
    conflicts = [contradiction(a, b) for a, b in zip(pairs[::2], pairs[1::2], strict=False)]
    bodies = {path: source_of(forms) for path, forms in codes.items()}
    return FakeLibrary(made, codes, tuple(links), commits, conflicts, owners, topics, bodies)


def _generated_memory(n: int, pick: random.Random, paths: Sequence[str]) -> Memory:
    said = f"{pick.choice(_VERBS)} the {pick.choice(_THINGS)} {pick.choice(_THINGS)} case {n}"
    names = pick.sample(list(paths), pick.randint(1, 3))
    sort = n % 20
    if sort < 9:
        return episode(said, names=names, days_ago=pick.randint(0, 900), change=pick.choice(["fix", "feature", ""]))
    if sort < 14:
        return fact(f"{pick.choice(_THINGS)} {n}", said, path=names[0], names=names, line=n % 90 + 1)
    if sort < 16:
        return decision(f"How to {said}?", f"the {pick.choice(_THINGS)} way {n}", names=names)
    if sort == 16:
        return fact(f"style {n}", said, path="CONTRIBUTING.md", type_=FactType.PREFERENCE, people=("Ann",))
    if sort == 17:
        return pattern(f"shape {n}", f"{said} → done", examples=names[:2], exceptions=names[2:])
    if sort == 18:
        return failure(f"{said} failed", fingerprint=f"e1-{n}", fix="a retry", names=names, hours_ago=n % 100)
    return workflow(f"run {n}", ("test", "build", said))
