"""Why a place is as it is, and what stands behind an id, as text: a terminal prints it, an editor shows a document."""

from __future__ import annotations

from collections.abc import Iterator

from companion.api import Expansion
from companion.records import Decision, Draft, Episode, Linked, Memory, Status, StoryStep, Why, WhyLine
from companion.records.wording import sureness, unbroken
from companion.surfaces.wording import ID_SHOWN, STILL_ASKING, came_by


def told_why(found: Why, *, urls: bool = True) -> str:
    """What a line is part of, the commit that wrote it, the story of its definition, and what concerns that.

    Commits and requests are told by their addresses where a forge shows them, or (not `urls`) by their names.
    """
    lines = f"lines {found.first_line} to {found.last_line}"
    within = f" is part of {found.symbol}, {lines}" if found.symbol else ""
    whole = found.symbol and found.line and found.written is None
    place = f"{found.symbol}, {lines} of {found.path}" if whole else f"{found.path}:{found.line}{within}"
    parts = [place if found.line else found.path]
    if found.written is not None:
        parts.append("\n".join(_step(found.written, urls, "This line: " if found.line else "Changed last: ")))
    if found.others:
        parts.append("\n".join(["Its story", *(row for step in found.others for row in _step(step, urls))]))
    if found.lines:
        parts.append("\n".join(row for one in found.lines for row in _about(one)))
    parts += [f"  {said}" for said in (found.end, STILL_ASKING if found.asking else "") if said]
    return "\n\n".join(parts if len(parts) > 1 else [*parts, "Nothing is known of it."])


def _step(step: StoryStep, urls: bool, says: str = "") -> Iterator[str]:
    """A commit with its day, its reason, and where it is shown."""
    yield f"  {f'{step.at:%Y-%m-%d} ' if step.at else ''}{says}{unbroken(step.text)}"
    shown = [step.author, *((urls and one.url) or f"{one.sort} {one.name}" for one in step.links)]
    yield from (f"    {said}" for said in (step.detail, ", ".join(filter(None, shown))) if said)


def _about(one: WhyLine) -> Iterator[str]:
    behind = [one.source, f"{one.at:%Y-%m-%d}" if one.at else "", one.id[:ID_SHOWN]]
    yield f"  {unbroken(one.text)}"
    yield f"    {', '.join(filter(None, behind))}"


def expansion(found: Expansion) -> str:
    """Everything behind an id: text, kind, sources, earlier versions, what it has to do with."""
    text = found.text
    head, _, rest = text.partition("\n")
    if head.strip() == found.title.strip():
        text = rest.strip("\n")  # the title stands above it
    lines = [f"{found.title}  ({found.id})", *(["", text] if text else [])]
    if found.memory is not None:
        lines += ["", *behind(found.memory)]
        lines += [_earlier(one.draft) for one in found.versions if one.id != found.memory.id]
    return "\n".join([*lines, *map(linked, found.linked)])


def _earlier(draft: Draft) -> str:
    return f"Earlier: {draft.value} (until {draft.valid_to:%Y-%m-%d})" if draft.valid_to else "Earlier version."


def behind(memory: Memory) -> Iterator[str]:
    """A memory's sort, how and when it came in and where it holds; its sources; why it is archived, if it is."""
    draft = memory.draft
    state = f" ({draft.body.status})" if isinstance(draft.body, Decision) else ""
    facts = [f"{draft.type or draft.kind.value}{state}, {came_by(draft.source, draft.origin)}"]
    facts += [f"on {memory.created_at:%Y-%m-%d}", "" if draft.confidence >= 1 else sureness(draft.confidence)]
    facts += [f"holds in {holds}" if (holds := draft.scope.label()) else "", "pinned" if draft.pinned else ""]
    yield f"Kind: {', '.join(filter(None, facts))}"
    if isinstance(draft.body, Episode):
        yield f"When: {', '.join((f'{draft.body.occurred_at:%Y-%m-%d}', *draft.body.people))}"
    for one in draft.evidence:
        yield f"Source: {one.label()}" + (f"  {one.words}" if one.words else "")
    if why := why_archived(memory):
        yield f"Archived: {why}"


def why_archived(memory: Memory) -> str:
    """Why a memory is in the archive, until when it held and what took its place; empty where it stands."""
    if memory.status is not Status.ARCHIVED:
        return ""
    by, until = memory.superseded_by[:ID_SHOWN], memory.draft.valid_to
    why = memory.archived_reason + (f" by {by}" if by else "")
    return "; ".join(filter(None, (why, f"valid until {until:%Y-%m-%d}" if until else "")))


def linked(tie: Linked) -> str:
    """What a memory has to do with another, and why."""
    return f"Linked: {tie.title}  ({tie.id}) - {tie.relation.value}, {sureness(tie.score)}: {tie.reason}"
