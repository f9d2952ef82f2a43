"""The door through which memories leave: what may go is redacted once more, all else says why it stays.

What comes in passes the same door: a record that it would not have let out is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from companion.errors import UsageError
from companion.judge.questions import verdict_of
from companion.ports import Redactor
from companion.records import (
    Draft,
    Episode,
    EpisodeType,
    Evidence,
    EvidenceKind,
    Failure,
    Importance,
    JudgeQuestion,
    JudgeVerdict,
    Kind,
    Source,
    Visibility,
    memory_key,
)
from companion.records.memory import TEAM
from companion.records.team import SharedResolution, SharedVerdict, SharedVersion, TeamRecord, Withdrawal
from companion.team.text import ID_DIGITS
from companion.wire import decode, encode

TEXT_MAX = 20_000
"""Characters of one text of a record: as long as a note by hand may be."""
NAMES_MAX = 100
"""Files, commits or versions that one record names: a memory that rests on more says nothing of any."""
AUTHOR_MAX = 200
"""Characters of an author, as git writes him."""
EARLIEST, LATEST = datetime(1970, 1, 1), datetime(2200, 1, 1)
"""Between them a record may be dated: beyond, no clock shows it everywhere, and nothing could be later."""
INDEX_MAX = 50
"""The longest index line; spec: four levels."""

_TRAVEL = frozenset({Source.BY_HAND, Source.IMPORT, Source.SHADOW, Source.CURATED})
_STAY = {
    Source.SCAN: "the repository teaches it to every clone",
    Source.SEEDED: "a profile is of one person",
}
_ENTITIES = ("file:", "symbol:", "topic:", "project:")
"""Entities that mean the same to everybody; of people only the text speaks."""
_NAMES = frozenset({"kind", "type", "source", "visibility", "record", "status", "change", "commits", "ref"})
"""Fields that hold a word of ours or an id, which no redactor should look at."""
_AUTHOR = re.compile(r'[^<>“”"\x00-\x1f]*[^<>“”"\x00-\x1f\s] <[^<>\s]+>')
_ID = re.compile(rf"[0-9a-f]{{{ID_DIGITS}}}")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_OUTSIDE = re.compile(r"^([/\\~]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)|^$")
"""A path that leads out of the repository."""


def version_of(
    draft: Draft,
    author: str,
    made_at: datetime,
    redactor: Redactor,
    *,
    replaces: tuple[str, ...] = (),
    folders: Mapping[str, str] | None = None,
) -> SharedVersion:
    """A memory as it may leave. Raises UsageError for one that may not.

    `folders` are folders of this machine, longest first, and what is written in their place.
    """
    if reason := stays(draft):
        raise UsageError(f"“{draft.levels.index}” is not shared: {reason}.", "`companion team share ID` shares one.")

    def fit(text: str) -> str:
        for folder, instead in (folders or {}).items():
            text = text.replace(folder, instead)
        return redactor.redact(text)

    going = let_through(draft, fit)
    return SharedVersion(memory_key(going, ""), going, author, made_at, tuple(sorted(replaces)))


def stays(draft: Draft) -> str:
    """Why a memory may not leave, in words; empty for one that may."""
    if draft.source not in _TRAVEL:
        return _STAY[draft.source]
    if draft.visibility is not Visibility.PROJECT_SHARED:
        return "it is private"
    if draft.persona:
        return f"it belongs to the assistant {draft.persona}"
    if draft.origin.startswith(f"{TEAM}:"):
        return "somebody else shared it"
    if draft.kind is Kind.PATTERN or isinstance(draft.body, Failure) or draft.type == EpisodeType.ERROR:
        return "errors and patterns of code are found by each store itself"
    if any(one.kind is EvidenceKind.COMMAND for one in draft.evidence):
        return "commands stay where they were run"
    return ""


def let_through(draft: Draft, fit: Callable[[str], str]) -> Draft:
    """What of a memory may leave; each text of it made `fit`."""
    return _told_in_texts(decode(Draft, _mapped(encode(_bare(draft)), fit)))


def _bare(draft: Draft) -> Draft:
    """A memory without what is of this store, this machine or other people."""
    levels = replace(draft.levels, index=draft.levels.index[:INDEX_MAX])
    body = replace(draft.body, people=()) if isinstance(draft.body, Episode) else draft.body
    return replace(
        draft,
        levels=levels,
        body=body,
        origin="",
        evidence=tuple(Evidence(one.kind, one.ref, one.line) for one in draft.evidence if _is_public(one))[:NAMES_MAX],
        entities=tuple(sorted({one for one in draft.entities if _means_the_same(one)}))[:NAMES_MAX],
        artifacts=tuple(one for one in draft.artifacts if not _OUTSIDE.search(one.ref))[:NAMES_MAX],
        importance=min(draft.importance, Importance.SIGNIFICANT),
        pinned=False,
        persona="",
    )


def _told_in_texts(going: Draft) -> Draft:
    """A memory with those of its files alone that its text, its scope or its evidence names."""
    named = f"{going.levels.full} {going.scope.path} {' '.join(one.ref for one in going.evidence)}"
    files = tuple(one for one in going.entities if not one.startswith("file:") or one.removeprefix("file:") in named)
    return replace(going, levels=replace(going.levels, index=going.levels.index[:INDEX_MAX]), entities=files)


def why_refused(record: TeamRecord, redactor: Redactor) -> str:
    """Why a record that comes from elsewhere is not taken in, in words; empty for one that may."""
    if len(record.author) > AUTHOR_MAX or not _AUTHOR.fullmatch(record.author):
        return "its author is not `Name <address>`"
    if not EARLIEST <= record.made_at < LATEST:
        return "it is dated when nobody can have made it"
    if isinstance(record, SharedVersion):
        return _misfit_version(record, redactor)
    if isinstance(record, Withdrawal):
        return "" if _ID.fullmatch(record.version) else "it names no version"
    if not (_ID.fullmatch(record.a) and _ID.fullmatch(record.b) and record.a < record.b):
        return "it names no two versions"
    return _misfit_verdict(record) if isinstance(record, SharedVerdict) else _misfit_resolution(record, redactor)


def _misfit_version(record: SharedVersion, redactor: Redactor) -> str:
    draft = record.draft
    if reason := stays(draft):
        return reason
    if len(record.replaces) > NAMES_MAX or not all(map(_ID.fullmatch, record.replaces)):
        return "it names versions that cannot be"
    texts = _texts(encode(draft))
    if any(len(text) > TEXT_MAX for text in texts):
        return f"it has more than {TEXT_MAX:,} characters"
    if record.key != memory_key(draft, ""):
        return "its words were changed, and it is about something else now"
    if _told_in_texts(_bare(draft)) != draft:
        return "it holds what no version has"
    return "" if all(redactor.redact(text) == text for text in texts) else "it holds what looks like a secret"


def _misfit_resolution(record: SharedResolution, redactor: Redactor) -> str:
    texts = list(_texts(encode(record)))
    if any(len(text) > TEXT_MAX for text in texts):
        return f"it has more than {TEXT_MAX:,} characters"
    return "" if redactor.redact(record.note) == record.note else "it holds what looks like a secret"


def _misfit_verdict(record: SharedVerdict) -> str:
    said = verdict_of(JudgeQuestion.PAIR, record.answer.value)
    return "it says nothing of two versions" if said in {None, JudgeVerdict.UNSURE} else ""


def _is_public(one: Evidence) -> bool:
    if one.kind is EvidenceKind.COMMIT:
        return bool(_COMMIT.fullmatch(one.ref))
    return one.kind is EvidenceKind.FILE and not _OUTSIDE.search(one.ref)


def _means_the_same(name: str) -> bool:
    return name.startswith(_ENTITIES) and not _OUTSIDE.search(name.partition(":")[2])


def _mapped(value: Any, fit: Callable[[str], str]) -> Any:
    """JSON with each text in it made fit, but for the names of ours."""
    if isinstance(value, str):
        return fit(value) if value else value
    if isinstance(value, list):
        return [_mapped(one, fit) for one in value]
    if isinstance(value, dict):
        return {fit(name): one if name in _NAMES else _mapped(one, fit) for name, one in value.items()}
    return value


def _texts(value: Any) -> list[str]:
    found: list[str] = []

    def seen(text: str) -> str:
        found.append(text)
        return text

    _mapped(value, seen)
    return found
