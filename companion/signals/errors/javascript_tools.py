"""Messages of tools that check or bundle: tsc, ESLint, esbuild, Vite, Babel, webpack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.signals.errors.found import FoundError, LineForm, Stack, headings, walk

REACH_LINES = 5
"""Between a bundler's message and the place it speaks of, or the other way round."""
_SCRIPT = re.compile(r"(?P<path>\S.*\.(?:[cm]?[jt]sx?|vue|svelte|astro))$")
_TYPED = r"(?P<path>\S.*?)%s error (?P<kind>TS\d+): (?P<said>.+)$"
_UNDER_A_FILE = r"\s+(?P<line>\d+):\d+\s+error\s+(?P<said>.+?)(?:\s*  (?P<kind>\S(?:(?!  ).)*))?$"
_BABEL = r".*?\b(?P<kind>SyntaxError|TypeError): (?P<path>\S+\.[cm]?[jt]sx?): (?P<said>.+?) ?\((?P<line>\d+):\d+\)$"
_PLACE = Stack(re.compile(r"\s+(?P<path>\S+?):(?P<line>\d+):\d+:$"), reach_lines=REACH_LINES - 1)
_WEBPACK = r"(?:ERROR in|Error in|Failed to compile:?) (?P<path>\S+?\.\w+)(?: (?P<line>\d+):\d+.*)?$"
_MISSING = r"(?P<said>(?:\[!\] )?(?:Module not found|Could not resolve)[:\s].*)$"
FORMS = (
    LineForm("typescript", re.compile(_TYPED % r"\((?P<line>\d+),\d+\):"), mark=" error TS"),
    LineForm("typescript", re.compile(_TYPED % r":(?P<line>\d+):\d+ -"), mark=" error TS"),
    LineForm("typescript", re.compile(r"error (?P<kind>TS\d+): (?P<said>.+)$")),
    LineForm(
        "eslint", re.compile(r"(?P<path>\S.*?):(?P<line>\d+):\d+: (?P<said>.+) \[Error/(?P<kind>[\w@/-]+)\]$"), mark="]"
    ),
    LineForm("javascript", re.compile(_BABEL), mark=")"),
    LineForm("javascript", re.compile(r"\s*✘ \[ERROR\] (?P<said>.+)$"), "build error", stack=_PLACE),
    LineForm("javascript", re.compile(_WEBPACK), "build error", said_below=REACH_LINES, bare=False),
    LineForm("javascript", re.compile(_MISSING), "build error"),
    LineForm("eslint", re.compile(_UNDER_A_FILE), mark=" error "),
)


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Each error of each tool; warnings are left out, and what should stand under the name of a file and does not."""
    scripts = headings(lines, _SCRIPT)
    for found in walk(lines, *FORMS):
        script = scripts[found.first_line]
        if not found.frames or found.frames[0].path:
            yield found
        elif script:
            yield replace(found, frames=(replace(found.frames[0], path=script["path"]),))
