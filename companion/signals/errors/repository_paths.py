"""Where a path that an error names lies in the repository.

An error may name a file by its path on another machine, in a container, in a bundle, or by its bare
name. The longest run of equal last parts decides, if it decides alone: a wrong file is worse than
none. A path inside a package folder or a standard library is ours only if everything below that
folder is (a project that is installed and run from there).
"""

from __future__ import annotations

import re
from collections.abc import Collection

_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]+:/{2,3}|webpack:|[a-z-]+://)", re.IGNORECASE)
_HOST = re.compile(r"^https?://[^/]*/", re.IGNORECASE)
_BUNDLER = re.compile(r"^(?:webpack[\w-]*|ng|rollup|turbopack|app)://[^/]*/", re.IGNORECASE)
_LAYER = re.compile(r"^\((?:rsc|ssr|app-pages-browser|middleware|api|instrument|action-browser|[\w-]+-browser)\)/")
_QUERY = re.compile(r"[?#][^/]*$")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_LIBRARY = re.compile(
    r"(?:^|.*/)(?:site-packages|dist-packages|node_modules|lib/python\d[\d.]*|lib/ruby/\S*?gems/[\w.-]+"
    r"|gems/\d[\d.]*/gems|registry/src/[^/]+|git/checkouts/[^/]+/[^/]+|pkg/mod|rustc/[0-9a-f]+"
    r"|library/std|usr/include|usr/lib|go\d?[\d.]*/src(?=/[^/.]+/))/(.*)$"
)
_VERSION = re.compile(r"^([^/]*?)[-@]v?\d[^/]*/")


class Places:
    """The paths of a repository, ready to be matched against paths of elsewhere."""

    def __init__(self, paths: Collection[str]) -> None:
        self._by_name: dict[str, list[list[str]]] = {}
        for path in sorted(paths):
            parts = path.split("/")[::-1]
            self._by_name.setdefault(parts[0], []).append(parts)

    def locate(self, named: str) -> str:
        """The repository path that a named one means; '' if it means none, or one of several."""
        path = cleaned(named)
        if not path or path.startswith("<"):
            return ""
        library = _LIBRARY.match(path)
        if library:
            inner = _VERSION.sub(r"\1/", library.group(1))
            return self._best(inner, whole=True) if "/" in inner else ""
        return self._best(path, whole=False)

    def _best(self, path: str, whole: bool) -> str:
        parts = [part for part in path.split("/") if part not in ("", ".")][::-1]
        if not parts:
            return ""
        ranked: list[tuple[int, bool, str]] = []
        for candidate in self._by_name.get(parts[0], ()):
            shared = _shared(parts, candidate)
            entire = shared in (len(candidate), len(parts))
            if (shared == len(parts)) if whole else (entire or shared > 1):
                ranked.append((shared, shared == len(candidate), "/".join(candidate[::-1])))
        ranked.sort(reverse=True)
        if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
            return ""
        return ranked[0][2]


def cleaned(named: str) -> str:
    """A path without scheme, host, bundler's prefix, query or drive, with forward slashes."""
    path = named.strip().strip("\"'")
    if _DRIVE.match(path) or ("\\" in path and "/" not in path):
        path = path.replace("\\", "/")
    for prefix in (_HOST, _BUNDLER, _SCHEME):
        path = prefix.sub("", path, count=1)
    path = _LAYER.sub("", path)
    path = _QUERY.sub("", path)
    if _DRIVE.match(path):
        path = path[2:]
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] not in ("", ".."):
            parts.pop()
        elif part not in (".", ".."):
            parts.append(part)
    return "/".join(parts)


def _shared(parts: list[str], candidate: list[str]) -> int:
    count = 0
    for left, right in zip(parts, candidate, strict=False):
        if left != right:
            break
        count += 1
    return count
