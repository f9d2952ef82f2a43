"""Which names hold secrets, by their words: `dbPassword`, `AWS_SECRET_ACCESS_KEY`, but not `primary_key`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

NAMES_KEPT = 4_096
"""Names whose judgement is remembered: a large project has a few hundred telling ones."""
LONGEST_NAME = 100
"""Characters: what is longer is no name."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_QUALIFIERS = frozenset(
    "value values string str text raw plain plaintext clear prod production staging stage dev live main default base base64 b64 "
    "hex data old new current primary secondary backup env var const literal local global internal v val test ci".split()
)
"""Words after the telling one that leave it telling: `token_value`, `API_KEY_PROD`."""

_PASSWORDS = frozenset(
    "password passwd passwort passphrase passcode pwd pass pword passwrd passw pw kennwort senha contrasena psk".split()
)
_PASSWORD_ENDS = ("password", "passwd", "passwort", "passphrase", "passcode", "pwd", "pass")
_NO_PASSWORDS = frozenset(
    "bypass compass trespass encompass surpass underpass overpass multipass singlepass onepass firstpass lastpass nopass".split()
)
_TOKENS = frozenset("token secret apikey credential credentials cred creds bearer jwt salt pepper sas auth seed".split())
_TOKEN_ENDS = ("token", "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "masterkey", "signingkey")
_KEY_ENDS = ("key", "keys")
_NO_KEYS = frozenset(
    "public pub publishable primary foreign sort partition cache dict map hot short press idempotency i18n translation lang "
    "csrf xsrf next prev previous page pagination cursor continuation sync start end eos bos pad unk mask cls sep unique index "
    "row col column table object item list group route state storage local query search meta tag label message json yaml "
    "config option param arg attribute property field form input event arrow enter escape tab ctrl shift alt function any "
    "first last left right up down home each this the a an some my current parent child other same lookup hash sequence natural "
    "schema bucket registry display default host known etag socket trace context request response header lock feature flag type "
    "sub super candidate surrogate composite numeric string int integer byte color theme style class sitemap site captcha "
    "modifier accelerator shortcut keyboard piano car door answer exclude include ignore missing invalid duplicate array".split()
)
"""Keys that open nothing: they find a row, name a text, or are pressed."""

_NO_TOKENS = frozenset(
    "csrf xsrf next prev previous page pagination cursor continuation sync start end eos bos pad unk mask cls sep public "
    "syntax lexer parser keyword comment current last first special reserved unexpected expected cancellation no invalid".split()
)
_NO_SEEDS = frozenset({"", "random", "rng", "np", "torch", "db", "database", "hash", "test"})
_NOT_LAST = frozenset(
    "id ids uuid name names path paths file files filename dir directory folder url uri link endpoint type types kind field fields "
    "header headers length len size count limit max min expiry expires expiration expire ttl timeout age prefix suffix regex re "
    "pattern label title message msg error errors hint help placeholder required enabled disabled policy strength reset generator "
    "tokenizer tokeniser tokens keys secrets passwords index column table alg algo algorithm format encoding method scheme provider "
    "backend class callback func function version hash hashes hashed digest public pub fingerprint selector store manager service "
    "handler middleware helper factory builder validator rule rules schema model view page form input button icon usage status "
    "state scope scopes issuer audience source ref reference arn alias role user username mode rotation rotator days bytes bits "
    "list map set dict array param params option options config settings changed updated created at on by in to from for".split()
)
"""A name that ends so speaks about a secret: `password_field`, `token_url`, `secretName`."""


@dataclass(frozen=True, slots=True)
class SecretName:
    """What a name holds: the word it is called by when redacted, and whether people choose the value."""

    called: str
    is_password: bool


@lru_cache(NAMES_KEPT)
def secret_name(name: str) -> SecretName | None:
    """What a name holds, None if no secret. Words are split at case, marks and digits."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _QUALIFIERS):
        words.pop()
    if not words or len(name) > LONGEST_NAME or words[-1] in _NOT_LAST:
        return None
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last in _PASSWORDS or (last.endswith(_PASSWORD_ENDS) and last not in _NO_PASSWORDS):
        return SecretName("passphrase" if "phrase" in last else "password", is_password=True)
    if last in _TOKENS or last.endswith(_TOKEN_ENDS) or (last == "pat" and before):
        return None if before in (_NO_SEEDS if last == "seed" else _NO_TOKENS) else SecretName(_called(words), False)
    if last.endswith("key"):
        about = last.removesuffix("key") or before
        return SecretName(_called(words), False) if about and about not in _NO_KEYS else None
    return None


def _called(words: list[str]) -> str:
    for called in ("token", "secret", "key"):
        if any(called in word for word in words):
            return called
    return "token" if words[-1] in {"bearer", "jwt", "pat", "sas"} else "credentials"
