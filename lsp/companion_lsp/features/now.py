"""`companion/now`: the context as it is now, by tiers, each item with its length, its tokens and why it is there.

Looking at it is not using it: what is shown here is counted for nobody. Texts are cut to what a list can show and
cleaned of what cannot be seen; the whole of an item is the document that `opens` names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from companion import wire
from companion.wire import Between
from companion_lsp import convert
from companion_lsp.features.virtual import MEMORY, VirtualDocument
from companion_lsp.requests import Uri, answers, place_of
from companion_lsp.server import CompanionServer, OpenDocument
from companion_lsp.settings import BUDGET_MOST

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import Context, ContextItem

NOW = "companion/now"
TITLE_CHARACTERS = 120
"""Characters of a title: twice what a side bar shows, for those who widen it."""
TEXT_CHARACTERS = 600
"""Characters of an item's text: what a tooltip shows without scrolling."""
REASONS = 4
"""Reasons of an item: the ones that weigh most; the others are in `companion explain`."""

OF_SECTIONS: Mapping[str, str] = {"Open questions": "question", "Collaborators": "person"}
"""What a section says of its items beyond what sort of memory they are."""
NAMED_BY_TITLE = {"file", "episode", "history", "error"}
"""Kinds whose title says more than the beginning of their text."""

_SIDE = re.compile(r"^against: |\s*\[[^\[\]]*\]$")
"""What stands before and behind a side of a contradiction in a context."""


@dataclass(frozen=True, slots=True)
class NowAsk:
    """For which file (or work tree), within how many tokens; the settings say how many unless this does."""

    uri: Uri = ""
    folder: Uri = ""
    budget: Annotated[int, Between(0, BUDGET_MOST)] | None = None


def register(server: CompanionServer) -> None:
    """Answers companion/now."""
    answers(server, NOW, lambda params: wire.decode(NowAsk, params), now)


async def now(server: CompanionServer, ask: NowAsk) -> object:
    """The context of a place. Raises CompanionError."""
    place = place_of(server, ask.uri, ask.folder)
    budget = server.settings.budget_tokens if ask.budget is None else ask.budget

    def read(companion: Companion, here: OpenDocument) -> object:
        from companion.api import Order
        from companion.records import Format, Signals

        signals = Signals(current_file=str(here.path) if here.path != here.root else "")
        context = companion.assemble(budget, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False)
        return shown(context, here, companion.now())

    return await server.ask(place, read)


def shown(context: Context, place: OpenDocument, now: datetime) -> dict[str, object]:
    """A context as a list shows it."""
    from companion.escape import one_line

    tiers = [
        {
            "name": tier.tier.value,
            "tokens": tier.tokens,
            "share": tier.share_tokens,
            "items": [_item(item, place.root, now) for item in tier.items],
        }
        for tier in context.tiers
    ]
    return {
        "root": convert.uri_of(place.root),
        "name": place.root.name,
        "file": "" if place.path == place.root else place.path.relative_to(place.root).as_posix(),
        "tokens": context.tokens,
        "budget": context.budget_tokens,
        "activity": context.activity.value,
        "tiers": tiers,
        "notices": [one_line(one, TEXT_CHARACTERS) for one in context.missing],
    }


def _item(item: ContextItem, root: Path, now: datetime) -> dict[str, object]:
    from companion.escape import one_line, visible_text

    kind = kind_of(item)
    text = visible_text(item.text[: 4 * TEXT_CHARACTERS]).strip()  # a memory may be a book, and only its head is shown
    title = one_line(_title(item, kind, text), TITLE_CHARACTERS)
    pinned = [reason for reason in item.reasons if reason.feature == "pinned" and reason.value > 0]
    reasons = [one_line(reason.says, TITLE_CHARACTERS) for reason in (*pinned, *item.reasons) if reason.says]
    file, line = _source(item)
    path = _inside(root, file)
    return {
        "id": item.id,
        "title": title,
        "text": text if len(text) <= TEXT_CHARACTERS else f"{text[: TEXT_CHARACTERS - 1].rstrip()}…",
        "kind": kind,
        "section": one_line(item.section, TITLE_CHARACTERS),
        "level": item.level,
        "tokens": item.tokens,
        "reason": reasons[0] if reasons else "",
        "reasons": list(dict.fromkeys(reasons))[:REASONS],
        "source": one_line(item.evidence[0].label(), TITLE_CHARACTERS) if item.evidence else "",
        "age": convert.age(item.at, now),
        "pinned": bool(pinned),
        "opens": VirtualDocument(MEMORY, item.id, root, title=title).uri()
        if kind not in {"topic", "contradiction"}
        else "",
        **({} if path is None else {"uri": convert.uri_of(path)} | ({"line": line} if line else {})),
    }


def _title(item: ContextItem, kind: str, text: str) -> str:
    """What an item is called in a list: a contradiction by what both sides say."""
    if kind == "contradiction" and text:
        return " ↔ ".join(_SIDE.sub("", line) for line in text.split("\n"))
    return item.title if kind in NAMED_BY_TITLE or not text else text


def kind_of(item: ContextItem) -> str:
    """What sort of thing an item is: by its id what is no memory, by its section or record what is."""
    head, colon, _ = item.id.partition(":")
    if colon and head in {"file", "history", "topic"}:
        return head
    if item.id.startswith("x1"):
        return "contradiction"
    return OF_SECTIONS.get(item.section) or item.kind or "fact"


def _source(item: ContextItem) -> tuple[str, int | None]:
    """The file to open for an item, and the line (from 1) that it points to, if it does."""
    from companion.records import EvidenceKind

    for one in item.evidence:
        if one.kind is EvidenceKind.FILE:
            return one.ref, one.line
    return (item.files[0], None) if item.files else ("", None)


def _inside(root: Path, file: str) -> Path | None:
    """A file of the work tree by its relative path; None for anything else."""
    if not file or "\0" in file:
        return None
    path = (root / file).resolve()
    return path if path.is_relative_to(root.resolve()) and path.is_file() else None
