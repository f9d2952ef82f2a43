"""What a service of verbs is made with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.checkout import OpenCheckout

if TYPE_CHECKING:
    from companion.api import Companion


class Service:
    """Answers verbs of one family. What they promise stands in `companion.api`."""

    def __init__(self, here: OpenCheckout, verbs: Companion) -> None:
        """`here` is the checkout that is asked about, `verbs` are those of all families, asked as anybody asks them."""
        self.here = here
        self.verbs = verbs
        self.runtime = here.runtime
        self.store = here.store
