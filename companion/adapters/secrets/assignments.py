"""Secrets without a shape of their own: what is given to a telling name, or sent where secrets are sent.

A value is judged by three things: how telling the name is, whether the value is a placeholder, code or
an identifier, and how random it looks. Lines without a telling word are never looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.adapters.secrets import harmless

TELLING = (
    "pass", "pwd", "secret", "token", "key", "auth", "cred", "bearer", "basic ", "://", "salt", "cookie",
    "session", "signature", "dsn", "connection", "login", "seed", "mnemonic", "-u ", "pin",
)  # fmt: skip
"""A text without any of these words holds nothing for this module."""

_CORE = (
    r"(?:passw(?:or)?d|passwort|passwd|passphrase|passcode|pwd|secret|api[_\-.]?key|apikey|"
    r"access[_\-.]?key(?!_?id)|auth[_\-.]?key|private[_\-.]?key|secret[_\-.]?key|signing[_\-.]?key|"
    r"encryption[_\-.]?key|master[_\-.]?key|account[_\-.]?key|shared[_\-.]?key|service[_\-.]?key|license[_\-.]?key|"
    r"deploy[_\-.]?key|session[_\-.]?key|client[_\-.]?secret|token|credentials?|auth|bearer|_key|pass)"
    r"(?:[_\-.]?(?:value|string|text|v?\d{1,3}|prod|production|staging|dev|live|base64|b64|hex|key|token|main|default))?"
)
_NAME = r"(?:[A-Za-z0-9_.\-]{0,60}?)" + _CORE
_BEFORE = re.compile(r"[A-Za-z0-9_.\-]{0,60}\Z")
_ASSIGNED = re.compile(
    rf"""(?ix)
    (?P<core>{_CORE})                                           # what stands before it is read backwards
    (?P<close>["'`]?\]?)
    \s*(?P<op>:=|=>|==?|:|<-|\|\|=|\?=)\s*
    (?:[A-Za-z_][\w.\[\]<>| ]{{0,30}}=\s*)?                     # a type between name and value
    (?P<prefix>(?:[rbfu]{{1,2}}|@|\$)?)
    (?:(?P<quote>["'`])(?P<quoted>(?:\\.|(?!(?P=quote))[^\\\n]){{4,400}})(?P=quote)
      |(?P<bare>[^\s"'`,;<>&|]{{6,400}}))
    """
)
_HEADER = re.compile(
    r"(?i)(?:authorization|proxy-authorization|x-[\w-]*(?:key|token|auth)[\w-]*)[\"']?\s*[:=,]\s*[\"'`]?(?:(?:bearer|basic|token|digest|apikey)\s+)?(?P<v>[A-Za-z0-9._~+/=\-]{12,})"
)
_BEARER = re.compile(r"(?i)\b(?:bearer|basic)\s+(?P<v>[A-Za-z0-9._~+/=\-]{16,})")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://(?P<user>[^\s:/?#@'\"`<>]{0,100}):(?P<v>[^\s/@'\"`<>]{3,200})@[\w\[]")
_URL_TOKEN = re.compile(r"https?://(?P<v>[A-Za-z0-9_\-]{20,})(?::x-oauth-basic)?@[\w.]+")
_FLAG = re.compile(
    r"(?i)(?<!\S)--?(?:password|passwd|pass|token|secret|api-key|apikey|access-token|auth-token|client-secret)[= ]\s*[\"']?(?P<v>[^\s\"'`]{6,200})"
)
_USER_FLAG = re.compile(r"(?<!\S)(?:-u|--user)[= ]\s*[\"']?[\w.@+\-]{1,64}:(?P<v>[^\s\"'`]{4,200})")
_SSHPASS = re.compile(r"(?i)(?:sshpass\s+-p\s*|mysql(?:dump|admin)?\b[^\n|]{0,80}?\s-p)[\"']?(?P<v>[^\s\"'`]{6,200})")
_NETRC = re.compile(r"(?i)\blogin\s+\S{1,100}\s+password\s+(?P<v>\S{4,200})")
_TAG = re.compile(rf"(?i)<(?P<name>{_NAME})(?:\s[^>]{{0,200}})?>\s*(?P<v>[^<>\s][^<>\n]{{3,200}}?)\s*</")
_NAMED_VALUE = re.compile(
    rf"(?is)[\"']?(?:name|key|id)[\"']?\s*[:=]\s*[\"']?(?P<name>{_NAME})[\"']?\s*[,\n]?\s*[\"']?value[\"']?\s*[:=]\s*[\"'](?P<v>[^\"'\n]{{6,200}})[\"']"
)
_QUERY = re.compile(
    r"(?i)[?&](?:access_token|api_?key|auth_?token|token|key|secret|password|client_secret|sig|signature)=(?P<v>[A-Za-z0-9%._~+\-/]{8,200})"
)
_CONNECTION = re.compile(r"(?i)(?:^|[;\"'\s])(?:password|pwd)\s*=\s*(?P<v>[^;\"'\s]{4,200})\s*;")
_DOCKER_AUTH = re.compile(r"\"auth\"\s*:\s*\"(?P<v>[A-Za-z0-9+/]{12,}={0,2})\"")

_CORE_WORDS = (
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "cred",
    "bearer",
    "auth=",
    "auth:",
    "auth ",
    'auth"',
    "auth'",
)

PLACES: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("credentials", _HEADER, "authorization x-"),
    ("credentials", _BEARER, "bearer basic"),
    ("password", _URL, "://"),
    ("token", _URL_TOKEN, "://"),
    ("password", _FLAG, "--pass -pass --token --secret --api --access --auth --client -token"),
    ("password", _USER_FLAG, "-u --user"),
    ("password", _SSHPASS, "sshpass mysql"),
    ("password", _NETRC, "login"),
    ("token", _QUERY, "token= key= secret= password= sig= signature="),
    ("password", _CONNECTION, "password pwd"),
    ("credentials", _DOCKER_AUTH, "\"auth\""),
)  # fmt: skip
"""Where secrets are sent: what to call them, the shape of the place, and words one of which must occur."""

_NOT_SECRET_NAMES = re.compile(
    r"""(?ix)
    (?:^|[_\-.])(?:id|ids|name|names|path|file|filename|url|uri|endpoint|type|types|field|header|headers|length|len|size|
      count|limit|max|min|expir\w*|ttl|timeout|prefix|suffix|regex|re|pattern|label|title|message|msg|error|hint|help|
      placeholder|required|enabled|policy|strength|reset|generator|tokeni[sz]er|tokens|index|column|table|alg\w*|
      format|encoding|method|scheme|provider|backend|class|callback|func|version|hash|public)$
    | ^(?:primary|foreign|sort|partition|cache|public|publishable|dict|map|hot|short|press|idempotency|i18n|translation|
         csrf|xsrf|next|prev|page|pagination|cursor|continuation|sync|start|end|eos|bos|pad|unk|mask|cls|sep)[_\-.]?(?:key|token)
    | ^(?:key|author|authors|bypass|compass|monkey|keyboard|hotkey|turkey|donkey|encompass|trespass)$
    | (?:^|[_\-.])(?:authors?|authority|oauth|auth)$
    """
)
_PASSWORD_NAME = re.compile(r"(?i)pass|pwd")
_ENV_NAME = re.compile(r"^[A-Z][A-Z0-9_]{2,}$")
MIN_ENTROPY = 2.8
"""Bits a character: eight different characters have three; words of English have 2.2 to 2.9."""
MIN_BARE_ENTROPY = 3.2
"""Unquoted values are mostly code, so they must look more random."""


def find(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Spans (start, end, kind) of secrets by their place or name. `lower` is the text in lower case."""
    if not any(word in lower for word in TELLING):
        return
    for kind, pattern, anchors in PLACES:
        if any(anchor in lower for anchor in anchors.split()):
            yield from _in_place(text, kind, pattern)
    for pattern in (_TAG, _NAMED_VALUE):
        if "</" in text or "value" in lower:
            for match in pattern.finditer(text):
                if _is_secret(match["name"], match["v"], quoted=True):
                    yield (*match.span("v"), _called(match["name"]))
    if any(word in lower for word in _CORE_WORDS):
        yield from _assigned(text)


def _in_place(text: str, kind: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    for match in pattern.finditer(text):
        value = match["v"]
        if harmless.is_placeholder(value) or harmless.is_expression(value) or _is_interpolated(value):
            continue
        if pattern is not _URL and (harmless.is_wordy(value) or harmless.is_reference(value)):
            continue
        if kind == "credentials" and harmless.entropy(value) < MIN_ENTROPY:
            continue
        if pattern is _URL_TOKEN and harmless.entropy(value) < MIN_BARE_ENTROPY:
            continue
        if pattern is _URL and match["user"].lower() == value.lower():
            continue
        if pattern in (_FLAG, _QUERY, _CONNECTION) and not _looks_random(value, password=True):
            continue
        yield (*match.span("v"), kind)


def _assigned(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _ASSIGNED.finditer(text):
        quoted = match["quoted"]
        value = quoted if quoted is not None else match["bare"].rstrip(".)]}")
        if quoted is None and match["op"] in {"==", "=>"}:
            continue
        before = _BEFORE.search(text, max(0, match.start() - 60), match.start())
        name = (before[0] if before else "") + match["core"]
        if _is_secret(name, value, quoted=quoted is not None):
            start = match.start("quoted") if quoted is not None else match.start("bare")
            yield start, start + len(value), _called(name)


def _is_secret(name: str, value: str, *, quoted: bool) -> bool:
    value = value.strip()
    if len(value) < 6 or harmless.is_placeholder(value) or _is_interpolated(value):
        return False
    if _NOT_SECRET_NAMES.search(name) and not _PASSWORD_NAME.fullmatch(name):
        return False
    if harmless.is_reference(value) or (" " in value and not _PASSWORD_NAME.search(name)):
        return False
    if value.count(" ") > 2 or (harmless.is_expression(value) and not quoted):
        return False
    if not quoted:
        return _is_bare_secret(name, value)
    return _looks_random(value, password=bool(_PASSWORD_NAME.search(name)))


def _is_bare_secret(name: str, value: str) -> bool:
    if re.search(r"[(){}\[\]]|::|->|&&", value):
        return False
    if _ENV_NAME.match(name):
        return _looks_random(value, password=True)
    if _is_random_word(value):
        return True
    if re.fullmatch(r"[\w.]+", value.rstrip("=")) or harmless.is_wordy(value):
        return False
    enough = MIN_BARE_ENTROPY - (0.4 if _PASSWORD_NAME.search(name) else 0)
    return harmless.character_classes(value) >= 2 and harmless.entropy(value) >= enough


def _is_random_word(value: str) -> bool:
    """Letters and digits mixed as no identifier mixes them."""
    mixed = re.fullmatch(r"[A-Za-z0-9_+/=\-]{16,}", value) and re.search(r"\d", value) and re.search(r"[A-Za-z]", value)
    return bool(mixed) and not harmless.is_wordy(value) and harmless.entropy(value) >= MIN_BARE_ENTROPY


def _looks_random(value: str, *, password: bool) -> bool:
    if len(value) < 8:
        return password and harmless.character_classes(value) >= 3
    if harmless.is_wordy(value) or harmless.entropy(value) < MIN_ENTROPY - (0.3 if password else 0):
        return False
    if harmless.is_hex(value) or harmless.is_uuid(value):
        return len(value) >= 16
    return harmless.character_classes(value) >= (2 if password or len(value) >= 16 else 3)


def _is_interpolated(value: str) -> bool:
    return bool(re.search(r"\$\{|\$\(|\{\{|%\(|#\{|<%|\$[A-Z_]{3,}|^\{[^}]*\}$|%[sd]\b|^\$\w+$", value))


def _called(name: str) -> str:
    lower = name.lower()
    for word in ("password", "passphrase", "token", "secret", "key"):
        if word in lower:
            return word
    return "password" if "pass" in lower or "pwd" in lower else "credentials"
