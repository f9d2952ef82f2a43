"""What only looks like a secret: placeholders, examples, hashes, identifiers, code."""

from __future__ import annotations

import math
import re
from collections import Counter

_PLACEHOLDER = re.compile(
    r"""(?ix)
    ^(?: [x*.\-_#?0]+ | <.*> | \[.*\] | \{.*\} | \$[\w({].* | %[\w(].* | @[\w.]+@? | \#\{.* | -+ )$
    | your | change[-_ ]?me | replace[-_ ]?(?:me|this|with) | placeholder | dummy | \bfake | example | sample
    | insert[-_ ]?(?:here|your) | redacted | xxxx | \*\*\*\* | \.\.\. | …
    | ^(?:test|testing|tests|demo|dev|local|mock|stub|fixture|foo|bar|baz|qux|spam|eggs|hello|todo|tbd)
      (?:[-_]?(?:ing|er|only|user|pass|password|passwd|pwd|secret|token|key|value|api|auth|access|client|id|name|
         data|world|bar|foo|\d{1,6}))*[!.]?$
    | ^(?:my|the|some|any|a|an|new|old|super|top|very|default|invalid|wrong|bad|good|valid|correct|user|admin|root)?
      [-_ ]?(?:secret|password|passwd|passphrase|token|key|api[-_ ]?key|credentials?)
      (?:[-_ ]?(?:here|value|string|goes|key|token|name|id|\d{1,6}))*[!.]?$
    | ^(?:none|null|nil|undefined|true|false|yes|no|n/?a|empty|unset|optional|required|string|str|bytes|text|number)$
    | ^(?:admin|root|guest|user|postgres|mysql|mariadb|redis|rabbitmq|minio|docker|vagrant|nobody|anonymous)\d{0,6}$
    | ^(?:1234?5?6?7?8?9?0?|abc(?:def)?\w{0,6}|qwerty\w{0,4}|letmein|pass(?:word)?\d{0,4}!?|secret\d{0,4}!?)$
    """
)
_EXPRESSION = re.compile(
    r"""(?x)
    [()\[\]{}] | ^\$ | => | ->
    | ^(?:os|sys|env|process|config|settings|self|this|cls|ctx|req|request|options|opts|args|kwargs|params|props|app|
        secrets|vars|var|data|local|github|inputs|steps|matrix|needs|module|response|res|user|session|state|string|
        String|std|f|b|r|u)(?:\.|\?\.|::|->|\[)
    | ^[a-z_][\w]*(?:\.[A-Za-z_]\w*)+$
    """
)
_UUID = re.compile(r"^\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?$")
_HEX = re.compile(r"^(?:0x)?[0-9a-fA-F]+$")
_PATH_OR_URL = re.compile(r"^(?:[a-z][a-z0-9+.\-]*://|\.{1,2}/|~/|[A-Za-z]:\\|//)")
_VERSION_OR_MAIL = re.compile(r"^(?:v?\d+(?:\.\d+)+[\w.\-+]*|[\w.\-]+@[\w\-]+\.[\w.]+)$")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HASH_CONTEXT = re.compile(
    r"""(?ix)
    \b(?:sha\d*|md5|hash(?:es|ed)?|digest|checksum|integrity|commit|revision|rev|blob|tree|etag|fingerprint|uuid|guid|
       resolved|sri|signature|public[_ -]?key|pub[_ -]?key|cert(?:ificate)?|ssh-(?:rsa|ed25519|dss)|ecdsa-sha2\S*|
       nonce|trace|span|request|correlation|build|image|base64|data:|content[-_ ]?hash|cache[-_ ]?key|snapshot|
       merkle|cid|genesis|address|color|colour)\b
    """
)
LONGEST_WORDY = 4
"""A run of digits up to this length belongs to an identifier (`oauth2`, `web2026`)."""


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret without being one."""
    plain = value.strip().strip("\"'`")
    return not plain or len(set(plain)) <= 2 or bool(_PLACEHOLDER.search(plain)) or _is_run(plain)


def is_expression(value: str) -> bool:
    """Whether the value is code that fetches the secret from elsewhere."""
    return bool(_EXPRESSION.search(value))


def is_uuid(value: str) -> bool:
    """Whether the value is a UUID."""
    return bool(_UUID.match(value))


def is_hex(value: str) -> bool:
    """Whether the value is hexadecimal digits alone."""
    return bool(_HEX.match(value))


def is_reference(value: str) -> bool:
    """Whether the value is a path, an address, a media type or a version."""
    if _PATH_OR_URL.match(value) or _VERSION_OR_MAIL.match(value):
        return True
    return "/" in value and all(is_wordy(part) for part in value.split("/") if part)


def is_hash_context(line: str) -> bool:
    """Whether the words around say that random digits are a hash or an identifier."""
    return bool(_HASH_CONTEXT.search(line))


def is_wordy(value: str) -> bool:
    """Whether the value reads like an identifier: words one can pronounce and short numbers."""
    if re.search(r"[^\w\-. :]", value):
        return False
    parts = _WORDS.findall(value)
    if not parts or sum(len(part) for part in parts) < len(re.sub(r"[\W_]", "", value)):
        return False
    return all(_is_word(part) for part in parts) and len(parts) <= max(2, len(value) / 3)


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def character_classes(value: str) -> int:
    """How many of lower case, upper case, digits and marks occur."""
    return sum(bool(re.search(of, value)) for of in (r"[a-z]", r"[A-Z]", r"\d", r"[^A-Za-z0-9]"))


def _is_word(part: str) -> bool:
    if part.isdigit():
        return len(part) <= LONGEST_WORDY
    lower = part.lower()
    if len(lower) <= 3:
        return True
    return bool(re.search(r"[aeiouy]", lower)) and not re.search(r"[^aeiouy]{5}", lower)


def _is_run(value: str) -> bool:
    """Counting up: `12345678`, `abcdefgh`, `0123456789abcdef` once or repeated."""
    lower = value.lower()
    if len(lower) < 6:
        return False
    runs = "0123456789abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz0123456789", "1234567890" * 8
    hexes = "0123456789abcdef" * 8, "abcdef0123456789" * 8, "deadbeef" * 16, "cafebabe" * 16
    return any(lower in run for run in (*runs, *hexes))
