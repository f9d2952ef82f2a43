"""Makefile and justfile: targets with their recipes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import PurePosixPath

from companion.kinds.tasks.task import (
    COMMAND_CHARS,
    COMMANDS_SHOWN,
    TaskReader,
    past_folders,
    task_row,
    whole_lines,
)
from companion.language.sentences import split_sentences
from companion.records import FileSeen
from companion.records.declared import Declaration

_TARGET = re.compile(r"^(?P<names>[A-Za-z0-9][\w./ -]*+)\s*+::?(?!=)(?P<needs>[^=#;]*+)(?:##?\s*+(?P<about>.*))?$")
_RECIPE = re.compile(r"^@?(?P<name>[A-Za-z][\w-]*+)(?P<params>(?:\s[^:=]*+)?)\s*+:(?!=)\s*+(?P<needs>[^#]*+)$")
COMMENT_LINES = 6
"""Lines of a comment that is read: a longer one is a licence or a manual."""
LONG_LINE = 50
"""Characters of a line that was wrapped, so that the next one goes on with it whatever it begins with."""
_STOPS = (".", "!", "?")
_REMARK = re.compile(r"(?:NOTE|TODO|FIXME|XXX|HACK|WARNING|IMPORTANT)\b")
_PRODUCED = re.compile(r"[./%]")
_SHELL = re.compile(
    r"^(?:if|then|else|fi|for|do|done|while|case|esac|echo|printf|cd|exit|mkdir|rm|cp|mv|touch)\b|^[{}()\[]"
)
_PLUMBING = re.compile(r"; *(?:if|then|do|fi|exit)\b|> */dev/null|^\$\((?:info|warning|error|eval|call)\b")


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The named tasks of a Makefile or justfile; rules that make a file are not tasks."""
    just = "justfile" in PurePosixPath(file.path).name.lower()
    lines = file.text.split("\n")
    above: list[str] = []
    for number, line in enumerate(lines):
        found = (_RECIPE if just else _TARGET).match(line)
        if found is None or line[:1] in {" ", "\t"}:
            if line.startswith("#"):
                above.append(line.strip("# "))
            elif not line.startswith(".PHONY"):
                above = []
            continue
        commands = _body(lines, number + 1)
        about = (found["about"] or "") if not just else ""
        about = about or _said(above)
        does = _has_body(lines, number + 1) or any(not _PRODUCED.search(need) for need in found["needs"].split())
        for name in [found["name"]] if just else found["names"].split():
            if does and not _PRODUCED.search(name):
                yield task_row(file, number + 1, f"{'just' if just else 'make'} {name}", commands, about)
        above = []


def _said(comment: Sequence[str]) -> str:
    """What the comment above a target says that it does: the first sentence that is no title of others.

    A remark for who changes it says nothing of that.
    """
    told: list[str] = []
    for line in (line for line in comment[: COMMENT_LINES + 1] if any(map(str.isalpha, line))):
        ended = not told or told[-1].endswith(_STOPS)
        if ended or (line[0].isupper() and len(told[-1]) < LONG_LINE):
            told.append(line)
        else:
            told[-1] += f" {line}"
    whole = [one for one in told[:-1] if one.endswith(_STOPS)] + told[-1:]
    if not whole or len(comment) > COMMENT_LINES or _REMARK.match(whole[0]):
        return ""
    return next(iter(split_sentences(whole[0])), whole[0])


def _has_body(lines: Sequence[str], start: int) -> bool:
    return start < len(lines) and lines[start][:1] in {" ", "\t"} and bool(lines[start].strip())


def _body(lines: Sequence[str], start: int) -> tuple[str, ...]:
    """The commands of a recipe, plumbing of the shell left out."""
    block = takewhile(lambda line: line[:1] in {" ", "\t"} or not line.strip(), lines[start:])
    found = [line.strip().lstrip("@-+ ").rstrip("\\ ") for line in whole_lines("\n".join(block))]
    kept = [
        " ".join(line.split())
        for line in found
        if line and not line.startswith("#") and not _SHELL.match(past_folders(line)) and not _PLUMBING.search(line)
    ]
    return tuple(line for line in kept if len(line) <= COMMAND_CHARS)[:COMMANDS_SHOWN]


READER = TaskReader(("/Makefile", "/makefile", "/GNUmakefile", "/justfile", "/Justfile", "/.justfile"), read)
