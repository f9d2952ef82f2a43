"""What only stands where a secret would: placeholders, examples, references."""

from __future__ import annotations

import re

from companion.adapters.secrets import looks, words
from companion.adapters.secrets.expressions import is_expression

LONGEST_FIXTURE = 80
"""Characters: longer values are not read word by word."""
FIXTURE_DIGITS = 6
"""Digits after the words of a fixture (`password123456`); more are an identifier."""
FEWEST_LEFT = 6
"""Characters around what is put into a value, from which on they may be a secret themselves."""

_FRAMED = re.compile(
    r"""(?x)
    ^(?: [xX*.\-_\#?0~]+ | <[\w\s.:/|\-]*> | \[[\w\s.:/|\-]*\] | \{[\w\s.:/|\-]*\} | @[\w.]+@ | &\w+; | --[a-z\-]+=? )$
    """
)
_PRETENDING = re.compile(
    r"""(?ix)
    redacted | (?<![a-z0-9])x{4} | x{5} | \*\*\*\* | \.\.\. | … | x-x-x
    | (?<![a-z0-9+/]) (?: your | fake[ds]? | todo | tbd ) (?![a-z0-9+/])
    | (?<![a-z]) (?: change[-_ ]?(?:me|this|it) | changed | replace[-_ ]?(?:me|this|with|by)? | placeholder | dummy
      | examples? | sample | insert[-_ ]?(?:here|your) | not[-_ ]?(?:a[-_ ]?)?(?:real|so|very|secure|secret)
      | lorem | fixme | foobar | goes[-_ ]?here | super[-_ ]?secret | some[-_ ]?secret | my[-_ ]?secret
      | (?:in)?correct[-_ ]?horse | deadbeef | cafebabe | mysecret | secretkey | whatever | unsafe | insecure
    ) (?![a-z])
    | (?-i:EXAMPLE|Example|YOUR|CHANGE_?ME|REPLACE|PLACEHOLDER|INSERT)
    | (?:example|changeme|placeholder)
    """
)
_EMPTY_WORDS = re.compile(
    r"(?i)none|null|nil|undefined|true|false|yes|no|on|off|n/?a|empty|unset|optional|required|string|str|bytes|text|number"
)

_INTERPOLATED = re.compile(
    r"(?:\$\{+|\$\(+|\{\{|%\(|\#\{|<%=?)[ .:]*(?P<within>[A-Za-z_][\w.:\-]{2,}|\d)(?=[\s})|:.?\[(,%>\-]|$)"
    r"|(?:^|(?<=[\s\"'/:=@(.,_\-]))\$(?P<plain>[A-Za-z_]\w{2,})|\{(?P<put>[^{}\s]{0,80})\}"
    r"|(?:\$\{|\$\(|\{\{|<%=?|<\?)$|^\{[^}]*\}$|^%\w%?$|%[A-Z_]{3,}%|^@\w+@$|^!\w+ "
)
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")
_BETWEEN_ITEMS = re.compile(r"[,;]\s*")
_PATH_OR_URL = re.compile(r"^(?:[a-z][a-z0-9+.\-]+://|\.{1,2}/|~/|[A-Za-z]:\\[\w .\\\-]*$|//)")
_VERSION_MAIL_OR_DATE = re.compile(
    r"^(?:(?:sha\d{1,3}|md5)[-:].*|[v^~<>=]{0,2}\d+(?:\.\d+)+[\w.\-+]*|[\w.\-+]+@[\w\-]+(?:\.[\w\-]+)*\.[A-Za-z]{2,6}|\d{4}-\d\d-\d\d[T\d:.Z+\-]*|[\d.,:/ ]+)$"
)
_NAMESPACE = re.compile(r"^\\?[A-Za-z_]\w*(?:\\{1,2}[A-Za-z_]\w*)+$")


def is_pretending(value: str) -> bool:
    """Whether the value says itself that it is none: `example`, `your-key`, `xxxx`; not where the rest was drawn by chance."""
    rest = _PRETENDING.sub("", value)
    return rest != value and not (looks.is_strong(rest) or looks.is_odd(looks.pieces(rest)))


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret without being one."""
    plain = value.strip().strip("\"'`")
    if len(set(plain)) <= 2 or _FRAMED.match(plain) or is_pretending(plain):
        return True
    if _EMPTY_WORDS.fullmatch(plain) or looks.is_typed_in_order(plain) or looks.is_repeated(plain):
        return True
    return is_of_fixtures(plain)


def is_of_fixtures(value: str) -> bool:
    """Whether nothing but the words of tests and forms is in it: `test-password-1`, `userpass`."""
    if len(value) > LONGEST_FIXTURE or not value.isascii():
        return False
    parts = looks.pieces(value)
    spoken = [part.lower() for part in parts if not part.isdigit()]
    numbers = "".join(part for part in parts if part.isdigit())
    marks = len(value) - sum(map(len, parts)) - sum(value.count(joint) for joint in "-_. /:")
    return bool(spoken) and len(numbers) <= FIXTURE_DIGITS and marks <= 1 and all(map(is_fixture_word, spoken))


def is_fixture_word(word: str) -> bool:
    """One word of tests and forms, or two of them written as one (`testpass`)."""
    if word in words.FIXTURES:
        return True
    return any(word[:at] in words.FIXTURES and word[at:] in words.FIXTURES for at in range(1, len(word)))


def is_interpolated(value: str) -> bool:
    """Whether something is put into the value when it is used: `${DB_PASSWORD}`, `{{ token }}`."""
    put = [found[found.lastgroup or 0] for found in _INTERPOLATED.finditer(value)]
    if not any(looks.is_name(one) or is_expression(one) for one in put):
        return False
    left = _NO_LETTERS.sub(" ", _INTERPOLATED.sub("", value)).strip()
    return len(left) < FEWEST_LEFT or looks.is_wordy(left)


def is_reference(value: str) -> bool:
    """Whether the value is a path, an address, a namespace, a media type, a date or a version."""
    if _PATH_OR_URL.match(value) or _VERSION_MAIL_OR_DATE.match(value) or _NAMESPACE.match(value):
        return True
    parts = _BETWEEN_ITEMS.split(value)
    if len(parts) > 1 and all(not part or is_reference(part) or looks.is_wordy(part) for part in parts):
        return True
    return "/" in value and not value.endswith("=") and all(looks.is_wordy(part) for part in value.split("/") if part)
