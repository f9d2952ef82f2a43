"""Commit messages and notes as people mean them: without trailers, quotes, templates and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.DOTALL | re.MULTILINE)
_NUMBERED = r"(?:[^\s#]{0,80}#\d+|gh-\d+|https?:\S+|[A-Z]+-\d+|[0-9a-f]{7,40})"
_TRAILER = re.compile(
    r"^\s*(?:[A-Za-z]\w*(?:-[A-Za-z]+)*-(?:by|to|id|from|url|link|request|message|on)|cc|link|url|pr|changelog|ticket"
    r"|jira|release note)\s*:\s.*$"
    r"|^\s*(?:(?:refs?|fix(?:e[sd])?|clos(?:e[sd]?)|resolv(?:e[sd]?)|see(?: also)?|related(?: to)?|bug|issues?|part of"
    r"|pull request|follow-?up(?: to| of)?|xref|address(?:es)?|ticket|gh)[\s:]+){1,3}"
    rf"{_NUMBERED}(?:(?:,|\s|\band\b|\bissue\b|\bpr\b)+{_NUMBERED})*[\s.,)]*$"
    r"|^\s*(?-i:[A-Z][A-Z0-9_]{3,})=\S*\s*$",
    re.IGNORECASE,
)
_CITES = re.compile(
    r"(?:^|(?<=[.;,!?)\s]))[(\[-]?\s*(?:this |also |it |which |and |that ){0,3}"
    r"(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see|address(?:es)?|related to|references?|re)\s*:?\s*"
    r"(?:issues? |tickets? |bug |pr )?(?:\w+/\w+)?(?:#|gh-)\d+(?:(?:,| and| &|, and)\s*(?:#|gh-)\d+)*[)\]]?\.?"
    r"(?=\s|$|[.,;])",
    re.IGNORECASE,
)
_ROBOT = re.compile(
    r"^\s*(?:\(cherry picked from commit|🤖|generated with|\[skip ci\]|\[ci skip\]|dependabot|this pull request was"
    r"|git-subtree|---+\s*$|\.\.\.\s*$|updated-dependencies:|bumps? \[|bumps \S+ from \d|- dependency-name:"
    r"|dependency-type:|for more information,? see|commit history before merg"
    r"|this (?:pr|pull request|merge request) (?:was|has been) (?:squashed|merged|submitted|rebased|automatically)\b)",
    re.IGNORECASE,
)
_CHECKBOX = re.compile(r"^\s*[-*+]\s*\[[ xX]?\]")
_QUOTED = re.compile(r"^\s*(?:>|On .{5,80} wrote:\s*$)")
_CONVERTED = re.compile(r"^(?:--HG--|git-svn-id:|svn path=|darcs-hash:|bzr revid:|\(?converted from )", re.MULTILINE)
"""What a tool that moved a history between systems left at the end of its messages."""
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+\S|\*\*[^*]+\*\*:?\s*$|[=\-~^*]{3,}\s*$)")
_TRACE = re.compile(r"^\s*(?:==\d+==|#\d+ +0x|(?:at|by) 0x[0-9a-f]+:|commit [0-9a-f]{40}\s*$|(?:author|date):\s+\S)")
"""A line of a debugger, of a memory checker, or that heads a commit in a log."""
_NOISE_LINE = re.compile(
    "|".join(f"(?:{part.pattern})" for part in (_TRAILER, _ROBOT, _CHECKBOX, _QUOTED, _HEADING, _TRACE)), re.IGNORECASE
)
_BULLET = re.compile(r"^\s*(?:(?:[-*+•]|\d{1,2}[.)])\s+)+")
_OPEN_FENCE = re.compile(r"(?:```|~~~)[^`~]*\Z")
_CODE_LINE = re.compile(r"^(?: {4}|\t)\s*\S")
"""A line set in as code; where it goes on with a list it is text."""
_WAS_ADDRESS = "\u2063"
"""Stands where a web address stood until the sentence is judged; no message has this invisible sign."""
_POINTER = re.compile(
    r"(?:^|(?<=[.!?,;]) |(?<=^-) )[^.!?,;\u2063]{0,60}?\b(?:see(?: also)?|at|from|from here|here|via|in|"
    r"references?|ref|discussion|discussed|details|information|info|docs|source|link|issue|pr|partially|by)\b[\s:(<\[]*\u2063[)\]>.]*"
    r"|^(?:- )?[\w ]{0,30}:?\s*\u2063[.)]*$",
    re.IGNORECASE,
)
"""What only points to an address: it says nothing once that is gone."""
_HOLE = re.compile(
    r"\b(?:of|from|with|by|in|at|on|to|the|a|an|via|like|per|as|this|that|than|using|for)\s+\u2063"
    r"|^(?:- )?\u2063\s*(?-i:[a-z])",
    re.IGNORECASE,
)
"""An address that was a word of its sentence, or what it speaks of."""
_EMPTY = re.compile(r"(?<!\s)\s++[(\[](?:see|ref|cf|from|via|in|at|by)?[\s.:]*[)\]]", re.IGNORECASE)
"""Brackets that held nothing but an address."""
_LEADS = re.compile(
    r"[:,]$|\b(?:like|as|with|the following|following|below)$|\b(?:like this|as follows)\b[^.!?]*$", re.IGNORECASE
)
"""How a sentence ends that the code below it completes."""
_LABEL = re.compile(
    r"^(?:- )?[\w' -]{1,40}:$|^(?:- )?(?:before|after|partially|see|reference|discussion)\W*$", re.IGNORECASE
)
"""A line that only announces what was left out: `Before:`."""
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_ADDRESS = re.compile(r"<?\b(?:https?|ftp|git)://[^\s>)]+>?")
_TAGS = re.compile(
    r"</?(?:p|br|hr|div|span|details|summary|b|i|em|strong|code|pre|ul|ol|li|a|img|table|tr|td|th|h\d|sup|sub)\b[^>]*>",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])([\"')\]`]*)\s+(?=[\"'(\[`]*[A-Z0-9`@_])")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|No|St|Mr|Dr)\.)$")
_SPACES = re.compile(r"[ \t]+")

NARRATIVE_CHARS = 1_600
"""Characters kept of a message body: some 400 tokens, longer ones are essays or pasted output."""


def narrative(body: str, limit: int = NARRATIVE_CHARS) -> str:
    """What a message body tells, paragraph by paragraph, cut at a sentence to about `limit` characters.

    Trailers, sign-offs, quoted mail, HTML comments, check lists of templates, headings and web
    addresses are left out; the lines of a paragraph are joined, bullets keep a dash.
    """
    if found := _CONVERTED.search(body):
        body = body[: found.start()]
    if not body.strip():
        return ""
    paragraphs = (p for p in map(without_citations, _paragraphs(_without_markup(body[: 8 * limit]))) if p)
    kept: list[str] = []
    length = 0
    for paragraph in paragraphs:
        if length + len(paragraph) > limit:
            rest = _cut(paragraph, limit - length)
            if rest:
                kept.append(rest)
            break
        kept.append(paragraph)
        length += len(paragraph) + 1
    return "\n".join(kept)


def without_citations(text: str) -> str:
    """A line without `fixes #12` and its like, which stand among the artifacts."""
    if "#" not in text and "gh-" not in text.lower():
        return text
    left = _SPACES.sub(" ", _CITES.sub("", text)).rstrip(" ,;-(").lstrip()
    return left if any(c.isalpha() for c in left) else ""


def _without_markup(text: str) -> str:
    if "<" in text:
        text = _TAGS.sub(" ", _COMMENT.sub(" ", text))
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "```" in text or "~~~" in text:
        text = _OPEN_FENCE.sub("", _FENCE.sub("\n", text))
    return _ADDRESS.sub(_WAS_ADDRESS, text) if "://" in text else text


def _paragraphs(text: str) -> list[str]:
    done: list[str] = []
    lines: list[str] = []

    def flush() -> None:
        if lines:
            done.append(_SPACES.sub(" ", " ".join(lines)).strip())
            lines.clear()

    def shown() -> None:
        if done and _LEADS.search(done[-1]):
            done[-1] = " ".join(split_sentences(done[-1])[:-1])

    for raw in text.replace("\r\n", "\n").split("\n"):
        line = raw.rstrip()
        code = bool(_CODE_LINE.match(line)) and not _goes_on(line, lines)
        if not line.strip() or noise_line(line) or code:
            flush()
            if code:
                shown()
        elif _BULLET.match(line):
            flush()
            lines.append("- " + _BULLET.sub("", line))
        else:
            lines.append(line.strip())
    flush()
    told = (_without_pointers(p) for p in done)
    return [p for p in told if any(c.isalpha() for c in p) and not _LABEL.match(p)]


def _goes_on(line: str, open_: list[str]) -> bool:
    """Whether a line set in belongs to a list, as an item or as what follows one."""
    return bool(_BULLET.match(line)) or bool(open_ and open_[0].startswith("- "))


def _without_pointers(paragraph: str) -> str:
    """A paragraph without its addresses, what only points to them, and sentences that are broken without them."""
    if _WAS_ADDRESS not in paragraph:
        return paragraph
    kept = (_without_hole(sentence) for sentence in split_sentences(paragraph))
    return _SPACES.sub(" ", " ".join(sentence for sentence in kept if sentence)).strip()


def _without_hole(sentence: str) -> str:
    """A sentence without its addresses; empty where one was a word of it: `The fix from ... works`."""
    if _WAS_ADDRESS not in sentence:
        return sentence
    left = _POINTER.sub("", sentence).strip()
    if (left != sentence and left[:1].islower() and not sentence[:1].islower()) or _HOLE.search(left):
        return ""
    return _EMPTY.sub("", left.replace(_WAS_ADDRESS, "")).strip()


def noise_line(line: str) -> bool:
    """Whether a line is a trailer, a robot's signature, a quoted line, a heading or an unfilled box."""
    return _NOISE_LINE.match(line) is not None


def _cut(paragraph: str, limit: int) -> str:
    kept = ""
    for sentence in split_sentences(paragraph):
        if len(kept) + len(sentence) > limit:
            break
        kept = f"{kept} {sentence}".strip()
    return kept


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, line by line; a bullet is a sentence; empty ones left out."""
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            yield from split_sentences(stripped)


def split_sentences(line: str) -> list[str]:
    """One line cut into sentences; abbreviations do not end one."""
    pieces: list[str] = []
    ends = [(found.end(1), found.end()) for found in _SENTENCE.finditer(line)]
    starts = [0, *(after for _, after in ends)]
    for piece in (line[start:end] for start, (end, _) in zip(starts, [*ends, (len(line), 0)], strict=True)):
        if pieces and _ABBREVIATION.search(pieces[-1]):
            pieces[-1] = f"{pieces[-1]} {piece}"
        elif piece.strip():
            pieces.append(piece.strip())
    return pieces
