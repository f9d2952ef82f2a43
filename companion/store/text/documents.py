"""What is indexed of a memory, and the names of spaces: the texts, their hashes."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import datetime

from companion import wire
from companion.records import EvidenceKind, Failure, Memory
from companion.store.text import analysis, facets
from companion.store.text.word_space import Document

FULL_TEXT_CHARACTERS = 1_000
"""Characters of a full text that are embedded: the model sees 256 word pieces, about as many."""

_SUBJECT_WEIGHT = 2
"""A word of a subject counts as so many in the running text."""


def memory_space(project: str) -> str:
    """Name of the space of a project's memories."""
    return f"memories {project}"


def commit_space(project: str) -> str:
    """Name of the space of a project's commits."""
    return f"commits {project}"


def file_space(checkout: str) -> str:
    """Name of the space of a checkout's files."""
    return f"files {checkout}"


def text_hash(text: str) -> str:
    """What identifies a text in the table of vectors: the first 32 digits of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def text_key(digest: str) -> int:
    """A text's hash as a number: its first 16 digits, so that equal ones are out of the question."""
    return int(digest[:16], 16)


def embedded_texts(memory: Memory) -> tuple[str, ...]:
    """The texts of a memory that get vectors: summary and full, the latter cut, each once."""
    levels = memory.draft.levels
    texts = (levels.summary[:FULL_TEXT_CHARACTERS], levels.full[:FULL_TEXT_CHARACTERS])
    return tuple(dict.fromkeys(text for text in texts if text.strip()))


def memory_document(memory: Memory, state: int, ended_at: datetime | None) -> Document:
    """What is indexed of a memory: its words, and as labels its entities, paths and fingerprint."""
    draft = memory.draft
    words = Counter(analysis.terms(draft.levels.full))
    for term in analysis.terms(f"{draft.subject} {draft.label}"):
        words[term] += _SUBJECT_WEIGHT
    words.update(analysis.terms(f"{draft.attribute} {' '.join(draft.entities)}"))
    labels = [f"@{entity}" for entity in draft.entities]
    if draft.scope.path:
        labels.append(f"/{draft.scope.path}")
    labels += [f"/{item.ref}" for item in draft.evidence if item.kind is EvidenceKind.FILE]
    digests = [text_hash(text) for text in embedded_texts(memory)]
    if isinstance(draft.body, Failure):
        labels += ["!", f"!{draft.body.fingerprint}"]
    return Document(
        key=memory.id,
        state=state,
        words=words,
        labels=tuple(labels),
        facets=facets.pack(memory, state, ended_at, [text_key(digest) for digest in digests]),
        record=wire.keep(memory, Memory, wire.Spelling.PACKED),
    )
