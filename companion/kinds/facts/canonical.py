"""One spelling for what several files say in several ways: versions, licences, indents, requirements."""

from __future__ import annotations

import re

_VERSION = re.compile(r"\d+(?:\.\d+){0,3}")
_CLAUSE = re.compile(r"(?P<op>[<>=!~^]{0,3})\s{0,20}v?(?P<version>\d+(?:\.(?:\d+|x|\*))*)", re.IGNORECASE)
DIGITS_MOST = 18
"""Of a part of a version; dates have 14. Python refuses to read a number of more than 4,300."""
_UPPER = frozenset({"<", "<=", "!=", "!=="})


def canonical_version(text: str, keep: int = 2) -> str:
    """A version without the zeros that say nothing: `3.10.0` is `3.10`; `keep` parts always stay.

    Empty where there is no version in the text.
    """
    found = _VERSION.search(text)
    if not found:
        return ""
    parts = found.group().split(".")
    while len(parts) > keep and parts[-1] == "0":
        parts.pop()
    if keep == 1 and len(parts) == 2 and parts[1] == "0":
        parts.pop()
    return ".".join(parts)


def java_version(text: str) -> str:
    """`1.8`, `1_8` and `8` are the same Java."""
    version = canonical_version(text.replace("_", "."), 1)
    return version[2:] if version.startswith("1.") else version


def version_order(version: str) -> tuple[int, ...]:
    """A key that orders versions as people count: 3.9 before 3.10."""
    return tuple(int(part[:DIGITS_MOST]) for part in re.findall(r"\d+", version))


def minimum_version(requirement: str, parts: int = 2) -> str:
    """The oldest version a requirement admits: `>=3.9,<4` is `3.9`, `^7.4 || ^8.0` is `7.4`.

    Understands the operators of PEP 440, npm, Composer, RubyGems and Maven ranges. At most `parts`
    numbers are given: manifests name a patch level where documents and CI do not, and the two are to
    be compared. Empty where the requirement names no lower bound.
    """
    lows = []
    for clause in _CLAUSE.finditer(requirement):
        if clause["op"] in _UPPER:
            continue
        version = re.sub(r"(?<!\.[x*])(?:\.(?:x|\*))++$", "", clause["version"], flags=re.IGNORECASE)
        lows.append(".".join(version.split(".")[:parts]))
        if requirement.lstrip()[:1] in {"[", "("}:
            break
    return min(lows, key=version_order) if lows else ""


_LICENCES: tuple[tuple[str, str], ...] = (
    (r"^(the )?mit( license| licence)?$|^expat$", "MIT"),
    (r"^isc( license)?$", "ISC"),
    (r"^(the )?(apache|asl)[ -]?(software )?(license|licence)?[ ,-]*(version |v)?2(\.0)?( license)?$", "Apache-2.0"),
    (
        r"^(new |modified |revised )?bsd[ -]3([ -]clause)?( .*)?$|^(new|modified|revised) bsd( license)?$",
        "BSD-3-Clause",
    ),
    (r"^(simplified )?bsd[ -]2([ -]clause)?( .*)?$|^simplified bsd( license)?$", "BSD-2-Clause"),
    (r"^(mpl|mozilla public license)[ -]*(version )?2(\.0)?$", "MPL-2.0"),
    (r"^(gnu )?lgpl.*2\.1.*(\+|later).*$", "LGPL-2.1-or-later"),
    (r"^(gnu )?lgpl.*3.*(\+|later).*$", "LGPL-3.0-or-later"),
    (r"^(gnu )?agpl.*3.*$", "AGPL-3.0"),
    (r"^(gnu )?gpl.*2.*(\+|later).*$", "GPL-2.0-or-later"),
    (r"^(gnu )?gpl.*3.*(\+|later).*$", "GPL-3.0-or-later"),
    (r"^(gnu )?gpl.*3(\.0)?(-only)?$", "GPL-3.0-only"),
    (r"^(gnu )?gpl.*2(\.0)?(-only)?$", "GPL-2.0-only"),
    (r"^(the )?unlicense$", "Unlicense"),
    (r"^(the )?bsd( license)?$", "BSD"),
    (r"^(the )?apache( software)?( license)?$", "Apache"),
    (r"^gnu lesser general public license v?3\b.*$", "LGPL-3.0"),
    (r"^gnu general public license v?3\b.*$", "GPL-3.0"),
    (r"^gnu general public license v?2\b.*$", "GPL-2.0"),
)


def licence_id(text: str) -> str:
    """The SPDX expression of a licence's usual names; the text itself where it is none of them."""
    plain = " ".join(text.replace('"', "").split())
    for pattern, spdx in _LICENCES:
        if re.match(pattern, plain, re.IGNORECASE):
            return spdx
    return re.sub(r"\s*/\s*", " OR ", plain) if re.fullmatch(r"[\w.+-]+/[\w.+-]+", plain) else plain


def indent(style: str, size: str) -> str:
    """`4 spaces`, `tab`, or empty where the style is not told."""
    if style.lower().startswith("tab"):
        return "tab"
    if size.isdigit() and (style.lower().startswith("space") or not style):
        return f"{int(size)} spaces" if int(size) != 1 else "1 space"
    return ""


_REQUIREMENT = re.compile(
    r"^\s*+(?P<name>[A-Za-z0-9][\w.-]*+)\s*+(?:\[(?P<extras>[^\]]*+)\])?\s*+\(?(?P<spec>[^;()]*+)\)?\s*+"
    r"(?:;(?P<marker>.*))?$"
)


def requirement(text: str) -> tuple[str, str, str]:
    """Name, version and marker of a Python requirement; the name is empty where it is none.

    >>> requirement("httpcore==1.* ; python_version < '3.9'")
    ('httpcore', '==1.*', "python_version < '3.9'")
    """
    plain = text.partition(" #")[0].strip()
    if plain.startswith("-") or "://" in plain.partition("@")[0]:
        return "", "", ""
    name, _, address = plain.partition("@")
    found = _REQUIREMENT.match(name if address and "://" in address else plain)
    if not found:
        return "", "", ""
    spec = re.sub(r"\s+", "", found["spec"] or "")
    if spec and not re.match(r"[<>=!~]", spec):
        return "", "", ""
    return found["name"].lower().replace("_", "-"), spec, (found["marker"] or "").strip()
