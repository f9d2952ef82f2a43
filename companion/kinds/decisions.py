"""Decisions from architecture decision records: Nygard's and MADR's formats, with or without front matter.

A record tells a question, a choice, its reason and where it stands. One that says it was superseded,
or that a record read in the same run says it supersedes, is superseded. Design documents and RFCs
count only where they name a status and have a section that says what was decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.prose_blocks import Sentence, plain, sentences
from companion.kinds.facts.statement import folder_of, quote
from companion.kinds.levels import ladder
from companion.language.phrases import parted, places, says
from companion.language.reasons import reason_alone, reasoned
from companion.language.sentences import split_sentences
from companion.language.word_lists import listed
from companion.ports import World
from companion.records import (
    Artifact,
    ArtifactKind,
    Decision,
    DecisionStatus,
    Draft,
    Evidence,
    EvidenceKind,
    FactType,
    FileSeen,
    Importance,
    Kind,
    Scope,
    entity,
)

SECTION_CHARS = 600
"""Characters kept of a section: the first two or three sentences say it, the rest argues."""

ENTITIES = 12
"""Files and symbols that a record may refer to: longer lists are inventories."""

SAID, ASSUMED = 0.95, 0.7
"""Confidence in a record that names its status, and in one that does not."""

_RECORDS = ("adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture_decisions")
_DESIGNS = ("rfc", "rfcs", "design-docs", "designs", "proposals")
PATTERNS = tuple(f"**/{folder}/**/*.{suffix}" for folder in (*_RECORDS, *_DESIGNS) for suffix in ("md", "rst"))

_NUMBER = re.compile(r"^(?:adr|rfc)?[-_ ]?0*(?P<number>\d{1,5})(?=[-_. :]|$)", re.IGNORECASE)
_TITLE_PREFIX = re.compile(
    r"^(?:(?:adr|rfc|decision)[-_ #]*)?\d{1,5}\s*[-.:–—]+\s*|^(?:adr|rfc|decision(?: record)?)\s*[-:–—]\s*",
    re.IGNORECASE,
)
_NOT_RECORDS = re.compile(
    r"^(?:readme|index|template|adr-template|_.*|0000-.*template.*|toc|contributing)$|template", re.IGNORECASE
)
_FIELD = r"^(?:[^\S\n]|[>*\-|])*+{}\**\s*[:|]\**\s*(?P<value>[^|\n]+)"
_STATUS_FIELD = re.compile(_FIELD.format("status"), re.IGNORECASE | re.MULTILINE)
_DATE_FIELD = re.compile(_FIELD.format(r"(?:date|decided|accepted on|created)"), re.IGNORECASE | re.MULTILINE)
_DATE = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b")
_OF_RECORD = re.compile(
    r"\W{0,20}(?:the )?\[?(?:adr|rfc|decision)?[-_ #]{0,10}0{0,10}(?P<number>\d{1,5})", re.IGNORECASE
)
"""The number of another record, behind what is said of it."""
_QUOTED = re.compile(r"(?P<mark>[\"“'])(?P<text>.+?)(?:(?P=mark)|”)(?=[,.;\s]|$)")
_SPAN = re.compile(r"`([^`\s]+)`")
_LINK = re.compile(r"\]\((?P<target>[^)#\s]+)")
_SYMBOL = re.compile(r"[A-Za-z_][\w.:]*(?:\(\))?$")


class Record(Struct, frozen=True):
    """A decision record as read: `number` is None where the file has none."""

    path: str
    title: str
    number: int | None
    status: DecisionStatus
    line: int
    question: str
    choice: str
    reason: str
    consequences: str
    decided_at: datetime | None
    supersedes: tuple[int, ...]
    superseded_by: int | None
    told: bool


class DeclaredDecisions:
    """The kind of memory that decision records teach."""

    name = "decisions"

    def origins(self, world: World) -> Sequence[str]:
        """The changed records."""
        return sorted(file.path for file in world.changed_texts(PATTERNS) if _is_record(file.path))

    def learn(self, world: World) -> Iterator[Draft]:
        """A decision for each changed record, in the order of their paths."""
        files = {file.path: file for file in world.changed_texts(PATTERNS) if _is_record(file.path)}
        records = [record for path in sorted(files) if (record := read(files[path])) is not None]
        paths = _with_folders(world.all_paths()) if records else frozenset()
        for record in _settled(records):
            yield _draft(record, files[record.path], paths)


def _is_record(path: str) -> bool:
    return not _NOT_RECORDS.search(PurePosixPath(path).stem)


def read(file: FileSeen) -> Record | None:
    """A record, or None where the file is none: without a title, or without anything decided."""
    front, body, offset = _front(file.text)
    title, line = _title(body, front, offset)
    parts = _sections(body, file.path)
    told = _status(body, front, parts)
    choice, reason = _choice(parts)
    design = any(part in _DESIGNS for part in PurePosixPath(file.path).parts)
    if not title or (design and not (told and choice)) or not (choice or told):
        return None
    by = next(_numbers(told, "superseded_by"), None)
    return Record(
        path=file.path,
        title=title,
        number=_number(file.path, body),
        status=_meaning(told),
        line=line,
        question=_question(parts, title),
        choice=choice or title,
        reason=reason or _section(parts, "reason") or _section(parts, "context"),
        consequences=_section(parts, "consequences"),
        decided_at=_date(body, front),
        supersedes=tuple(sorted(set(_numbers(file.text, "supersedes")))),
        superseded_by=by,
        told=bool(told),
    )


def _numbers(text: str, relation: str) -> Iterator[int]:
    """The numbers of the records that a text names in a relation to its own."""
    for _, end in places(text, f"written.record.{relation}"):
        if found := _OF_RECORD.match(text, end):
            yield int(found["number"])


def _settled(records: Sequence[Record]) -> Iterator[Record]:
    """Records of one folder that another of it supersedes are superseded, whatever they say themselves."""
    replaced: Mapping[tuple[str, int], int | None] = {
        (_folder(record.path), old): record.number for record in records for old in record.supersedes
    }
    for record in records:
        key = (_folder(record.path), record.number if record.number is not None else -1)
        if key in replaced and record.number not in record.supersedes:
            yield replace(record, status=DecisionStatus.SUPERSEDED, superseded_by=record.superseded_by or replaced[key])
        else:
            yield record


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)


def _front(text: str) -> tuple[Node, str, int]:
    """Front matter, the text below it, and how many lines it took."""
    if text.startswith("---"):
        head, mark, body = text[3:].partition("\n---")
        node = yaml(head) if mark else None
        if node is not None and node.fields():
            return node, body, (text[: len(text) - len(body)]).count("\n")
    return Node(1, {}), text, 0


def _title(body: str, front: Node, offset: int) -> tuple[str, int]:
    lines = body.split("\n")
    for index, line in enumerate(lines):
        heading = re.match(r"^#\s+(?P<text>.+?)\s*#*$", line)
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if heading or (line.strip() and re.match(r"^(=+|-+|#+|\*+)\s*$", below) and len(below.strip()) >= 4):
            told = plain(heading["text"] if heading else line)
            return _TITLE_PREFIX.sub("", told).strip(), index + 1 + offset
    title = front.at("title")
    return (_TITLE_PREFIX.sub("", title.text), title.line) if title is not None else ("", 1)


def _number(path: str, body: str) -> int | None:
    for told in (PurePosixPath(path).stem, body.lstrip("#\n ").split("\n", 1)[0]):
        if found := _NUMBER.match(told):
            return int(found["number"])
    return None


def _status(body: str, front: Node, parts: Mapping[str, Sequence[Sentence]]) -> str:
    told = front.at("status")
    if told is not None and told.text:
        return told.text
    if found := _STATUS_FIELD.search(body[:3000]):
        return plain(found["value"]).strip(" *|")
    for heading, said in parts.items():
        if heading.lower().strip(":") == "status" and said:
            return " ".join(sentence.text for sentence in said)[:200]
    return ""


def _meaning(told: str) -> DecisionStatus:
    first = parted(re.split(r"[.;\n]", told)[0], "written.record.supersedes")[0]
    states = listed("written")["record"]["status"]
    return next(
        (DecisionStatus(state) for state in states if says(first, f"written.record.status.{state}")),
        DecisionStatus.IN_FORCE,
    )


def _date(body: str, front: Node) -> datetime | None:
    told = (front.at("date") or Node(1, "")).text
    if not told and (found := _DATE_FIELD.search(body[:3000])):
        told = found["value"]
    parts = _DATE.search(told)
    try:
        return datetime(int(parts[1]), int(parts[2]), int(parts[3])) if parts else None
    except ValueError:
        return None


def _sections(body: str, path: str) -> dict[str, list[Sentence]]:
    found: dict[str, list[Sentence]] = {}
    for sentence in sentences(body, path):
        found.setdefault(sentence.heading, []).append(sentence)
    return found


def _section(parts: Mapping[str, Sequence[Sentence]], sort: str) -> str:
    """The first sentences under a heading of this sort, up to `SECTION_CHARS`; whole sentences only."""
    for name, said in parts.items():
        if not _is_headed(name, sort):
            continue
        kept: list[str] = []
        for sentence in said:
            if kept and sum(map(len, kept)) + len(sentence.text) > SECTION_CHARS:
                break
            kept.append(sentence.text)
        if kept:
            return " ".join(kept)[: 2 * SECTION_CHARS]
    return ""


def _choice(parts: Mapping[str, Sequence[Sentence]]) -> tuple[str, str]:
    """What was chosen and, where the record says it in MADR's words, why."""
    outcome = _section(parts, "decision")
    _, chosen, rest = parted(outcome.partition("\n")[0], "written.record.chosen")
    if not chosen:
        return outcome, ""
    rest = rest.lstrip(": ")
    if quoted := _QUOTED.match(rest):
        choice, reason = quoted["text"], reason_alone(rest[quoted.end() :].strip(" ,;"))
    else:
        choice, reason = reasoned(rest)
        choice = re.split(r"[,.;]", choice)[0]
    first = split_sentences(reason)[0] if reason else ""
    return choice.strip(" *'…"), "" if says(first, "written.record.no_reason") else first


def _is_headed(heading: str, sort: str) -> bool:
    return says(heading.strip(": "), f"written.record.headings.{sort}")


def _question(parts: Mapping[str, Sequence[Sentence]], title: str) -> str:
    for name, said in parts.items():
        if _is_headed(name, "context"):
            asked = [sentence.text for sentence in said if sentence.text.endswith("?")]
            if asked:
                return asked[0]
    return title


def _draft(record: Record, file: FileSeen, paths: frozenset[str]) -> Draft:
    decision = Decision(record.question, record.choice, record.reason, record.status)
    dated = f", {record.decided_at:%Y-%m-%d}" if record.decided_at else ""
    by = f" by record {record.superseded_by}" if record.superseded_by is not None else ""
    stands = f"{record.status.value}{by}{dated}"
    full = [f"{record.title} ({stands})."]
    for name, text in (
        ("Choice", record.choice),
        ("Question", record.question),
        ("Reason", record.reason),
        ("Consequences", record.consequences),
    ):
        if text and text != record.title:
            full.append(f"{name}: {text}")
    in_force = record.status is DecisionStatus.IN_FORCE
    return Draft(
        kind=Kind.FACT,
        type=FactType.DECISION.value,
        subject=record.title,
        attribute="decision",
        value=f"{record.status.value}: {record.choice}",
        levels=ladder("\n".join(full), index=record.title),
        origin=record.path,
        evidence=(Evidence(EvidenceKind.FILE, record.path, record.line, quote(file.text, record.line)),),
        body=decision,
        entities=_entities(file.text, record.path, paths),
        artifacts=(Artifact(ArtifactKind.ADR, record.path),),
        scope=Scope(path=_scope(record.path)),
        confidence=SAID if record.told else ASSUMED,
        importance=Importance.SIGNIFICANT if in_force else Importance.DEFAULT,
        valid_from=record.decided_at,
    )


def _scope(path: str) -> str:
    """The package whose records these are: what lies above their folder, and above that of the documents."""
    above = takewhile(lambda part: part not in (*_RECORDS, *_DESIGNS, "architecture"), PurePosixPath(path).parts[:-1])
    return folder_of("/".join((*above, PurePosixPath(path).name)))


def _with_folders(paths: Iterable[str]) -> frozenset[str]:
    """The paths, and every folder above one of them."""
    found = set(paths)
    above = {path.rpartition("/")[0] for path in found}
    while above := above - found - {""}:
        found |= above
        above = {path.rpartition("/")[0] for path in above}
    return frozenset(found)


def _entities(text: str, path: str, paths: frozenset[str]) -> tuple[str, ...]:
    """Files, folders and symbols that a record names: what is in the tree (`paths`) is a file, else a symbol."""
    found: dict[str, None] = {entity("file", path): None}
    for span in [*_SPAN.findall(text), *(m["target"] for m in _LINK.finditer(text))]:
        bare = span.removeprefix("./").rstrip("/")
        if bare in paths:
            found.setdefault(entity("file", bare))
        elif (
            _SYMBOL.match(span)
            and re.search(r"[a-z_][A-Z]|_|\.|::|\(\)", span)
            and not re.search(r"\.(?:md|rst|com|org|io)$", span)
        ):
            found.setdefault(entity("symbol", span.removesuffix("()")))
    return tuple(sorted(list(found)[: ENTITIES + 1]))
