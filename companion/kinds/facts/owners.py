"""Who owns what by declaration: CODEOWNERS, OWNERS and MAINTAINERS files, which a project has made public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from companion.kinds.facts.located import yaml
from companion.kinds.facts.prose_blocks import plain
from companion.records import FileSeen
from companion.records.declared import Declaration

MAX_RULES = 80
"""Rules of one CODEOWNERS file: larger ones are generated, and their last rules are the ones that hold."""

MAX_MAINTAINERS = 30
"""Names of one MAINTAINERS file: a longer list thanks contributors."""

PATTERNS = ("CODEOWNERS", "OWNERS", "MAINTAINERS", "MAINTAINERS.md", "MAINTAINERS.txt", "MAINTAINERS.rst")

_HANDLE = re.compile(r"(?<![\w/.])@(?P<handle>[A-Za-z0-9][\w-]*(?:/[\w.-]+)?)")
_ADDRESS = re.compile(r"<?(?P<email>[\w.+-]+@[\w-]+\.[\w.-]+)>?")
_NAME = re.compile(r"^[A-Z][\w.'’-]+(?: (?:[a-z]{1,3} )?[A-Z][\w.'’-]*){1,3}$")


def read(file: FileSeen) -> Iterator[Declaration]:
    """Owners, reviewers and maintainers that a file names; nothing of another file."""
    name = PurePosixPath(file.path).name
    if name == "CODEOWNERS":
        yield from _codeowners(file)
    elif name == "OWNERS":
        yield from _owners(file)
    elif name in PATTERNS:
        yield from _maintainers(file)


def _codeowners(file: FileSeen) -> Iterator[Declaration]:
    """Owners by path. The last rule of a path holds, so the file is read from its end."""
    rules: dict[str, tuple[int, tuple[str, ...]]] = {}
    for number, raw in enumerate(file.text.split("\n"), start=1):
        words = raw.split(" #")[0].split()
        if len(words) < 2 or words[0].startswith(("#", "[", "^[")):
            continue
        owners = tuple(word for word in words[1:] if word.startswith("@") or "@" in word)
        if owners:
            rules.pop(words[0], None)
            rules[words[0]] = (number, owners)
    for pattern, (line, owners) in list(rules.items())[-MAX_RULES:]:
        where = "the whole repository" if pattern in {"*", "/", "/**", "**"} else pattern
        yield Declaration(file.path, line, f"owner of {where}", ", ".join(sorted(owners)))


def _owners(file: FileSeen) -> Iterator[Declaration]:
    """Kubernetes' OWNERS: approvers and reviewers of a folder."""
    root = yaml(file.text)
    folder = str(PurePosixPath(file.path).parent).strip(".") or "the whole repository"
    for role in ("approvers", "reviewers"):
        node = root.at(role) if root is not None else None
        names = sorted(node.texts()) if node is not None else []
        if node is not None and 0 < len(names) <= MAX_MAINTAINERS:
            yield Declaration(file.path, node.line, f"{role} of {folder}", ", ".join(names))


def _maintainers(file: FileSeen) -> Iterator[Declaration]:
    """Names of a MAINTAINERS file: a line is a person where it has a handle or an address beside a name."""
    found: list[tuple[int, str, str]] = []
    for number, raw in enumerate(file.text.split("\n"), start=1):
        if raw.lstrip().startswith(("<!--", "http")):
            continue
        line = plain(raw).strip("|-*+•# \t")
        cells = [cell.strip() for cell in re.split(r"[|,(<\[]|\s[-–—:]\s|\s{2,}|:\s", line) if cell.strip()]
        cells = [re.sub(r"^M:\s*", "", cell) for cell in cells]
        handle = _HANDLE.search(line)
        person = next((cell for cell in cells if _NAME.match(cell)), "")
        if person and (handle or _ADDRESS.search(raw)):
            found.append((number, person, f"@{handle['handle']}" if handle else ""))
    if len(found) > MAX_MAINTAINERS:
        return
    for number, name, nick in found:
        yield Declaration(file.path, number, f"maintainer {name}", nick or name)
