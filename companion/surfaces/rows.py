"""One vocabulary of rows: what a thing is called in a list, what stands beside it, and what a closer look adds.

The trees of an editor and the lists of the page show these, whatever they list: an item of a context, a memory, a
match of a search, a contradiction, something open, a conversation. A row is plain text, cleaned and cut to what a list
has room for; how it is drawn, and what can be done with it, is for whoever shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from companion.escape import one_line, shortened, visible_text
from companion.records import (
    ContextItem,
    Contradiction,
    Decision,
    Draft,
    Episode,
    Evidence,
    EvidenceKind,
    Failure,
    Memory,
    PassageKind,
    Reason,
    SearchHit,
    Source,
    Status,
    told_at,
)
from companion.records.sorts import CHANGES_BY_TYPE
from companion.records.talk import Conversation
from companion.records.talk import Item as TalkItem
from companion.records.wording import counted
from companion.surfaces.wording import came_by

LABEL_CHARACTERS = 120
"""Characters of a label: a side bar that was drawn wide shows as many."""
BESIDE_CHARACTERS = 160
"""Characters of a part of what stands beside it: all of a reason; whoever shows it cuts what has no room."""
TEXT_CHARACTERS = 600
"""Characters of a text in a closer look: what is read without scrolling."""
REASONS, SOURCES = 4, 4
"""Reasons and sources that a closer look names: those that weigh most; `companion explain` has the others."""
PEOPLE = 3
"""People who are named of what happened."""
FOLDERS = 2
"""Folders of a path that are shown, the innermost: they tell files of one name apart."""
PAST = frozenset({"episode", "error", "commit", "history"})
"""Sorts of what happened."""
PASSAGES = frozenset({"file", "commit", "conversation"})
"""Sorts of what a search finds that is no memory."""
FAINT = frozenset(
    {"recent", "strength", "beside", "importance", "recency", "confidence", "activity", "usefulness", "warmth", "cited"}
)
"""Reasons that nearly everything has: that a file changed of late or stands near, that a memory is sure."""
_OF_SECTIONS = {"Open questions": "question", "Blockers": "thread", "Collaborators": "person"}
"""What a section of a context says of its items beyond what sort of memory they are."""
_OF_IDS = {one: one for one in ("file", "topic", "history")}
_OF_IDS |= {"precedent": "commit", "made": "commit", "fact": "declared"}
"""What the beginning of an id says of an item that is no memory."""
_TOGETHER = re.compile(r"changed together (?:in (\d+) commits|(once))")
_SIDE = re.compile(r"^against: |\s*\[[^\[\]]*\]$")
"""What stands before and behind a side of a contradiction in a context."""
_SCOPED = re.compile(r"(?:(\w+)\(([^()]+)\)|([\w./-]+))!?: +(?=\S)")
"""`fix(router): `, `fix: ` or `router: ` before the subject of a commit."""
_NUMBERS = re.compile(r"(?:\s*[(\[][^()\[\]]*#\d+[^()\[\]]*[)\]])+\s*$")
"""Numbers of requests behind the subject of a commit: ` (#12)`."""
_WHERE = re.compile(r" \(in ([^()]+)\)(?=\.?$)")
"""The folder in which a rule holds, behind it."""
_CASE = re.compile(r"(?:if|when|whenever|once|unless)\b", re.IGNORECASE)
"""How the case begins in which alone a rule holds: it is told with it."""
_LEAD = re.compile(r"[^:`]{20,}: (?=[A-Z])")
"""What stands before each rule of a list in a document, as `Please ensure the following: `."""


class ListRow(Struct, frozen=True):
    """A line of a list; `rows` stand below it: what is in a group, the sides of a contradiction.

    `label` is what it is called, `description` why it is there and where, `lines` what a closer look adds, `text` what
    it says. `sort` is what sort of thing it is, `word` what people call that. `file` is the file it points to, relative
    to the work tree, `line` to `last` the lines there, from 1. `at` is when it happened or was learned, naive UTC.
    `marks` say what else is to be seen of it: `pinned`, `archived`, `replaced`. A `folded` group shows its rows when
    asked to.
    """

    id: str
    sort: str
    label: str
    description: str = ""
    lines: tuple[str, ...] = ()
    text: str = ""
    word: str = ""
    file: str = ""
    line: int | None = None
    at: datetime | None = None
    marks: tuple[str, ...] = ()
    rows: tuple[ListRow, ...] = ()
    folded: bool = False
    last: int | None = None


def of_item(item: ContextItem, current: str) -> ListRow:
    """An item of a context; `current` is the file that the context is for, whose folder needs no saying."""
    sort = sort_of(item)
    text = visible_text(item.text[: 4 * TEXT_CHARACTERS]).strip() if sort != "file" else item.title
    label, *beside = _item_called(item, sort, text, current)
    file, line = _source(item.evidence, item.files)
    reasons = dict.fromkeys(f"- {one.says}" for one in item.reasons if one.says)
    source = next(map(place_of, item.evidence), "")
    size = f"{item.level}, {counted(item.tokens, 'token')}"
    return ListRow(
        item.id,
        sort,
        one_line(label, LABEL_CHARACTERS),
        _beside(*dict.fromkeys((*beside, _shared(item.evidence)))),
        _lines(
            text if text != label else "",
            "\n".join(list(reasons)[:REASONS]),
            _beside(item.section, size, source if source != text else ""),
        ),
        _cut(text, TEXT_CHARACTERS),
        item.kind or sort,
        file,
        item.spans[0][0] if sort == "file" and item.spans else line,
        item.at,
        ("pinned",) if any(one.feature == "pinned" and one.value > 0 for one in item.reasons) else (),
        last=item.spans[0][1] if sort == "file" and item.spans else None,
    )


def _item_called(item: ContextItem, sort: str, text: str, current: str) -> tuple[str, ...]:
    """What an item is called, and what stands beside that."""
    why = because(item.reasons)
    if sort == "file":
        return item.title.rpartition("/")[2], _clause(why), short_folder(item.title, current)
    if sort in PAST:
        label, change = subject(item.title, current, *item.files[:1])
        return label, change, telling(item.reasons, FAINT | {"about"})
    if sort == "topic":
        return (text or item.title,)
    if sort == "contradiction" and text:
        return " ↔ ".join(_SIDE.sub("", one) for one in text.split("\n")), why
    why, source = telling(item.reasons), next(map(_short_place, item.evidence), "")
    rule, where = _rule_of(text, item.title)
    return rule or item.title, "" if why.split(" ")[-1] in source else why, where or source


def of_memory(memory: Memory, why: str = "") -> ListRow:
    """A memory; `why` is how it was found, where it was looked for."""
    draft = memory.draft
    at = draft.body.occurred_at if isinstance(draft.body, Episode) else draft.valid_from or memory.created_at
    file, line = _source(draft.evidence, ())
    label, where = _memory_called(draft)
    beside = why or where or _people(draft) or next(map(_short_place, draft.evidence), whence(memory))
    marks = (
        ("pinned", draft.pinned),
        ("archived", memory.status is Status.ARCHIVED),
        ("replaced", memory.status is not Status.ARCHIVED and bool(memory.superseded_by)),
    )
    return ListRow(
        memory.id,
        _sort_of_memory(draft),
        one_line(label, LABEL_CHARACTERS),
        _beside(*dict.fromkeys((beside, _shared(draft.evidence)))),
        _lines(
            _cut(draft.levels.summary, TEXT_CHARACTERS),
            why,
            "\n".join(f"- {place_of(one)}" for one in draft.evidence[:SOURCES]),
            f"{word_of(draft)}, learned {memory.created_at:%Y-%m-%d}",
        ),
        _cut(draft.levels.summary, TEXT_CHARACTERS),
        word_of(draft),
        file,
        line,
        at,
        tuple(mark for mark, has in marks if has),
    )


def of_hit(hit: SearchHit) -> ListRow:
    """What a search found: a memory, or a passage with where it stands."""
    why = because(hit.reasons)
    if hit.memory is not None:
        return of_memory(hit.memory, why)
    line, last = hit.spans[0] if hit.spans else (None, None)
    title = subject(hit.title)[0] if hit.commit else hit.title
    name = hit.path.rpartition("/")[2] if hit.path else title
    place = f"{hit.path or title}{f':{line}' if line else ''}"
    beside = (place.rpartition("/")[2] if hit.path else "", short_folder(hit.path or ""), why)
    inside = title.split(" > ")[-1] if hit.path and title != hit.path else name
    called = ".".join(hit.symbol.split(".")[-2:]) if hit.sort == PassageKind.CHUNK.value else ""
    sort = "file" if hit.path else "commit" if hit.commit else "conversation"
    text = hit.text[:TEXT_CHARACTERS]
    lines = (visible_text(text).strip(), place, title if called else "", why)
    label = one_line(called or inside or hit.text, LABEL_CHARACTERS)
    return ListRow(
        *(hit.id, sort, label, _beside(*beside), _lines(*lines), text, hit.sort),
        file=hit.path or "",
        line=line,
        at=hit.at,
        last=last,
    )


def of_contradiction(one: Contradiction) -> ListRow:
    """A contradiction by what its sides say, as short as it can be: `min python: 3.10` and `3.8`."""
    a, b = (one_line(each.draft.levels.compressed or each.draft.levels.summary, 80) for each in (one.a, one.b))
    head, colon, _ = a.partition(": ")
    names = (a, b.removeprefix(head + colon) if colon else b)
    sides = tuple(_of_side(name, *side) for name, side in zip(names, (one.side_a, one.side_b), strict=True))
    why = one.reason.strip().removesuffix(".")
    lines = [_lines(*side.lines)[0] for side in sides]
    return ListRow(
        one.id,
        "contradiction",
        " ↔ ".join(names),
        " ↔ ".join(side.description for side in sides),
        (*lines, *_lines(f"{why[:1].upper()}{why[1:]}." if why else "")),
        word="contradiction",
        at=one.detected_at,
        rows=sides,
    )


def of_thread(item: TalkItem) -> ListRow:
    """Something that a conversation left open."""
    details = item.details
    since, day = details.get("overdue_since"), details.get("due")
    due = f"overdue since {since}" if since else f"due {day}" if day else ""
    word = item.type.value.replace("-", " ")
    text = one_line(item.text, LABEL_CHARACTERS)
    lines = _lines(text, item.quote, item.said_in)
    return ListRow(item.id, "thread", text, _beside(word, due), lines, item.text, word, at=item.touched_at)


def of_talk(talk: Conversation) -> ListRow:
    """A conversation."""
    title = one_line(talk.title, LABEL_CHARACTERS) or "Conversation without a title"
    at = talk.last_turn_at or talk.started_at
    turns = counted(talk.turns, "turn")
    by = "" if talk.source == Source.BY_HAND else f", by {talk.source}"
    lines = _lines(f"{turns}, begun {talk.started_at:%Y-%m-%d}{by}")
    return ListRow(talk.id, "talk", title, turns, lines, title, "conversation", at=at)


def because(reasons: Sequence[Reason]) -> str:
    """The weightiest reason that stands by itself, one that tells the thing from others before one that does not."""
    says = [one for one in reasons if one.says]
    return telling(reasons) or telling(reasons, frozenset()) or next((one.says for one in says), "")


def telling(reasons: Sequence[Reason], faint: frozenset[str] = FAINT) -> str:
    """The weightiest reason that is not `faint` and stands by itself, a pin before all; empty if there is none."""
    alone = [one for one in reasons if one.says and one.value and not one.says.startswith("and ")]
    alone = [one for one in alone if one.feature not in faint]
    pinned = (one for one in alone if one.feature == "pinned" and one.value > 0)
    return next((one.says for one in (*pinned, *alone)), "")


def word_of(draft: Draft) -> str:
    """What people call the sort of a memory: `fix`, `decision`, `preference`, `workflow`.

    An error that nobody saw, and one commit alone tells of, is called as that is.
    """
    if isinstance(draft.body, Failure) and draft.body.fix_commit and not draft.body.verified:
        return "commit"
    return (draft.body.change if isinstance(draft.body, Episode) else "") or draft.type or draft.kind.value


def whence(memory: Memory) -> str:
    """Where a memory comes from: its first source, or who told it."""
    return next(map(place_of, memory.draft.evidence), "") or came_by(told_at(memory.draft)[0])


def place_of(evidence: Evidence) -> str:
    """Where something can be checked, as people read it; what a command of ours took in was told by hand."""
    by_hand = evidence.kind is EvidenceKind.COMMAND and evidence.ref.startswith("companion ")
    return came_by(Source.BY_HAND) if by_hand else evidence.label()


def subject(title: str, *paths: str) -> tuple[str, str]:
    """What the subject of a commit says, and the sort of change that its prefix names; empty where it names none.

    Left out are that sort, numbers of requests, and a prefix that says what the names in `paths` say already.
    """
    text = title[: 4 * LABEL_CHARACTERS]
    text = _NUMBERS.sub("", text) or text
    found = _SCOPED.match(text)
    if found is None:
        return text, ""
    said = text[found.end() :]
    change = CHANGES_BY_TYPE.get((found[1] or found[3]).lower(), "")
    names = {part.partition(".")[0] for path in paths for part in path.casefold().split("/")}
    scope = found[2] or ("" if change else found[3])
    if found[1] and not change:
        return text, ""
    return said if scope.rpartition("/")[2].casefold() in {"", *names} else f"{scope}: {said}", change


def short_folder(path: str, current: str = "") -> str:
    """The innermost folders of a file; empty where they are those of the current one, which need no saying."""
    parts = path.split("/")[:-1]
    if current and parts == current.split("/")[:-1]:
        return ""
    return "/".join(parts if len(parts) <= FOLDERS else ("…", *parts[-FOLDERS:]))


def _of_side(name: str, memory: Memory, *also: Memory) -> ListRow:
    """What one side of a contradiction says, and how many say the same."""
    twins = f"and {len(also)} that {'say' if len(also) > 1 else 'says'} the same" if also else ""
    beside = " ".join(filter(None, (one_line(whence(memory), BESIDE_CHARACTERS), twins)))
    says = one_line(memory.draft.levels.summary, LABEL_CHARACTERS)
    others = (f"  - {one_line(whence(other), BESIDE_CHARACTERS)}" for other in also[:SOURCES])
    lines = "\n".join([f"- {says}{f' {twins}' if twins else ''}", *others])
    file, line = _source(memory.draft.evidence, ())
    return ListRow(
        memory.id, "side", name, beside, (lines,), says, word_of(memory.draft), file, line, memory.created_at
    )


def sort_of(item: ContextItem) -> str:
    """What sort of thing an item is: by its id what is no memory, by its section or record what is."""
    head, colon, _ = item.id.partition(":")
    if item.id.startswith("x1"):
        return "contradiction"
    return (_OF_IDS.get(head) if colon else None) or _OF_SECTIONS.get(item.section) or item.kind or "fact"


def _sort_of_memory(draft: Draft) -> str:
    if isinstance(draft.body, Failure):
        return "error"
    return "decision" if isinstance(draft.body, Decision) else draft.kind.value


def _source(evidence: Sequence[Evidence], files: Sequence[str]) -> tuple[str, int | None]:
    """The file to open for something, and the line (from 1) that it points to, if it does."""
    for one in evidence:
        if one.kind is EvidenceKind.FILE:
            return one.ref, one.line
    return (files[0], None) if files else ("", None)


def _rule_of(text: str, title: str) -> tuple[str, str]:
    """What a rule says, without its heading and what stands before all of a list; and the folder in which it holds."""
    said = text if _CASE.match(title) else text.removeprefix(f"{title}: ")
    lead = None if _CASE.match(said) else _LEAD.match(said)
    said = said[lead.end() :] if lead else said if said[:1].isupper() and " " in said else text
    where = _WHERE.search(said)
    return _WHERE.sub("", said), where[1] if where else ""


def _memory_called(draft: Draft) -> tuple[str, str]:
    """What a memory is called, and the folder in which it holds where its text says so."""
    text = draft.levels.compressed or draft.levels.summary
    if isinstance(draft.body, Episode):
        return subject(text)[0], ""
    return _rule_of(text, draft.subject)


def _short_place(evidence: Evidence) -> str:
    """The same as `place_of`, of a file without its folders."""
    return place_of(evidence).rpartition("/")[2] if evidence.kind is EvidenceKind.FILE else place_of(evidence)


def _shared(evidence: Sequence[Evidence]) -> str:
    """Who shared it and when; empty where nobody did."""
    return next((one.label() for one in evidence if one.kind is EvidenceKind.PERSON), "")


def _people(draft: Draft) -> str:
    """Who took part in what happened."""
    people = draft.body.people if isinstance(draft.body, Episode) else ()
    more = f" and {len(people) - PEOPLE} more" if len(people) > PEOPLE else ""
    return ", ".join(people[:PEOPLE]) + more


def _clause(why: str) -> str:
    """A reason as short as it stands in a narrow side bar: `12 together`; all words of a task that it matches."""
    ends = r"[;(]" if why.startswith("matches ") else r"[;,(]"
    said = re.sub(r" (?:with|by) this file", "", re.split(ends, why, maxsplit=1)[0]).strip()
    together = _TOGETHER.fullmatch(said)
    return f"{together[1] or together[2]} together" if together else said.removeprefix("changed ")


def _beside(*parts: str) -> str:
    return " · ".join(one_line(part, BESIDE_CHARACTERS) for part in parts if part)


def _lines(*parts: str) -> tuple[str, ...]:
    return tuple(visible_text(_cut(part, TEXT_CHARACTERS)) for part in parts if part)


def _cut(text: str, most: int) -> str:
    return shortened(visible_text(text[: 4 * most]).strip(), most)
