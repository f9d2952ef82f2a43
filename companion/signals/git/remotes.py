"""One name for a remote, however its address is written: `host/owner/name`.

Scheme, user, password, token, port and a trailing `.git` fall away; the host is lower-cased, the rest
is too (the large hosts do not tell case apart, and one project must not become two). An address
without a host - a folder, a drive, a bundle - has no such name and gives ''.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_URL = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SCP = re.compile(r"^(?:[^/@:]+@)?(\[[0-9a-fA-F:]+\]|[^/:@\[\]]{2,}):(?!//)(.+)$")
_HELPER = re.compile(r"^[a-z0-9-]+::", re.IGNORECASE)


def normalised_remote(address: str) -> str:
    """`host/owner/name` of an ssh, https, git or scp-like address; '' for anything local."""
    text = _HELPER.sub("", address.strip())
    if _URL.match(text):
        host, path = _split_url(text)
    elif found := _SCP.match(text):
        host, path = found.group(1).strip("[]"), found.group(2)
    else:
        return ""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "~")]
    if not host or not parts:
        return ""
    if len(parts) > 1 and parts[-1].lower() == ".git":
        parts.pop()
    parts[-1] = re.sub(r"\.git$", "", parts[-1], flags=re.IGNORECASE) or parts[-1]
    return "/".join([host, *parts]).lower()


def local_folder(address: str, base: Path) -> Path | None:
    """The folder that a remote's address means, taken from `base`; None if it is not a local one."""
    text = address.strip()
    if text.lower().startswith("file://"):
        text = unquote(urlsplit(text).path)
    elif _URL.match(text) or _SCP.match(text):
        return None
    try:
        folder = base / text
        return folder if text and folder.is_dir() else None
    except (OSError, ValueError):
        return None


def _split_url(text: str) -> tuple[str, str]:
    try:
        url = urlsplit(text)
        host = url.hostname or ""
    except ValueError:
        return "", ""
    if url.scheme.lower() == "file":
        return "", ""
    return host, unquote(url.path)
