"""Error handling: what is caught and what is then done, and the project's own exceptions.

Where an error is raised is an occurrence, and no manner to be copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import ReferenceKind, Shape, ShapeFamily
from companion.syntax.shapes.ground import Ground

_WORD = re.compile(r"[A-Za-z_]\w*!?")
_NAME = re.compile(r"[\\A-Za-z_][\w.:\\]*")
_DOING = re.compile(
    r"^(?:return|raise|throw|pass|continue|break|yield|log\w*|print\w*|console|panic!?|abort|exit|die)\b"
)
_EXCEPTION = re.compile(r"(?:Error|Exception|Fault|Failure|Throwable)$")


def error_handling(ground: Ground) -> Iterator[Shape]:
    """Catches, and exception classes."""
    yield from _catches(ground)
    yield from _exception_classes(ground)


def _catches(ground: Ground) -> Iterator[Shape]:
    for event, line, inside in ground.events("catch"):
        found = _WORD.match(ground.reading.text(event.start, min(event.end, event.start + 40)))
        word = found[0] if found and found[0] in {"except", "catch", "rescue", "Err"} else "catch"
        names = ", ".join(_caught(event.parts.get("what", "")))
        slots = {"then": _doing(event.parts.get("does", ""))}
        yield Shape(ShapeFamily.ERROR_HANDLING, f"{word} {names}".strip(), line, inside, slots)


def _caught(what: str) -> list[str]:
    """Names of types in what is caught, variables left out."""
    names = (_plain(name) for name in _NAME.findall(what))
    return [name for name in names if ("." in name or name[:1].isupper()) and name != "Err"][:4]


def _plain(name: str) -> str:
    """A type's name without namespace marks and type arguments."""
    return name.split("<", 1)[0].rpartition("\\")[2].replace("::", ".").strip("().:&* ")


def _doing(does: str) -> str:
    """In a word what a handler does first."""
    if "log" in does.split("(", 1)[0].lower():
        return "log"
    found = _DOING.match(does)
    return found[0] if found else "handle"


def _exception_classes(ground: Ground) -> Iterator[Shape]:
    for _, reference in ground.uses(ReferenceKind.INHERIT):
        if _EXCEPTION.search(reference.name) and reference.inside:
            slots = {"base": reference.name}
            yield Shape(
                ShapeFamily.ERROR_HANDLING, f"class of {reference.name}", reference.line, reference.inside, slots
            )
