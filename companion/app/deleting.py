"""What was deleted for good leaves the indexes, the copies of the store and its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import StoreUnwritable
from companion.store.care import deleted

if TYPE_CHECKING:
    from companion.app.checkout import OpenCheckout
    from companion.app.runtime import Runtime
    from companion.store.care.deleted import Deleted


def leave_and_tell(here: OpenCheckout) -> None:
    """Have what is noted as deleted leave every place, and tell the user of it; nothing where nothing is noted."""
    if deleted.noted(here.store.database) is not None:
        for told in leave_everywhere(here.runtime):
            here.say(told)
        here.say("Copies and exports that you put elsewhere are yours to delete.")


def leave_everywhere(runtime: Runtime) -> tuple[str, ...]:
    """Have what is noted as deleted leave every place; returns what the user should know of it, in sentences.

    Where the program ends in the middle, the next who opens the store does it again.
    """
    database, gone = runtime.store.database, deleted.noted(runtime.store.database)
    told = () if gone is None else _leave_indexes_and_copies(runtime, gone)
    if runtime.shared:
        return (*told, "The space it had in the store's file is cleared when that is opened the next time.")
    try:
        deleted.write_anew_if_wanted(database, runtime.settings.memory_limit)
    except StoreUnwritable as wrong:  # it is deleted all the same; the next who opens the store tries again
        return (*told, str(wrong))
    return told


def _leave_indexes_and_copies(runtime: Runtime, gone: Deleted) -> tuple[str, ...]:
    runtime.store.text_index.drop()  # whoever asks next has it filled again
    unchanged = []
    for space in gone.spaces:
        try:
            runtime.store.vectors.drop_deleted(space, runtime.adapters.embedder)
        except OSError as wrong:
            unchanged.append(wrong.strerror or str(wrong))
    reached = deleted.clear_copies(runtime.store.database, gone, runtime.settings.memory_limit)
    mended = ", ".join(path.name for path in reached.mended)
    left = ", ".join(str(path) for path in reached.left)
    return (
        *([f"It was removed from the backups of the store as well: {mended}."] if mended else []),
        *([f"Its vectors stay until `companion rebuild` can write their file ({why})." for why in unchanged[:1]]),
        *([f"It may still be in {left}, which could not be changed: delete what you do not need."] if left else []),
    )
