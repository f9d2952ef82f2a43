"""Finds secrets in text and replaces them: known formats, borrowed rules, and names that hold secrets.

Three sources, each with its reason:

- `formats`: tokens that tell what they are by their own shape (`ghp_…`, private key blocks, …);
- `borrowed`: the rules of detect-secrets, loaded when a text has one of their tell-tale words;
- `assignments`: values given to a name such as `password` or sent in a header, judged by their look
  and entropy, since they have no shape of their own.

`harmless` says what only looks like a secret: hashes, identifiers, placeholders, examples.
"""

from __future__ import annotations

from companion.adapters.secrets.redact import Found, SecretRedactor, find_secrets, redacted_source

__all__ = ["Found", "SecretRedactor", "find_secrets", "redacted_source"]
