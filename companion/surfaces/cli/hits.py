"""What `search` and `expand` print of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.api import Expansion
from companion.ports import Readiness
from companion.records import Decision, Draft, Episode, Linked, Memory, SearchHit, Status, places
from companion.surfaces.cli.wording import ID_SHOWN, came_by, on_a_line, rank, sureness
from companion.surfaces.fitting import to_show

PLACES_SHOWN = 2
"""Sources named beside what was found; `expand` lists all."""
SAID_SHOWN = 200
"""Characters shown of a passage that was found: its place is told, and there stands the rest."""
USUAL = frozenset({"importance", "recency"})
"""Reasons that tell no result from others: every one has them; `--json` tells them."""


def hits(found: Sequence[SearchHit]) -> str:
    """What a search found: each with its rank, id and words, and below where it comes from and why it was found.

    What merely lies nearest is left out beside what fits; where nothing fits, the few nearest are told as such.
    """
    if not found:
        return "Nothing found. Other words, `--archived`, or `companion stats` to see what there is."
    shown, nothing_fits = to_show(found)
    lines = [nothing_fits] if nothing_fits else []
    lines += [line for number, hit in enumerate(shown, start=1) for line in _hit(number, hit)]
    if left := len(found) - len(shown):
        lines.append(f"{left} more hardly {'fits' if left == 1 else 'fit'}; `--json` lists all.")
    elif nothing_fits:
        lines.append("Try other words, or `--archived` for what was forgotten.")
    return "\n".join(lines)


def _hit(number: int, hit: SearchHit) -> Iterator[str]:
    why = "; ".join(one.says for one in hit.reasons if one.says and one.value and one.feature not in USUAL)
    kind, said, source = _memory(hit.memory) if hit.memory else _passage(hit)
    over = f" (over since {hit.over:%Y-%m-%d})" if hit.over else ""
    id_ = hit.id if hit.id.startswith("file:") else hit.id[:ID_SHOWN]
    yield f"{rank(number):>4}  {id_}  [{kind}] {said}{over}"
    yield f"      {source}{' - ' if source and why else ''}{why}".rstrip()


def _memory(memory: Memory) -> tuple[str, str, str]:
    """A memory's sort, what it says, and where it comes from."""
    draft = memory.draft
    gone = f" (archived: {why})" if (why := _why_archived(memory)) else ""
    kind = " ".join(filter(None, (draft.type or draft.kind.value, _day(draft))))
    return kind, on_a_line(draft.levels.summary) + gone, ", ".join(places(draft.evidence, PLACES_SHOWN))


def _why_archived(memory: Memory) -> str:
    """Why a memory is in the archive, until when it held and what took its place; empty where it stands."""
    if memory.status is not Status.ARCHIVED:
        return ""
    by, until = memory.superseded_by[:ID_SHOWN], memory.draft.valid_to
    why = memory.archived_reason + (f" by {by}" if by else "")
    return "; ".join(filter(None, (why, f"valid until {until:%Y-%m-%d}" if until else "")))


def _passage(hit: SearchHit) -> tuple[str, str, str]:
    """A passage's sort, how it begins, and where it stands."""
    kind = f"{hit.sort} {hit.at:%Y-%m-%d}" if hit.at else hit.sort
    said = " ".join(hit.text.split())
    if len(said) > SAID_SHOWN:
        said = said[:SAID_SHOWN].rsplit(" ", 1)[0] + " …"
    lines = ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in hit.spans)
    source = f"{hit.path}:{lines}" if hit.path and lines else hit.path or hit.commit or hit.title
    return kind, said, source


def _day(draft: Draft) -> str:
    """When something happened; empty for what is no happening."""
    return f"{draft.body.occurred_at:%Y-%m-%d}" if isinstance(draft.body, Episode) else ""


def coverage(ready: Readiness) -> str:
    """How much can be found by meaning so far; empty where all can."""
    if not ready.to_embed:
        return ""
    done = ready.embedded / (ready.embedded + ready.to_embed)
    return f"Search by meaning covers {done:.0%} so far; the background service makes the rest, `companion init` some."


def expansion(found: Expansion) -> str:
    """Everything behind an id: text, kind, sources, earlier versions, what it has to do with."""
    text = found.text
    head, _, rest = text.partition("\n")
    if head.strip() == found.title.strip():
        text = rest.strip("\n")  # the title stands above it
    lines = [f"{found.title}  ({found.id})", *(["", text] if text else [])]
    if found.memory is not None:
        lines += ["", *_behind(found.memory.draft)]
        if why := _why_archived(found.memory):
            lines.append(f"Archived: {why}")
        lines += [_earlier(one.draft) for one in found.versions if one.id != found.memory.id]
        lines += map(linked, found.linked)
    return "\n".join(lines)


def _earlier(draft: Draft) -> str:
    return f"Earlier: {draft.value} (until {draft.valid_to:%Y-%m-%d})" if draft.valid_to else "Earlier version."


def _behind(draft: Draft) -> Iterator[str]:
    sure = "" if draft.confidence >= 1 else f", {sureness(draft.confidence)}"
    state = f" ({draft.body.status})" if isinstance(draft.body, Decision) else ""
    yield f"Kind: {draft.type or draft.kind.value}{state}, {came_by(draft.source, draft.origin)}{sure}"
    if isinstance(draft.body, Episode):
        yield f"When: {', '.join((_day(draft), *draft.body.people))}"
    for one in draft.evidence:
        yield f"Source: {one.label()}" + (f"  {one.words}" if one.words else "")


def linked(tie: Linked) -> str:
    """What a memory has to do with another, and why."""
    return f"Linked: {tie.title}  ({tie.id}) - {tie.relation.value}, {sureness(tie.score)}: {tie.reason}"
