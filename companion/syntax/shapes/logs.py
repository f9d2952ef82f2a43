"""Logging: how a logger is made, and through what messages go."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import Reference, ReferenceKind, Shape, ShapeFamily
from companion.syntax.shapes.ground import Ground
from companion.syntax.words import words

CALLS_EACH = 20
"""Log calls kept for one file."""

_MAKERS = words(
    """
    getLogger get_logger getlogger newLogger NewLogger createLogger GetLogger CreateLogger pino
    """
)
_LEVELS = words(
    """
    debug info warn warning error exception critical fatal trace notice log infof debugf warnf errorf fatalf
    printf println logdebug loginformation logwarning logerror
    """
)
_MACROS = frozenset({"trace", "debug", "info", "warn", "error", "log", "println", "eprintln"})
_RECEIVER = re.compile(
    r"^(?:.*[._>:$])?_?(?:log(?:ger|ging)?|console|slog|zap|logrus|tracing|timber|sugar|klog|glog|rails\.logger)$",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"(?<![\w>])(?:[A-Za-z_]\w*(?:\.|::))*(?:" + "|".join(sorted(_MAKERS)) + r")\s*\([^()]*(?:\([^()]*\))?[^()]*\)"
)


def logging(ground: Ground) -> Iterator[Shape]:
    """Loggers made (`logger …`) and calls that log (`via …`, with the level)."""
    calls = 0
    for _, reference in ground.uses(ReferenceKind.CALL):
        if reference.name in _MAKERS:
            found = _MADE.search(ground.line_text(reference.line))
            if found:
                key = f"logger {found[0].replace(' ', '')}"
                yield Shape(ShapeFamily.LOGGING, key, reference.line, reference.inside)
        elif calls < CALLS_EACH and _logs(ground, reference):
            calls += 1
            via = reference.qualifier or f"{reference.name}!"
            slots = {"level": reference.name}
            yield Shape(ShapeFamily.LOGGING, f"via {via}", reference.line, reference.inside, slots)


def _logs(ground: Ground, reference: Reference) -> bool:
    if reference.name.lower() not in _LEVELS:
        return False
    if reference.qualifier:
        return bool(_RECEIVER.match(reference.qualifier))
    return ground.language == "rust" and reference.name in _MACROS
