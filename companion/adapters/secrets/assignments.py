"""Secrets given to a telling name, in code, settings, markup, commands and prose.

One pass over the lower-cased text finds the telling words; only there is the longer pattern tried, which says what
may stand between a name and its value. `names` judges the name, `values` the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.adapters.secrets import looks
from companion.adapters.secrets.expressions import is_expression
from companion.adapters.secrets.formats import one_of
from companion.adapters.secrets.names import SecretName, is_about, secret_name
from companion.adapters.secrets.values import Bar, is_drawn, is_secret

Span = tuple[int, int, str]
"""Where a secret begins and ends in a text, and what to call it."""

NAME_REACH = 60
"""Characters of a name before the telling word."""
LONGEST_LINE_START = 60
"""Characters before a name in which `export`, `ENV` and the like stand."""
NAMES_IN_A_RUN = 20
"""Telling names tried in one unbroken run of characters: an address has fewer, data can have thousands."""
ITEMS_OF_A_LIST = 100
LONGEST_LINE = 400
"""Characters before a value in which the quote that it stands in is looked for."""
PARTS_OF_A_VALUE = 40
"""Quoted parts that are joined to one value (`"abc" + "def"`): a key of 4,096 bits has 50 lines, and its own rule."""

_WORDS = (
    "key", "token", "pass", "auth", "secret", "pwd", "cred", "pw", "salt", "seed", "psk", "jwt", "_pat", "bearer", "pepper",
    "pword", "kennwort", "senha", "contrase",
)  # fmt: skip
"""A text without any of these holds nothing for this module; asked one by one first, since that is quicker."""
_TELLING = re.compile(one_of(word for word in _WORDS if word != "pwd"))
_OPENERS = {")": "(", "]": "[", "}": "{", ">": "<"}
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
      (?P<typed> \s*(?: (?::\s*|\s)[&\w'][\w.\[\]<>|?&' ]{0,40}? | \{[^{}\n]{0,40}\} ) (?: \s=\s+(?=[^\n]{0,40}["'`]) | =(?=[rbfu]?["'`]) ) )  # `: str =`
    | (?P<set> \s* \*{0,2} (?: :=|=>|\|\|=|\?\?=|\?=|\+=|<-|={1,3}|!={1,2}|:(?!:) ) \*{0,2} \s* )                 # assigned, compared
    | (?P<other> \s* (?: \|\||\?\?|\bor\b ) \s* )                                                 # or else
    | (?P<call> \(\s* | \{(?=["']) )                                                              # `setPassword("…")`
    | (?P<argument> (?<=["'`)]) \s*,\s* )                                                         # `define("NAME", "…")`
    | (?: [\s,"']* (?:value|default|content)["']?\s*[:=]\s* )                                     # `name: X, value: "…"`
    | (?P<block> \s*\{ [^{}]{0,300}? \bdefault\s*=\s* )                                           # `variable "x" { default = "…" }`
    | (?P<loose> (?:(?:\s+(?:has|had|have|will|must|should|can))?\s+(?:is|was|to|are|of|with|equals|be|been|became)(?:\s+(?:now|still|(?:re)?set\s+to|changed\s+to))?:?\s+
        | [ \t]+\|[ \t]+ ) )                                                                       # said of it
    | (?P<blank> [ \t]+ \(? )                                                                     # `ENV NAME …`
    )
"""
_VALUE = r"""
    (?: \(\s* | (?:[\w.:]{1,30}(?:[sS]tring|[sS]ecret|from|Some|bytes|[bB]uffer|new)[\w.:]{0,20}|String|str|bytes|Some)\(\s*
      | new\s+\w{1,30}\(\s* | (?:[|>][+-]?[ \t]*\n\s*) )?
    (?:
      (?: [rbfuRBFUL]{1,2}|@|\$ )? (?P<quote> \"{3}|'{3}|\\?["'`]|&quot; )
      (?P<quoted> (?: (?!(?P=quote)) (?: \\. | [^\\\n] ) ){4,4000}? ) (?P=quote) (?![A-Za-z0-9$])
    | (?P<words> [a-z]{3,10} (?:[ ][a-z]{3,10}){3,23} (?=[ \t]*[.,;]?[ \t]*(?:\n|$)) )
    | (?P<bare> \S{6,4000} )
    )
"""
_GIVEN = re.compile(f"{_CLOSE} (?: {_TAGGED} | {_BETWEEN} {_VALUE} )", re.VERBOSE)
_FAR = re.compile(
    rf"(?:[ \t]+[\w./@\-]{{1,30}}){{1,6}}? (?P<far> :[ \t]+ | [ \t]?=[ \t]? | [ \t]+(?:is|was|to)(?:[ \t]+now)?:?[ \t]+ ) {_VALUE}",
    re.VERBOSE,
)
"""What is said of a name with some words between: `the password of the billing database is …`."""
_BARE_ITEMS = r"""\s*[^\s,"'`\[\](){}]+(?:\s*,\s*[^\s,"'`\[\](){}]+)*\s*"""
_LIST = re.compile(
    rf"""{_CLOSE}\s* (?: :\s*[\w.<>\[\], ]{{0,30}}\s=\s | :=|=>|=|: ) \s*
    (?: (?:new\s+)?[\w.<>]{{0,30}}\[\]\s?[\w.<>]{{0,30}}\s?(?=\{{))?
    (?: [\[({{]\s*(?=["'`]) | \[(?={_BARE_ITEMS}\]) | \((?={_BARE_ITEMS}\)) | \{{(?={_BARE_ITEMS}\}}) | (?=-[ \t]) )""",
    re.VERBOSE,
)
"""What announces several values: a bracket with values in quotes, or one that closes again, or a dash on the next line."""
_ITEM = re.compile(
    r"""\s*(?:-[ \t]+)?(?:(?P<key>"[\w.\-@]{1,40}"|'[\w.\-@]{1,40}'|[\w.\-@]{1,40})[ \t]*(?:=>|[:=])[ \t]*(?=["'`]))?"""
    r"""(?:[rbfu]?(?P<quote>["'`])(?P<quoted>(?:(?!(?P=quote))[^\\\n]){0,400})(?P=quote)|(?P<bare>[^\s,"'`]{4,400}))[ \t]*,?"""
)
_MORE_PARTS = re.compile(r"\s*[+.\\]?\s*[rbf]?(?P<quote>[\"'`])(?P<part>[^\"'`\\\n]{4,400})(?P=quote)(?!\s*[:=])")
_BLOCK = re.compile(r"[|>][+-]?[ \t]*\n")
_NEXT_PAIR = re.compile(r"[&;,](?P<next>[A-Za-z][\w.\-%\[\]]{2,40})=")
_MARKUP = re.compile(r"</[A-Za-z][\w:\-]{0,30}>|<br|<!--")
_QUOTED = re.compile(r"[rbfuRBFUL@$]{0,2}([\"'`]).*\1(?![A-Za-z0-9$])")
_JOINED = re.compile(r"[A-Za-z0-9]{10,}")
_APART = re.compile(r"(?:[a-z]{0,8}|[A-Z]{0,8})[-_.]")
_EXTENSION = re.compile(r"\.[A-Za-z]\w{0,4}$")
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
        start = _name_start(text, telling.start())
        name = secret_name(text[start:at])
        if name is None:
            name, spans = _joined(text, telling.end(), at, secret_name(text[start : telling.end()]))
        else:
            given = _GIVEN.match(text, at)
            run_end = max(run_end, given.end() if given else at)
            spans = (
                _listed(text, at, name)
                or _said(text, start, given, name)
                or _said(text, start, _FAR.match(text, at), name)
            )
        if name is not None and spans:
            at = spans[-1][1]
            yield from ((*span, name.called) for span in spans)


def _said(text: str, name_start: int, given: re.Match[str] | None, name: SecretName) -> list[tuple[int, int]]:
    """Where the one value of a name stands, in its parts; empty where it is no secret."""
    bar = _bar(text, name_start, given) if given else None
    if given is None or bar is None:
        return []
    parts = _parts(text, given, name)
    return parts if is_secret("".join(text[slice(*part)] for part in parts), name, bar) else []


def _listed(text: str, at: int, name: SecretName) -> list[tuple[int, int]]:
    """The secrets of a list or a table that a name is given, on one line or one a line."""
    head = _LIST.match(text, at)
    found: list[tuple[int, int]] = []
    at = head.end() if head else at
    dashed = text.startswith("-", at)
    for _ in range(ITEMS_OF_A_LIST if head else 0):
        item = _ITEM.match(text, at)
        if item is None:
            break
        group = "quoted" if item["quoted"] is not None else "bare"
        start, at = item.start(group), item.end()
        value = item[group] if group == "quoted" or dashed else item[group].rstrip(")]};")
        if not is_about(item["key"] or "") and is_secret(value, name, Bar.QUOTED if group == "quoted" else Bar.BARE):
            found.append((start, start + len(value)))
        if group == "bare" and len(value) < len(item[group]):
            break
    return found


def _joined(
    text: str, start: int, end: int, name: SecretName | None
) -> tuple[SecretName | None, list[tuple[int, int]]]:
    """A secret that is written on to its name, as branches and files are called: `rotate-password-…`."""
    end -= len(extension[0]) if (extension := _EXTENSION.search(text, start, end)) else 0
    apart = name is not None and _APART.match(text, start, end)
    drawn = [one for one in _JOINED.finditer(text, start, end) if is_drawn(one[0])] if apart else []
    return name, [(drawn[0].start(), drawn[-1].end())] if drawn else []


def _name_start(text: str, end: int) -> int:
    before = text[max(0, end - NAME_REACH) : end]
    start = end - len(before) + len(before.rstrip(_NAME_LETTERS))
    spoken = _SPOKEN_KEY.search(text, max(0, start - 12), start) if text[end : end + 3].lower() == "key" else None
    return spoken.start() if spoken else start


def _bar(text: str, name_start: int, given: re.Match[str]) -> Bar | None:
    """How sure it is that a value stands here; None where none can."""
    quoted = given["quote"] is not None
    is_verb = text[name_start : given.start()].lower() in _VERBS
    if "far" in given.re.groupindex:
        return None if is_verb else Bar.QUOTED if quoted and not is_expression(given["quoted"]) else Bar.LOOSE
    if given["argument"]:
        return Bar.QUOTED if quoted and text[name_start - 1 : name_start] in _QUOTES else None
    if given["loose"]:
        sure = Bar.QUOTED if quoted and not is_expression(given["quoted"]) else Bar.BARE
        return None if is_verb else sure
    if given["blank"] and (is_verb or not _is_setting(text, name_start)):
        return Bar.STRAY
    if quoted or given["text"]:
        return Bar.QUOTED
    if given["typed"] or given["call"] or given["block"] or (given["set"] or "").strip() in _COMPARED:
        return Bar.STRAY
    if given["set"] and _begins_below(text, given):
        return Bar.STRAY
    return Bar.LOOSE if given["other"] or given["blank"] else Bar.BARE


def _begins_below(text: str, given: re.Match[str]) -> bool:
    """Whether an unquoted value is on the next line, where it is another name unless a block was announced."""
    between = text[given.start("set") : given.start("words" if given["words"] else "bare")]
    return "\n" in between and not _BLOCK.search(between)


def _is_setting(text: str, name_start: int) -> bool:
    """Whether a name that a blank parts from its value begins a line of settings, or is a flag of a command."""
    line_start = max(text.rfind("\n", 0, name_start), name_start - LONGEST_LINE_START, 0)
    return text[name_start : name_start + 1] == "-" or bool(_LINE_START.search(text, line_start, name_start))


def _parts(text: str, given: re.Match[str], name: SecretName) -> list[tuple[int, int]]:
    """Where the value is: in quotes it may go on in further ones, on this line or the next."""
    if "text" in given.re.groupindex and given["text"]:
        return [given.span("text")]
    if given["words"]:
        start, end = given.span("words")
        return [(start, end if is_secret(given["words"], name, Bar.BARE) else start + given["words"].index(" "))]
    if given["bare"]:
        return [_bare(text, *given.span("bare"))]
    parts = [given.span("quoted")]
    end = given.end()
    while len(parts) < PARTS_OF_A_VALUE and (more := _MORE_PARTS.match(text, end)):
        parts.append(more.span("part"))
        end = more.end()
    return parts


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """The unquoted value without what follows it: the next pair, the end of what it stands in, a closing mark."""
    if _QUOTED.match(text, start, end):  # too short to be one, or empty
        return start, start
    line = text[max(0, start - LONGEST_LINE, text.rfind("\n", 0, start) + 1) : start]
    stops = [quote for quote in _QUOTES if line.count(quote) % 2]
    ends = [
        text.find(stop, start, end)
        for stop in (*stops, *("\\n", "\\r", "\\t", '\\"') * any(stop != "`" for stop in stops))
    ]
    ends += [found.start() for found in _NEXT_PAIR.finditer(text, start + 1, end) if looks.is_wordy(found["next"])]
    ends += [found.start() for found in _MARKUP.finditer(text, start, end)]
    end = min((one for one in ends if one >= 0), default=end)
    while end > start and text[end - 1] in ",;.)]}|>":
        opener = _OPENERS.get(text[end - 1])
        if opener and text.count(opener, start, end) >= text.count(text[end - 1], start, end):
            break
        end -= 1
    return start, end
