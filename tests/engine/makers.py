"""Makers of memories and files, as the store would keep them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

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
    FileRole,
    Importance,
    Kind,
    Levels,
    Memory,
    Passage,
    PassageKind,
    Pattern,
    Scope,
    Symbol,
    SymbolKind,
    Usage,
    Workflow,
    entity,
    memory_key,
)

NOW = datetime(2026, 1, 5, 9, 0)
NEVER_USED = Usage()


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
    outline = ", ".join(names)
    symbols = tuple(
        Symbol(name, name, SymbolKind.FUNCTION, 1 + 4 * n, 4 + 4 * n, f"def {name}()") for n, name in enumerate(names)
    )
    role = FileRole.TEST if "test" in path else FileRole.SOURCE
    return CodeForms(
        path, language, role, hashlib.sha1(path.encode("utf-8", "replace")).hexdigest(), 4 * functions,
        outline, len(outline) // 4, symbols,
    )  # fmt: skip


def uses(forms: CodeForms, name: str, lines: int = 40) -> Passage:
    """A chunk of a file that uses a name, so many lines long."""
    text = "\n".join([f"    {name}()", *(f"    value_{n} = {n}" for n in range(lines - 1))])
    return Passage(PassageKind.CHUNK, text, path=forms.path, span=(1, lines))


def chunks_of(forms: CodeForms) -> list[Passage]:
    """A chunk for each symbol of a file, standing where it says."""
    return [
        Passage(
            PassageKind.CHUNK,
            f"def {one.name}():\n    # the work\n    value = 1\n    return value",
            one.signature or one.name,
            path=forms.path,
            span=(one.line, one.line + 3),
            symbol=one.qualname,
        )
        for one in forms.symbols
    ]
