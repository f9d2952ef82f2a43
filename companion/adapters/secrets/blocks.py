"""Keys that go over several lines, also with their lines quoted, indented, escaped or encoded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.adapters.secrets.looks import from_base64

LONGEST_KEY = 20_000
"""Characters between the two lines: an RSA key of 16,384 bits has 12,800."""

_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Za-z0-9]+ ){0,3}(?:PRIVATE KEY(?: BLOCK)?|Static key V1)-----"
    rf"(?P<body>(?:(?!-----)[\s\S]){{1,{LONGEST_KEY}}})"
    r"(?:-----END [A-Za-z0-9 ]{1,60}-----)?"
)
_BODY = re.compile(r"[A-Za-z0-9+/]{32}")
_CUT_BODY = re.compile(r"(?:[\s\"'+,#/*>|\\]|\\[nr]|[A-Za-z0-9+/=]{16,})*")
_PUTTY = re.compile(rf"PuTTY-User-Key-File-[23]:(?:(?!PuTTY-User)[\s\S]){{1,{LONGEST_KEY}}}?Private-MAC: \w+")
_ENCODED = re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/=]{40,}")
_HEAD = 60
"""Characters of base64 that hold the line which says what the key is."""


def find(text: str) -> Iterator[tuple[int, int, str]]:
    """Spans of private keys. A block without a body, as programs name it to recognise keys, is none."""
    if "-----BEGIN" in text:
        for block in _BLOCK.finditer(text):
            if _BODY.search(block["body"]):
                yield block.start(), _end(text, block), "private key"
    if "PuTTY-User" in text:
        for block in _PUTTY.finditer(text):
            yield *block.span(), "private key"
    if "LS0tLS1CRUdJTi" in text:
        for encoded in _ENCODED.finditer(text):
            if b"PRIVATE" in from_base64(encoded[0][:_HEAD]):
                yield *encoded.span(), "private key"


def _end(text: str, block: re.Match[str]) -> int:
    """Where the block ends; where its last line is missing, after what still looks like the key."""
    if block[0].endswith("-----"):
        return block.end()
    cut = _CUT_BODY.match(text, block.start("body"), block.end("body"))
    return cut.end() if cut else block.end()
