"""Guides for contributors: the documents they send people to, and what their paragraphs ask a change to bring along.

A change brings a test, documentation, a note for the next release, types, a name in the list of authors, or a way that
stays compatible. A paragraph asks for one of them by a verb of bringing that governs it (`include one or more tests`,
`PR should have: Test case`) or by what is done to it (`tests are added`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping

LINKED_MOST = 12
"""Documents followed from one guide: those that link to more are tables of contents."""
URL_PARTS = 2
"""Last parts of an address that a file of the repository must end in, for the page to be made from that file."""

_BRINGS = (
    r"(?:adds?|includes?|writes?|updates?|provides?|creates?|contains?|accompanied|extend|adapt|modify|ha(?:s|ve)|needs?"
    r"|requires?|keep|put|contribute|record|describe|mention|list)"
)
_BROUGHT = r"(?:added|included|updated|written|provided|created|required|needed|mandatory)"
_GAP, _WIDE_GAP = r"(?:[^\w.!?;]+\w+){0,6}?[^\w.!?;]+", r"(?:[^\w.!?;]+\w+){0,9}?[^\w.!?;]+"
_DUTY = (
    r"(?:must|shall|should|never|do(?:es)? not|don['’]t|(?<!to )avoid|ensure|make sure|needs?|requires?|keep|remain"
    r"|please)"
)
_BEGINS = r"(?:^|[:.!)] )(?:please |(?:i|we|you)(?:['’]ve| have) |(?:have|did) you )?"


def _asked_for(what: str, otherwise: str = "(?!)") -> re.Pattern[str]:
    """A paragraph that asks for something: the verb before it, the participle behind it, or some other way."""
    return re.compile(
        rf"(?:(?<![\w-]){_BRINGS}|{_BEGINS}{_BROUGHT}){_GAP}(?:{what})\b"
        rf"|\b(?:{what})\b{_GAP}{_BROUGHT}\b|{otherwise}",
        re.IGNORECASE,
    )


BROUGHT_ALONG: Mapping[str, re.Pattern[str]] = {
    "tests": _asked_for(
        r"tests?|test[ -]?cases?|regression tests?",
        r"\b(?:must|should|to) be (?:\w+ )?(?:tested|covered)\b|\b(?:is|are)\b[^.?]*\btested\b[^.?]*\?",
    ),
    "note": _asked_for(
        r"change ?log\w*|news ?fragment|news file|release notes?|change notes?|history\.\w+|changes\.\w+"
    ),
    "documents": _asked_for(
        r"docs?|documentation|docstrings?",
        r"\b(?:must|should|shall|to) be documented\b|(?<![\w/])document(?:ed)? (?:it|any|all|the|your)\b",
    ),
    "compatibility": re.compile(
        rf"\b{_DUTY}{_WIDE_GAP}(?:backwards?.compatib\w+|deprecat\w+|breaking changes?)\b"
        rf"|\b(?:deprecat\w+|breaking changes?)\b{_WIDE_GAP}{_DUTY}\b",
        re.IGNORECASE,
    ),
    "types": _asked_for(r"typings|type (?:definitions?|declarations?|hints?|annotations?|stubs?)"),
    "names": _asked_for(r"(?-i:AUTHORS|CONTRIBUTORS|CREDITS)(?:\.\w+)?"),
}
"""What a change brings along, by sort, what a reviewer misses first before the rest, and how it is asked for."""

_ORDERS = re.compile(rf"{_BEGINS}(?:{_BRINGS}|{_BROUGHT}|document|deprecate)\b", re.IGNORECASE)
"""A sentence that begins with what is to be done, or was to be done."""
_CHANGE = re.compile(
    r"\b(?:change|feature|bug|(?:bug ?)?fix|contribution|patch|pull request|PR|modification|functionality)(?:e?s)?\b",
    re.IGNORECASE,
)

_GENERAL = re.compile(
    r"\b(?:tests?|testing|docs|documentation|changelogs?|release notes|compatibility|contribut\w+|develop\w*"
    r"|guidelines?|rules?|conventions?|checklist|principles?|style|standards?|instructions?|requirements?|code|coding"
    r"|quality|submit\w*|workflow|working on the project)\b|^(?:more|general|notes?|important)$",
    re.IGNORECASE,
)
"""Headings of what holds for all work: kinds of work and of guides, no things of the project."""
_CHANGES = re.compile(r"(?:changes?|changelog|history|news|releases?)\b", re.IGNORECASE)
"""How documents are called that tell what changed."""
_TEMPLATE = re.compile(r"pull_request_template", re.IGNORECASE)
_LINKS = re.compile(
    r"\]\((?P<markdown>[^)\s]{1,500})\)|^[ \t]*\[[^\]\n]{1,200}\]:\s{0,9}(?P<defined>\S{1,500})"
    r"|`[^`<]{0,200}<(?P<rst>[^>\s]{1,500})>`_|:doc:`(?:[^`<]{0,200}<)?(?P<doc>[^`>]{1,500})"
    r"|(?P<bare>https?://[^\s)>\]]+)|`(?P<code>[\w./-]{1,200}\.(?:md|rst|adoc))`",
    re.MULTILINE,
)
_ENDINGS = (".md", ".rst", ".txt", ".adoc")
DOCUMENTS = tuple(f"*{ending}" for ending in _ENDINGS)
"""Prose, as gitignore-style patterns."""


def brought_along(text: str, path: str) -> frozenset[str]:
    """The sorts of `BROUGHT_ALONG` that a paragraph of the document at `path` asks a change for.

    It must speak of a change or begin with what is to be done, and not be a question, but in the template of a request.
    """
    of_request = _TEMPLATE.search(path) is not None
    if not of_request and ("?" in text or not (speaks_of_change(text) or _ORDERS.search(text))):
        return frozenset()
    return frozenset(sort for sort, asked in BROUGHT_ALONG.items() if asked.search(text))


def concerns_everyone(heading: str) -> bool:
    """Whether what stands under a heading holds for whoever changes anything: it names no thing of its own."""
    return speaks_of_change(heading) or _GENERAL.search(heading) is not None


def speaks_of_change(text: str) -> bool:
    """Whether a text speaks of a change to the project, or of the request that brings it."""
    return _CHANGE.search(text) is not None


def is_document(path: str) -> bool:
    """Whether a path is that of prose."""
    return path.lower().endswith(_ENDINGS)


def _is_told(path: str) -> bool:
    """Whether a document may tell people how to work: what changed is told in another."""
    return is_document(path) and not _CHANGES.match(posixpath.basename(path))


def linked_documents(text: str, path: str, documents: Collection[str]) -> Iterator[str]:
    """Those of some documents that the one at `path` links to, in order, at most `LINKED_MOST`.

    A link is relative to the document or to the root; an address on the web counts where a document's path, without
    its ending, ends as the address does (a page that is made from it).
    """
    pages: dict[str, list[str]] = {}
    for one in filter(_is_told, documents):
        pages.setdefault(_tail(one) or one, []).append(one)
    found: dict[str, None] = {}
    for link in _LINKS.finditer(text):
        target = re.split(r"[?#]", next(filter(None, link.groups()), ""))[0]
        if "://" in target:
            found |= dict.fromkeys(pages.get(_tail(target.partition("://")[2].partition("/")[2].strip("/")), ()))
        else:
            found |= dict.fromkeys(one for one in _meant(target, path) if one in documents and _is_told(one))
    yield from [one for one in found if one != path][:LINKED_MOST]


def _meant(target: str, path: str) -> Iterator[str]:
    """The paths that a target within the repository may mean."""
    for base in (posixpath.dirname(path), ""):
        whole = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
        yield from (whole, *(f"{whole}{ending}" for ending in _ENDINGS))


def _tail(path: str) -> str:
    """The last parts of a path, without the ending of its name; empty for one of fewer parts."""
    parts = posixpath.splitext(path)[0].split("/")
    return "/".join(parts[-URL_PARTS:]) if len(parts) >= URL_PARTS else ""
