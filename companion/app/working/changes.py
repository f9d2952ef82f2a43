"""How a checkout stands when an error is seen, and what was changed until it was gone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct, field

from companion.app.checkout import OpenCheckout
from companion.errors import SourceError
from companion.signals.files import blob_id
from companion.signals.git import between, folder_of, head_and_branch
from companion.signals.ignore import foreign_reason, secret_reason
from companion.signals.paths import raw_path
from companion.store.working.sightings import Fix

SUBJECTS_TOLD = 3
"""Commits that a fix names; a pull brings dozens, and then the nearest says more than a list."""
PATHS_TOLD = 4
"""Edited files that a fix names in words; all of them stand beside it."""
LINES_TOLD = 8
"""Changed lines that are kept of an edit which is in no commit: enough to see a small fix whole."""
LINE_MAX_CHARACTERS = 160
"""Of one such line."""
COMMITS_TO_BLAME = 5
"""Of more commits, none of them near the error, no single one is named as the fix."""


class CheckoutState(Struct, frozen=True):
    """A checkout at one moment: its commit, and the files that differ from it with what stood in them."""

    head: str = ""
    dirty: Mapping[str, str] = field(default_factory=dict)


def standing(checkout: OpenCheckout, until: datetime | None = None) -> CheckoutState:
    """How the checkout stands now.

    Left out is what is nobody's work: caches and build output, and new files that were written after
    `until`, which are the command's own.
    """
    if checkout.state.bare:
        return CheckoutState(checkout.state.head)
    differing = between.dirty_paths(checkout.state)
    dirty = {}
    for path in nameable(checkout, [path for path in differing if not foreign_reason(path, ())]):
        written = None if differing[path] or until is None else written_at(checkout, path)
        if written is None or until is None or written < until:
            dirty[path] = _mark(checkout, path)
    return CheckoutState(head_and_branch(checkout.state)[0], dirty)


def nameable(checkout: OpenCheckout, paths: Sequence[str]) -> Sequence[str]:
    """Those of the paths that may be written down: files whose names hold a secret are passed over, as in a scan."""
    redact, together = checkout.runtime.adapters.redactor.redact, "\n".join(paths)
    return paths if redact(together) == together else [path for path in paths if redact(path) == path]


def change(checkout: OpenCheckout, then: CheckoutState, now: CheckoutState, near: Sequence[str]) -> Fix | None:
    """What was changed between two moments, told with the paths `near` the error first; None for nothing."""
    state = checkout.state
    commits = between.commits_between(state, then.head, now.head)
    committed = set(nameable(checkout, sorted(between.paths_between(state, then.head, now.head))))
    edited = _edited(checkout, then, now, committed)
    changed = edited | {path for path in committed if then.dirty.get(path) != _mark(checkout, path)}
    if not changed:
        return None
    ordered = sorted(changed, key=lambda path: (path not in near, path))
    told = [(sha, subject) for sha, subject, paths in commits if not paths or changed & set(paths)]
    nearest = next((sha for sha, _, paths in commits if set(paths) & set(near) & changed), "")
    commit = nearest or (told[0][0] if 0 < len(told) <= COMMITS_TO_BLAME else "")
    uncommitted = [path for path in ordered if path in edited and path not in then.dirty]
    return Fix(
        says=_in_words(checkout, told, commit, [path for path in ordered if path in edited], sorted(committed)),
        commit=commit,
        paths=tuple(ordered[: between.PATHS_MAX]),
        lines=_lines(checkout, uncommitted[:PATHS_TOLD]),
    )


def _edited(checkout: OpenCheckout, then: CheckoutState, now: CheckoutState, committed: set[str]) -> set[str]:
    """Files that differ from the newer commit and stood otherwise before, and edits that were taken back."""
    here = {path for path, mark in now.dirty.items() if then.dirty.get(path, "") != mark}
    back = {path for path in then.dirty if path not in now.dirty and path not in committed}
    return here | {path for path in back if _mark(checkout, path) != then.dirty[path]}


def _in_words(
    checkout: OpenCheckout,
    commits: Sequence[tuple[str, str]],
    nearest: str,
    edited: Sequence[str],
    committed: Sequence[str],
) -> str:
    first = sorted(commits, key=lambda one: one[0] != nearest)
    parts = [f"{checkout.runtime.adapters.redactor.redact(subject)} (commit {sha[:10]})" for sha, subject in first]
    said = [_listed(parts, SUBJECTS_TOLD, "commits")] if parts else []
    if not parts and committed:
        said.append(f"another commit was checked out, which changes {_listed(committed, PATHS_TOLD, 'files')}")
    if edited:
        said.append(f"edited {_listed(edited, PATHS_TOLD, 'files')}")
    return "; ".join(said)


def _listed(names: Sequence[str], limit: int, noun: str) -> str:
    more = f" and {len(names) - limit} more {noun}" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def _lines(checkout: OpenCheckout, paths: Iterable[str]) -> str:
    """The first changed lines of files that may be read, redacted."""
    readable = [path for path in paths if path in checkout.library().paths() and not secret_reason(path)]
    shown = checkout.runtime.adapters.redactor.redact(between.edited_lines(checkout.state, readable))
    return "\n".join(line[:LINE_MAX_CHARACTERS] for line in shown.splitlines()[:LINES_TOLD])


def _mark(checkout: OpenCheckout, path: str) -> str:
    """What tells two contents of a file apart; of files that hold secrets by their name, only size and time."""
    if secret_reason(path):
        try:
            found = (folder_of(checkout.state) / raw_path(path).decode("utf-8", "surrogateescape")).stat()
        except (OSError, ValueError):
            return ""
        return f"{found.st_size}-{found.st_mtime_ns}"
    try:
        return blob_id(checkout.source().read(path))
    except SourceError:
        return ""


def written_at(checkout: OpenCheckout, path: str) -> datetime | None:
    """When a file was written, naive UTC; None where it is not there."""
    try:
        place = folder_of(checkout.state) / raw_path(path).decode("utf-8", "surrogateescape")
        return datetime.fromtimestamp(place.lstat().st_mtime, UTC).replace(tzinfo=None)
    except (OSError, ValueError, OverflowError):
        return None
