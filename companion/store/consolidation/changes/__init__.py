"""What each sort of change does and when it is refused, in statements, a module a family.

A change is its record in `companion.records.tidying` and a line here. What it finds and leaves, how it is applied and
taken back, all follows from the rows that its patches select.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.store.consolidation.changes.between import OPPOSE, RELATE, UNITE, UNRELATE
from companion.store.consolidation.changes.ending import MERGE, OUTDATE, RETIRE, SUPERSEDE
from companion.store.consolidation.changes.moving import REVIVE, REWORD, SHORTEN, WARM, WEIGH
from companion.store.consolidation.changes.statements import Statements

STATEMENTS: Mapping[str, Statements] = {
    "Retire": RETIRE,
    "Merge": MERGE,
    "Supersede": SUPERSEDE,
    "Outdate": OUTDATE,
    "Oppose": OPPOSE,
    "Revive": REVIVE,
    "Reword": REWORD,
    "Shorten": SHORTEN,
    "Unite": UNITE,
    "Weigh": WEIGH,
    "Warm": WARM,
    "Relate": RELATE,
    "Unrelate": UNRELATE,
}
"""By the name of the record. Without statements a change of an earlier version is refused, and can be taken back."""
