"""Text from files and memories made harmless: it stays data, whatever it says.

Nothing that is shown may end a tag or fence of ours, look like one of our headings, or hide from the
eye. Everything invisible or unprintable goes; what our own markup is made of is escaped.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Mapping

_ANSI = re.compile(r"\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Controls, zero-width and bidirectional marks, variation selectors and the tag characters that can
carry text nobody sees."""
_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_HARMFUL = re.compile("|".join((_LINE_ENDS.pattern, _INVISIBLE.pattern, _BROKEN.pattern)))
"""Any of the above, so that the usual text is looked at once. Every ANSI sequence begins with a control."""
_OURS = "context|critical|relevant|background|index|group|item|now"
_OUR_TAGS = re.compile(rf"<(?=\s*(?:/\s*)?(?:{_OURS}|{_OURS.upper()})\b)")
"""Ours are written small; `Vec<Index>` and `<Item>` of a component are names of their own."""
_SPEAKER = r"<(?=\s*(?:system|assistant|user|human|developer|instructions?|tools?|functions?)(?:[_-]\w+)*[\s>])"
_SPEAKERS = re.compile(rf"{_SPEAKER}|(?<!\w)(?i:{_SPEAKER})")
"""Tags by which hosts tell who speaks; behind a word a capital makes it a type's argument, as in `List<User>`."""
_TAG = re.compile(r"<\s*(?:(/)\s*)?([a-z_][\w:.-]*)([^<>]*)(>?)", re.I)
_LOOKS_LIKE_MARKUP = re.compile(r"^(\s*)(?=#{1,6}(?:\s|$)|>|~~~|[=-]{2,}\s*$|<|\|)")
_OUR_HEADINGS = re.compile(
    r"^(?=[^\S\n]*+#{1,6}[^\S\n]*+(?:context|critical|relevant|background|index)\b)", re.I | re.M
)
_FENCE = re.compile(r"`{3,}")
_TICKS = re.compile(r"`+")
_SPACE = re.compile(r"\s+")
_MARKS = re.compile(r"[\\`*\[\]<~&@|]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\.|(?<= )#(?=#*$)")
"""Signs that Markdown or its extensions give a meaning within a line or at its end."""
_STARTS = re.compile(r"^(?:(\d{1,9})(?=[.)])|(?=[>+=-]|#+(?: |$)))")
"""Signs, and numbers of lists, that mean something to Markdown at the start of a line."""
ATTRIBUTE_CHARS = 260
"""Paths are opened by what is shown of them: the longest that Windows takes is whole."""
_MARKUP_BEGINS = frozenset("#>~=-<|")
"""What a line that looks like markup begins with, after spaces."""


def visible_text(text: str) -> str:
    """The text with only what can be seen: no controls, escapes, marks without width or broken characters.

    Line ends become newlines; tabs stay; lone surrogates become U+FFFD.
    """
    if _is_plain(text) or _HARMFUL.search(text) is None:
        return text
    text = _ANSI.sub("", text)
    text = _LINE_ENDS.sub("\n", text)
    return _BROKEN.sub("\ufffd", _INVISIBLE.sub("", text))


def one_line(text: str, limit: int) -> str:
    """The text cleaned and put on one line; past `limit` characters it ends in `…`."""
    return shortened((text if _is_plain_line(text) else _SPACE.sub(" ", visible_text(text))).strip(), limit)


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters of a text; one that is longer ends in `…`, behind a whole word where one ends late."""
    end = text.rfind(" ", 0, limit)
    return text if len(text) <= limit else text[: end if 2 * end > limit else limit - 1].rstrip() + "…"


def markdown_literal(text: str, limit: int = sys.maxsize) -> str:
    """A text on one line that Markdown shows as it is: no link, image, heading, list or tag; cut as by `one_line`."""
    return _STARTS.sub(r"\1\\", _MARKS.sub(r"\\\g<0>", one_line(text, limit)))


def markdown_name(text: str) -> str:
    """A path or name as code, whatever is in it; a backtick in it cannot end it."""
    return f"`{one_line(text, sys.maxsize).replace('`', 'ˋ')}`"


def markdown_inline(text: str) -> str:
    """A single line that cannot open a fence, spell one of our tags or end anybody's."""
    if "`" in text:
        text = _FENCE.sub(lambda run: "\\`" * len(run.group()), text)
    return _untagged(text)


def _untagged(text: str) -> str:
    """A text without tags of ours or of speakers, and without the end of any tag that it did not begin itself."""
    if "<" not in text:
        return text
    begun: Counter[str] = Counter()

    def shown(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        if not tag[1]:
            begun[name] += bool(tag[4]) and not tag[3].endswith("/")
            return tag[0]
        if not begun[name]:
            return f"&lt;{tag[0][1:]}"
        begun[name] -= 1
        return tag[0]

    return _TAG.sub(shown, _SPEAKERS.sub("&lt;", _OUR_TAGS.sub("&lt;", text)))


def fence_for(text: str) -> str:
    """A line that a text cannot contain, to stand before and behind it: it is made of the text's own digest."""
    return f"=== {hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]} ==="


def as_message(text: str) -> str:
    """A message of ours with what somebody named in it: all of it can be seen, and nothing in it is a tag."""
    return markdown_inline(visible_text(text))


def markdown_text(text: str, indent: str) -> str:
    """Prose under a list item: later lines indented, none of them a heading, rule, quote or fence."""
    lines = (line.rstrip() for line in markdown_inline(visible_text(text)).strip().split("\n"))
    kept = [_defused(line) for line in lines if line]
    return f"\n{indent}".join(kept)


def _defused(line: str) -> str:
    return _LOOKS_LIKE_MARKUP.sub(r"\1\\", line) if line.lstrip()[:1] in _MARKUP_BEGINS else line


def markdown_code(code: str, language: str) -> str:
    """Code in a fence longer than any run of backticks inside."""
    code = visible_text(code).strip("\n")
    code = _untagged(code)
    if "#" in code:
        code = _OUR_HEADINGS.sub(" ", code)
    fence = "```"
    if "`" in code:
        fence = "`" * max(3, 1 + max(len(run) for run in _TICKS.findall(code)))
    info = "".join(c for c in language if c.isalnum() or c in "+#-")
    return f"{fence}{info}\n{code}\n{fence}"


def markdown_span(text: str) -> str:
    """A name in backticks; one that has backticks itself is escaped instead."""
    plain = _untagged(text)
    return plain.replace("`", "\\`") if "`" in plain else f"`{plain}`"


def xml_text(text: str) -> str:
    """Character data of an element."""
    return visible_text(text).replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def xml_attribute(text: str) -> str:
    """The inside of a double-quoted attribute, on one line."""
    return xml_text(text).replace('"', "&quot;").replace("\n", " ").replace("\t", " ")


def xml_attributes(values: Mapping[str, str]) -> str:
    """Attributes of a tag, a space before each, a value on one line; those without a value are left out."""
    told = ((name, xml_attribute(one_line(value, ATTRIBUTE_CHARS))) for name, value in values.items() if value)
    return "".join(f' {name}="{value}"' for name, value in told)


def _is_plain(text: str) -> bool:
    """Whether it is ASCII without controls: nearly all text is, and this is ten times as quick as the search."""
    return text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()


def _is_plain_line(text: str) -> bool:
    """Whether it is ASCII on one line, without controls and without two spaces in a row."""
    return text.isascii() and text.isprintable() and "  " not in text
