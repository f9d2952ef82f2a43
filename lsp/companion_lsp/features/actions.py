"""Code actions: remember what is selected; settle, pin, open or dismiss what a hint speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import asdict

from companion.escape import one_line
from companion_lsp import convert
from companion_lsp.features.diagnostics import NONE, hints_here
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import Contradiction, Hint

ACTIONS_S = 0.5
"""Deadline of actions: a menu waits for them."""
TITLE_CHARACTERS = 120
"""Characters of a title: a menu is no wider."""
REMEMBER = "refactor.companion.remember"
"""The kind of the action that keeps the selection; it changes no file, and no kind of the protocol says so."""
CONTRADICTION = "contradiction"
"""The code of hints that can be settled."""
WAYS = (
    ("a_wins", "the older holds"),
    ("b_wins", "the newer holds"),
    ("both_valid", "both hold"),
)
"""How a contradiction is settled with one key, in the words of `companion.records.Resolution`."""


def register(server: CompanionServer) -> None:
    """Answers textDocument/codeAction."""
    options = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def actions(ls: CompanionServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        place = ls.place(params.text_document.uri)
        if place is None:
            return []
        ls.touch(place, "selected", params.range.start.line + 1)
        found: list[types.CodeAction] = []
        if _wanted(params.context.only, types.CodeActionKind.QuickFix) and ls.settings.diagnostics:
            here = [
                (hint, diagnostic)
                for hint, diagnostic in await ls.answer(place, hints_here, NONE, ACTIONS_S)
                if convert.overlap(diagnostic.range, params.range)
            ]
            known: dict[str, Contradiction] = {}
            if any(hint.code == CONTRADICTION for hint, _ in here):
                known = await ls.answer(place, _open, known, ACTIONS_S)
            for hint, diagnostic in here:
                found += [_with(action, diagnostic) for action in _about(hint, place, known.get(hint.id))]
        if _wanted(params.context.only, REMEMBER) and place.lines is not None:
            found += _remember(place, params.range)
        return found


def _wanted(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether a client that asks for some kinds wants this one: a kind stands for those below it."""
    kind = str(getattr(kind, "value", kind))
    given = [str(getattr(one, "value", one)) for one in only or ()]
    return not given or any(one in {"", kind} or kind.startswith(f"{one}.") for one in given)


def _open(companion: Companion, _: OpenDocument) -> dict[str, Contradiction]:
    """The open contradictions by the ids of all their pairs, with what is proposed of them."""
    return {id_: one for one in companion.contradictions() for id_ in {one.id, *one.pairs}}


def _about(hint: Hint, place: OpenDocument, one: Contradiction | None) -> Iterator[types.CodeAction]:
    from companion.api import NOT_USEFUL

    if hint.code == CONTRADICTION:
        for resolution, says in WAYS:
            verdict = {"id": hint.id, "resolution": resolution}
            yield _asks(f"Companion: resolve this, {says}", place, "settle", verdict)
        if one is not None:
            yield from _proposed(one, hint, place)
            for side, memory in (("older", one.a), ("newer", one.b)):
                yield _shows(f"Companion: show the {side}: {memory.draft.levels.index}", place, memory.id)
        return
    yield _shows("Companion: show this convention", place, hint.id)
    dismissed = {"ids": [hint.id], "action": NOT_USEFUL}
    yield _asks("Companion: downvote this convention", place, "pass_over", dismissed)
    yield _asks("Companion: pin this convention", place, "pin", {"id": hint.id, "on": True})


def _proposed(one: Contradiction, hint: Hint, place: OpenDocument) -> Iterator[types.CodeAction]:
    """Each side where its own words say that it holds, and both as one, if they say it."""
    if one.scope_a is None or one.scope_b is None:
        return
    labels = [scope.label() or "elsewhere" for scope in (one.scope_a, one.scope_b)]
    both = {"resolution": "both_valid", "scopes": {"a": asdict(one.scope_a), "b": asdict(one.scope_b)}}
    says = f"Companion: resolve this, the older holds in {labels[0]}, the newer in {labels[1]}"
    yield _asks(says, place, "settle", {"id": hint.id, **both})
    if one.merged:
        says = one_line(f"Companion: resolve this, merge both: {one.merged}", TITLE_CHARACTERS)
        yield _asks(says, place, "settle", {"id": hint.id, "resolution": "merged", "merged": one.merged})


def _asks(title: str, place: OpenDocument, verb: str, ask: object) -> types.CodeAction:
    return _action(title, "companion.ask", {"uri": place.uri, "verb": verb, "ask": ask})


def _shows(title: str, place: OpenDocument, id_: str) -> types.CodeAction:
    return _action(title, "companion.expand", {"uri": place.uri, "id": id_})


def _remember(place: OpenDocument, chosen: types.Range) -> Iterator[types.CodeAction]:
    text = convert.selected(place.lines or (), chosen, place.encoding).strip()
    if text:
        bounds = {
            side: {"line": at.line, "character": at.character}
            for side, at in (("start", chosen.start), ("end", chosen.end))
        }
        yield _action(
            "Companion: remember the selection", "companion.remember", {"uri": place.uri, "range": bounds}, REMEMBER
        )


def _action(title: str, command: str, argument: object, kind: str = types.CodeActionKind.QuickFix) -> types.CodeAction:
    return types.CodeAction(title, kind=kind, command=types.Command(title, command, arguments=[argument]))


def _with(action: types.CodeAction, diagnostic: types.Diagnostic) -> types.CodeAction:
    action.diagnostics = [diagnostic]
    return action
