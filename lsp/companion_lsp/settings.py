"""What a user may set for editors, each with its default and reason; anything else given is passed over and said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

Value = TypeVar("Value")

SECTION = "companion"
"""The section that editors keep our settings under."""
BUDGET_MOST = 1_000_000
"""Tokens of a context: as in the settings of the program."""


def _setting(name: str, default: Value, why: str, choices: tuple[str, ...] = ()) -> Value:
    return field(default=default, metadata={"name": name, "why": why, "choices": choices})


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """Settings under `companion` in the editor, by initializationOptions or workspace/didChangeConfiguration."""

    hover: bool = _setting("hover.enabled", True, "say in hovers why the code is as it is")
    lenses: str = _setting(
        "codeLens.show",
        "containers",
        "above classes and modules only: a lens over each function is noise",
        ("off", "containers", "all"),
    )
    diagnostics: bool = _setting(
        "diagnostics.enabled", True, "show open contradictions and departures from conventions as hints"
    )
    prefetch: bool = _setting(
        "prefetch.enabled", True, "tell the background service what is opened and edited, so that it is ready"
    )
    unread: str = _setting(
        "unreadRepositories",
        "ask",
        "what to do when a file of a repository is opened that was never read",
        ("ask", "never"),
    )
    nudges: str = _setting(
        "nudges.show",
        "message",
        "how suggestions are shown: as a message that can be answered, as a line in the log, or not at all",
        ("off", "log", "message"),
    )
    quiet: bool = _setting("quiet", False, "one switch for everything that is shown without being requested")
    budget_tokens: int = _setting("context.budgetTokens", 8_000, "tokens of the context that is shown")


def in_force(wanted: EditorSettings) -> EditorSettings:
    """The settings that hold: in quiet nothing is shown unasked, whatever else was set."""
    if not wanted.quiet:
        return wanted
    return replace(wanted, hover=False, lenses="off", diagnostics=False, unread="never", nudges="off")


def with_given(settings: EditorSettings, given: object) -> tuple[EditorSettings, tuple[str, ...]]:
    """The settings with what an editor sent, and a sentence for each thing that could not be used.

    `given` may hold the section itself or what stands under it, nested or by dotted names.
    """
    if isinstance(given, Mapping) and isinstance(given.get(SECTION), Mapping):
        given = given[SECTION]
    if not isinstance(given, Mapping):
        return settings, ()
    known = {str(f.metadata["name"]): f for f in fields(EditorSettings)}
    complaints = []
    for name, value in _flat(given):
        setting = known.get(name.removeprefix(f"{SECTION}."))
        if setting is None:
            continue  # editors keep settings of their own extension in the same section
        choices = setting.metadata["choices"]
        fits = type(value) is type(setting.default) and (not choices or value in choices)
        if fits and (type(value) is not int or 0 <= value <= BUDGET_MOST):
            changed: dict[str, Any] = {setting.name: value}  # of the kind of its default, as was seen
            settings = replace(settings, **changed)
        else:
            wanted = " or ".join(choices) or type(setting.default).__name__
            complaints.append(f"Setting {SECTION}.{name} must be {wanted}; {setting.default!r} stays in force.")
    return settings, tuple(complaints)


def _flat(given: Mapping[object, object], before: str = "") -> Iterator[tuple[str, object]]:
    for key, value in given.items():
        name = f"{before}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}.")
        else:
            yield name, value
