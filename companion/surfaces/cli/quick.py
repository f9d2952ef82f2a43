"""The most frequent command answered without loading the rest: `companion context` with an owner alive.

Only plain calls with known options are taken; whatever is unusual, and whatever goes wrong, is left to the
whole command line, which then does and says everything. What is printed is the same to the byte.
"""

from __future__ import annotations

import os
import sys

SHORT = {"-f": "file", "-q": "query", "-b": "branch", "-a": "activity", "-n": "budget", "-C": "repo"}
LONG = frozenset(["file", "query", "branch", "activity", "collaborator", "budget", "format", "order", "repo"])
"""Options that this way knows; each takes a value."""
PATHS = frozenset(["file", "repo"])
"""Options whose value is a path; one that goes up again is resolved by the whole command line."""
FORMATS = {"md": "md", "xml": "xml", "json": "json"}
BUDGET_MAX_DIGITS = 6
"""A longer number is refused in words, by the whole command line."""
WAIT_S = 12.0
"""A little more than an owner gives itself for an answer."""


def answered(arguments: list[str]) -> bool:
    """Whether the command was taken and answered here; if not, nothing was printed."""
    if arguments[:1] != ["context"] or os.environ.get("COMPANION_OWNER", "auto") == "never":
        return False
    given = _options(arguments[1:])
    if given is None:
        return False
    try:
        said = _ask(given)
    except Exception:  # whatever it is, the whole command line finds out and says so
        return False
    if said is None:
        return False
    text, notices = said
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    if not text.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()
    if notices:
        from companion.surfaces.cli.output import print_note

        for notice in notices:
            print_note(notice)
    return True


def _options(arguments: list[str]) -> dict[str, list[str]] | None:
    """Option names and their values; None if anything is not plain."""
    given: dict[str, list[str]] = {}
    waiting = iter(arguments)
    for argument in waiting:
        name, found, value = argument[2:].partition("=") if argument.startswith("--") else ("", "", "")
        if not name and argument in SHORT:
            name = SHORT[argument]
        if name not in LONG or (name in given and name != "collaborator"):
            return None
        if not found:
            following = next(waiting, None)
            if following is None or following.startswith("-"):
                return None
            value = following
        if name in PATHS and os.pardir in value.split(os.sep):  # noqa: PTH206 - pathlib takes 5 ms to import
            return None
        given.setdefault(name, []).append(value)
    return given


def _ask(given: dict[str, list[str]]) -> tuple[str, list[str]] | None:
    """The context and what to note beside it; None where the whole command line is needed."""
    from companion.client.finding import find_owner, home_folder

    home = home_folder()
    one = {name: values[-1] for name, values in given.items()}
    budget = _budget(one.get("budget"), home)
    owner = find_owner(home)
    if owner is None or budget is None:
        return None
    from companion.__about__ import __version__
    from companion.client.finding import API
    from companion.client.speaking import ask

    if owner.api != API or owner.version != __version__:
        return None
    repo = os.path.abspath(one.get("repo", "."))  # noqa: PTH100 - pathlib takes 5 ms to import
    body = {
        "repo": repo,
        "budget": budget,
        "signals": {
            "current_file": _at_hand(one.get("file", ""), repo),
            "query": one.get("query", ""),
            "branch": one.get("branch", ""),
            "activity": one.get("activity") or None,
            "collaborators": given.get("collaborator", []),
        },
        "format": FORMATS[one.get("format", "md")],
        "order": one.get("order", "people"),
    }
    status, said = ask(owner, "POST", "/context/assemble", body, timeout_s=WAIT_S)
    if status != 200:
        return None
    return str(said["context"]), [str(notice) for notice in said["notices"]]


def _budget(said: str | None, home: str) -> int | None:
    """The budget in tokens; None if it is no plain number, which the whole command line then refuses."""
    if said is not None:
        return int(said) if said.isascii() and said.isdigit() and len(said) <= BUDGET_MAX_DIGITS else None
    from pathlib import Path

    from companion.config import load_settings

    return load_settings(Path(home)).budget_tokens


def _at_hand(file: str, repo: str) -> str:
    """The file at hand, absolute, as `companion.surfaces.cli.options` has it."""
    if not file:
        return ""
    here, there = os.path.join(os.getcwd(), file), os.path.join(repo, file)  # noqa: PTH109, PTH118 - as above
    inside = here == repo or here.startswith(repo.rstrip(os.sep) + os.sep)
    if os.path.lexists(here) or (inside and not os.path.lexists(there)):
        return here
    return there
