"""What was deleted leaves the indexes, the file of the store and its copies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.errors import StoreUnwritable

if TYPE_CHECKING:
    from companion.app.checkout import OpenCheckout
    from companion.app.runtime import Runtime
    from companion.store.care.erasing import Delete, Holds


def unindex(runtime: Runtime, spaces: Iterable[str]) -> None:
    """What was deleted leaves the indexes at once."""
    for space in spaces:
        runtime.store.text_index.update(space)
        if runtime.adapters.embedder is not None:
            runtime.store.vectors.refresh(space, runtime.adapters.embedder)


def clear_copies(here: OpenCheckout, holds: Holds, delete: Delete) -> None:
    """What was deleted leaves the file and the copies in the home; the user is told which, and what is left."""
    from companion.store.care import erasing

    runtime = here.runtime
    erasing.want_anew(runtime.store.database)
    runtime.store.text_index.drop()
    if runtime.shared:
        here.say("The space it had in the store's file is cleared when that is opened the next time.")
    else:
        try:
            erasing.write_anew_if_wanted(runtime.store.database, runtime.settings.memory_limit)
        except StoreUnwritable as wrong:  # it is deleted all the same; the next who opens the store tries again
            here.say(str(wrong))
    with runtime.store.database.copying:
        reached = erasing.reach_copies(runtime.store.home, holds, delete, runtime.settings.memory_limit)
    if reached.mended:
        names = ", ".join(path.name for path in reached.mended)
        here.say(f"It was removed from the backups of the store as well: {names}.")
    if reached.left:
        names = ", ".join(str(path) for path in reached.left)
        here.say(f"It may still be in {names}, which could not be changed: delete what you do not need.")
    here.say("Copies and exports that you put elsewhere are yours to delete.")
