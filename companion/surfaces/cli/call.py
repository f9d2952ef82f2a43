"""Any verb of the API by its name: what has no command of its own, and what programs ask for."""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from companion import wire
from companion.errors import UsageError
from companion.surfaces.cli.declared import Positional
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import print_json, progress
from companion.surfaces.http.verbs import VERBS, Verb


def call(
    verb: Annotated[str, Positional(metavar="VERB", help="The verb, as the API calls it.")],
    given: Annotated[
        list[str] | None,
        Positional(metavar="[NAME=VALUE]...", help="What it is asked with; values are JSON or text."),
    ] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Ask a verb of the API by its name; the answer is JSON, as the API gives it.

    Example: `companion call accuracy weeks=4`
    """
    asked = _verb_of(verb)
    said = dict(map(_field, given or ()))
    try:
        ask: object = wire.decode(asked.ask, said)
    except UsageError as wrong:
        known = ", ".join(wire.hints_of(asked.ask)) or "nothing"
        raise UsageError(wrong.what, f"`companion call {asked.name}` takes {known}.") from wrong
    with companion_for(repo, anywhere=asked.route.anywhere) as companion, progress(quiet=as_json) as bars:
        print_json(wire.encode(asked.answer(companion, ask, bars), asked.result))


def _verb_of(name: str) -> Verb:
    wanted = name.replace("-", "_")
    found = next((one for one in VERBS if one.name == wanted), None)
    if found is None:
        names = [one.name for one in VERBS]
        near = get_close_matches(wanted, names) or names
        raise UsageError(f"There is no verb {name!r}.", f"There is {', '.join(near)}.")
    return found


def _field(said: str) -> tuple[str, object]:
    """A field of what is asked: `name=value`. Raises UsageError for what has no name."""
    name, equals, value = said.partition("=")
    if not (name and equals):
        raise UsageError(f"{said!r} says no value.", "Write it like `limit=5`.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
