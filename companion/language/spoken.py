"""What somebody wrote themselves, line by line: code, logs, quotations and other people's text are left out.

Pasted text is known by its form (fences, indents, prompts, time stamps, levels, traces, diffs, tags, speakers' names)
or by what announces it ("here is the log:", "Maria wrote:"). In doubt a line is taken for pasted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from companion.language.orders import orders_a_program
from companion.language.word_lists import meanings, word_set

ROOM_CHARS = 200_000
"""What is read of one message, half from each end: more than 30,000 words; what is longer was not typed."""

_FENCE = re.compile(r"^\s*(?:>\s*)?(`{3,}|~{3,})")
_TAG_OPENS = re.compile(r"^\s*<([A-Za-z][\w:-]*)(?:\s[^<>]*)?>")
_QUOTED = re.compile(r"^\s*>")
_INDENTED = re.compile(r"^(?: {4,}|\t)\S")
_BULLET = re.compile(r"^\s*(?:[-*•‣]|\d{1,2}[.)]|\[[ xX]?\])\s+(?:\[([ xX])\]\s+)?")
_DIFF = re.compile(r"^(?:diff --git |@@ |--- a/|\+\+\+ b/|index [0-9a-f]{7,}\.\.)")
_PASTED = re.compile(
    r"^\s*(?:\+\s|"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[\d{1,2}:\d\d|\d{1,2}:\d\d ?[AP]M\b"
    r"|\w{3} \d{1,2} \d\d:\d\d:\d\d"
    r"|[\[(]?(?:INFO|DEBUG|WARN|WARNING|ERROR|ERR|FATAL|TRACE|CRITICAL|NOTICE|FAILED|PASSED|FAIL|PASS)[\])]?[:\s]+"
    r"(?=\S*[\d:/.\[(_])"
    r"|(?:not )?ok \d|\[(?:info|debug|warn|warning|error|system|tool|stdout|stderr)\]"
    r"|(?:\$|%|❯|➜|>>>|\.\.\.|PS [A-Z]:\S*>|C:\\\S*>|\w+@[\w-]+:\S*[$#])\s"
    r"|Traceback \(|File \"|at [\w$.<>]+\(|E\s{2,}|goroutine \d+|panic: |Caused by: |npm ERR!|error\[E\d+\]|-->\s"
    r"|[\w./\\-]+:\d+(?::\d+)?:|[\w./-]+::[\w\[\]-]+|={3,}|-{3,}\s*$|_{3,}|\*{3,}\s*$|\|.*\|\s*$"
    r"|(?:[A-Z]\w*)?(?:Error|Exception|Warning): "
    r"|(?:HTTP/\d|GET |POST |PUT |DELETE |PATCH )\S"
    r"|[{}\[\]();,<]+\s*$|[{\[]\s*\"|\"[\w-]+\"\s*:|</?[A-Za-z][^<>]*>\s*$"
    r"|(?:def|class|fn|func|function|const|let|var|public|private|static|struct|enum|interface|impl|async def)\s+"
    r"[\w$<>]+\s*[=({:<]"
    r"|from\s+[\w.]+\s+import\s|import\s+[\w.{}*]+(?:\s+as\s+\w+)?\s*;?$|import\s.*\sfrom\s+['\"]|#include"
    r"|package\s+\w+;?$"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\s"
    r"|return\s+[\w.]+\(|(?:if|for|while|switch)\s*\(.*\)\s*\{?$|@\w+\("
    r"|[\w.\[\]]+\s*(?::=|[-+*/]?=)\s*\S+\s*$|[A-Z_]{3,}=\S"
    r")"
)
_CODE_END = re.compile(r"[{};]\s*$|=>\s*\{?\s*$|\)\s*:\s*$|\\$")
_HEADING = re.compile(r"^\s*#{1,6}\s+(.*?)\s*#*$|^\s*\*\*([^*]{2,40}?):?\*\*:?\s*$")
_LABEL_LINE = re.compile(r"^\s*([A-Za-z][\w' -]{2,30}):\s*$")
_ROLE = re.compile(
    r"^\W*(?:system|assistant|user|human|ai|tool|developer|bot|instructions?|system (?:note|message|prompt)|claude"
    r"|chatgpt|copilot|cursor|companion)\b\W{0,3}:",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"^\s*(?:\*\*|@)?([A-Z][\w.-]{1,20}(?: [A-Z][\w.-]{0,20})?)(?:\*\*)?\s*(?:\([^)]{1,20}\)"
    r"|\[[^\]]{1,20}\])?:(?:\*\*)?\s+\S"
)
_ANNOUNCES = re.compile(
    r"\b(?:outputs?|logs?|trace(?:back)?|stack ?trace|wrote|writes|said|says|told me|replied|answered|error"
    r"|message|email|mail|slack"
    r"|ticket|issue|comments?|transcript|readme|docs?|documentation|article|post|file|pasted?|response|results?"
    r"|prints|gives|shows"
    r"|reads|got|quote|thread|chat|review|screenshot|snippet|example|spec|diff|config)\b[^.?!:]{0,60}:\s*$",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^\s*(?:From|To|Cc|Subject|Date|Sent|On .{5,80} wrote)\s*:\s*\S|^\s*On .{5,80} wrote:\s*$")
_FORWARDED = re.compile(r"^\s*(?:-{2,}\s*)?(?:Forwarded|Original) [Mm]essage")
LABELS = meanings("talk", "labels")
"""What people write before a colon, and the sort of item they mean by it."""
_PLAIN_LABELS = word_set("talk", "remarks")


@dataclass(frozen=True, slots=True)
class _Line:
    """One line that somebody wrote: `label` is the sort of item that it or the list it stands in is headed with.

    `fresh` says that it begins something new rather than going on with the line before it.
    """

    text: str
    label: str = ""
    fresh: bool = True
    ticked: bool = False


def own_lines(text: str) -> list[_Line]:
    """The lines somebody wrote themselves, in order."""
    return list(_Reader(_shortened(text)).lines())


def _shortened(text: str) -> list[str]:
    if len(text) > ROOM_CHARS:
        half = ROOM_CHARS // 2
        text = f"{text[:half]}\n\n{text[-half:]}"
    return [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]


class _Reader:
    """Goes through a message once, line by line, and knows what it stands in."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._speakers = sum(_other_speaker(line) is not None for line in lines)
        self._at = 0
        self._label = ""

    def lines(self) -> Iterator[_Line]:
        """What remains of the message."""
        fresh = True
        bullet = False
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if self._skipped(line, bullet):
                fresh, bullet = True, False
                continue
            self._at += 1
            if not line.strip():
                fresh, bullet = True, False
                continue
            if self._headed(line):
                fresh = True
                continue
            is_bullet = _BULLET.match(line)
            bullet = is_bullet is not None or (bullet and line.startswith(" "))
            if not bullet and fresh and self._label and not _inline_label(line):
                self._label = ""
            said = line[is_bullet.end() :] if is_bullet else line.strip()
            label, said = _inline_label(said) or (self._label, said)
            ticked = bool(is_bullet and (is_bullet.group(1) or "").lower() == "x")
            yield _Line(said, label, fresh or is_bullet is not None or bool(label), ticked)
            fresh = False
            if _ANNOUNCES.search(line):
                self._skip_paragraph()
                fresh = True

    def _skipped(self, line: str, after_bullet: bool) -> bool:
        """Steps over a pasted block that begins here."""
        if (fence := _FENCE.match(line)) is not None:
            self._skip_to(lambda other: other.strip().strip(">").strip().startswith(fence.group(1)[:3]))
        elif (tag := _TAG_OPENS.match(line)) is not None:
            closing = f"</{tag.group(1)}>"
            if closing not in line and any(closing in other for other in self._lines[self._at + 1 : self._at + 400]):
                self._skip_to(lambda other: closing in other)
            else:
                self._at += 1
        elif _HEADER.match(line) or _FORWARDED.match(line):
            self._skip_letter()
        elif _DIFF.match(line) or _ROLE.match(line) or orders_a_program(line):
            self._skip_paragraph()
        elif _is_pasted(line, after_bullet) or self._is_said_by_others(line):
            self._at += 1
        else:
            return False
        return True

    def _skip_to(self, ends: object) -> None:
        """Past the line that ends a block; to the end of the message where none does."""
        assert callable(ends)
        at = self._at + 1
        while at < len(self._lines) and not ends(self._lines[at]):
            at += 1
        self._at = min(at + 1, len(self._lines))

    def _skip_paragraph(self) -> None:
        """Past the next lines up to an empty one; empty ones right here belong to it."""
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        if self._at < len(self._lines) and _FENCE.match(self._lines[self._at]):
            return
        while self._at < len(self._lines) and self._lines[self._at].strip():
            self._at += 1

    def _skip_letter(self) -> None:
        """Past a letter with its greeting and paragraphs: up to its closing words and name, else to the end."""
        for at in range(self._at, len(self._lines)):
            if _SIGNED.match(self._lines[at]):
                self._at = at + 1
                self._skip_paragraph()
                return
        self._at = len(self._lines)

    def _headed(self, line: str) -> bool:
        """Whether the line is a heading, whose label then holds for the list under it."""
        heading = _HEADING.match(line) or _LABEL_LINE.match(line)
        if heading is None:
            return False
        said = next(group for group in heading.groups() if group is not None)
        label = LABELS.get(said.strip(" :*").lower(), "")
        if not label and _LABEL_LINE.match(line):
            return False
        self._label = label
        return True

    def _is_said_by_others(self, line: str) -> bool:
        return self._speakers >= 2 and _other_speaker(line) is not None


_SIGNED = re.compile(
    r"^\s*(?:best|regards|kind regards|best regards|cheers|thanks|thank you|many thanks|sincerely"
    r"|-- ?)[,!.]?\s*(?:[A-Z]\w+)?\s*$",
    re.IGNORECASE,
)


def _other_speaker(line: str) -> str | None:
    found = _SPEAKER.match(line)
    if found is None or found.group(1).lower() in LABELS or found.group(1).lower() in _PLAIN_LABELS:
        return None
    return found.group(1)


def _is_pasted(line: str, after_bullet: bool) -> bool:
    bullet = _BULLET.match(line)
    if bullet is not None and _PASTED.match(line[bullet.end() :]):
        return True
    if _QUOTED.match(line) or (_INDENTED.match(line) and not after_bullet and not _BULLET.match(line)):
        return True
    if _PASTED.match(line) or _CODE_END.search(line):
        return True
    return len(line) > 12 and _odd_share(line) > 0.22


def _odd_share(line: str) -> float:
    """Share of characters that prose hardly has."""
    odd = sum(not (c.isalnum() or c in " .,'?!-:;\"()’“”/_`—–") for c in line)
    return odd / len(line)


def _inline_label(said: str) -> tuple[str, str] | None:
    """`Decision: use X` as the sort and the rest."""
    before, colon, after = said.partition(":")
    if not colon or len(before) > 32 or not after.strip():
        return None
    label = LABELS.get(before.strip(" *_-").lower())
    return (label, after.strip(" *")) if label else None
