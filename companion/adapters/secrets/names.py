"""Which names hold secrets, by their words: `dbPassword`, `AWS_SECRET_ACCESS_KEY`, but not `primary_key`."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from companion.adapters.secrets import words
from companion.adapters.secrets.looks import pieces

NAMES_KEPT = 4_096
"""Names whose judgement is remembered: a large project has a few hundred telling ones."""
LONGEST_NAME = 100
"""Characters: what is longer is no name."""


class SecretName(Struct, frozen=True):
    """What a name holds: the word it is called by when redacted, and whether people choose the value."""

    called: str
    is_password: bool


@lru_cache(NAMES_KEPT)
def secret_name(name: str) -> SecretName | None:
    """What a name holds, None if no secret. Words are split at case, marks and digits."""
    parts = [part.lower() for part in pieces(name)]
    while len(parts) > 1 and (parts[-1].isdigit() or parts[-1] in words.QUALIFIERS):
        parts.pop()
    if parts and parts[-1].endswith("s") and parts[-1][:-1] in words.MANY:
        parts[-1] = parts[-1][:-1]
    if not parts or len(name) > LONGEST_NAME or parts[-1] in words.ABOUT:
        return None
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    if last in words.PASSWORDS or (last.endswith(words.PASSWORD_ENDS) and last not in words.NO_PASSWORDS):
        return SecretName("passphrase" if "phrase" in last else "password", True)
    if last == "seed":
        return SecretName("secret", False) if before and before not in words.NO_SEEDS else None
    if last in words.TOKENS or last.endswith(words.TOKEN_ENDS) or (last == "pat" and before):
        return SecretName(_called(parts), False) if before not in words.NO_TOKENS else None
    if last.endswith("key"):
        about = last.removesuffix("key") or before
        return SecretName(_called(parts), False) if about and about not in words.NO_KEYS else None
    return None


def is_about(name: str) -> bool:
    """Whether a name speaks about a secret: its id, its file, its length."""
    parts = pieces(name)
    return bool(parts) and parts[-1].lower() in words.ABOUT


def _called(parts: list[str]) -> str:
    for called in ("token", "secret", "key"):
        if any(called in part for part in parts):
            return called
    return "token" if parts[-1] in {"bearer", "jwt", "pat", "sas"} else "credentials"
