"""The form in which a sort of change says what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from companion.ports import TokenCounter
from companion.ports.composing import composed
from companion.store.consolidation.batches import Planned
from companion.store.consolidation.patches import Patch

_BATCH = """
with recursive batch as (
    select number, change, reason, memories, $now::timestamp as now, $project as project
    from run_changes
    where run_id = $run
        and number between $first and $last
        and number in (select unnest($numbers::integer[]))
        and state = 'planned'
)"""

PINNED = """
select number, 'it is pinned' as why
from batch
join memories on id = batch.memories[1]
where pinned
"""

PAIR = "'x1' || left(sha256(least({one}, {other}) || chr(31) || greatest({one}, {other})), 30)"
"""The id of the contradiction of two memories."""


class Statements(Struct, frozen=True):
    """What a sort of change does: its patches, and the number of each change that is refused, with why.

    All are written over `batch`: number, change (JSON), reason, memories, now and project of each. `leaving`, where
    there is one, selects number, id, successor, why and ends of the memories that go to the archive. `given` are
    values of its own that the patches take beside those of `About.given`.
    """

    patches: tuple[Patch, ...]
    refusals: tuple[str, ...] = ()
    leaving: str = ""
    given: Callable[[Sequence[Planned], TokenCounter], Mapping[str, object]] = lambda batch, counter: {}

    @property
    def begin(self) -> str:
        """The common table expressions over which they are written."""
        return (
            composed("{batch},\nleaving as ({leaving})", batch=_BATCH, leaving=self.leaving) if self.leaving else _BATCH
        )

    def refusing(self) -> tuple[str, ...]:
        """The refusals as they are asked."""
        asked = "{begin}\nselect number, why\nfrom ({refusal})"
        return tuple(composed(asked, begin=self.begin, refusal=one) for one in self.refusals)
