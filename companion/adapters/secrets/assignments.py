"""Secrets given to a telling name, in code, settings, markup, commands and prose.

One pass over the lower-cased text finds the telling words; only there is the longer pattern tried, which says what
may stand between a name and its value. `names` judges the name, `values` the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.adapters.secrets.names import SecretName, secret_name
from companion.adapters.secrets.values import Bar, is_secret

Span = tuple[int, int, str]
"""Where a secret begins and ends in a text, and what to call it."""

NAME_REACH = 60
"""Characters of a name before the telling word."""
PARTS_OF_A_VALUE = 40
"""Quoted parts that are joined to one value (`"abc" + "def"`): a key of 4,096 bits has 50 lines, and its own rule."""

_TELLING = re.compile(
    r"pass|pwd|pword|secret|token|key|auth|cred|salt|pepper|psk|seed|bearer|jwt|kennwort|senha|contrase|_pat(?![a-z])|(?<![a-z])pw(?![a-z])"
)
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_REST_OF_NAME = re.compile(r"[\w.\-]{0,60}")
_SPOKEN_KEY = re.compile(
    r"(?i)(?:api|access|secret|auth|private|encryption|signing|master|account|license|storage|client|deploy) $"
)
_BETWEEN = r"""
    (?P<close>\\?["'`])? (?: [\])}]{1,2} | ,?\s+(?=value|default) )?
    (?:
      (?P<typed> \s*(?::\s*|\s)[&\w'][\w.\[\]<>|?&' ]{0,40}? \s* (?<![=!<>])=(?!=) \s* )          # `: str =`, ` string =`
    | (?P<set> \s* (?: :=|=>|\|\|=|\?\?=|\?=|\+=|<-|={1,3}|!={1,2}|:(?!:) ) \s* )                 # assigned, compared
    | (?P<other> \s* (?: \|\||\?\?|\bor\b ) \s* )                                                 # or else
    | (?P<call> \s?\(\s* | \{(?=["']) )                                                           # `setPassword("…")`
    | (?P<argument> (?<=["'`)]) \s*,\s* )                                                         # `define("NAME", "…")`
    | (?P<value> [\s,"']* (?:value|default|content)["']?\s*[:=]\s* )                              # `name: X, value: "…"`
    | (?P<block> \s*\{ [^{}]{0,300}? \bdefault\s*=\s* )                                           # `variable "x" { default = "…" }`
    | (?P<tag> (?:\s[^<>\n]{0,100})?> \s* | </key>\s*<string> )                                    # `<name>…</name>`
    | (?P<loose> (?:\s+(?:is|was|to|are|of|with|equals)(?:\s+(?:now|set\s+to))?:?\s+ | \s*\|\s* ) )  # said of it
    | (?P<blank> [ \t]+ )                                                                         # `ENV NAME …`
    )
"""
_VALUE = r"""
    (?: \(\s* | (?:[\w.:]{1,30}(?:[sS]tring|[sS]ecret|from|Some|bytes|[bB]uffer|new)[\w.:]{0,20}|String|str|bytes|Some)\(\s*
      | new\s+\w{1,30}\(\s* | (?:[|>][+-]?[ \t]*\n\s*) )?
    (?:
      (?P<prefix> [rbfuRBFUL]{1,2}|@|\$ )? (?P<quote> \"{3}|'{3}|\\?["'`]|&quot; )
      (?P<quoted> (?: (?!(?P=quote)) (?: \\. | [^\\\n] ) ){4,4000}? ) (?P=quote)
    | (?P<bare> [^\s"'`<>\\]{6,4000} )
    )
"""
_GIVEN = re.compile(f"{_BETWEEN}{_VALUE}", re.VERBOSE)
_MORE_PARTS = re.compile(r"\s*[+.\\]?\s*[rbf]?(?P<quote>[\"'`])(?P<part>[^\"'`\\\n]{4,400})(?P=quote)(?!\s*[:=])")
_NEXT_PAIR = re.compile(r"[&;,](?=[\w.\-%\[\]]+=)")
_LINE_START = re.compile(r"(?:^|\n)[ \t]*(?:[-+#>*]|//|export|set|ENV|ARG|readonly|local|declare -x)?[ \t]*(?:[-\w]+[ =])?$")


def find(text: str, lower: str) -> Iterator[Span]:
    """Spans of secrets that stand with a telling name. `lower` is the text in lower case, letter by letter."""
    at = 0
    for telling in _TELLING.finditer(lower):
        if telling.start() < at:
            continue
        rest = _REST_OF_NAME.match(text, telling.end())
        at = rest.end() if rest else telling.end()
        given = _GIVEN.match(text, at)
        if given is None:
            continue
        start = _name_start(text, telling.start())
        name = secret_name(text[start:at])
        if name is not None and (spans := _given(text, start, name, given)):
            at = spans[-1][1]
            yield from spans


def _name_start(text: str, end: int) -> int:
    before = text[max(0, end - NAME_REACH) : end]
    start = end - len(before) + len(before.rstrip(_NAME_LETTERS))
    spoken = _SPOKEN_KEY.search(text, max(0, start - 12), start) if text[end : end + 3].lower() == "key" else None
    return spoken.start() if spoken else start


def _given(text: str, name_start: int, name: SecretName, given: re.Match[str]) -> list[Span]:
    """The spans of the value, none if it is no secret."""
    if given["quoted"] is None:
        value = _bare(given)
        bar = _bare_bar(text, name_start, given)
        start = given.start("bare")
        return [(start, start + len(value), name.called)] if bar is not None and is_secret(value, name, bar) else []
    parts = _parts(text, given)
    whole = "".join(text[start:end] for start, end in parts)
    quoted_bar = Bar.LOOSE if given["blank"] and not _is_setting(text, name_start, given) else Bar.QUOTED
    return [(start, end, name.called) for start, end in parts] if is_secret(whole, name, quoted_bar) else []


def _parts(text: str, given: re.Match[str]) -> list[tuple[int, int]]:
    """The quoted value and those joined to it, on this line or the next."""
    parts = [given.span("quoted")]
    end = given.end()
    while len(parts) < PARTS_OF_A_VALUE and (more := _MORE_PARTS.match(text, end)):
        parts.append(more.span("part"))
        end = more.end()
    return parts


def _bare(given: re.Match[str]) -> str:
    """The unquoted value without what follows it: the next pair, a closing mark."""
    value = given["bare"]
    following = _NEXT_PAIR.search(value)
    return (value[: following.start()] if following else value).rstrip(",;.)]}|")


def _bare_bar(text: str, name_start: int, given: re.Match[str]) -> Bar | None:
    """How sure the place is: settings on a line of their own, or code; None where nothing bare can stand."""
    if given["typed"] or given["call"] or given["argument"] or given["block"]:
        return None
    if given["tag"]:
        return Bar.QUOTED if text.startswith("</", given.end()) else None
    if given["loose"] or given["other"]:
        return Bar.LOOSE
    if given["blank"]:
        return Bar.BARE if _is_setting(text, name_start, given) else Bar.LOOSE
    if given["set"] and given["set"].strip() in {"==", "===", "=>", "!=", "!=="}:
        return None
    return Bar.BARE


def _is_setting(text: str, name_start: int, given: re.Match[str]) -> bool:
    """Whether name and value, parted by a blank, are a line of settings or a flag of a command."""
    line_start = text.rfind("\n", 0, name_start) + 1
    return bool(_LINE_START.search(text, max(line_start - 1, 0), name_start)) or text[name_start : name_start + 1] == "-"
