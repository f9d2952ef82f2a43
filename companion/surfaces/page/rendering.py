"""Views to HTML: whatever a memory says is data, cleaned of what hides from the eye and escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from companion.__about__ import __version__
from companion.escape import one_line, visible_text
from companion.records import Source
from companion.records.wording import sureness
from companion.surfaces.http.problems import Refused
from companion.surfaces.page import static
from companion.surfaces.rows import of_memory, place_of
from companion.surfaces.wording import ID_SHOWN, ago, came_by

TEMPLATES = Path(__file__).parent / "templates"
UNKEPT = {"Cache-Control": "no-store"}
"""What a page says belongs to whoever asked, now: no browser keeps it."""
PATIENCE_MS = 600_000
"""How long a browser waits for what goes over the whole store: as long as the server would."""
_COMMAND = re.compile("`([^`]+)`")
_WORD_ENDS = re.compile(r"(?<=/)(?=[\w.])|(?<=[^\W_][_-])(?=[^\W_])|(?<=\w)(?=\.\w)|(?<=[a-z\d])(?=[A-Z])")
"""Where a path or name may go on in the next line: behind a separator, before a suffix, between its words."""


def rendered(template: str, values: Mapping[str, object]) -> str:
    """A template filled with values."""
    return _environment().get_template(template).render(values)


def refusal(wrong: Refused) -> Response:
    """A page that says in a line why nothing is shown, and what to run; it needs no session."""
    body = rendered("refused.html", {"what": wrong.what, "next_step": wrong.next_step})
    return HTMLResponse(body, wrong.status, {**UNKEPT, **wrong.headers})


def address(base: str, /, **query: object) -> str:
    """An address with a query: what is empty is left out, a list is said once for each."""
    given: list[tuple[str, str]] = []
    for name, value in query.items():
        many = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        given += [(name.rstrip("_"), str(one)) for one in many if one not in ("", None, False)]
    return f"{base}?{urlencode(given)}" if given else base


def commands(text: str) -> Markup:
    """A sentence whose `commands` are shown as such."""
    return Markup(_COMMAND.sub(r"<code>\1</code>", str(escape(visible_text(text)))))  # noqa: S704 - escaped before


def by_words(name: str) -> Markup:
    """A path or name that goes on in the next line only between its words."""
    return Markup("<wbr>").join(_WORD_ENDS.split(visible_text(name)))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
        auto_reload=False,
    )
    made.filters |= {
        "when": lambda moment: f"{moment:%Y-%m-%d %H:%M}",
        "day": lambda moment: f"{moment:%Y-%m-%d}",
        "date": lambda moment: f"{moment.day} {moment:%b %Y}",
        "host": lambda url: urlsplit(url).netloc,
        "count": lambda number: f"{number:,}",
        "sureness": sureness,
        "percent": lambda share: f"{share:.0%}",
        "line": one_line,
        "place": place_of,
        "as_row": of_memory,
        "came_by": lambda draft: came_by(draft.source, draft.origin),
        "short": lambda id_: id_[:ID_SHOWN],
        "commands": commands,
        "by_words": by_words,
        "iso": lambda moment: f"{moment.isoformat(timespec='seconds')}Z",
    }
    made.globals |= {
        "static": static.address,
        "version": __version__,
        "ago": ago,
        "patience_ms": PATIENCE_MS,
        "by_hand": Source.BY_HAND.value,
    }
    return made


def _seen(value: object) -> object:
    """What is said, without what hides from the eye; markup of ours (a Markup is a str too) is left as it is."""
    return visible_text(value) if type(value) is str else value
