"""Guides for contributors: the documents they send people to, and what their paragraphs ask a change to bring along.

A change brings a test, documentation, a note for the next release, types, a name in the list of authors, or a way that
stays compatible. A paragraph asks for one of them by a verb of bringing that governs it (`include one or more tests`,
`PR should have: Test case`) or by what is done to it (`tests are added`). It also comes with what had to be told of an
assistant's part in it, and after the talk that a project asks for first.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence

from companion.language.phrases import governs, opens, says
from companion.language.word_lists import DENIALS, listed

LINKED_MOST = 12
"""Documents followed from one guide: those that link to more are tables of contents."""
URL_PARTS = 2
"""Last parts of an address that a file of the repository must end in, for the page to be made from that file."""

_LISTS = "written.bringing"
BROUGHT_ALONG = ("tests", "note", "assistants", "documents", "compatibility", "types", "names", "talk")
"""What a change brings along, by sort, what a reviewer misses first before the rest."""
DUTY = "written.rules.duty"
"""What makes a duty of a sentence."""
_BY_SENTENCE = {
    "assistants": ((f"{_LISTS}.assistants",), (f"{_LISTS}.accepts", DUTY)),
    "talk": ((f"{_LISTS}.first",), (f"{_LISTS}.agreeing",), (f"{_LISTS}.agreed",), (DUTY,)),
}
"""What one sentence must say at once to ask for it."""
_PART = re.compile(r"(?<=[:.!)]) ")
_WORD = re.compile(r"[a-z']+")
_CHANGES = re.compile(r"(?:changes?|changelog|history|news|releases?)\b", re.IGNORECASE)
"""How documents are called that tell what changed."""
_TEMPLATE = re.compile(r"pull_request_template", re.IGNORECASE)
_LINKS = re.compile(
    r"\]\((?P<markdown>[^)\s]{1,500})\)|^[ \t]*\[[^\]\n]{1,200}\]:\s{0,9}(?P<defined>\S{1,500})"
    r"|`[^`<]{0,200}<(?P<rst>[^>\s]{1,500})>`_|:doc:`(?:[^`<]{0,200}<)?(?P<doc>[^`>]{1,500})"
    r"|(?:link|xref):(?P<asciidoc>[^\s\[\]]{1,500})\["
    r"|(?P<bare>https?://[^\s)>\]\[]+)|`(?P<code>[\w./-]{1,200}\.(?:md|rst|adoc))`",
    re.MULTILINE,
)
_ENDINGS = (".md", ".rst", ".txt", ".adoc")
DOCUMENTS = tuple(f"*{ending}" for ending in _ENDINGS)
"""Prose, as gitignore-style patterns."""
READMES = ("/README", *(f"/README{ending}" for ending in _ENDINGS))
"""What a project says of itself first, as gitignore-style patterns."""


def brought_along(text: str, path: str) -> frozenset[str]:
    """The sorts of `BROUGHT_ALONG` that a paragraph of the document at `path` asks a change for.

    It must speak of a change or begin with what is to be done, and not be a question, but in the template of a request.
    What is said of the case that something is not so (`If no tests are needed, ...`) is asked of no other.
    """
    of_request = _TEMPLATE.search(path) is not None
    parts = [part for part in _PART.split(text) if not _is_of_denied_case(part)]
    text = " ".join(parts)
    said = {
        sort for sort in _BY_SENTENCE if any(all(says(part, *each) for each in _BY_SENTENCE[sort]) for part in parts)
    }
    ordered = speaks_of_change(text) or any(opens(part, f"{_LISTS}.brings", f"{_LISTS}.begins") for part in parts)
    if not of_request and ("?" in text or not ordered):
        return frozenset(said)
    return frozenset(said.union(sort for sort in listed("written")["bringing"]["what"] if _asks_for(sort, text, parts)))


def _is_of_denied_case(part: str) -> bool:
    """Whether a sentence begins with a condition that denies something: `If your change has no effect on users,`."""
    condition, comma, _ = part.replace("’", "'").lower().partition(",")
    denied = any(word in DENIALS or word.endswith("n't") for word in _WORD.findall(condition))
    return bool(comma and denied) and opens(part, "written.rules.condition") > 0


def _asks_for(sort: str, text: str, parts: Sequence[str]) -> bool:
    """Whether a paragraph asks for something: the verb before it, the participle behind it, or in some other way."""
    what = (f"{_LISTS}.what.{sort}",)
    verbs, done = ("duty", "duty") if sort == "compatibility" else ("brings", "brought")
    if governs(text, (f"{_LISTS}.{verbs}",), what) or governs(text, what, (f"{_LISTS}.{done}",)):
        return True
    otherwise = [f"{_LISTS}.otherwise.{sort}"] if sort in listed("written")["bringing"]["otherwise"] else []
    return any(governs(part, (f"{_LISTS}.begins",), what) or (otherwise and says(part, *otherwise)) for part in parts)


def concerns_everyone(heading: str) -> bool:
    """Whether what stands under a heading holds for whoever changes anything: it names no thing of its own."""
    return says(heading, f"{_LISTS}.change", f"{_LISTS}.general")


def speaks_of_change(text: str) -> bool:
    """Whether a text speaks of a change to the project, or of the request that brings it."""
    return says(text, f"{_LISTS}.change")


def speaks_of_assistants(text: str) -> bool:
    """Whether a text speaks of programs that write for people."""
    return says(text, f"{_LISTS}.assistants")


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
