"""The rules of detect-secrets, which cover more services than our own table.

Loading them takes a quarter of a second, so they wait until a text has one of their tell-tale words.
Rules that match bare hexadecimal or any word of some length are left out: they need the context that
`assignments` looks at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module

from companion.adapters.secrets import harmless

ANCHORS: dict[str, tuple[tuple[str, ...], str]] = {
    "cloudant": (("cloudant",), "Cloudant credentials"),
    "ibm_cloud_iam": (("ibm_", "ibm-cloud", "ibmcloud"), "IBM Cloud key"),
    "ibm_cos_hmac": (("cos_hmac",), "IBM storage key"),
    "softlayer": (("softlayer",), "SoftLayer key"),
}
"""Module of detect-secrets -> words one of which announces its secrets, and what to call them."""


@cache
def rules(module: str) -> tuple[re.Pattern[str], ...]:
    """The compiled patterns of one module of detect-secrets."""
    from detect_secrets.plugins.base import RegexBasedDetector

    loaded = import_module(f"detect_secrets.plugins.{module}")
    found: list[re.Pattern[str]] = []
    for thing in vars(loaded).values():
        if isinstance(thing, type) and issubclass(thing, RegexBasedDetector) and thing is not RegexBasedDetector:
            denied: Iterable[object] = thing.denylist  # type: ignore[assignment]
            found += [pattern for pattern in denied if isinstance(pattern, re.Pattern)]
    return tuple(found)


def find(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Spans of secrets by the borrowed rules. `lower` is the text in lower case."""
    for module, (anchors, kind) in ANCHORS.items():
        if not any(anchor in lower for anchor in anchors):
            continue
        for pattern in rules(module):
            for match in pattern.finditer(text):
                group = 1 if match.re.groups and match[1] else 0
                if not harmless.is_placeholder(match[group]):
                    yield *match.span(group), kind
