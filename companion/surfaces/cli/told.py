"""What `search` and `expand` print, made of their answers in JSON: as an owner gives them, or of records encoded.

Nothing but the standard library's smallest modules is loaded: a cold shell that asks an owner waits for no more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Said = Mapping[str, Any]
"""A record as `companion.wire` writes it."""

ID_SHOWN = 12
"""Signs of an id that are shown; any beginning that fits one alone is enough to name it."""
COMMIT_SHOWN = 10
PLACES_SHOWN = 2
"""Sources named beside what was found; `expand` lists all."""
DAY = len("2026-01-31")
NEAREST_SHOWN = 3
"""Results shown where nothing fits: enough to see that it is so."""
USUAL = frozenset({"importance", "recency"})
"""Reasons that every result has; `--json` tells them."""
CAME_BY = {
    "scan": "read from the repository",
    "shadow-extraction": "taken from a conversation",
    "seeded-profile": "from a starting profile",
    "curated-fold": "put together by a person",
    "by-hand": "told by hand",
    "import": "imported",
}
"""The ways by which a memory comes in, in words."""
ASSISTANT = "assistant "
"""What stands before the name of the assistant in the origin of what one told."""

_BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks that turn the direction of reading: `exe.txt` can be shown where `txt.exe` is meant."""
_UNPRINTABLE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}]")


def came_by(source: str, origin: str = "") -> str:
    """How a memory came in, in words; of what an assistant told its name, which stands in the origin or the source."""
    name = next((one.removeprefix(ASSISTANT) for one in (origin, source) if one.startswith(ASSISTANT)), "")
    return f"told by an assistant ({name})" if name else CAME_BY.get(source, source)


SAID_SHOWN = 200
"""Characters shown of a passage that was found: its place is told, and there stands the rest."""


def printable(text: str) -> str:
    r"""Text that steers no terminal and reads in the order it has.

    Control characters and undecoded bytes are shown as `\xNN`, marks that turn the direction as `\uNNNN`.
    """
    return _UNPRINTABLE.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    undecoded_or_control = code <= 0xFF or 0xD800 <= code <= 0xDFFF
    return f"\\x{code & 0xFF:02x}" if undecoded_or_control else f"\\u{code:04x}"


def hits(found: Sequence[Said]) -> str:
    """What a search found: each with its score, id and words, and below where it comes from and why it was found.

    What merely lies nearest is left out beside what fits; where nothing fits, the few nearest are told as such.
    """
    if not found:
        return "Nothing found. Other words, `--archived`, or `companion stats` to see what there is."
    fitting = [hit for hit in found if fits(hit)]
    shown = fitting or found[:NEAREST_SHOWN]
    lines = [] if fitting else ["Nothing fits that well. What is nearest:"]
    for hit in shown:
        why = "; ".join(r["says"] for r in hit["reasons"] if r["says"] and _telling(r))
        kind, said, source = _memory_found(hit["memory"]) if hit.get("memory") else _passage_found(hit)
        said += f" (over since {hit['over'][:DAY]})" if hit.get("over") else ""
        id_ = hit["id"] if hit["id"].startswith("file:") else hit["id"][:ID_SHOWN]
        lines.append(f"{hit['score']:.2f}  {id_}  [{kind}] {said}")
        lines.append(f"      {source}{' - ' if source and why else ''}{why}".rstrip())
    if left := len(found) - len(shown):
        lines.append(f"{left} more hardly {'fits' if left == 1 else 'fit'}; `--json` lists all.")
    elif not fitting:
        lines.append("Try other words, or `--archived` for what was forgotten.")
    return printable("\n".join(lines))


def _memory_found(memory: Said) -> tuple[str, str, str]:
    """A memory's sort, what it says, and where it comes from."""
    draft = memory["draft"]
    gone = f" (archived: {why})" if (why := why_archived(memory)) else ""
    kind = " ".join(filter(None, (draft["type"] or draft["kind"], _day(draft))))
    places = dict.fromkeys(place(evidence) for evidence in draft["evidence"])
    return kind, " ".join(draft["levels"]["summary"].split()) + gone, ", ".join(list(places)[:PLACES_SHOWN])


def why_archived(memory: Said) -> str:
    """Why a memory is in the archive, until when it held and what took its place; empty where it stands."""
    if memory["status"] != "archived":
        return ""
    by, until = memory["superseded_by"][:ID_SHOWN], memory["draft"]["valid_to"]
    parts = (memory["archived_reason"] + (f" by {by}" if by else ""), f"valid until {until[:DAY]}" if until else "")
    return "; ".join(filter(None, parts))


def _passage_found(hit: Said) -> tuple[str, str, str]:
    """A passage's sort, how it begins, and where it stands."""
    kind = " ".join(filter(None, (hit["sort"], str(hit["at"] or "")[:DAY])))
    said = " ".join(hit["text"].split())
    if len(said) > SAID_SHOWN:
        said = said[:SAID_SHOWN].rsplit(" ", 1)[0] + " …"
    lines = ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in hit["spans"])
    source = f"{hit['path']}:{lines}" if hit["path"] and lines else hit["path"] or hit["commit"] or hit["title"]
    return kind, said, source


def _day(draft: Said) -> str:
    """When something happened; empty for what is no happening."""
    body = draft["body"] or {}
    return str(body["occurred_at"])[:DAY] if body.get("record") == "Episode" else ""


def _telling(reason: Said) -> bool:
    """Whether a reason tells this result from others: not what nearly all have, nor what it has not."""
    return bool(reason["value"]) and reason["feature"] not in USUAL


def fits(hit: Said) -> bool:
    """Whether what was found says something of what was asked; an older owner does not tell."""
    return bool(hit.get("fits", True))


def coverage(ready: Said) -> str:
    """How much can be found by meaning so far; empty where all can."""
    if not ready["to_embed"]:
        return ""
    done = ready["embedded"] / max(1, ready["embedded"] + ready["to_embed"])
    return f"Search by meaning covers {done:.0%} so far; `companion init` goes on."


def expansion(found: Said) -> str:
    """Everything behind an id: text, kind, sources, earlier versions, what it has to do with."""
    title, text = found["title"], found["text"]
    head, _, rest = text.partition("\n")
    if head.strip() == title.strip():
        text = rest.strip("\n")  # the title stands above it
    lines = [f"{title}  ({found['id']})", *(["", text] if text else [])]
    if found["memory"] is not None:
        lines += ["", *_behind(found["memory"]["draft"])]
        if why := why_archived(found["memory"]):
            lines.append(f"Archived: {why}")
        for version in found["versions"]:
            if version["id"] != found["memory"]["id"]:
                until = version["draft"]["valid_to"]
                earlier = f"Earlier: {version['draft']['value']} (until {until[:DAY]})" if until else "Earlier version."
                lines.append(earlier)
        lines += [linked(one) for one in found["linked"]]
    return printable("\n".join(lines).replace("\r\n", "\n"))


def linked(tie: Said) -> str:
    """What a memory has to do with another, and why."""
    return f"Linked: {tie['title']}  ({tie['id']}) - {tie['relation']}, {tie['score']:.2f}: {tie['reason']}"


def place(evidence: Said) -> str:
    """Where something can be checked, as `Evidence.label` has it."""
    kind, ref, line = evidence["kind"], evidence["ref"], evidence["line"]
    if kind == "commit":
        return f"commit {ref[:COMMIT_SHOWN]}"
    if kind == "file":
        return str(ref) if line is None else f"{ref}:{line}"
    if kind == "conversation":
        return f"conversation {ref[:ID_SHOWN]}" + ("" if line is None else f" turn {line}")
    return f"{kind} {ref}".strip()


def _behind(draft: Said) -> list[str]:
    body = draft["body"] or {}
    kind = draft["type"] or draft["kind"]
    sure = "" if draft["confidence"] >= 1 else f", {draft['confidence']:.0%} sure"
    state = f" ({body['status']})" if body.get("record") == "Decision" else ""
    lines = [f"Kind: {kind}{state}, {came_by(draft['source'], draft['origin'])}{sure}"]
    if day := _day(draft):
        people = f", {', '.join(body['people'])}" if body["people"] else ""
        lines.append(f"When: {day}{people}")
    sources = [(place(evidence), evidence["quote"]) for evidence in draft["evidence"]]
    return [*lines, *(f"Source: {where}" + (f"  {quote}" if quote else "") for where, quote in sources)]
