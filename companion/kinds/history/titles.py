"""What the title of a commit says, apart from how tools and habits dress it; and what sort of change it names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from companion.language.phrases import opens, parted, places, says
from companion.language.word_lists import listed
from companion.records.sorts import CHANGES_BY_TYPE

_PREFIX = re.compile(
    r"^(?:\s|:[a-z_]+:|\[(?!(?:docs?|tests?|ci)\])[^\]]{1,40}\]:?|[-*+]\s|[^\w\s`'\"(\[<@./$:*!\\-]+|#?\d{2,6}(?:\s*[-:]|\s(?=[a-z])))+"
)
"""Pictures, tags in brackets, a bullet, and the number of what is answered."""
_CONVENTIONAL = re.compile(
    r"^(?P<type>[a-z]{2,10})(?:\((?P<scope>[^)]{1,60})\))?(?P<breaking>!)?:\s+(?=\S)", re.IGNORECASE
)
_SCOPE = re.compile(r"^[A-Za-z0-9_.*/@,{}&-]{1,40}(?: [\w./-]{1,20})?(?P<breaking>!)?:\s+(?=\S)")
_NUMBERED = re.compile(r"^(?P<type>bug|feature|minor|security) #\d+ (?P<text>\S.*?)(?: \([\w.-]+(?:, ?[\w.-]+)*\))?$")
"""How some tools name a merge: sort, number, title and who wrote it: `bug #12 Fix the lexer (anna, ben)`."""
_QUEUED = re.compile(r"^(?:merge )?#?\d+: (?P<text>\S.*?)\s+r=\S+(?:\s+a=\S+)*\s*$", re.IGNORECASE)
"""How a merge queue names a merge: number, title, who reviewed and who wrote it: `12: Fix the lexer r=anna a=ben`."""
_CITED = r"(?:#|GH-)\d+"
_TAIL = re.compile(
    rf"(?:(?<![\s,.;:–—-])[\s,.;:–—-]*+(?:[\[(][^\])]*(?:{_CITED}|\bci\b|\bthanks?\b|\bby\b)[^\])]*[\])]"
    rf"|(?<=[\s,.;])(?:(?:and |also )?(?:fix|clos|resolv|ref|see|address|implement)\w* )?"
    rf"(?:for |of |in |from )?(?:the )?(?:issues? |bugs? |tickets? )?{_CITED}))+[\s.]*$",
    re.IGNORECASE,
)
"""Numbers of requests and issues at the end, and thanks: `(#12). Fixes #11.`"""
_ADDRESS = re.compile(r"[\s,;:(-]*https?://\S+\)?$")
WORDS_LEAST = 2
"""Words of a title before which nothing is taken from its end."""

_OF_A_FILE = re.compile(r"^(?:update|create|edit) \S+\.\w+$|\.(?:md|rst|txt|ya?ml|toml|cfg)\b", re.IGNORECASE)
"""A title that speaks of a file which is no source."""
_CLAUSE_END = re.compile(r"[,;:]|\s[-–—(]")
_SAYING = re.compile(r"[^\W\d_]{3,}")
_RELEASE = re.compile(r"(?:release|version|bump)? ?v?\d++\.\d++(?:[.+-]?[a-z\d]++)*+", re.IGNORECASE)
_ADVISORY = re.compile(r"\bCVE-\d{4}-\d{4,}|\bGHSA(?:-\w{4}){3}\b", re.IGNORECASE)
SECURITY_FIX = "security fix"
"""What stands in a title for the number of an advisory that nothing names."""


class Bare(NamedTuple):
    """A title without its dress; the type is lower case, empty where there is none."""

    text: str
    type: str = ""
    breaking: bool = False


@lru_cache(maxsize=65_536)
def bare_title(title: str) -> Bare:
    """What a title says, apart from pictures, tags, type and scope, and the numbers at its end."""
    if found := _NUMBERED.match(title):
        return Bare(found["text"], found["type"])
    text = shown_title(title)
    if (found := _CONVENTIONAL.match(text)) and found["type"].lower() in CHANGES_BY_TYPE:
        return Bare(text[found.end() :], found["type"].lower(), bool(found["breaking"]))
    if found := _SCOPE.match(text):
        return Bare(text[found.end() :], "", bool(found["breaking"]))
    return Bare(text)


def shown_title(title: str) -> str:
    """A title as it is told: with its type and scope, without pictures, tags, numbers and thanks."""
    if found := _QUEUED.match(title) or _NUMBERED.match(title):
        title = found["text"]
    text = _PREFIX.sub("", title.strip())
    for tail in (_TAIL, _ADDRESS):
        shorter = tail.sub("", text)
        text = shorter if len(shorter.split()) >= WORDS_LEAST else text
    return " ".join(text.split()).rstrip(" :") or title.strip()


def plain_title(text: str) -> str:
    """A title for comparing: bare, lower case, single spaces."""
    return " ".join(bare_title(text).text.lower().rstrip(".").split())


def sort_of(title: str) -> str:
    """The sort of change a title names, see `Episode.change`; empty where it names none.

    It is that of the verb a title begins with, else of the last word of what it is about: `Memory leak in the parser`;
    a dotted name is none (`Bump com.fasterxml.jackson`). A title that is nothing but a version (`4.62.5`) is that of a
    release.
    """
    bare = bare_title(title)
    if bare.type or _RELEASE.fullmatch(title.strip()):
        return CHANGES_BY_TYPE[bare.type or "release"]
    about = parted(_CLAUSE_END.split(bare.text)[0], "written.about_ends")[0]
    last = about.rpartition(" ")[2]
    ended = "" if "." in last.strip(".") else f"- {last}"
    by_verb = (sort for sort in listed("written")["change"] if opens(bare.text, f"written.change.{sort}"))
    by_noun = (sort for sort in listed("written")["change"] if says(ended, f"written.change.{sort}"))
    return next(by_verb, next(by_noun, ""))


def is_housekeeping(title: str) -> bool:
    """Whether a title speaks of nothing that whoever uses or changes the code has to know."""
    bare = bare_title(title)
    kept = CHANGES_BY_TYPE.get(bare.type, "") in {"chore", "docs", "test"}
    idle = [bare.text[start:end] for start, end in places(bare.text, "written.weakness", "written.about_ends")]
    said = len(_SAYING.findall(bare.text)) - len(_SAYING.findall(" ".join(idle)))
    tells_nothing = said < 2 and not advisory_in(bare.text)
    return kept or tells_nothing or says(bare.text, "written.housekeeping") or _OF_A_FILE.search(bare.text) is not None


def advisory_in(text: str) -> str:
    """The first number of an advisory that a text names; empty without one."""
    found = _ADVISORY.search(text)
    return found[0] if found else ""
