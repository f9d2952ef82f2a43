"""Secrets given to a telling name, in code, settings, markup, commands and prose.

One pass over the lower-cased text finds the telling words; only there is the longer pattern tried, which says what
may stand between a name and its value. `names` judges the name, `values` the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.adapters.secrets import harmless
from companion.adapters.secrets.formats import one_of
from companion.adapters.secrets.names import secret_name
from companion.adapters.secrets.values import Bar, is_secret

Span = tuple[int, int, str]
"""Where a secret begins and ends in a text, and what to call it."""

NAME_REACH = 60
"""Characters of a name before the telling word."""
LONGEST_LINE_START = 60
"""Characters before a name in which `export`, `ENV` and the like stand."""
NAMES_IN_A_RUN = 20
"""Telling names tried in one unbroken run of characters: an address has fewer, data can have thousands."""
PARTS_OF_A_VALUE = 40
"""Quoted parts that are joined to one value (`"abc" + "def"`): a key of 4,096 bits has 50 lines, and its own rule."""

_WORDS = (
    "key", "token", "pass", "auth", "secret", "pwd", "cred", "pw", "salt", "seed", "psk", "jwt", "_pat", "bearer", "pepper",
    "pword", "kennwort", "senha", "contrase",
)  # fmt: skip
"""A text without any of these holds nothing for this module; asked one by one first, since that is quicker."""
_TELLING = re.compile(one_of(word for word in _WORDS if word != "pwd"))
_QUOTES = ("'", '"', "`")
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_REST_OF_NAME = re.compile(r"[\w.\-]{0,60}")
_SPOKEN_KEY = re.compile(
    r"(?i)(?:api|access|secret|auth|private|encryption|signing|master|account|license|storage|client|deploy) $"
)
_CLOSE = r"""(?: (?:\\?["'`])? (?: [\])}]{1,2} | ,?\s+(?=value|default) )? )"""
_TAGGED = r"""(?: (?:\s[^<>\n]{0,100})?> \s* | </key>\s*<string>) (?P<text>[^<>\n]{4,400}) (?=</)"""
_BETWEEN = r"""
    (?:
      (?P<typed> \s*(?::\s*|\s)[&\w'][\w.\[\]<>|?&' ]{0,40}? \s* (?<![=!<>])=(?!=) \s* )          # `: str =`, ` string =`
    | (?P<set> \s* (?: :=|=>|\|\|=|\?\?=|\?=|\+=|<-|={1,3}|!={1,2}|:(?!:) ) \s* )                 # assigned, compared
    | (?P<other> \s* (?: \|\||\?\?|\bor\b ) \s* )                                                 # or else
    | (?P<call> \s?\(\s* | \{(?=["']) )                                                           # `setPassword("…")`
    | (?P<argument> (?<=["'`)]) \s*,\s* )                                                         # `define("NAME", "…")`
    | (?: [\s,"']* (?:value|default|content)["']?\s*[:=]\s* )                                     # `name: X, value: "…"`
    | (?P<block> \s*\{ [^{}]{0,300}? \bdefault\s*=\s* )                                           # `variable "x" { default = "…" }`
    | (?P<loose> (?:\s+(?:is|was|to|are|of|with|equals)(?:\s+(?:now|set\s+to))?:?\s+ | [ \t]+\|[ \t]+ ) )  # said of it
    | (?P<blank> [ \t]+ )                                                                         # `ENV NAME …`
    )
"""
_VALUE = r"""
    (?: \(\s* | (?:[\w.:]{1,30}(?:[sS]tring|[sS]ecret|from|Some|bytes|[bB]uffer|new)[\w.:]{0,20}|String|str|bytes|Some)\(\s*
      | new\s+\w{1,30}\(\s* | (?:[|>][+-]?[ \t]*\n\s*) )?
    (?:
      (?: [rbfuRBFUL]{1,2}|@|\$ )? (?P<quote> \"{3}|'{3}|\\?["'`]|&quot; )
      (?P<quoted> (?: (?!(?P=quote)) (?: \\. | [^\\\n] ) ){4,4000}? ) (?P=quote)
    | (?P<bare> [^\s"'`<>\\]{6,4000} )
    )
"""
_GIVEN = re.compile(f"{_CLOSE} (?: {_TAGGED} | {_BETWEEN} {_VALUE} )", re.VERBOSE)
_MORE_PARTS = re.compile(r"\s*[+.\\]?\s*[rbf]?(?P<quote>[\"'`])(?P<part>[^\"'`\\\n]{4,400})(?P=quote)(?!\s*[:=])")
_BLOCK = re.compile(r"[|>][+-]?[ \t]*\n")
_NEXT_PAIR = re.compile(r"[&;,](?=[\w.\-%\[\]]+=)")
_LINE_START = re.compile(
    r"(?:^|\n)[ \t]*(?:[-+#>*]|//|export|set|ENV|ARG|readonly|local|declare -x)?[ \t]*(?:[-\w]+[ =])?$"
)
_VERBS = frozenset({"pass", "auth", "salt", "seed", "bearer"})
"""Words that are a name where something is assigned to them, and no more than a word in a sentence."""
_COMPARED = frozenset({"==", "===", "=>", "!=", "!=="})
"""What code puts between two names: a bare word after it is no value."""


def find(text: str, lower: str) -> Iterator[Span]:
    """Spans of secrets that stand with a telling name. `lower` is the text in lower case, letter by letter."""
    if not any(word in lower for word in _WORDS):
        return
    at = run_end = tried = 0
    for telling in _TELLING.finditer(lower):
        tried = tried + 1 if telling.start() < run_end else 0
        if telling.start() < at or tried > NAMES_IN_A_RUN:
            continue
        rest = _REST_OF_NAME.match(text, telling.end())
        at = rest.end() if rest else telling.end()
        given = _GIVEN.match(text, at)
        if given is None:
            continue
        run_end = max(run_end, given.end())
        start = _name_start(text, telling.start())
        name = secret_name(text[start:at])
        bar = _bar(text, start, given) if name else None
        if name is None or bar is None:
            continue
        parts = _parts(text, given)
        if is_secret("".join(text[slice(*part)] for part in parts), name, bar):
            at = parts[-1][1]
            yield from ((*part, name.called) for part in parts)


def _name_start(text: str, end: int) -> int:
    before = text[max(0, end - NAME_REACH) : end]
    start = end - len(before) + len(before.rstrip(_NAME_LETTERS))
    spoken = _SPOKEN_KEY.search(text, max(0, start - 12), start) if text[end : end + 3].lower() == "key" else None
    return spoken.start() if spoken else start


def _bar(text: str, name_start: int, given: re.Match[str]) -> Bar | None:
    """How sure it is that a value stands here; None where none can."""
    quoted = given["quote"] is not None
    is_verb = text[name_start : given.start()].lower() in _VERBS
    if given["argument"]:
        return Bar.QUOTED if quoted and text[name_start - 1 : name_start] in _QUOTES else None
    if given["loose"]:
        sure = Bar.QUOTED if quoted and not harmless.is_expression(given["quoted"]) else Bar.BARE
        return None if is_verb else sure
    if given["blank"] and (is_verb or not _is_setting(text, name_start)):
        return None if is_verb else Bar.LOOSE
    if quoted or given["text"]:
        return Bar.QUOTED
    if given["typed"] or given["call"] or given["block"] or (given["set"] or "").strip() in _COMPARED:
        return None
    if given["set"] and _begins_below(text, given):
        return None
    return Bar.LOOSE if given["other"] else Bar.BARE


def _begins_below(text: str, given: re.Match[str]) -> bool:
    """Whether an unquoted value is on the next line, where it is another name unless a block was announced."""
    between = text[given.start("set") : given.start("bare")]
    return "\n" in between and not _BLOCK.search(between)


def _is_setting(text: str, name_start: int) -> bool:
    """Whether a name that a blank parts from its value begins a line of settings, or is a flag of a command."""
    line_start = max(text.rfind("\n", 0, name_start), name_start - LONGEST_LINE_START, 0)
    return text[name_start : name_start + 1] == "-" or bool(_LINE_START.search(text, line_start, name_start))


def _parts(text: str, given: re.Match[str]) -> list[tuple[int, int]]:
    """Where the value is: in quotes it may go on in further ones, on this line or the next."""
    if given["text"]:
        return [given.span("text")]
    if given["bare"]:
        return [_bare(given)]
    parts = [given.span("quoted")]
    end = given.end()
    while len(parts) < PARTS_OF_A_VALUE and (more := _MORE_PARTS.match(text, end)):
        parts.append(more.span("part"))
        end = more.end()
    return parts


def _bare(given: re.Match[str]) -> tuple[int, int]:
    """The unquoted value without what follows it: the next pair, a closing mark."""
    value = given["bare"]
    following = _NEXT_PAIR.search(value)
    start = given.start("bare")
    return start, start + len((value[: following.start()] if following else value).rstrip(",;.)]}|"))
