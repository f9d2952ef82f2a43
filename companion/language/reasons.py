"""A statement and the reason that is given in it, before it or after it."""

from __future__ import annotations

import re

from companion.language.phrases import opens, places, says

_EDGES = " \t\n,–—(-"
"""What stands between a statement and its reason."""
_DASH = re.compile(r"\s(?:[–—]|--?)\s+")
_LED = re.compile(r"\s+(?P<why>[^,]{6,160}),\s*(?P<what>.{6,})")
_HEADED = re.compile(r"[\s:,]+")
LEAST_CHARS = 4
"""Characters that must stand before a reason: a sentence that begins with one has no other statement."""


def reasoned(text: str) -> tuple[str, str]:
    """A statement and its reason, which is empty where none is given."""
    led = _LED.match(text, end) if (end := opens(text, "reasons.leading")) else None
    if led is not None:
        return led["what"].strip(), led["why"].strip()
    start, end = _joint(text)
    why = text[end:].strip(" .)")
    if start < LEAST_CHARS or not why:
        return text, ""
    return text[:start], why


def reason_alone(text: str) -> str:
    """The reason that a sentence of its own gives: "Because it prints properly."; empty where it gives none."""
    headed = _HEADED.match(text, end) if (end := opens(text, "reasons.alone")) else None
    return text[headed.end() :].strip(" .") if headed is not None else ""


def explains(text: str) -> bool:
    """Whether a text joins a thing with its cause, its purpose or its consequence."""
    return says(text, "reasons.plain", "reasons.consequence")


def _joint(text: str) -> tuple[int, int]:
    """Where a statement ends and its reason begins: at the first word that gives one, else at a dash; 0, 0 nowhere."""
    for start, end in places(text, "reasons.plain", "reasons.with_verb"):
        if len(before := text[:start].rstrip(_EDGES)) < start:
            return len(before), end
    for dash in _DASH.finditer(text):
        if opens(text[dash.end() :], "reasons.behind_dash"):
            return len(text[: dash.start()].rstrip(_EDGES)), dash.end()
    return 0, 0
