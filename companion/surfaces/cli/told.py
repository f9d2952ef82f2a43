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

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Text that steers no terminal: control characters and undecoded bytes are shown as `\xNN`."""
    return _UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text)


def hits(found: Sequence[Said]) -> str:
    """What a search found: each with its score, id and words, and below where it comes from and why it was found."""
    if not found:
        return "Nothing found. Other words, `--archived`, or `companion stats` to see what there is."
    lines = [] if any(fits(hit) for hit in found) else ["Nothing fits that well. What is nearest:"]
    for hit in found:
        memory = hit["memory"]
        draft = memory["draft"]
        gone = f" (archived: {memory['archived_reason']})" if memory["status"] == "archived" else ""
        kind = draft["type"] or draft["kind"]
        places = dict.fromkeys(place(evidence) for evidence in draft["evidence"])
        source = ", ".join(list(places)[:PLACES_SHOWN])
        why = "; ".join([*([] if fits(hit) else ["hardly fits"]), *(r["says"] for r in hit["reasons"] if r["says"])])
        lines.append(f"{hit['score']:.2f}  {memory['id'][:ID_SHOWN]}  [{kind}] {draft['levels']['summary']}{gone}")
        lines.append(f"      {source}{' - ' if source and why else ''}{why}")
    return printable("\n".join(lines))


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
    lines = [f"{found['title']}  ({found['id']})", "", found["text"]]
    if found["memory"] is not None:
        lines += ["", *_behind(found["memory"]["draft"])]
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
    lines = [f"Kind: {draft['kind']} {draft['type']}; confidence {draft['confidence']:.2f}; {draft['source']}"]
    body = draft["body"]
    if body and body.get("record") == "Episode":
        people = f", {', '.join(body['people'])}" if body["people"] else ""
        lines.append(f"When: {body['occurred_at'][:DAY]}{people}")
    sources = [(place(evidence), evidence["quote"]) for evidence in draft["evidence"]]
    return [*lines, *(f"Source: {where}" + (f"  {quote}" if quote else "") for where, quote in sources)]
