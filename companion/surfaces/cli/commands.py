"""A command is a function that asks a companion, and words for what it found; all else is the same for every one.

    @command(in_words)
    def revive(companion: Companion, id_: MemoryId) -> Memory: ...

    @words_for("expand", id_=Positional(metavar="ID", help="An id or the start of one."))
    def expand(found: Expansion) -> str: ...

Either takes its options with `--json` and `--repo` beside them, opens the companion, asks, and prints. The second is
enough where one verb is asked as it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, get_type_hints

from msgspec import Struct

from companion.api.routes import ROUTES
from companion.surfaces.cli.declared import option
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import Shown, print_answer, print_json, progress, show

if TYPE_CHECKING:
    from companion.api import Companion
else:
    Companion = object
    """It only stands in signatures: to load every family of verbs for that would take a tenth of a second."""

__all__ = ["CommandAnswer", "Companion", "command", "words_for"]

Tell = Callable[[Any], Shown]
"""Puts what was found into words."""
GIVEN = ("as_json", "repo", "bars")
"""Parameters of a command's function that are no options of its own: it is given them where it has them."""
_COMMON = (
    inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson),
    inspect.Parameter("repo", inspect.Parameter.KEYWORD_ONLY, default=Path(), annotation=Repo),
)


class CommandAnswer(Struct, frozen=True):
    """What a command found, and how people are told of it where that takes more than the record itself."""

    record: object
    shown: Shown


def command(
    tell: Tell | None = None, *, anywhere: bool = False
) -> Callable[[Callable[..., object]], Callable[..., None]]:
    """What makes a command of a function whose first parameter is a companion.

    `tell` puts the answer into words; a function without one returns `Told`. With `anywhere` it works outside of a
    repository too.
    """

    def made(asks: Callable[..., object]) -> Callable[..., None]:
        _, *declared = inspect.signature(asks).parameters.values()
        own = {one.name: one.annotation for one in declared if one.name not in GIVEN}
        hints = get_type_hints(SimpleNamespace(__annotations__=own), asks.__globals__, include_extras=True)
        options = [one.replace(annotation=hints[one.name]) for one in declared if one.name in own]
        takes = [one.name for one in declared if one.name in GIVEN]
        return _made(asks, asks, tell, options, takes, anywhere=anywhere)

    return made


def words_for(verb: str, **options: Any) -> Callable[[Tell], Callable[..., None]]:
    """What makes a command of the words for a verb's answer.

    Its options are parameters of the verb, with the protocol's types and defaults; `options` declare them.
    """

    def asks(companion: Companion, **given: object) -> object:
        return getattr(companion, verb)(**given)

    def made(tell: Tell) -> Callable[..., None]:
        route = next(one for one in ROUTES if one.verb == verb)
        declared, hints = inspect.signature(route.declared).parameters, get_type_hints(route.declared)
        own = [declared[name].replace(annotation=option(hints[name], one)) for name, one in options.items()]
        return _made(tell, asks, tell, own, (), anywhere=route.anywhere)

    return made


def _made(
    named: Callable[..., object],
    asks: Callable[..., object],
    tell: Tell | None,
    own: Sequence[inspect.Parameter],
    takes: Sequence[str],
    *,
    anywhere: bool,
) -> Callable[..., None]:
    """A command with a function's name and help, that has its own options and those that all commands have."""

    @wraps(named)
    def run(*, as_json: bool, repo: Path, **options: Any) -> None:
        quiet = as_json or "bars" not in takes
        with companion_for(repo, anywhere=anywhere) as companion, progress(quiet=quiet) as bars:
            common = {"as_json": as_json, "repo": repo, "bars": bars}
            found = asks(companion, **options, **{name: common[name] for name in takes})
        _print(found, tell, as_json=as_json)

    options = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own]
    declared = [*options, *_COMMON]
    run.__signature__ = inspect.Signature(declared)  # type: ignore[attr-defined]  # what `inspect` looks at first
    run.__annotations__ = {one.name: one.annotation for one in declared}
    return run


def _print(found: object, tell: Tell | None, *, as_json: bool) -> None:
    if isinstance(found, CommandAnswer):
        print_answer(found.record, found.shown, as_json)
    elif as_json or tell is None:
        print_json(found)
    else:
        show(tell(found))
