"""Secrets that are known by where they are sent or kept: headers, addresses, commands, password files.

A place is a line of the table: what to call the secret, the words that announce the place, its shape in lower case
(the group `v` is the secret), and how the value is judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from msgspec import Struct

from companion.adapters.secrets import harmless, looks
from companion.adapters.secrets.expressions import is_expression
from companion.adapters.secrets.formats import compiled
from companion.adapters.secrets.looks import from_base64
from companion.adapters.secrets.values import Bar, is_passphrase, is_password, is_token

SHORTEST_OF_ADDRESS = 5
"""Characters of a password in an address: shorter ones stand in documents (`u:p@`, `foo:bar@`, `usr:pwd@`)."""

SHORTEST_OF_HOOK = 6
COMMAND_REACH = 160
"""Characters before a flag in which its command is looked for."""
_FLAGGED = (
    "sshpass mysql mariadb mongo docker podman redis-cli helm skopeo zip 7z htpasswd az ldap sqlcmd osql bcp freerdp cmdkey psexec plink "
    "pscp ipmitool isql rclone mosquitto kinit"
)
"""Commands that take a password after a short flag."""
_COMMAND = re.compile(rf"\b\w{{0,3}}(?:{'|'.join(_FLAGGED.split())})\w*(?:\.exe)?\s")

_EXAMPLE_HOST = re.compile(
    r"localhost|127\.|0\.0\.|\[|(?:[\w\-]+\.)*(?:example|test|invalid|local)(?:\.|$)|(?:host|foo|bar|server|hostname|domain|db)(?:$|\.(?:com|org|net)$)|[$%{(]"
)
_VALUES = ("v", "single", "double", "plain")
"""The groups that may be the secret: the first that is there."""
_ARG = r"(?:'(?P<single>[^'\n]{4,200})'|\"(?P<double>[^\"\n]{4,200})\"|(?P<plain>[^\s\"'`|\-/]\S{3,199}))"
"""A word of a command."""
Judge = Callable[[re.Match[str], str], bool]
"""Whether what was found (in lower case) is a secret; the second argument is the value as it stands."""


class _Place(Struct, frozen=True):
    """Where secrets stand: their kind, words one of which must occur, the shape, the judge."""

    kind: str
    anchors: tuple[str, ...]
    shape: str
    judge: Judge


def find(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Spans of secrets in the places of the table. `lower` is the text in lower case, letter by letter."""
    announced = [indexes for anchor, indexes in _ANCHORS.items() if anchor in lower]
    for place in (PLACES[index] for index in sorted({index for indexes in announced for index in indexes})):
        for match in compiled(place.shape).finditer(lower):
            start, end = match.span(next(group for group in _VALUES if match.groupdict().get(group) is not None))
            if _could_be_secret(text[start:end]) and place.judge(match, text[start:end]):
                yield start, end, place.kind


def _could_be_secret(value: str) -> bool:
    return not (harmless.is_placeholder(value) or harmless.is_interpolated(value)) and value.isascii()


def _given(is_one: Callable[[str, Bar], bool], bar: Bar) -> Judge:
    """What is neither code nor a reference, and looks as such secrets do."""
    return lambda _, value: not (is_expression(value) or harmless.is_reference(value)) and is_one(value, bar)


def _is_written_token(value: str, bar: Bar) -> bool:
    return is_token(unquote(value), bar)


_chosen = _given(is_password, Bar.QUOTED)
"""A password, which may be words with a number."""
_unlike_a_name = _given(is_password, Bar.LOOSE)
"""A password where names, ports and paths may stand as well."""
_drawn = _given(_is_written_token, Bar.QUOTED)
"""A key or token, whose letters are chance."""


def _at_a_flag(match: re.Match[str], value: str) -> bool:
    """A password after a short flag, if the command is one that takes it so."""
    line = match.string[max(0, match.start() - COMMAND_REACH) : match.start()]
    return bool(_COMMAND.search(re.split(r"[\n|;]", line)[-1])) and _unlike_a_name(match, value)


def _random(match: re.Match[str], value: str) -> bool:
    """The same where dots part a value from its signature."""
    del match
    return is_token(unquote(value), Bar.QUOTED)


def _sent(match: re.Match[str], value: str) -> bool:
    """What follows `Bearer` and `Basic`; the latter is looked into."""
    if not match.group().startswith("basic"):
        return not harmless.is_reference(value) and is_token(value, Bar.QUOTED)
    try:
        inside = from_base64(value).decode()
    except UnicodeDecodeError:
        inside = ""
    if not inside:
        return is_token(value, Bar.BARE)
    user, colon, word = inside.partition(":")
    return bool(colon) and bool(word) and user != word and not harmless.is_placeholder(word)


def _of_address(match: re.Match[str], value: str) -> bool:
    """A password in an address: a simple word counts, unless it repeats the user or the host is nobody's."""
    plain = unquote(value)
    if re.match(r"\d{1,5}(?:[?#]|$)", value) or match["user"] == value.lower() or harmless.is_placeholder(plain):
        return False
    if len(plain) < SHORTEST_OF_ADDRESS or is_expression(plain):
        return False
    return is_password(plain, Bar.QUOTED) or is_passphrase(plain) or not _EXAMPLE_HOST.match(match["host"])


def _hooked(match: re.Match[str], value: str) -> bool:
    """The path below a hook, which is all that it is protected by."""
    del match
    parts = [part for part in value.split("/") if len(part) >= SHORTEST_OF_HOOK and not part.isdigit()]
    return any(re.search(r"\d", part) and not looks.is_wordy(part) for part in parts) or is_token(value, Bar.LOOSE)


def _of_phrase(match: re.Match[str], value: str) -> bool:
    """The words that restore a wallet."""
    del match
    return is_passphrase(" ".join(value.lower().split()))


def _place(kind: str, anchors: str, judge: Judge, shape: str) -> _Place:
    return _Place(kind, tuple(anchors.split()), shape, judge)


_Q = r"[\"'`]?"
_USER_FLAGS = r"-(?<!\S-)(?:u|-user|-proxy-user)"

PLACES: tuple[_Place, ...] = (
    _place("credentials", "bearer basic", _sent, r"(?:bearer|basic)(?:\s+|%20)(?P<v>[a-z0-9._~+/=\-]{12,4000})"),
    _place(
        "credentials", "authorization", _drawn,
        rf"authorization{_Q}[\])]?\s*(?:[:=,]|=>)\s*{_Q}(?:(?:token|digest|apikey|key|aws|negotiate|ntlm)\s+)?(?P<v>[a-z0-9._~+/=\-]{{16,4000}})",
    ),
    _place("password", "://", _of_address, r"://(?P<user>[^\s:/?#@'\"`<>]{0,100}):(?P<v>[^\s/'\"`<>]{3,200})@(?P<host>[\w\[$%{(][\w.\-]*)"),
    _place("token", "://", _drawn, r"://(?P<v>[a-z0-9_\-]{20,255})(?::x-oauth-basic)?@[\w.]"),
    _place("password", "@tcp( @unix(", _chosen, r"(?<![\w/])[\w.\-]{1,64}:(?P<v>[^\s@'\"`]{4,100})@(?:tcp|unix)\("),
    _place("password", ":thin: sqlplus", _chosen, r"(?::thin:|sqlplus(?:\s+-\w)*\s+)[\w.\-]{1,64}/(?P<v>[^\s@'\"`/]{4,100})@"),
    _place(
        "password", "auth login", _chosen,
        r"(?:auth\s*[=:]\s*\(|auth\(|login\(|credential\w{0,3}\()\s*[a-z]?[\"'][^\"'\n]{1,64}[\"']\s*,\s*[a-z]?[\"'](?P<v>[^\"'\n]{4,200})[\"']",
    ),
    _place(
        "key", "hmac fernet jwt. cipher aes.new bind(", _drawn,
        r"(?:hmac(?:\.new)?|fernet|jwt\.(?:en|de)code|jwt\.(?:sign|verify)|cipher\w{0,12}|aes\.new|bind(?:_s)?)\([^\n\"'()]{0,60}(?:[\"'][\w\-]{0,12}[\"']\s*,\s*)?[a-z]?[\"'](?P<v>[^\"'\n\s]{16,200})[\"']",
    ),
    _place(
        "password", "-u --user", _unlike_a_name,
        rf"{_USER_FLAGS}[= ]?\s*(?:'[^\s:%,']{{0,64}}[:%,](?P<single>[^'\n]{{4,200}})'|\"[^\s:%,\"]{{0,64}}[:%,](?P<double>[^\"\n]{{4,200}})\"|{_Q}[^\s:%,\"'`]{{0,64}}{_Q}[:%,]{_Q}(?P<plain>[^\s\"'`]{{4,200}}))",
    ),
    _place("key", "-u --user", _drawn, rf"{_USER_FLAGS}[= ]?\s*{_Q}(?P<v>[^\s:\"'`]{{16,200}}):[\s\"'`]"),
    _place("password", "-p -a -w -b /p", _at_a_flag, rf"[-/](?<=\s[-/])(?:pw|pass|[pawb]{{1,2}})[:=]?\s?{_ARG}"),
    _place("password", "/user:", _unlike_a_name, rf"\bnet1?\s+use\s+(?:(?:\*|\w:|\\\\\S+|/\S+)\s+){{1,6}}{_ARG}"),
    _place(
        "password", "/add add_user change_password -passwd htpasswd vault", _unlike_a_name,
        rf"(?:\bnet1?\s+user|add_user|change_password|-passwd|htpasswd\s+-\w*b\w*\s+\S+|vault)\s+\S+\s+{_ARG}",
    ),
    _place(
        "password", "convertto-securestring", _chosen,
        rf"(?:convertto-securestring\s+(?:-(?:string|asplaintext|force)\s+)*{_ARG}|\"(?P<v>[^\"\n]{{4,200}})\"\s*\|\s*convertto-securestring)",
    ),
    _place("password", "echo", _chosen, rf"\becho\s+(?:-n\s+)?{_ARG}\s*\|\s*[^\n]{{0,80}}?(?:--password-stdin|--stdin|sudo\s+-s|--passphrase-fd|chpasswd)"),
    _place("webhook", "hooks/ hook/ webhookb2/ //hook", _hooked, r"//(?:[\w.\-]{0,253}?hooks?\d?[\w.\-]{0,253}/|[\w.\-:]{1,260}/(?:[^\s\"'<>`/]{1,200}/){0,8}?(?:web)?hooks?\w{0,3}/)(?P<v>[^\s\"'<>`?#)]{6,600})"),
    _place("password", ":5432: :6432: :*:*:", _unlike_a_name, r"(?<!\S)[\w.\-*]{1,253}:(?:\d{2,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(?P<v>[^\s:]{6,200})(?!\S)"),
    _place("token", "key= sig code= sid=", _drawn, r"[?&#](?:key|code|sid|sig|(?:[\w\-]{1,20}-)?signature)=(?P<v>[a-z0-9%._~+\-/]{16,2000})"),
    _place("token", "cookie", _random, r"\bcookie[\"'`]?\s*[:=,][^\n]{0,300}?(?:sess\w*|\bs?sid|auth\w*|token|remember\w*|jwt|login)=(?:s%3a|s:)?(?P<v>[a-z0-9%._~+\-/]{16,2000})"),
    _place("password", "identified", _chosen, r"\bidentified\s+(?:with\s+\S{1,60}\s+)?by\s+(?:password\s+)?[\"'](?P<v>[^\"'\n]{4,200})[\"']"),
    _place("credentials", "\"auth\" _auth", _drawn, r"(?:\"auth\"\s*:\s*\"|_auth\s*=\s*\"?)(?P<v>[a-z0-9+/]{12,2000}={0,2})"),
    _place("passphrase", "mnemonic phrase seed", _of_phrase, r"(?:mnemonic|phrase|seed)[\w\"'\]]{0,12}\s*(?::=|[:=]|is)\s*[\"'`]?(?P<v>(?:[a-z]{3,8}\s+){11,23}[a-z]{3,8})"),
    _place("key", "\"kty\"", _drawn, r"\"(?:d|p|q|dp|dq|qi|k)\"\s*:\s*\"(?P<v>[a-z0-9_\-]{20,2000})\""),
)  # fmt: skip
"""Every place, by what it is."""
_ANCHORS = {
    anchor: [index for index, place in enumerate(PLACES) if anchor in place.anchors]
    for anchor in sorted({anchor for place in PLACES for anchor in place.anchors})
}

_CLUSTER_SECRET = re.compile(r"\bkind:\s*[\"']?secret\b")
_DATA = re.compile(
    r"^(?P<indent>[ \t]*)(?:string)?data:[ \t]*\n(?P<lines>(?:(?P=indent)[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n){1,200})",
    re.MULTILINE,
)
_DATA_LINE = re.compile(r"^[ \t]+[\w.\-]+:[ \t]*[\"']?(?P<v>[a-z0-9+/]{8,100000}={0,2})[\"']?[ \t]*$", re.MULTILINE)


def find_in_clusters(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """What a Kubernetes secret holds under `data`, whatever its name."""
    if "kind:" not in lower or not _CLUSTER_SECRET.search(lower):
        return
    for data in _DATA.finditer(lower):
        for line in _DATA_LINE.finditer(lower, *data.span("lines")):
            if from_base64(text[slice(*line.span("v"))]):
                yield *line.span("v"), "secret"
