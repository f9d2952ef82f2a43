"""Finds secrets in text and replaces them.

Four searches, each with its reason; `redact` joins what they find:

    formats.py      tokens that tell what they are by their own shape, as their issuers document it; a kind is a line
    blocks.py       private keys over many lines, also quoted, indented, escaped or encoded
    assignments.py  values given to a telling name, in code, settings, markup, commands and prose
    carriers.py     values where secrets are sent or kept: headers, addresses, commands, hooks, password files; a place is a line

What has no shape is judged:

    names.py        whether a name holds a secret, by its words
    values.py       whether a value is the secret itself: a lower bar for passwords, a higher one in code and prose
    expressions.py  what tells code from a value: names, operators, brackets that open and close
    looks.py        how much chance is in a value: entropy, pairs of letters, runs
    harmless.py     what only stands where a secret would: placeholders, fixtures, references
    words.py        the words that all of them know
"""

from __future__ import annotations

from companion.adapters.secrets.redact import SecretRedactor, SecretSpan, find_secrets, redacted_source

__all__ = ["SecretRedactor", "SecretSpan", "find_secrets", "redacted_source"]
