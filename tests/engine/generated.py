"""Libraries of any size, the same ones for the same seed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from companion.ports import FileOwner, Topic
from companion.records import FactType, Link, LinkKind, Memory
from engine.fake_library import FakeLibrary
from engine.makers import chunks_of, code, contradiction, decision, episode, fact, failure, pattern, workflow

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
    owners = {path: (FileOwner("Ann", "ann@example.org", 9), FileOwner("Bob", "bob@example.org", 5)) for path in paths}
    topics = tuple(Topic(thing, 9 - at // 2) for at, thing in enumerate(_THINGS))
    pairs = [m for m in made if m.draft.type == FactType.FACT][:8]
    conflicts = [contradiction(a, b) for a, b in zip(pairs[::2], pairs[1::2], strict=False)]
    chunks = [one for forms in codes.values() for one in chunks_of(forms)]
    return FakeLibrary(made, codes, tuple(links), commits, conflicts, owners, topics, passages_=chunks)


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
