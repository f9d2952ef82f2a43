"""What `search` prints of its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.ports import Readiness
from companion.records import Draft, Episode, Memory, PassageKind, SearchHit, places
from companion.surfaces.documents import why_archived
from companion.surfaces.fitting import to_show
from companion.surfaces.wording import ID_SHOWN, on_a_line, rank

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
        lines.append(f"{left} of the {len(found)} nearest hardly {'fits' if left == 1 else 'fit'}; `--json` lists all.")
    elif nothing_fits:
        lines.append("Try other words, or `--archived` for what was forgotten.")
    return "\n".join(lines)


def _hit(number: int, hit: SearchHit) -> Iterator[str]:
    why = "; ".join(one.says for one in hit.reasons if one.says and one.value and one.feature not in USUAL)
    kind, said, source = _memory(hit.memory) if hit.memory else _passage(hit)
    over = f" (over since {hit.over:%Y-%m-%d})" if hit.over else ""
    id_ = hit.id if hit.id.startswith("file:") else hit.id[:ID_SHOWN]
    yield f"{rank(number):>4}  {id_}  [{kind}] {said}{over}"
    if below := " - ".join(filter(None, (source, why))):
        yield f"      {below}"


def _memory(memory: Memory) -> tuple[str, str, str]:
    """A memory's sort, what it says, and where it comes from."""
    draft = memory.draft
    gone = f" (archived: {why})" if (why := why_archived(memory)) else ""
    kind = " ".join(filter(None, (draft.type or draft.kind.value, _day(draft))))
    return kind, on_a_line(draft.levels.summary) + gone, ", ".join(places(draft.evidence, PLACES_SHOWN))


def _passage(hit: SearchHit) -> tuple[str, str, str]:
    """A passage's sort, how it begins, of code its title, and where it stands; a commit has its id for that."""
    kind = f"{hit.sort} {hit.at:%Y-%m-%d}" if hit.at else hit.sort
    text = hit.title if hit.sort == PassageKind.CHUNK and hit.title else hit.text
    said = " ".join(word for word in text.split() if word.strip("=-*#~"))
    if len(said) > SAID_SHOWN:
        said = said[:SAID_SHOWN].rsplit(" ", 1)[0] + " …"
    lines = ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in hit.spans)
    source = f"{hit.path}:{lines}" if hit.path and lines else hit.path or ("" if hit.commit else hit.title)
    return kind, said, source


def _day(draft: Draft) -> str:
    """When something happened; empty for what is no happening."""
    return f"{draft.body.occurred_at:%Y-%m-%d}" if isinstance(draft.body, Episode) else ""


def coverage(ready: Readiness) -> str:
    """How much can be found by meaning so far; empty where all can."""
    if not ready.to_embed:
        return ""
    done = ready.embedded / (ready.embedded + ready.to_embed)
    return f"Search by meaning covers {done:.0%} so far; the background service makes the rest."
