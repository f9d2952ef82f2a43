"""The scanner: spans of secrets in a text, and the text with each replaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.adapters.secrets import assignments, borrowed, harmless
from companion.adapters.secrets.formats import FORMATS

LONGEST_LINE = 20_000
"""Characters of a line that are looked at by name and place: longer ones are minified or data."""


_ANCHORS = tuple((anchor, index) for index, known in enumerate(FORMATS) for anchor in known.anchors)


@dataclass(frozen=True, slots=True)
class Found:
    """A secret's place in a text (characters, end excluded) and what kind it is."""

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> tuple[Found, ...]:
    """Secrets in a text, first to last, overlapping ones joined (the first one names the kind)."""
    lower = text.lower()
    spans = sorted({*_by_shape(text, lower), *_borrowed(text, lower), *assignments.find(text, lower)})
    joined: list[Found] = []
    for start, end, kind in spans:
        if joined and start < joined[-1].end:
            joined[-1] = Found(joined[-1].start, max(end, joined[-1].end), joined[-1].kind)
        else:
            joined.append(Found(start, end, kind))
    return tuple(joined)


class SecretRedactor:
    """Replaces each secret by `[redacted KIND]`; what is already redacted stays as it is."""

    def redact(self, text: str, path: str = "") -> str:
        """The text without its secrets. `path` is accepted for the port; no rule needs it."""
        del path
        found = find_secrets(text)
        if not found:
            return text
        parts: list[str] = []
        at = 0
        for secret in found:
            parts += [text[at : secret.start], f"[redacted {secret.kind}]"]
            at = secret.end
        return "".join([*parts, text[at:]])


def _by_shape(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    announced = {index for anchor, index in _ANCHORS if anchor in lower}
    for known in (FORMATS[index] for index in sorted(announced)):
        for match in known.pattern.finditer(text):
            group = 1 if match.re.groups else 0
            if not _is_example(match[group]):
                yield (*match.span(group), known.kind)


def _borrowed(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    for module, (anchor, kind) in borrowed.ANCHORS.items():
        if anchor not in lower:
            continue
        for pattern in borrowed.rules(module):
            for match in pattern.finditer(text):
                group = match.re.groups and 1 if match.re.groups and match[1] else 0
                if not harmless.is_placeholder(match[group]):
                    yield (*match.span(group), kind)


def _is_example(secret: str) -> bool:
    """Issuers' own examples, and letters or digits repeated or counted up after the prefix."""
    tail = secret[-16:]
    return secret.endswith("EXAMPLE") or len(set(tail)) <= 3 or harmless.is_placeholder(tail)
