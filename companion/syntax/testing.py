"""Which source a test file is named after."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.records import FileRole
from companion.syntax.definitions import Definitions, family_of
from companion.syntax.languages import language_of
from companion.syntax.words import NAME_PART, words

MAX_NAMESAKES = 2
"""Sources that a test's name may mean, after the nearest have been chosen."""

_AFFIXES = re.compile(
    r"^(?:tests?[_-])|(?:[._-](?:tests?|specs?|e2e|cy|unit|integration|suite))+$|(?:tests?_?)$", re.IGNORECASE
)
_CLASS_AFFIXES = re.compile(r"^Test(?=[A-Z])|(?:Tests?|TestCase|Specs?|IT)$")
_SILENT_FOLDERS = words(
    """
    test tests __tests__ spec specs testing unit integration e2e feature features src lib main app source
    java kotlin scala
    """
)


def tested_by_name(path: str, definitions: Definitions, used: Mapping[str, float]) -> list[str]:
    """Source files that the test at `path` is named after: at most two, those it uses first.

    `test_app.py`, `app_test.go`, `AppTest.java`, `app.spec.ts` all mean `app`; `test_sync_mutex.py`
    may also mean `sync/mutex.py`, and `search-root.spec.ts` `searchRoot.ts`.
    """
    folder, _, name = path.rpartition("/")
    stem, _, extension = name.rpartition(".")
    subject = _subject(stem)
    family = family_of(language_of(path))
    if not subject or not family:
        return []
    candidates = [
        place
        for ending in dict.fromkeys(_file_names(subject, extension, family))
        for place in definitions.ending_name(ending)
        if definitions.places[place].role is FileRole.SOURCE and definitions.places[place].family == family
    ]
    if not candidates:
        candidates = _by_joined_name(subject, extension, family, definitions)
    home = _plain_folders(folder)

    def fit(candidate: str) -> tuple[float, int, int, str]:
        there = _plain_folders(candidate.rpartition("/")[0])
        shared = len(set(home) & set(there))
        return (-used.get(candidate, 0.0), -shared, len(there), candidate)

    ranked = sorted(dict.fromkeys(candidates), key=fit)
    if used and ranked and ranked[0] not in used:
        # A namesake that the test never uses counts only where it lies in the matching folder.
        ranked = [one for one in ranked if _plain_folders(one.rpartition("/")[0])[-len(home) or None :] == home]
    if len(ranked) > 1 and fit(ranked[0])[:2] != fit(ranked[1])[:2]:
        return ranked[:1]
    return ranked[:MAX_NAMESAKES]


def _plain_folders(folder: str) -> list[str]:
    """The folders of a path that say something: neither tests nor the usual source roots."""
    return [part for part in folder.lower().split("/") if part and part not in _SILENT_FOLDERS]


def _subject(stem: str) -> str:
    bare = _CLASS_AFFIXES.sub("", stem) if any(c.isupper() for c in stem) else stem
    while (shorter := _AFFIXES.sub("", bare)) != bare:
        bare = shorter
    return bare.strip("._-")


def _file_names(subject: str, extension: str, family: str) -> list[str]:
    extensions = {
        "ecmascript": ["ts", "tsx", "js", "jsx", "mjs", "vue", "svelte"],
        "c": ["c", "cc", "cpp", "h", "hpp"],
        "jvm": ["java", "kt", "scala"],
    }.get(family, [extension])
    parts = NAME_PART.findall(subject)
    joined = "".join(part[:1].upper() + part[1:] for part in parts)
    small = [part.lower() for part in parts]
    stems = (subject, f"_{subject}", "-".join(small), "_".join(small), joined, joined[:1].lower() + joined[1:])
    return [f"{stem}.{ending}" for ending in extensions for stem in dict.fromkeys(stems)]


def _by_joined_name(subject: str, extension: str, family: str, definitions: Definitions) -> list[str]:
    """`sync_mutex` for `sync/mutex.rs`: the last words name the file, those before it a folder."""
    parts = re.split(r"[_-]", subject)
    found: list[str] = []
    for cut in range(1, len(parts)):
        tail = "_".join(parts[cut:])
        for candidate in definitions.ending_name(f"{tail}.{extension}"):
            place = definitions.places[candidate]
            above = candidate.split("/")[:-1]
            fits = place.role is FileRole.SOURCE and place.family == family
            if fits and above and above[-1] == "_".join(parts[:cut]):
                found.append(candidate)
    return found
