"""Code actions: remember what is selected; settle, pin, open or dismiss what a hint speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    subject = {"uri": place.uri, "id": hint.id}
    if hint.code == CONTRADICTION:
        for resolution, says in WAYS:
            yield _action(
                f"Companion: resolve this, {says}", "companion.resolve", {**subject, "resolution": resolution}
            )
        if one is not None:
            yield from _proposed(one, subject)
            for side, memory in (("older", one.a), ("newer", one.b)):
                says = f"Companion: show the {side}: {memory.draft.levels.index}"
                yield _action(says, "companion.expand", {**subject, "id": memory.id})
        return
    yield _action("Companion: show this convention", "companion.expand", subject)
    yield _action("Companion: downvote this convention", "companion.notUseful", subject)
    yield _action("Companion: pin this convention", "companion.pin", subject)


def _proposed(one: Contradiction, subject: Mapping[str, str]) -> Iterator[types.CodeAction]:
    """Each side where its own words say that it holds, and both as one, if they say it."""
    if one.scope_a is None or one.scope_b is None:
        return
    labels = [scope.label() or "elsewhere" for scope in (one.scope_a, one.scope_b)]
    scopes = {"scopeA": asdict(one.scope_a), "scopeB": asdict(one.scope_b)}
    yield _action(
        f"Companion: resolve this, the older holds in {labels[0]}, the newer in {labels[1]}",
        "companion.resolve",
        {**subject, "resolution": "both_valid", **scopes},
    )
    if one.merged:
        says = f"Companion: resolve this, merge both: {one.merged}"
        merged = {**subject, "resolution": "merged", "merged": one.merged}
        yield _action(one_line(says, TITLE_CHARACTERS), "companion.resolve", merged)


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
